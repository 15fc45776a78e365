import AppSide
import Arguments
import BAPackKit
import SourceDiagnostics
import TerminalText

/// The levels of findings on the command line, which override those of the project file.
enum FindingOptions {
  private static let finding = RepeatableOption(
    "finding", ValueType<FindingSetting>.finding { CheckedRules.fault(in: $0) }, called: "setting",
    in: .check, "Set the severity of a finding: 'files.junk=off'.",
    details: """
      The severities are off, note, warning and error. The ID can be a pattern, such as 'packs.*'; \
      repeatable. Most errors cannot be lowered. 'findings' of the project file sets severities \
      for all runs.
      """)
  /// The option for findings about apps.
  static let ofApps = RepeatableOption(
    "finding",
    ValueType<FindingSetting>.finding {
      CheckedRules.fault(
        in: $0, among: AppRules.all + RuleCatalogue.rules(of: .publishing), about: "apps")
    }, called: "setting", in: .check, "Set the severity of a finding: 'app.same-bytes=off'.",
    details: """
      The severities are off, note, warning and error. The ID can be a pattern, such as 'app.*'; \
      repeatable. Most errors cannot be lowered.
      """)

  static let all: [any TypedParameter] = [finding]

  /// Adds the levels of the options to the settings.
  static func add(to settings: inout EffectiveSettings, _ arguments: ParsedArguments) {
    let findings = arguments[finding]
    guard !findings.isEmpty else { return }
    settings.add(findings, as: \.findings, from: .option("--" + finding.parameter.name))
  }
}

extension ValueType where Value == FindingSetting {
  /// An ID, `=`, and a level; `fault` returns the mistake in them.
  fileprivate static func finding(
    _ fault: @escaping @Sendable (FindingSetting) -> CheckedRules.Fault?
  ) -> Self {
    Self { word throws(InvalidValue) in
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let level = FindingLevel(rawValue: String(parts[1])) else {
        throw InvalidValue(
          "expected an ID and a severity (off, note, warning or error), such as 'files.junk=error'")
      }
      let setting = FindingSetting(String(parts[0]), level)
      if let fault = fault(setting) {
        throw InvalidValue(
          fault.message.text + (fault.near.map { ". Did you mean '\($0)'?" } ?? ""))
      }
      return setting
    }
  }
}

extension FindingPolicy {
  /// Returns the level of all findings of a rule, for SARIF logs; nil if it is the usual one.
  func override(of rule: Rule, for hosting: Hosting?) -> SARIFRenderer.RuleText.Override? {
    let general = settings.last {
      $0.names(rule.id) && $0.paths.isEmpty && $0.manifests.isEmpty
    }
    guard let general, !rule.refuses(general.level, for: hosting) else { return nil }
    return general.level.severity.map { .level($0) } ?? .off
  }
}

extension Rule {
  /// Whether its findings for a host are errors that cannot have a level.
  func refuses(_ level: FindingLevel, for hosting: Hosting?) -> Bool {
    level != .error && !canLower && severity(for: hosting) == .error
  }
}

extension Console {
  /// Reports the number of findings that are off.
  func report(off findings: Ledger) {
    if let phrase = findings.offPhrase { summary(phrase) }
  }
}

extension Ledger {
  /// `2 findings off`; nil if no finding is off.
  var offPhrase: String? {
    decided.off == 0 ? nil : Quantity.count(decided.off, "finding") + " off"
  }
}

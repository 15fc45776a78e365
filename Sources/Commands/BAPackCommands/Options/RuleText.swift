import AppSide
import BAPackKit
import Converting
import DeviceSimulator
import Proposing
import Reporting
import SourceDiagnostics
import SystemIO

extension Rule {
  /// The severity of a finding for each host, and whether `validate --fix` can fix it.
  var weightText: [String] {
    let first =
      switch weight {
      case .always(let severity): severity.rawValue.capitalised
      case .usually(let severity, _, _): severity.rawValue.capitalised
      case .byHost:
        "By host: "
          + Self.hosts.map { hosting, name in
            "\(severity(for: hosting)?.rawValue ?? "no finding") (\(name))"
          }.joined(separator: ", ")
      }
    let other =
      exception.map {
        "; \($0.severity == .error ? "an" : "a") \($0.severity.rawValue) when \($0.when)"
      } ?? ""
    let lowering = canLower ? " A project can lower the error." : ""
    return [first + other + "." + lowering] + (fixGradeText.map { [$0] } ?? [])
  }

  private static let hosts: [(Hosting?, String)] = [
    (nil, "without '--hosting'"), (.apple, "'--hosting apple'"), (.selfHosted, "'--hosting self'"),
  ]

  /// The automatic fix; nil if there is none.
  private var fixGradeText: String? {
    switch fixGrade {
    case .safe: "Fixed by 'ba-package validate --fix' if the correction is unambiguous."
    case .unsafe:
      "Fixed by 'ba-package validate --fix --unsafe', with the most probable correction."
    case .shownOnly: nil
    }
  }

  /// The titles of the two parts of the example: a rule of `init` is a decision, not a mistake.
  var exampleTitles: (String, String) {
    ProposalRules.all.contains { $0.id == id } ? ("Found", "Result") : ("Wrong", "Right")
  }

  /// The explanation of the rule, which `explain` prints.
  var explanation: String {
    let titles = exampleTitles
    var text = "\(id.name)\n\n\(what)\n\n\(whyText)\n\n"
    text += "\(weightText.joined(separator: "\n"))\n\n\(titles.0)"
    if let hosting = example.hosting { text += " with '--hosting \(hosting.rawValue)'" }
    text += ":\n\n\(indented(example.wrong))\n\n\(titles.1):\n\n\(indented(example.right))\n"
    return text
  }

  /// The reason why it matters, and hints with this program's options.
  var whyText: String {
    if remedies.isEmpty { return why }
    return why + " Hint: " + remedies.map(\.phrase).joined(separator: ", or ") + "."
  }

  private func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
  }

  /// The rule as JSON.
  static let table = Table<Rule>(written: "a rule") {
    Key("id", written: \.id.name, .text, "The ID of the finding.")
    Key("summary", written: \.what, .text, "The problem in one sentence.")
    Key("reason", written: \.whyText, .text, "The reason why it matters.")
    Key("severity", written: \.self, .object(severities), "The severity for each hosting.")
    Key("canLower", written: \.canLower, .flag, "Whether a project can lower an error.")
    Key(
      "fix", written: \.fixGrade, .grade(shownOnly: "none"),
      "The automatic fix: 'safe' keeps the meaning, 'unsafe' is probably correct.")
    Key("example", written: \.example, .object(exampleTable), "An example of a manifest.")
    Key("address", written: \.address, .text, "The address of the reference, if it is known.")
  }

  private static let severities = Table<Rule>(written: "severities") {
    Key(
      "noHost", written: { $0.severity(for: nil) }, .nullable(.word),
      "The severity without '--hosting'; null if there is no finding.")
    Key(
      "apple", written: { $0.severity(for: .apple) }, .nullable(.word),
      "The severity for packs that Apple hosts; null if there is no finding.")
    Key(
      "self", written: { $0.severity(for: .selfHosted) }, .nullable(.word),
      "The severity for packs on your own server; null if there is no finding.")
    Key("exception", written: \.exception?.severity, .word, "Another severity in special cases.")
    Key("when", written: \.exception?.when, .text, "The special cases.")
  }

  private static let exampleTable = Table<Example>(written: "an example") {
    Key("wrong", written: \.wrong, .text, "A text with the problem.")
    Key("right", written: \.right, .text, "The corrected text.")
    Key("hosting", written: \.hosting, .word, "The hosting for which the text has the problem.")
  }

  /// The area of the rule, which has a page in the reference: the first part of its ID.
  var area: String { String(id.name.prefix { $0 != "." }) }

  /// The anchor of the rule in the reference: its ID without dots.
  var anchor: String { id.name.filter { $0 != "." } }

  /// The URL of the rule in the reference; nil if the repository is unknown.
  fileprivate var address: String? {
    Build.repository.map { "\($0)/blob/main/docs/reference/findings/\(area).md#\(anchor)" }
  }
}

extension String {
  fileprivate var capitalised: String { prefix(1).uppercased() + dropFirst() }
}

/// The rules of all modules.
enum Rulebook {
  /// Every rule, in the order of the reference.
  static let all: [Rule] =
    RuleCatalogue.all + ScenarioRules.all + ConvertingRules.all
    + ProposalRules.all + ChangeRules.all + AppRules.all

  static func rule(_ id: Finding.ID) -> Rule? { all.first { $0.id == id } }

  /// Returns the ID that is most similar to an unknown ID.
  static func nearest(to name: String) -> String? {
    Spelling.nearest(to: name, among: all.map(\.id.name))
  }

  /// Returns a renderer of SARIF logs for some of them.
  static func sarif(
    version: String, of rules: [Rule], for hosting: Hosting? = nil, under policy: FindingPolicy,
    isWhole: Bool, place: @escaping (String) -> String
  ) -> SARIFRenderer {
    SARIFRenderer(
      tool: "ba-package", version: version,
      rules: rules.map { rule in
        .init(
          id: rule.id, level: rule.severity(for: hosting) ?? rule.greatestSeverity,
          summary: rule.what, reason: rule.whyText, help: rule.explanation, address: rule.address,
          override: policy.override(of: rule, for: hosting))
      }, isWhole: isWhole, place: place)
  }
}

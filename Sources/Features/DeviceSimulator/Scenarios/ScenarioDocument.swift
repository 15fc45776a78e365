package import BAPackKit
package import SourceDiagnostics
import SystemIO

/// A parsed scenario: its steps with their places, and its findings.
package struct ScenarioDocument: Sendable {
  /// A valid line.
  package struct Line: Sendable {
    package enum Action: Sendable {
      case step(Step)
      case expect(Expectation)
    }

    package let action: Action
    /// The place of the line, from its first to its last word.
    package let span: SourceSpan
    /// The packs that it names, with their places.
    package let packs: [(id: PackID, span: SourceSpan)]
  }

  /// The paths or the address of a release, and the line that names it.
  ///
  /// The release that exists at the start has neither.
  package struct Source: Sendable {
    package let paths: [String]
    package let span: SourceSpan?

    /// Returns whether other paths name the same files and folders.
    func isSame(as others: [String]) -> Bool {
      func normalized(_ text: String) -> String {
        let path = FilePath(text)
        return RemoteServer.isAddress(text)
          ? text : (path.isAbsolute ? "/" : "") + path.normalized.text
      }
      return paths.map(normalized) == others.map(normalized)
    }
  }

  /// The text.
  package let source: SourceText
  /// The valid lines, in order.
  package private(set) var lines: [Line] = []
  /// The sources of the `release` lines, in the order of the numbers in ``Step/release(_:)``.
  package private(set) var releases: [Source] = []
  /// The findings.
  package private(set) var findings: Ledger

  /// The maximum size of a scenario in bytes; a larger text is not read completely.
  package static let largestText = 1 << 20

  /// Parses a scenario; `isGiven` means that a release with the number 0 exists at the start.
  ///
  /// `override` sets the properties that replace those in the scenario.
  package init(
    parsing bytes: [UInt8], named name: String, profile: DeviceProfile = DeviceProfile(),
    hasRelease isGiven: Bool = false,
    overriding override: @escaping (inout DeviceProfile) -> Void = { _ in }
  ) {
    source = SourceText(Array(bytes.prefix(Self.largestText)), named: name)
    findings = Ledger(about: source)
    if isGiven { releases.append(Source(paths: [], span: nil)) }
    if bytes.count > Self.largestText {
      findings.add(
        ScenarioRules.step(
          "a scenario has at most \(Self.largestText) bytes", form: nil,
          at: SourceSpan(Self.largestText - 1, Self.largestText)))
      return
    }
    var reader = ScenarioReader(profile: profile, releases: releases, overriding: override)
    for line in ScenarioLine.lines(of: source) {
      switch reader.read(line) {
      case .success(let read): lines.append(read)
      case .failure(let mistake): findings.add(mistake.finding)
      }
    }
    releases = reader.releases
    if lines.isEmpty, findings.isEmpty { findings.add(ScenarioRules.empty(at: SourceSpan(0, 0))) }
  }

  /// Whether a step needs a release before the scenario publishes one.
  package var needsRelease: Bool {
    for line in lines {
      guard case .step(let step) = line.action else { continue }
      switch step {
      case .release: return false
      case .install: return true
      case .device, .submit, .updateApp, .uninstall, .launch, .request, .cancel, .checkForUpdates,
        .read, .deviceLanguage, .setLanguage, .reconcile, .refuse, .remove, .wait, .online,
        .offline, .allow, .fault, .status:
        break
      }
    }
    return false
  }

  /// The form and the meaning of each step.
  package static let steps = ScenarioReader.forms.map { (form: $0.form, meaning: $0.meaning) }

  /// The form and the meaning of each expectation.
  package static let expectations =
    ScenarioReader.expectations.map { (form: $0.form, meaning: $0.meaning) }
}

import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// The format in which a command writes findings.
enum FindingsFormat: String, Sendable, CaseIterable {
  case text, json, github, gitlab, sarif

  static let option = DefaultedOption<FindingsFormat>(
    "format", called: "format", in: .output, default: .text, "Set the format of findings.",
    details: """
      Text goes to standard error, the other formats to standard output. 'github' writes \
      annotations, 'gitlab' a Code Quality report.
      """)

  /// The format of findings for programs, for help texts.
  static var meaningOfJSON: String {
    DocumentName.findings.described(
      "With '--format json', prints one object a line for each finding")
  }
}

extension Console {
  /// Writes findings in the chosen format.
  ///
  /// Text is a shortened list. On a terminal or with colors, it shows excerpts of the file. The
  /// other formats are complete. With `--quiet`, text has only errors, and warnings if they count
  /// as errors.
  func report(
    _ findings: Ledger, as format: FindingsFormat,
    of rules: @autoclosure () -> [Rule] = RuleCatalogue.rules(of: .manifests),
    for hosting: Hosting? = nil, under policy: FindingPolicy = FindingPolicy(),
    isWhole: Bool = true, isStrict: Bool = false
  ) {
    let checkout = Checkout(environment)
    let renderer: any FindingsRenderer =
      switch format {
      case .text where messages.isTerminal || usesColor(on: messages):
        FrameRenderer(
          colored: usesColor(on: messages), columns: messages.columns,
          safeFixHint: "(--fix applies it)")
      case .text: LineRenderer()
      case .json: JSONLinesRenderer()
      case .github: GitHubRenderer(place: checkout.path)
      case .gitlab:
        GitLabRenderer(place: checkout.path) { text in
          hexadecimal(fingerprint(of: text.utf8), digits: 16)
        }
      case .sarif:
        Rulebook.sarif(
          version: version, of: rules(), for: hosting, under: policy, isWhole: isWhole,
          place: checkout.path)
      }
    let findings = findings.message
    if format == .text {
      let shown =
        verbosity == .quiet ? findings.from(isStrict ? .warning : .error) : findings
      finding(text: renderer.render(shown.abridged))
    } else {
      result(text: renderer.render(findings))
    }
  }

  /// Writes findings and a summary line.
  ///
  /// If the report goes to standard output, standard error still has the reason of a failure.
  func conclude(
    _ findings: Ledger, about subject: String, failed: Bool, hint: String = "",
    as format: FindingsFormat,
    of rules: @autoclosure () -> [Rule] = RuleCatalogue.rules(of: .manifests),
    for hosting: Hosting? = nil, under policy: FindingPolicy = FindingPolicy(),
    isWhole: Bool = true, isStrict: Bool = false
  ) {
    report(
      findings, as: format, of: rules(), for: hosting, under: policy, isWhole: isWhole,
      isStrict: isStrict)
    let line = shown("\(subject): \(findings.tally)\(hint)")
    if failed { finding(text: line + "\n") } else { summary(line) }
    guard format == .text, messages.isTerminal,
      let worst = findings.max(by: { $0.severity < $1.severity })
    else { return }
    summary("Run 'ba-package explain \(worst.id.name)' for details.")
  }
}

extension JUnitReport {
  /// The option for a report about findings.
  static let option = Option(
    "junit", .file("xml"), called: "path", in: .output, "Write the findings as a JUnit report.",
    details: """
      Each file is a suite. Each finding that makes the command fail is a failure.
      """)

  /// Writes the report, and replaces an existing one.
  func write(to path: String) throws(PackError) {
    try mapFailure(.writing) { () throws(Failure) in
      try AtomicFile.write(
        Array(restoringCharacters(in: text).utf8), to: path, replacing: true)
    }
  }
}

/// Returns a phrase with the number of unreadable packs, which no finding counts; nil for none.
func unread(_ count: Int) -> String? {
  count == 0 ? nil : Quantity.count(count, "pack") + " could not be read"
}

extension Ledger {
  /// The number of findings that `--fix` can correct.
  var safeFixCount: Int { count(where: { $0.fixes.contains { $0.grade == .safe } }) }

  /// The number of findings without an automatic fix, such as `3 need a decision`; nil if there are
  /// none.
  var decisions: String? {
    let count = self.count(.error) + self.count(.warning)
    guard count > 0 else { return nil }
    return count == 1 ? "1 needs a decision" : "\(count) need a decision"
  }

  /// `2 errors and 1 warning`, `no problems, 1 finding off`.
  var tally: String { problems + (offPhrase.map { ", \($0)" } ?? "") }

  private var problems: String {
    let parts = [(count(.error), "error"), (count(.warning), "warning"), (count(.note), "note")]
      .filter { $0.0 > 0 }.map { Quantity.count($0.0, $0.1) }
    guard let last = parts.last else { return "no problems" }
    return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension Console {
  /// Prints that errors stopped the work, and returns the exit status.
  func reportFailure(_ what: String, _ findings: Ledger) -> ExitStatus {
    finding(text: "\(what): \(findings.tally)\n")
    return .failed
  }
}

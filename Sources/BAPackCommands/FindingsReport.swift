import Arguments
import BAPackKit
import SourceDiagnostics

/// How a command that finds things writes what it found.
enum FindingsFormat: String, Sendable, CaseIterable {
  case text, json, github, sarif

  static let option = DefaultedOption<FindingsFormat>(
    "format", called: "format", default: .text,
    "How to write what was found: text goes to standard error, everything else to standard output.")
}

extension Console {
  /// Writes findings in the chosen form.
  func report(_ findings: [Findings], as format: FindingsFormat) {
    switch format {
    case .text where messages.isTerminal:
      finding(
        text: FrameRenderer.render(
          findings, colored: usesColor(on: messages), columns: messages.columns))
    case .text: finding(text: LineRenderer.render(findings))
    case .json: result(text: JSONLinesRenderer.render(findings))
    case .github: result(text: GitHubRenderer.render(findings))
    case .sarif: result(text: Self.sarif.render(findings))
    }
  }

  /// Writes findings, and behind them a line that says what they amount to.
  ///
  /// Whoever reads a report from standard output still sees on standard error why the work failed.
  func conclude(
    _ findings: [Findings], about subject: String, failed: Bool, hint: String = "",
    as format: FindingsFormat
  ) {
    report(findings, as: format)
    let line = "\(subject): \(findings.tally)\(hint)"
    if failed { finding(text: line + "\n") } else { summary(line) }
    let all = findings.flatMap(\.diagnostics)
    guard format == .text, messages.isTerminal,
      let worst = all.max(by: { $0.severity < $1.severity })
    else { return }
    summary("'ba-package explain \(worst.id.name)' tells more about a finding.")
  }

  private static var sarif: SARIFRenderer {
    SARIFRenderer(
      tool: "ba-package", version: version,
      rules: RuleCatalogue.all.map {
        SARIFRenderer.RuleText(id: $0.id, summary: $0.what, help: $0.explanation)
      })
  }
}

extension [Findings] {
  func count(_ severity: Diagnostic.Severity) -> Int { reduce(0) { $0 + $1.count(severity) } }

  /// How many findings `--fix` can mend.
  var safeFixCount: Int {
    reduce(0) { sum, group in
      sum + group.diagnostics.count { $0.fixes.contains { $0.grade == .safe } }
    }
  }

  /// `2 errors and 1 warning`, `no problems`.
  var tally: String {
    let parts = [(count(.error), "error"), (count(.warning), "warning"), (count(.note), "note")]
      .filter { $0.0 > 0 }.map { Quantity.count($0.0, $0.1) }
    guard let last = parts.last else { return "no problems" }
    return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
  }
}

package import SourceDiagnostics
import TerminalText

extension ScenarioRun: Described {
  package static let table = Table<Self>(written: "a scenario") {
    Key("scenario", written: \.scenario.source.name, .text, "The name of the scenario.")
    Key(
      "steps", written: { run in run.moments.map { (run.scenario.source, $0) } },
      .list(of: .object(line)), "The steps and the expectations, in the order of their lines.")
    Key(
      "expectations", written: { $0.moments.count { $0.isMet != nil } }, .count,
      "The number of expectations.")
    Key(
      "failed", written: { $0.moments.count { $0.isMet == false } }, .count,
      "The number of failed expectations.")
    Key("errors", written: { $0.findings.count(.error) }, .count, "The number of errors.")
    Key("device", written: \.state, .object, "The device at the end.")
  }

  private static let line = Table<(source: SourceText, Moment)>(written: "a line") {
    Key(
      "line", written: { $0.source.position(of: $0.1.line.span.start).line }, .count,
      "The number of the line.")
    Key("text", written: { $0.source.text(of: $0.1.line.span) }, .text, "The text of the line.")
    Key("met", written: \.1.isMet, .flag, "Whether the expectation is met.")
    Key("instead", written: \.1.instead, .text, "The actual result, if the expectation is not met.")
    Key("error", written: \.1.failure, .text, "The reason why the step failed.")
    Key(
      "events", written: { $0.1.isMet == nil ? $0.1.events : nil }, .list(of: .object),
      "The events of the step.")
  }
}

extension ScenarioRun {
  /// All events, in order.
  package var events: [Event] { moments.flatMap(\.events) }

  /// Runs as a JUnit report: a suite for each of them.
  package static func junit(of runs: [ScenarioRun]) -> String {
    let lines =
      [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>"] + runs.flatMap(\.suite)
      + ["</testsuites>", ""]
    return lines.joined(separator: "\n")
  }

  /// The lines of a suite: a case for each expectation.
  private var suite: [String] {
    let cases = moments.filter { $0.isMet != nil }
    let mistakes = findings.filter {
      $0.severity == .error && !ScenarioRules.isExpectation($0)
    }
    let failed = cases.count { $0.isMet == false }
    var lines = [
      "  <testsuite name=\"\(xml(scenario.source.name))\" "
        + "tests=\"\(cases.count + mistakes.count)\" failures=\"\(failed)\" "
        + "errors=\"\(mistakes.count)\">"
    ]
    for moment in cases {
      let number = scenario.source.position(of: moment.line.span.start).line
      let text = xml(scenario.source.text(of: moment.line.span))
      let head =
        "    <testcase classname=\"\(xml(scenario.source.name))\" name=\"line \(number): \(text)\""
      if let instead = moment.instead {
        lines.append(head + ">")
        lines.append("      <failure message=\"\(xml(instead))\"/>")
        lines.append("    </testcase>")
      } else {
        lines.append(head + "/>")
      }
    }
    for finding in mistakes {
      let number = finding.span.map { scenario.source.position(of: $0.start).line } ?? 1
      lines.append(
        "    <testcase classname=\"\(xml(scenario.source.name))\" name=\"line \(number)\">")
      lines.append("      <error message=\"\(xml(finding.message))\"/>")
      lines.append("    </testcase>")
    }
    return lines + ["  </testsuite>"]
  }
}

/// Returns a text escaped for XML; U+FFFD replaces characters that XML does not allow.
private func xml(_ text: String) -> String {
  let allowed = text.unicodeScalars.map { scalar in
    scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF ? scalar : "\u{FFFD}"
  }
  return inMarkup(String(String.UnicodeScalarView(allowed)))
}

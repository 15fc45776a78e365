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

  private static let line = Table<(source: SourceText, RunLine)>(written: "a line") {
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
  package static func junit(of runs: [ScenarioRun]) -> JUnitReport {
    JUnitReport(runs.map(\.suite))
  }

  /// A case for each expectation, and one for each mistake of the scenario.
  private var suite: JUnitReport.Suite {
    let cases = moments.filter { $0.isMet != nil }.map { moment in
      let number = scenario.source.position(of: moment.line.span.start).line
      return JUnitReport.Case(
        "line \(number): \(scenario.source.text(of: moment.line.span))",
        moment.instead.map { .failure($0) } ?? .passed)
    }
    let mistakes = findings.filter {
      $0.severity == .error && !ScenarioRules.isExpectation($0)
    }.map { finding in
      let number = finding.span.map { scenario.source.position(of: $0.start).line } ?? 1
      return JUnitReport.Case("line \(number)", .error(finding.message))
    }
    return JUnitReport.Suite(scenario.source.name, cases + mistakes)
  }
}

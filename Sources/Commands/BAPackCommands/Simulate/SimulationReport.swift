import Arguments
import BAPackKit
import DeviceSimulator
import SourceDiagnostics
import TerminalText

/// Writes the results of simulations.
struct SimulationReport {
  private let console: Console
  private let format: ReportFormat

  init(_ console: Console, _ format: ReportFormat) {
    self.console = console
    self.format = format
  }

  func write(_ result: InstallationResult) {
    guard format == .text else { return json(result) }
    var text = InstallationText(result, console)
    text.write()
    explain(result.rules)
  }

  /// Writes a row for each device.
  func write(_ result: MatrixResult) {
    guard format == .text else { return json(result) }
    let matrix = result.matrix
    let isOfLanguages = matrix.axis == .languages
    var table = TextTable()
    table.add(
      isOfLanguages ? "language" : "platform", "resolved", "packs", "essential", "prefetch",
      "on demand", "missing")
    for row in matrix.rows {
      let missing =
        switch row.missing {
        case nil: "unknown"
        case let paths? where paths.isEmpty: row.name == matrix.comparison ? "-" : "none"
        case let paths?:
          paths.prefix(3).joined(separator: ", ")
            + (paths.count > 3 ? ", and \(paths.count - 3) more" : "")
        }
      table.add(
        row.name, (row.language.map { "\($0)" } ?? "none") + (row.isGuessed ? " ?" : ""),
        "\(row.downloaded.count)",
        Quantity.bytes(row.essential), Quantity.bytes(row.prefetch), Quantity.bytes(row.onDemand),
        missing)
    }
    for line in table.lines { console.result(line) }
    let name = matrix.comparison.map { "'\($0)'" }
    console.result(
      name.map { "'missing' counts files that a device of \($0) has, but this device has not." }
        ?? "Use '--primary-language' to count missing files.")
    if let reason = matrix.reason { console.result(reason) }
    explain(result.rules)
  }

  /// Writes each line of the scenario with its events.
  func write(_ result: ScenarioResult) {
    guard format == .text else { return json(result) }
    let run = result.run
    var marks = RuleMarks()
    let lines = EventLines(run.events)
    for moment in run.moments {
      let text = shown(run.scenario.source.text(of: moment.line.span))
      if let isMet = moment.isMet {
        let instead = moment.instead.map { ": \(shown($0))" } ?? ""
        console.result("\(isMet ? "ok" : "FAILED")  \(text)\(instead)")
        continue
      }
      console.result(moment.failure.map { "FAILED  \(text): \(shown($0))" } ?? text)
      for event in moment.events {
        guard let line = lines.line(event) else { continue }
        console.result("    " + line + marks.mark(event))
      }
    }
    if let note = RuleMarks.note(on: run.events) { console.result(note + ".") }
    explain(result.rules)
  }

  func write(_ result: RulesResult) {
    guard format == .text else { return json(result) }
    explain(result.rules)
  }

  /// Prints rules with their certainty and their sources.
  private func explain(_ rules: [SemanticRule]?) {
    for rule in rules ?? [] {
      let mark = rule.isDocumented ? " " : "?"
      console.result("\(mark) \(rule.id)  (\(rule.grade.rawValue), \(rule.source))")
      let otherwise = rule.otherwise.map { " 'device otherwise \(rule.id)' simulates: \($0)" } ?? ""
      for line in wrap(rule.statement + otherwise, to: max(40, console.output.columns - 4)) {
        console.result("    " + line)
      }
    }
  }

  private func json<Result: Described>(_ result: Result) {
    console.result(JSONWriter.string(Result.table.value(of: result), .compact))
  }
}

extension DeviceMatrix.Row {
  /// Whether its language depends on an undocumented rule.
  fileprivate var isGuessed: Bool {
    let guesses: [SemanticRule] = [
      .languageWhichRegion, .languageParent, .languageNext, .languageNone,
    ]
    return rules.contains(where: guesses.contains)
  }
}

import Arguments
import BAPackKit
import SourceDiagnostics
import TerminalText

/// `explain`: prints the long explanation of a finding, or a list of all findings.
struct ExplainCommand: Subcommand {
  private static let name = Argument(
    "id",
    ValueType<String>(completion: .words(Rulebook.all.map(\.id.name))) {
      name throws(InvalidValue) in name
    },
    isRequired: false, "The ID of a finding, for example files.missing (default: list all).")

  static let definition = Command(
    "explain", overview: "Explain a finding.",
    discussion: [
      """
      Prints the problem, the reason why it matters, the severity for each host, whether there is \
      an automatic fix, and an example.
      """,
      DocumentName.explain.described("With '--format json', prints one object a line"),
    ],
    [name, ReportFormat.option],
    examples: [
      Term("ba-package explain selector.half-pair", "Explain one finding."),
      Term("ba-package explain --format json", "Print all findings for a script."),
    ])

  private let rule: Rule?
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    format = arguments[ReportFormat.option]
    guard let name = arguments[Self.name] else {
      rule = nil
      return
    }
    rule = Rulebook.rule(Finding.ID(stringLiteral: name))
    if rule == nil {
      let hint = Rulebook.nearest(to: name).map { ". Did you mean '\($0)'?" }
      throw UsageError(
        "Unknown finding '\(name)'"
          + (hint ?? ". 'ba-package explain' without an ID lists all findings"))
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    if format == .json {
      for rule in rule.map({ [$0] }) ?? Rulebook.all {
        console.result(JSONWriter.string(Rule.table.value(of: rule), .compact))
      }
    } else if let rule {
      // Indented lines are examples, which are not wrapped.
      for line in rule.explanation.split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast()
      {
        let lines = line.hasPrefix(" ") ? [] : wrap(String(line), to: console.output.columns)
        console.result(lines.isEmpty ? String(line) : lines.joined(separator: "\n"))
      }
    } else {
      var table = TextTable()
      for rule in Rulebook.all { table.add(rule.id.name, rule.what) }
      for line in table.lines { console.result(line) }
    }
    return .done
  }
}

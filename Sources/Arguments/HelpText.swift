/// The column at which explanations start.
private let textColumn = 26

extension CommandPath {
  /// The help page of a command, wrapped to `width` columns.
  package func help(width: Int) -> String {
    let width = max(width, textColumn + 24)
    var sections = [paragraphs(["OVERVIEW: " + command.overview] + command.discussion, width)]
    sections.append(usage("USAGE:", width: width))
    sections.append(list("ARGUMENTS", arguments.map { ($0.synopsis, $0.explanation) }, width))
    sections.append(list("OPTIONS", options.map { ($0.label, $0.explanation) }, width))
    sections.append(list("SUBCOMMANDS", subcommandRows, width))
    sections.append(list("EXAMPLES", command.examples.map(\.row), width))
    sections.append(list("EXIT STATUS", program.exitStatuses.map(\.row), width))
    if steps.isEmpty {
      sections.append(list("ENVIRONMENT", program.environment.map(\.row), width))
    }
    if !command.subcommands.isEmpty {
      let topic = (["help"] + words.dropFirst() + ["<subcommand>"]).joined(separator: " ")
      let see = wrap("See '\(program.root.name) \(topic)' for detailed information.", to: width - 2)
      sections.append(see.map { "  \($0)\n" }.joined())
    }
    return sections.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var subcommandRows: [(String, String)] {
    command.subcommands.map {
      ($0.name + ($0.name == command.defaultSubcommand ? " (default)" : ""), $0.overview)
    }
  }
}

extension Parameter {
  /// `-o, --output-path <path>`.
  var label: String { (short.map { "-\($0), " } ?? "") + synopsis }

  /// The help text, followed by the possible values and the default.
  var explanation: String {
    var facts: [String] = []
    if !choices.isEmpty { facts.append("values: " + choices.joined(separator: ", ")) }
    if let needlessWith { facts.append("not needed with --\(needlessWith)") }
    if let onlyWith { facts.append("only with --\(onlyWith)") }
    if let defaultText { facts.append("default: " + defaultText) }
    return help + (facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))")
  }
}

extension Term {
  fileprivate var row: (String, String) { (text, meaning) }
}

private func paragraphs(_ texts: [String], _ width: Int) -> String {
  texts.map { wrap($0, to: width).joined(separator: "\n") + "\n" }.joined(separator: "\n")
}

/// A list with a title; if a label reaches the text column, its text is below it.
private func list(_ title: String, _ rows: [(label: String, text: String)], _ width: Int) -> String
{
  guard !rows.isEmpty else { return "" }
  let margin = String(repeating: " ", count: textColumn)
  var lines = [title + ":"]
  for row in rows {
    let label = "  " + row.label
    var text = wrap(row.text, to: width - textColumn)[...]
    if label.count < textColumn, let first = text.popFirst() {
      lines.append(label + margin.dropFirst(label.count) + first)
    } else {
      lines.append(label)
    }
    lines += text.map { margin + $0 }
  }
  return lines.joined(separator: "\n") + "\n"
}

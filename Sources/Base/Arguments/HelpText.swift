/// The column at which explanations start.
let textColumn = 26

/// The two lengths of help.
package enum HelpDetail: Sendable {
  /// `-h`: usage, arguments, options and two examples.
  case short
  /// `--help`: the discussion, the details of options and all examples as well.
  case full
}

extension CommandPath {
  /// Returns the help of a command, wrapped to `width` columns.
  package func help(_ detail: HelpDetail, width: Int) -> String {
    let width = max(width, textColumn + 24)
    guard !command.groups.isEmpty else { return sections(detail, width).joined(separator: "\n") }
    let overview = program.overview(width: width)
    guard detail == .full else { return overview }
    let sections = [overview] + optionSections(.full, width) + [sharedSection(width)]
    return sections.joined(separator: "\n")
  }

  private func sections(_ detail: HelpDetail, _ width: Int) -> [String] {
    let isFull = detail == .full
    var sections = [paragraph("OVERVIEW: " + command.overview, width)]
    if isFull { sections += command.discussion.map { paragraph($0, width) } }
    sections.append(usage("USAGE:", width: width))
    sections.append(
      list("ARGUMENTS", arguments.map { ($0.synopsis, $0.explanation(detail)) }, width))
    sections += optionSections(detail, width)
    let title = steps.isEmpty ? "COMMANDS" : "SUBCOMMANDS"
    sections.append(list(title, subcommandRows, width))
    let examples = command.examples.prefix(isFull ? .max : 2)
    sections.append(exampleList(Array(examples), width))
    sections.append(footer(detail, width))
    return sections.filter { !$0.isEmpty }
  }

  /// Returns a section for each group of options.
  private func optionSections(_ detail: HelpDetail, _ width: Int) -> [String] {
    optionGroups.map { group, options in
      list(group.heading, options.map { ($0.label, $0.explanation(detail)) }, width)
    }
  }

  private func sharedSection(_ width: Int) -> String {
    list(
      "COMMON OPTIONS", program.sharedOptions.map { ($0.label, $0.explanation(.full)) }, width)
  }

  /// Its own options by group, in the order of the first option of each group.
  package var optionGroups: [(group: OptionGroup, options: [Parameter])] {
    var groups: [(group: OptionGroup, options: [Parameter])] = []
    for option in ownOptions {
      if let index = groups.firstIndex(where: { $0.group == option.group }) {
        groups[index].options.append(option)
      } else {
        groups.append((option.group, [option]))
      }
    }
    return groups
  }

  /// Returns the lines that name common options, variables and topics.
  private func footer(_ detail: HelpDetail, _ width: Int) -> String {
    let own = Set(parameters.map(\.name))
    let shared = program.sharedOptions.filter { !own.contains($0.name) }
    let names = shared.map { "--\($0.name)" }.joined(separator: ", ")
    var lines = ["Common options: " + names + (detail == .short ? " (full help)" : "")]
    if detail == .full, !variables.isEmpty {
      lines.append("Environment: " + variables.joined(separator: ", "))
    }
    let topics = command.topics + (detail == .full ? generalTopics : [])
    if !topics.isEmpty {
      lines.append(
        "Topics ('\(program.root.name) help <topic>'): " + topics.joined(separator: ", "))
    }
    return lines.map { paragraph($0, width) }.joined()
  }

  /// The topics about every command.
  private var generalTopics: [String] {
    var topics = ["exit-status"]
    if !variables.isEmpty { topics.append("environment") }
    return topics.filter { program.topic($0) != nil && !command.topics.contains($0) }
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

  /// Returns the help text with the possible values and the default in parentheses.
  package func explanation(_ detail: HelpDetail) -> String {
    var facts: [String] = []
    let named = Set(help.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() })
    let areNamed = choices.allSatisfy { named.contains($0.lowercased()) }
    if !choices.isEmpty, choices.count <= 8, !areNamed {
      facts.append(choices.joined(separator: ", "))
    }
    if detail == .full, let needlessWith { facts.append("not needed with --\(needlessWith)") }
    if let onlyWith { facts.append("only with --\(onlyWith)") }
    if let defaultText, !help.contains("default") { facts.append("default: " + defaultText) }
    let text = help.adding(facts)
    return detail == .full && !details.isEmpty ? text + " " + details : text
  }
}

extension String {
  /// Returns the sentence with facts in parentheses at its end.
  fileprivate func adding(_ facts: [String]) -> String {
    guard !facts.isEmpty else { return self }
    let list = facts.joined(separator: "; ")
    // A text can have its own parentheses, with a default in words.
    guard hasSuffix(")."), let start = lastIndex(of: "(") else { return "\(dropLast()) (\(list))." }
    return "\(self[..<start])(\(list); \(self[index(after: start)...])"
  }
}

extension Term {
  var row: (String, String) { (text, meaning) }
}

func paragraph(_ text: String, _ width: Int) -> String {
  wrap(text, to: width).joined(separator: "\n") + "\n"
}

private func list(_ title: String, _ terms: [(label: String, text: String)], _ width: Int) -> String
{
  terms.isEmpty ? "" : title + ":\n" + rows(terms, width)
}

/// Rows of labels and texts; if a label reaches the text column, its text is below it.
func rows(_ rows: [(label: String, text: String)], _ width: Int) -> String {
  let margin = String(repeating: " ", count: textColumn)
  var lines: [String] = []
  for row in rows {
    // A label is a list, and its elements are not broken.
    let parts = row.label.split(separator: ", ", omittingEmptySubsequences: false)
    let words = parts.enumerated().map { part in
      String(part.element) + (part.offset < parts.count - 1 ? "," : "")
    }
    var label = wrap(words: words, to: width - 2).map { "  " + $0 }
    var text = wrap(row.text, to: width - textColumn)[...]
    if let last = label.last, last.count < textColumn, let first = text.popFirst() {
      label[label.count - 1] = last + margin.dropFirst(last.count) + first
    }
    lines += label + text.map { margin + $0 }
  }
  return lines.joined(separator: "\n") + "\n"
}

/// Returns command lines with their meanings; a line that is too long continues after a backslash.
private func exampleList(_ examples: [Term], _ width: Int) -> String {
  guard !examples.isEmpty else { return "" }
  let margin = String(repeating: " ", count: textColumn)
  var lines = ["EXAMPLES:"]
  for example in examples {
    let command = shellLines(example.text, to: width - 2).map { "  " + $0 }
    let text = wrap(example.meaning, to: width - textColumn)
    if command.count == 1, text.count == 1, command[0].count < textColumn {
      lines.append(command[0] + margin.dropFirst(command[0].count) + text[0])
    } else {
      lines += command + text.map { margin + $0 }
    }
  }
  return lines.joined(separator: "\n") + "\n"
}

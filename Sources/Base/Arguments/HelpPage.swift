/// A help topic, or the description of a file format, as data.
///
/// The terminal, the manual pages and the reference in Markdown are written from it.
package struct HelpPage: Sendable {
  /// The name in `ba-package help budgets`, or of the manual page.
  package let name: String
  /// The subject in one sentence.
  package let summary: String
  private let makeBlocks: @Sendable () -> [HelpBlock]

  package init(
    _ name: String, _ summary: String,
    _ blocks: @escaping @autoclosure @Sendable () -> [HelpBlock]
  ) {
    self.name = name
    self.summary = summary
    makeBlocks = blocks
  }

  package var blocks: [HelpBlock] { makeBlocks() }
}

/// A part of a help page.
package enum HelpBlock: Sendable {
  case heading(String)
  /// A paragraph.
  case text(String)
  /// A list of terms and their meanings.
  case terms([Term])
  /// The members of a JSON object.
  case members([Member])
  /// Lines of a file or of a terminal.
  case lines([String])

  /// A member of a JSON object.
  package struct Member: Sendable {
    package var path: String
    /// Its type and presence: `string, required`.
    package var type: String
    package var meaning: String

    package init(path: String, type: String, meaning: String) {
      self.path = path
      self.type = type
      self.meaning = meaning
    }

    var term: Term { Term(path, "\(meaning) (\(type.filter { $0 != "`" }))") }
  }
}

extension HelpPage {
  /// Returns the page for a terminal, wrapped to `width` columns.
  package func help(width: Int) -> String {
    let width = max(width, textColumn + 24)
    var text = paragraph("\(name.uppercased()): \(summary)", width) + "\n"
    for block in blocks {
      text += block.help(width: width)
      // A heading belongs to the block after it.
      if case .heading = block { continue }
      text += "\n"
    }
    return String(text.dropLast())
  }
}

extension HelpBlock {
  fileprivate func help(width: Int) -> String {
    switch self {
    case .heading(let title): title.uppercased() + ":\n"
    case .text(let text): paragraph(text, width)
    case .terms(let terms): rows(terms.map(\.row), width)
    case .members(let members): rows(members.map(\.term.row), width)
    case .lines(let lines): lines.map { "  \($0)\n" }.joined()
    }
  }
}

extension Program {
  /// Returns the list of commands and topics: `ba-package help`.
  package func index(width: Int) -> String {
    let width = max(width, textColumn + 24)
    var sections = [commandList(width: width)]
    if !topics.isEmpty {
      sections.append("TOPICS:\n" + rows(topics.map { ($0.name, $0.summary) }, width))
    }
    let see = "Run '\(root.name) help <command>' or '\(root.name) help <topic>' to read more."
    sections.append(paragraph(see, width))
    return sections.joined(separator: "\n")
  }

  /// Returns the screen that a bare run prints: a sentence, the first steps, and the commands by
  /// group.
  func overview(width: Int) -> String {
    let width = max(width, textColumn + 24)
    var sections = [paragraph(root.overview, width)]
    if let firstSteps {
      let lines = firstSteps.blocks.map { $0.help(width: width) }.joined()
      sections.append(paragraph(firstSteps.summary, width) + lines)
    }
    // All of it is visible in a terminal with 36 rows, with the next prompt.
    let options = "Options: '\(root.name) <command> -h'. Topics: '\(root.name) help'."
    sections.append(commandList(width: width) + paragraph(options, width))
    return sections.joined(separator: "\n")
  }

  /// Returns the commands with their groups in the first column.
  private func commandList(width: Int) -> String {
    var rows = root.subcommands.map { (root.group(of: $0) ?? "", $0.name, $0.overview) }
    rows.append((rows.last?.0 ?? "", Self.helpCommand.text, Self.helpCommand.meaning))
    let first = (rows.map(\.0.count).max() ?? 0) + 2
    let second = (rows.map(\.1.count).max() ?? 0) + 2
    var text = "COMMANDS:\n"
    var group: String?
    for row in rows {
      let title = row.0 == group ? "" : row.0
      group = row.0
      let label = "  " + title.padded(to: first) + row.1.padded(to: second)
      let lines = wrap(row.2, to: max(20, width - label.count))
      text += label + lines.joined(separator: "\n" + "".padded(to: label.count)) + "\n"
    }
    return text
  }
}

extension String {
  fileprivate func padded(to count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - self.count))
  }
}

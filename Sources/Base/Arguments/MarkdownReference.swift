/// The reference in Markdown, written from the same tables as the help.
extension Program {
  /// Returns the page of all commands with their arguments, options and examples.
  package func commandReference() -> String {
    let root = CommandPath(self)
    var text = """
      # Commands

      \(self.root.overview) `\(self.root.name) <command> --help` prints the same text for one \
      command.

      | Group | Command | Purpose |
      |---|---|---|

      """
    for command in self.root.subcommands {
      let anchor = root.appending(command).name.replacing(" ", with: "-")
      let link = "[`\(command.name)`](#\(anchor))"
      text += "| \(self.root.group(of: command) ?? "") | \(link) | \(command.overview.markdown) |\n"
    }
    text += "\n## Common options\n\nAll commands have these options.\n\n"
    for option in sharedOptions {
      text += option.markdownItem
      let others = root.all.filter { path in path.parameters.contains { $0.name == option.name } }
      if !others.isEmpty {
        let names = others.map { "`\($0.name)`" }.joined(separator: ", ")
        text += "  `--\(option.name)` is another option in \(names).\n"
      }
    }
    text += "\n## \(self.root.name)\n\nWithout a command.\n\n"
    text += root.parameters.map(\.markdownItem).joined()
    for path in root.all.dropFirst() { text += path.markdown }
    return text
  }
}

extension CommandPath {
  fileprivate var markdown: String {
    var text = "\n\(steps.count > 1 ? "###" : "##") \(name)\n\n\(command.overview.markdown)\n"
    text += "\n```text\n\(usageWords.joined(separator: " "))\n```\n"
    for paragraph in command.discussion { text += "\n\(paragraph.markdown)\n" }
    for alias in command.aliases { text += "\n`\(alias)` is another name of this command.\n" }
    if !arguments.isEmpty {
      text += "\n**Arguments**\n\n" + arguments.map(\.markdownItem).joined()
    }
    for (group, options) in optionGroups {
      text += "\n**\(group.name)**\n\n" + options.map(\.markdownItem).joined()
    }
    if !command.examples.isEmpty {
      text += "\n**Examples**\n"
      for example in command.examples {
        let lines = shellLines(example.text, to: 90).joined(separator: "\n")
        text += "\n\(example.meaning.markdown)\n\n```text\n\(lines)\n```\n"
      }
    }
    return text
  }
}

extension HelpPage {
  package func markdown(title: String) -> String {
    "# \(title)\n\n\(summary.markdown)\n" + blocks.map { "\n" + $0.markdown }.joined()
  }
}

extension HelpBlock {
  fileprivate var markdown: String {
    switch self {
    case .heading(let title): return "## \(title)\n"
    case .text(let text): return text.markdown + "\n"
    case .terms(let terms):
      return terms.map { "- `\($0.text)`: \($0.meaning.markdown)\n" }.joined()
    case .members(let members):
      let rows = members.map { member in
        let cells = ["`\(member.path)`", member.type, member.meaning.markdown]
        return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
      }
      return "| Member | Type | Meaning |\n|---|---|---|\n" + rows.joined()
    case .lines(let lines): return "```text\n\(lines.joined(separator: "\n"))\n```\n"
    }
  }
}

extension Parameter {
  fileprivate var markdownItem: String { "- `\(label)`: \(explanation(.full).markdown)\n" }
}

extension String {
  /// The text with quoted text, options and names of variables as code.
  fileprivate var markdown: String {
    let quoted = replacing(#/(?<open>^|[\s(])'(?<code>[^'`]+)'(?=[\s.,;:)…]|$)/#) { match in
      "\(match.output.open)`\(match.output.code)`"
    }
    // The parts with odd offsets are code.
    return quoted.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset % 2 == 1 ? String($0.element) : String($0.element).markdownOutsideCode }
      .joined(separator: "`")
  }

  private var markdownOutsideCode: String {
    split(separator: " ", omittingEmptySubsequences: false).map { word in
      String(word).replacing(#/--[a-z][a-z-]+|[A-Z]+(?:_[A-Z]+)+/#) { "`\($0.output)`" }
        .split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .map { $0.offset % 2 == 1 ? String($0.element) : String($0.element).markdownEscaped }
        .joined(separator: "`")
    }.joined(separator: " ")
  }

  /// The text with escapes for characters that Markdown would interpret.
  private var markdownEscaped: String {
    replacing("<", with: "\\<").replacing("*", with: "\\*").replacing("_", with: "\\_")
  }
}

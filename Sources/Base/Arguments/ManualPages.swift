/// A manual page as a file.
package struct ManualPage: Sendable {
  /// The name without the section: `ba-package-pack`.
  package var name: String
  /// 1 for commands, 5 for files.
  package var section: Int
  /// The source, in the `man` macros that groff and mandoc both read.
  package var text: String

  /// The path below a folder for manual pages: `man1/ba-package-pack.1`.
  package var path: String { "man\(section)/\(name).\(section)" }
}

extension Program {
  /// Returns the manual pages: the overview, one page for each command, and the file formats.
  ///
  /// A command and its subcommands have one page, as in git.
  package func manualPages() -> [ManualPage] {
    let root = CommandPath(self)
    let commands = self.root.subcommands.filter { self.root.group(of: $0) != nil }
      .map { root.appending($0) }
    return [overviewPage(root)] + commands.map(commandPage) + files.map(filePage)
  }

  private func overviewPage(_ root: CommandPath) -> ManualPage {
    var lines = head(root.name, 1, self.root.overview)
    lines += [".SH SYNOPSIS"]
    let isGrouped = !self.root.groups.isEmpty
    if isGrouped {
      lines += root.manUsage + [".PP"] + usage(of: self.root.defaultSubcommand, root)
    } else {
      lines += Array(root.leaves.map(\.manUsage).joined(separator: [".PP"]))
    }
    lines += [".SH DESCRIPTION"] + paragraphs(self.root.discussion)
    if let firstSteps {
      lines += [".PP"] + firstSteps.summary.manLines + firstSteps.blocks.flatMap(\.manLines)
    }
    if isGrouped {
      lines.append(".SH COMMANDS")
      var group: String?
      for command in self.root.subcommands {
        let title = self.root.group(of: command)
        if title != group { lines.append(".SS " + (title ?? "").manEscaped) }
        group = title
        lines += manTerm(reference(to: root.appending(command).pageName, 1), command.overview)
      }
      lines += Term(Self.helpCommand.text, Self.helpCommand.meaning).manEntry
    } else {
      for path in root.all.dropFirst() { lines += path.manSections(isWhole: false) }
    }
    lines += [".SH OPTIONS"] + root.parameters.flatMap(\.manEntry)
    lines += [".SH COMMON OPTIONS"] + sharedOptions.flatMap(\.manEntry)
    lines += [".SH EXIT STATUS"] + exitStatuses.flatMap(\.manEntry)
    lines += [".SH ENVIRONMENT"] + environment.flatMap(\.term.manEntry)
    if !topics.isEmpty {
      lines.append(".SH TOPICS")
      lines += "Run this program with 'help' and the name of a topic.".manLines
      lines += topics.flatMap { Term($0.name, $0.summary).manEntry }
    }
    let pages =
      isGrouped
      ? files.map { reference(to: root.name + "-" + $0.name, 5) }
      : [reference(to: "ba-package", 1), reference(to: "ba-package-serve", 1)]
    if !pages.isEmpty { lines += [".SH SEE ALSO"] + pages.listed }
    return page(root.name, 1, lines)
  }

  private func usage(of command: String?, _ root: CommandPath) -> [String] {
    guard let command = command.flatMap(root.command.subcommand) else { return [] }
    // The name of the default command can be left out.
    let words = root.appending(command).usageWords.dropFirst(2)
    return [".ad l", "\\fB\(root.name.manEscaped)\\fR"] + words.map(\.manEscaped) + [".ad b"]
  }

  private func commandPage(_ path: CommandPath) -> ManualPage {
    var lines = head(path.pageName, 1, path.command.overview)
    lines += [".SH SYNOPSIS"]
    lines += Array(path.leaves.map(\.manUsage).joined(separator: [".PP"]))
    lines += path.manSections(isWhole: true)
    for subcommand in path.all.dropFirst() { lines += subcommand.manSections(isWhole: false) }
    lines += [".SH COMMON OPTIONS"]
    let own = Set(path.parameters.map(\.name))
    lines += sharedOptions.filter { !own.contains($0.name) }.flatMap(\.manEntry)
    let names = Set(path.all.flatMap(\.variables))
    let variables = environment.filter { !names.isDisjoint(with: $0.names) }
    if !variables.isEmpty { lines += [".SH ENVIRONMENT"] + variables.flatMap(\.term.manEntry) }
    lines += [".SH EXIT STATUS"] + exitStatuses.flatMap(\.manEntry)
    let topics = path.command.topics
    lines.append(".SH SEE ALSO")
    lines +=
      ([reference(to: root.name, 1)]
      + files.map { reference(to: root.name + "-" + $0.name, 5) }).listed
    if !topics.isEmpty {
      lines += [".PP"]
      lines += "Topics of '\(root.name) help': \(topics.joined(separator: ", ")).".manLines
    }
    return page(path.pageName, 1, lines)
  }

  private func filePage(_ file: HelpPage) -> ManualPage {
    let name = root.name + "-" + file.name
    var lines = head(name, 5, file.summary)
    lines += [".SH DESCRIPTION"] + file.summary.manLines + file.blocks.flatMap(\.manLines)
    lines += [".SH SEE ALSO"]
    let others = files.filter { $0.name != file.name }
    lines +=
      ([reference(to: root.name, 1)] + others.map { reference(to: root.name + "-" + $0.name, 5) })
      .listed
    return page(name, 5, lines)
  }

  private func head(_ name: String, _ section: Int, _ summary: String) -> [String] {
    let manual = section == 1 ? "User Commands" : "File Formats"
    return [
      ".\\\" Made by '\(root.name) --generate-man-pages'.",
      ".TH \(name.uppercased().manEscaped) \(section) \(date) "
        + "\"\(root.name) \(version)\" \"\(manual)\"",
      // Options, keys and URLs must not be hyphenated anywhere.
      ".nh", ".SH NAME", "\(name.manEscaped) \\- \(summary.asManSummary)",
    ]
  }

  private func page(_ name: String, _ section: Int, _ lines: [String]) -> ManualPage {
    // A heading already starts a paragraph; mandoc warns about a paragraph macro after it.
    let lines = zip([""] + lines, lines).filter { before, line in
      line != ".PP" || !(before.hasPrefix(".S") || before == ".PP")
    }.map(\.1)
    return ManualPage(name: name, section: section, text: lines.joined(separator: "\n") + "\n")
  }
}

extension CommandPath {
  /// The name of its manual page: `ba-package-pack`.
  fileprivate var pageName: String { names.joined(separator: "-") }

  /// The commands at or below it that run.
  fileprivate var leaves: [CommandPath] { all.filter(\.command.subcommands.isEmpty) }

  fileprivate var manUsage: [String] {
    // Command lines must not be justified.
    [".ad l", "\\fB\(name.manEscaped)\\fR"]
      + usageWords.dropFirst(names.count).map(\.manEscaped) + [".ad b"]
  }

  /// Returns the sections about a command of a page, or one section about a subcommand.
  fileprivate func manSections(isWhole: Bool) -> [String] {
    var lines = isWhole ? [".SH DESCRIPTION"] : [".SH \(name.uppercased().manEscaped)"]
    let aliases = command.aliases.map { "'\($0)' is another name of this command." }
    lines += paragraphs([command.overview] + command.discussion + aliases)
    for (number, note) in command.notes.enumerated() {
      lines += [".IP \(number + 1). 4"] + note.manLines
    }
    let heading = isWhole ? ".SH" : ".SS"
    if !arguments.isEmpty {
      lines += ["\(heading) \(isWhole ? "ARGUMENTS" : "Arguments")"] + arguments.flatMap(\.manEntry)
    }
    for (group, options) in optionGroups {
      lines.append("\(heading) \(isWhole ? group.heading : group.name)")
      lines += options.flatMap(\.manEntry)
    }
    if !command.examples.isEmpty {
      lines.append("\(heading) \(isWhole ? "EXAMPLES" : "Examples")")
      lines += Array(command.examples.map(\.manExample).joined(separator: [".PP"]))
    }
    return lines
  }
}

extension Parameter {
  fileprivate var manEntry: [String] { Term(label, explanation(.full)).manEntry }
}

extension Term {
  fileprivate var manEntry: [String] { manTerm("\\fB\(text.manEscaped)\\fR", meaning) }

  fileprivate var manExample: [String] { meaning.manLines + shellLines(text, to: 66).verbatim }
}

extension HelpBlock {
  fileprivate var manLines: [String] {
    switch self {
    case .heading(let title): [".SH \(title.uppercased().manEscaped)"]
    case .text(let text): [".PP"] + text.manLines
    case .terms(let terms): terms.flatMap(\.manEntry)
    case .members(let members): members.flatMap(\.term.manEntry)
    case .lines(let lines): [".PP"] + lines.flatMap { shellLines($0, to: 66) }.verbatim
    }
  }
}

/// Returns a reference to a page: `ba-package-pack(1)`.
private func reference(to name: String, _ section: Int) -> String {
  "\\fB\(name.manEscaped)\\fR(\(section))"
}

private func manTerm(_ label: String, _ meaning: String) -> [String] {
  [".TP", label] + meaning.manLines
}

private func paragraphs(_ texts: [String]) -> [String] {
  Array(texts.map { $0.manLines }.joined(separator: [".PP"]))
}

extension [String] {
  /// The elements as lines, each but the last with a comma at its end.
  fileprivate var listed: [String] {
    enumerated().map { $0.offset < count - 1 ? $0.element + "," : $0.element }
  }

  /// The elements as lines that the formatter does not join.
  fileprivate var verbatim: [String] { [".RS 4", ".nf"] + map(\.manEscaped) + [".fi", ".RE"] }
}

extension String {
  /// The text as lines of source, none of which the formatter reads as a macro.
  fileprivate var manLines: [String] {
    wrap(self, to: 72).map { $0.manEscaped.withUnbreakableQuotes }
  }

  /// The text with unbreakable spaces in short quotations, such as command lines.
  private var withUnbreakableQuotes: String {
    replacing(#/(?<open>^|[ (])'(?<text>[^']{1,36})'/#) { match in
      "\(match.output.open)'\(match.output.text.replacing(" ", with: "\\ "))'"
    }
  }

  /// The text with escapes for the characters that the formatter would interpret.
  fileprivate var manEscaped: String {
    let escaped = replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("…", with: "...")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// The text in the form of the NAME section: first letter in lower case, no full stop at the end.
  fileprivate var asManSummary: String {
    let isAcronym = dropFirst().first?.isUppercase ?? false
    let text = isAcronym ? self : prefix(1).lowercased() + dropFirst()
    return (text.hasSuffix(".") ? String(text.dropLast()) : text).manEscaped
  }
}

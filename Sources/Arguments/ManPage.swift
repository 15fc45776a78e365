extension CommandPath {
  /// The manual page of the whole program, in the `man` macros that groff and mandoc both read.
  package func manPage() -> String {
    let name = program.root.name
    var page = [
      ".\\\" Made by '\(name) --generate-man-page'.",
      ".TH \(name.uppercased().manEscaped) 1 \(program.date) "
        + "\"\(name) \(program.version)\" \"User Commands\"",
      // Options, keys and addresses must not be hyphenated, wherever they stand.
      ".nh", ".SH NAME", "\(name.manEscaped) \\- \(command.overview.asManSummary)",
      ".SH SYNOPSIS",
    ]
    let commands = all.filter(\.command.subcommands.isEmpty)
    page += Array(commands.map { $0.manUsage }.joined(separator: [".PP"]))
    page.append(".SH DESCRIPTION")
    page += manParagraphs(command.discussion)
    page.append(".SH OPTIONS")
    page += [".SS Every command takes"] + program.sharedOptions.flatMap(\.manEntry)
    page += [".SS Without a subcommand"] + parameters.flatMap(\.manEntry)
    page.append(".SH COMMANDS")
    for path in all.dropFirst() { page += path.manSection }
    page.append(".SH EXIT STATUS")
    page += program.exitStatuses.flatMap(\.manEntry)
    page.append(".SH ENVIRONMENT")
    page += program.environment.flatMap(\.manEntry)
    return page.joined(separator: "\n") + "\n"
  }

  private var manUsage: [String] {
    // Commands must not be stretched.
    [".ad l", "\\fB\(name.manEscaped)\\fR"]
      + usageWords.dropFirst(words.count).map(\.manEscaped) + [".ad b"]
  }

  private var manSection: [String] {
    let aliases = command.aliases.map { "Also called '\($0)'." }
    var lines = [".SS \(name.manEscaped)"]
    lines += manParagraphs([command.overview] + command.discussion + aliases)
    for (number, note) in command.notes.enumerated() {
      lines += [".IP \(number + 1). 4"] + note.manLines
    }
    if command.subcommands.isEmpty { lines += [".PP"] + manUsage }
    lines += arguments.flatMap(\.manEntry)
    lines += parameters.filter { $0.form != .argument }.flatMap(\.manEntry)
    for example in command.examples {
      lines += [".PP"] + example.meaning.manLines
      lines += [".RS", ".nf", example.text.manEscaped, ".fi", ".RE"]
    }
    return lines
  }
}

extension Parameter {
  fileprivate var manEntry: [String] { Term(label, explanation).manEntry }
}

extension Term {
  fileprivate var manEntry: [String] {
    [".TP", "\\fB\(text.manEscaped)\\fR"] + meaning.manLines
  }
}

private func manParagraphs(_ texts: [String]) -> [String] {
  Array(texts.map { $0.manLines }.joined(separator: [".PP"]))
}

extension String {
  /// As lines of source; none of them can be taken for a macro.
  fileprivate var manLines: [String] { wrap(self, to: 72).map(\.manEscaped) }

  /// With the characters escaped that the formatter would interpret.
  fileprivate var manEscaped: String {
    let escaped = replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// In the form of the NAME section: lower case, without a full stop.
  fileprivate var asManSummary: String {
    (prefix(1).lowercased() + dropFirst()).trimmingSuffix(".").manEscaped
  }

  private func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}

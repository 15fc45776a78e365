extension CommandPath {
  /// The manual page of the whole program, in the `man` macros that groff and mandoc both read.
  package func manPage() -> String {
    let name = program.root.name
    var page = [
      ".\\\" Made by '\(name) --generate-man-page'.",
      ".TH \(name.uppercased().manEscaped) 1 \"\" \"\(name) \(program.version)\" \"User Commands\"",
      ".SH NAME", "\(name.manEscaped) \\- \(command.overview.asManSummary)",
      ".SH SYNOPSIS",
    ]
    for path in all where path.command.subcommands.isEmpty { page += path.manUsage }
    page.append(".SH DESCRIPTION")
    page += command.discussion.flatMap { [".PP", $0.manEscaped] }
    page.append(".SH OPTIONS")
    page += [".SS Every command takes"] + program.sharedOptions.flatMap(\.manEntry)
    page += [".SS Without a subcommand"] + command.parameters.flatMap(\.manEntry)
    page.append(".SH COMMANDS")
    for path in all.dropFirst() { page += path.manSection }
    page.append(".SH EXIT STATUS")
    page += program.exitStatuses.flatMap(\.manEntry)
    page.append(".SH ENVIRONMENT")
    page += program.environment.flatMap(\.manEntry)
    return page.joined(separator: "\n") + "\n"
  }

  private var manUsage: [String] {
    [".PP", ".nh", "\\fB\(name.manEscaped)\\fR"]
      + usageWords.dropFirst(words.count).map(\.manEscaped) + [".hy"]
  }

  private var manSection: [String] {
    var lines = [".SS \(name.manEscaped)"]
    if !command.aliases.isEmpty {
      lines.append("Also called \(command.aliases.joined(separator: ", ").manEscaped).")
    }
    lines += ([command.overview] + command.discussion).flatMap { [".PP", $0.manEscaped] }
    if command.subcommands.isEmpty { lines += manUsage }
    lines += arguments.flatMap(\.manEntry)
    lines += command.parameters.filter { $0.form != .argument }.flatMap(\.manEntry)
    for example in command.examples {
      lines += [".PP", example.meaning.manEscaped]
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
    [".TP", "\\fB\(text.manEscaped)\\fR", meaning.manEscaped]
  }
}

extension String {
  /// With what the formatter would take for its own made ordinary.
  fileprivate var manEscaped: String {
    let escaped = replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// As the NAME section wants it: lower case, no full stop.
  fileprivate var asManSummary: String {
    (prefix(1).lowercased() + dropFirst()).trimmingSuffix(".").manEscaped
  }

  private func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}

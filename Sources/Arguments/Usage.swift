extension CommandPath {
  /// The words of the usage line, none of which is broken: the command, what must be given, and
  /// what may be given.
  var usageWords: [String] {
    guard command.subcommands.isEmpty else { return words + ["<subcommand>"] }
    let own = parameters.filter { $0.form != .argument }
    let optional = own.filter { !$0.mustBeGiven }
    // A long list would hide what matters; the section OPTIONS has it.
    let optionalWords =
      optional.count > 5 ? ["[<options>]"] : optional.map { "[\($0.synopsis)]" }
    let required = own.filter(\.mustBeGiven).map(\.synopsis)
    let free = arguments.map { $0.mustBeGiven ? $0.synopsis : "[\($0.synopsis)]" }
    return words + optionalWords + free + required
  }

  /// `Usage: …` or `USAGE: …`; further lines are indented.
  func usage(_ title: String, width: Int) -> String {
    let lines = wrap(words: usageWords, to: width - title.count - 1)
    let indent = String(repeating: " ", count: title.count + 1)
    return title + " " + lines.joined(separator: "\n" + indent) + "\n"
  }

  /// What is printed after the `Error:` line of a refused command line.
  package func usageHint(for error: UsageError, width: Int) -> String {
    guard !error.showsHelp else { return "\n" + help(width: width) }
    let topic = steps.isEmpty && !command.subcommands.isEmpty ? "help <subcommand>" : "--help"
    return usage("Usage:", width: width) + (error.hint.map { "  \($0)\n" } ?? "")
      + "  See '\(name) \(topic)' for more information.\n"
  }
}

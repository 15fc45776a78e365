extension CommandPath {
  /// The parts of the usage line, none of which is broken: the command, its optional options, its
  /// arguments and its required options.
  var usageWords: [String] {
    guard command.subcommands.isEmpty else {
      return names + [steps.isEmpty ? "<command>" : "<subcommand>"]
    }
    let own = parameters.filter { $0.form != .argument }
    let optional = own.filter { !$0.mustBeGiven }
    // More than five optional options are replaced by `[<options>]`.
    let optionalWords =
      optional.count > 5 ? ["[<options>]"] : optional.map { "[\($0.synopsis)]" }
    let required = own.filter(\.mustBeGiven).map(\.synopsis)
    let free = arguments.map { $0.mustBeGiven ? $0.synopsis : "[\($0.synopsis)]" }
    return names + optionalWords + free + required
  }

  /// Returns `Usage: …` or `USAGE: …`; further lines are indented.
  func usage(_ title: String, width: Int) -> String {
    let lines = wrap(words: usageWords, to: width - title.count - 1)
    let indent = String(repeating: " ", count: title.count + 1)
    return title + " " + lines.joined(separator: "\n" + indent) + "\n"
  }

  /// Returns the text after the `Error:` line of an invalid command line.
  package func usageHint(for error: UsageError, width: Int) -> String {
    guard !error.showsHelp else {
      return (error.message.isEmpty ? "" : "\n") + help(.short, width: width)
    }
    let hint = error.hint.map { wrap("hint: \($0)", to: width).map { "\($0)\n" }.joined() }
    let isList = steps.isEmpty && !command.subcommands.isEmpty
    let see =
      isList
      ? "See '\(name) help' for the list of commands." : "See '\(name) -h' for all options."
    return (hint ?? "") + usage("Usage:", width: width) + "  \(see)\n"
  }
}

/// An invalid command line, such as an unknown option or two options that exclude each other.
package struct UsageError: Error, Equatable, Sendable {
  /// The reason without a full stop at the end; empty if only help is printed.
  package var message: String
  /// Whether the whole help is printed, and not only a usage line.
  var showsHelp = false
  /// A hint that is printed after the message, in one sentence.
  package var hint: String?

  package init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }
}

extension UsageError {
  /// The error for an empty command line, for which the overview is printed.
  package static var nothingGiven: Self {
    var error = Self("")
    error.showsHelp = true
    return error
  }

  /// The error for a command line that lacks a subcommand.
  package static var missingSubcommand: Self {
    var error = Self("Missing expected argument '<subcommand>'")
    error.showsHelp = true
    return error
  }

  /// Returns the error for an unknown option, with the option of this program that is probably
  /// meant.
  static func unknownOption(
    _ spelling: String, among known: [String], guesses: [(guess: String, option: String)] = []
  ) -> Self {
    let allGuesses = guesses
    let guesses = guesses.filter { guess in
      known.contains(guess.option.optionName) || !guess.guess.hasPrefix("--")
    }
    let guess = guesses.first { $0.guess == spelling }
    // An option of another tool whose counterpart this command lacks resembles others by chance.
    if guess == nil, allGuesses.contains(where: { $0.guess == spelling }) {
      return Self("Unknown option '\(spelling)'")
    }
    var hint =
      guess.map { ". Did you mean '\($0.option)'?" } ?? suggestion(for: spelling, among: known)
    if hint.isEmpty, spelling.hasPrefix("--"),
      let near = nearest(to: spelling, among: guesses.map(\.guess)),
      let guess = guesses.first(where: { $0.guess == near })
    {
      hint = ". Did you mean '\(guess.option)'?"
    }
    return Self("Unknown option '\(spelling)'" + hint)
  }

  static func argumentAsOption(_ spelling: String, _ argument: Parameter) -> Self {
    Self("Unknown option '\(spelling)'. Specify '\(argument.synopsis)' without an option name")
  }

  /// Returns the error for an unknown name, with the command or topic that is probably meant.
  static func unknownSubcommand(
    _ word: String, of path: CommandPath, or topics: [String] = [], orFile: Bool = false
  ) -> Self {
    let isFirst = path.steps.isEmpty
    let noun = isFirst ? (topics.isEmpty ? "command" : "command or topic") : "subcommand"
    var error = Self("Unknown \(noun) '\(word)'")
    if let guess = path.command.guesses.first(where: { $0.text == word.lowercased() }) {
      error.hint = guess.meaning
      return error
    }
    let hint = suggestion(
      for: word,
      among: path.command.subcommands.map(\.name) + topics
        + (isFirst ? [Program.helpCommand.text] : []))
    error.message += hint.isEmpty && orFile ? ", and no such file" : hint
    return error
  }

  static func missingValue(_ parameter: Parameter, spelling: String, next: String?) -> Self {
    var message = "Missing value for '\(spelling) <\(parameter.valueName)>'"
    if let next, next != "--" {
      message += " (a value that starts with a dash is written '--\(parameter.name)=\(next)')"
    }
    return Self(message)
  }

  static func needlessValue(_ value: String, spelling: String) -> Self {
    Self("The option '\(spelling)' does not take any value, but '\(value)' was specified")
  }

  static func invalidValue(_ word: String, _ parameter: Parameter, _ problem: InvalidValue) -> Self
  {
    let message = "The value '\(word)' is invalid for '\(parameter.synopsis)'"
    guard !parameter.choices.isEmpty else { return Self("\(message): \(problem.reason)") }
    // A long list is in another text, which the details of the parameter name.
    let isLong = parameter.choices.count > 12 && !parameter.details.isEmpty
    return Self(
      message + suggestion(for: word, among: parameter.choices),
      hint: isLong ? parameter.details : "use \(oneOf(parameter.choices))")
  }

  static func unexpected(_ words: [String]) -> Self {
    let quoted = words.map { "'\($0)'" }
    guard let first = quoted.first, words.count > 1 else {
      return Self("Unexpected argument \(quoted.joined())")
    }
    // A long list is unreadable, and the first argument is enough to find the mistake.
    let list =
      words.count == 2 ? quoted.joined(separator: " and ") : "\(first) and \(words.count - 1) more"
    return Self("\(words.count) unexpected arguments: \(list)")
  }

  static func missing(_ parameters: [Parameter], hint: String? = nil) -> Self {
    let quoted = parameters.map { "'\($0.synopsis)'" }
    var places: [String] = []
    for case let place? in parameters.map(\.elsewhere) where !places.contains(place) {
      places.append(place)
    }
    return Self(
      "Missing expected argument\(quoted.count == 1 ? "" : "s") \(quoted.joined(separator: ", "))"
        + (hint.map { ". Did you mean '\($0)'?" } ?? ""),
      hint: places.isEmpty ? nil : places.joined(separator: "; "))
  }

  static func exclusive(_ first: Parameter, _ second: Parameter) -> Self {
    Self("'--\(first.name)' and '--\(second.name)' cannot be used together")
  }

  static func withoutEffect(_ parameter: Parameter, without other: String) -> Self {
    Self("'--\(parameter.name)' has no effect without '--\(other)'")
  }

  /// Returns the error for an option that has no effect if `other` is given.
  package static func withoutEffect(
    _ parameter: some TypedParameter, beside other: String
  ) -> Self {
    Self("'--\(parameter.parameter.name)' has no effect with '\(other)'")
  }

  private static func suggestion(for word: String, among known: [String]) -> String {
    nearest(to: word, among: known).map { ". Did you mean '\($0)'?" } ?? ""
  }

  /// Returns `'a'`, `one of 'a' or 'b'`, `one of 'a', 'b' or 'c'`.
  private static func oneOf(_ words: [String]) -> String {
    let quoted = words.map { "'\($0)'" }
    guard quoted.count > 1, let last = quoted.last else { return quoted.joined() }
    return "one of \(quoted.dropLast().joined(separator: ", ")) or \(last)"
  }
}

/// A command line that cannot be understood, or that combines what does not go together.
package struct UsageError: Error, Equatable, Sendable {
  /// One sentence without a full stop: "Unknown option '--forse'. Did you mean '--force'?"
  package var message: String
  /// Whether the whole help is printed and not only a line of usage.
  var showsHelp = false
  /// What else would help, in one sentence without a full stop.
  package var hint: String?

  package init(_ message: String) { self.message = message }
}

extension UsageError {
  /// Nothing was given: then the help is more useful than a line of usage.
  package static var nothingGiven: Self {
    var error = Self("Missing expected argument '<subcommand>' or '<manifest>'")
    error.showsHelp = true
    return error
  }

  /// A command was given that needs one of its subcommands.
  package static var missingSubcommand: Self {
    var error = Self("Missing expected argument '<subcommand>'")
    error.showsHelp = true
    return error
  }

  static func unknownOption(_ spelling: String, among known: [String]) -> Self {
    Self("Unknown option '\(spelling)'" + suggestion(for: spelling, among: known))
  }

  static func argumentAsOption(_ spelling: String, _ argument: Parameter) -> Self {
    Self("Unknown option '\(spelling)'. Give '\(argument.synopsis)' without an option")
  }

  static func unknownSubcommand(
    _ word: String, of command: Command, orFile: Bool = false
  ) -> Self {
    if let absent = command.absentSubcommands.first(where: { $0.text == word }) {
      return Self("There is no subcommand '\(word)': \(absent.meaning)")
    }
    let hint = suggestion(for: word, among: command.subcommands.map(\.name))
    let lack = orFile ? ", and no such file" : ""
    return Self("Unknown subcommand '\(word)'" + (hint.isEmpty ? lack : hint))
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
    let hint = suggestion(for: word, among: parameter.choices)
    let list = "Please provide \(oneOf(parameter.choices))"
    return Self(hint.isEmpty ? "\(message). \(list)" : message + hint + " \(list)")
  }

  static func unexpected(_ words: [String]) -> Self {
    let quoted = words.map { "'\($0)'" }
    guard let first = quoted.first, words.count > 1 else {
      return Self("Unexpected argument \(quoted.joined())")
    }
    // Two can be read, sixty cannot; the first one shows the mistake.
    let list =
      words.count == 2 ? quoted.joined(separator: " and ") : "\(first) and \(words.count - 1) more"
    return Self("\(words.count) unexpected arguments: \(list)")
  }

  static func missing(_ parameters: [Parameter], hint: String? = nil) -> Self {
    let quoted = parameters.map { "'\($0.synopsis)'" }
    var error = Self(
      "Missing expected argument\(quoted.count == 1 ? "" : "s") \(quoted.joined(separator: ", "))"
        + (hint.map { ". Did you mean '\($0)'?" } ?? ""))
    error.hint = parameters.lazy.compactMap(\.elsewhere).first
    return error
  }

  static func exclusive(_ first: Parameter, _ second: Parameter) -> Self {
    Self("'--\(first.name)' and '--\(second.name)' cannot be used together")
  }

  static func withoutEffect(_ parameter: Parameter, without other: String) -> Self {
    Self("'--\(parameter.name)' has no effect without '--\(other)'")
  }

  /// An option that has no effect together with the others.
  package static func withoutEffect(
    _ parameter: some TypedParameter, beside other: String
  ) -> Self {
    Self("'--\(parameter.parameter.name)' has no effect with '\(other)'")
  }

  private static func suggestion(for word: String, among known: [String]) -> String {
    nearest(to: word, among: known).map { ". Did you mean '\($0)'?" } ?? ""
  }

  /// `'a'`, `one of 'a' or 'b'`, `one of 'a', 'b' or 'c'`.
  private static func oneOf(_ words: [String]) -> String {
    let quoted = words.map { "'\($0)'" }
    guard quoted.count > 1, let last = quoted.last else { return quoted.joined() }
    return "one of \(quoted.dropLast().joined(separator: ", ")) or \(last)"
  }
}

/// The meaning of a command line.
package enum ParsedCommandLine: Sendable {
  case run(ParsedArguments)
  case help(CommandPath, HelpDetail)
  case topic(HelpPage)
  /// The list of commands and topics.
  case index(Program)
  case version(ParsedArguments)
}

/// An invalid command line, and the command that it names.
package struct CommandLineError: Error, Sendable {
  package var path: CommandPath
  package var error: UsageError

  package init(path: CommandPath, error: UsageError) {
    self.path = path
    self.error = error
  }
}

extension Program {
  /// Reads a command line, without the program's own name.
  ///
  /// `isFile` distinguishes a manifest without an extension from a misspelled command.
  /// `isElsewhere` returns whether a project file provides missing parameters.
  package func parse(
    _ words: [String], isFile: (String) -> Bool = { _ in false },
    isElsewhere: (ParsedArguments) -> Bool = { _ in false }
  ) throws(CommandLineError) -> ParsedCommandLine {
    let root = CommandPath(self)
    let front = words.prefix(countOfSharedOptions(atStartOf: words[...]))
    if words.dropFirst(front.count).first == "help" {
      return try help(names(among: words.dropFirst(front.count + 1)), from: root)
    }
    var rest = Self.withCompletionOption(words)[...]
    let path = try resolve(&rest, from: root, isFile: isFile)
    // Help is printed even if another word of the line is wrong.
    let details = words.prefix { $0 != "--" }.compactMap { path.helpDetail(of: $0) }
    if !details.isEmpty { return .help(path, details.contains(.full) ? .full : .short) }
    do {
      var parser = Parser(path: path)
      let parsed = try parser.parse(rest, isElsewhere)
      return parsed.asksForVersion ? .version(parsed) : .run(parsed)
    } catch {
      throw CommandLineError(path: path, error: error)
    }
  }

  /// Returns the last word of a shared option in a line that was not parsed yet.
  ///
  /// It is for options that must apply before paths of the line are searched.
  package func word(of option: some TypedParameter, in words: [String]) -> String? {
    let spellings = option.parameter.spellings
    var found: String?
    var rest = words.prefix { $0 != "--" }
    while let word = rest.popFirst() {
      if spellings.contains(word) {
        found = rest.first
      } else if let spelling = spellings.first(where: { word.hasPrefix($0 + "=") }) {
        found = String(word.dropFirst(spelling.count + 1))
      } else if let short = option.parameter.short, word.hasPrefix("-\(short)") {
        found = String(word.dropFirst(2))
      }
    }
    return found
  }

  /// Returns a line in which `completion SHELL`, as in other tools, is the option for it.
  private static func withCompletionOption(_ words: [String]) -> [String] {
    guard let first = words.first, ["completion", "completions"].contains(first), words.count > 1
    else { return words }
    return ["--generate-completion-script"] + words.dropFirst()
  }

  /// Returns the words of a line that are not options.
  private func names(among words: ArraySlice<String>) -> [String] {
    var names: [String] = []
    var rest = words
    while let word = rest.first {
      let count = countOfSharedOptions(atStartOf: rest)
      rest = rest.dropFirst(max(1, count))
      if count == 0, !word.hasPrefix("-") { names.append(word) }
    }
    return names
  }

  /// Returns the help for the words after `help`: the names of a command and its subcommands, or of
  /// a topic.
  private func help(
    _ words: [String], from root: CommandPath
  ) throws(CommandLineError) -> ParsedCommandLine {
    guard let first = words.first, first != Self.helpCommand.text else { return .index(self) }
    if words.count == 1, let topic = topic(first) { return .topic(topic) }
    var path = root
    for word in words {
      guard let next = path.command.subcommand(word) else {
        let topics = path.steps.isEmpty ? topics.map(\.name) : []
        throw CommandLineError(path: path, error: .unknownSubcommand(word, of: path, or: topics))
      }
      path = path.appending(next)
    }
    return .help(path, .full)
  }

  /// Removes the names of subcommands from the front of a line, even after shared options.
  private func resolve(
    _ words: inout ArraySlice<String>, from root: CommandPath, isFile: (String) -> Bool
  ) throws(CommandLineError) -> CommandPath {
    var path = root
    while !path.command.subcommands.isEmpty {
      let shared = words.prefix(countOfSharedOptions(atStartOf: words))
      let rest = words.dropFirst(shared.count)
      guard let word = rest.first else { return path }
      if let next = path.command.subcommand(word) {
        words = shared + rest.dropFirst()
        path = path.appending(next)
        continue
      }
      let isOwnOption = path.parameters.contains { $0.spellings.contains(word.optionName) }
      if isOwnOption { return path }
      let mayBeFile = path.command.defaultSubcommand != nil
      if word.looksLikeName, !mayBeFile || !isFile(word) {
        throw CommandLineError(
          path: path, error: .unknownSubcommand(word, of: path, orFile: mayBeFile))
      }
      guard let command = path.command.defaultSubcommand.flatMap(path.command.subcommand) else {
        return path
      }
      return path.appending(command)
    }
    return path
  }

  private func countOfSharedOptions(atStartOf words: ArraySlice<String>) -> Int {
    var count = 0
    while let word = words.dropFirst(count).first, let size = sizeOfSharedOption(word) {
      count += size
    }
    return min(count, words.count)
  }

  /// Returns the number of words of the shared option that begins with `word`, including bundles
  /// such as `-qv`; nil if it is not a shared option.
  private func sizeOfSharedOption(_ word: String) -> Int? {
    if word.hasPrefix("--") {
      let name = word.optionName
      guard let option = sharedOptions.first(where: { "--\($0.name)" == name }) else { return nil }
      return option.arity == .none || name != word ? 1 : 2
    }
    guard word.hasPrefix("-"), word != "-" else { return nil }
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = sharedOptions.first(where: { $0.short == letter }) else { return nil }
      if letters.first == "=" { return 1 }
      if option.arity != .none { return letters.isEmpty ? 2 : 1 }
    }
    return 1
  }
}

extension CommandPath {
  /// Returns the help that a word requests: `--help`, `-h`, or a bundle such as `-qh`; nil if it is
  /// another word.
  fileprivate func helpDetail(of word: String) -> HelpDetail? {
    let name = Program.showHelp.parameter.name
    if word.hasPrefix("--") { return word == "--\(name)" ? .full : nil }
    guard word.hasPrefix("-") else { return nil }
    for letter in word.dropFirst() {
      guard let option = options.first(where: { $0.short == letter }) else { return nil }
      if option.name == name { return .short }
      if option.arity != .none { return nil }
    }
    return nil
  }
}

extension String {
  /// The part before a `=` or a space.
  var optionName: String { String(unicodeScalars.prefix { $0 != "=" && $0 != " " }) }

  /// Whether it has the form of a name and not of a path or an option.
  fileprivate var looksLikeName: Bool {
    !isEmpty && !hasPrefix("-") && !unicodeScalars.contains { $0 == "." || $0 == "/" }
  }
}

/// Reads the words after a command's name.
struct Parser {
  private let path: CommandPath
  private let options: [Parameter]
  private var parsed: ParsedArguments
  private var free: [String] = []

  init(path: CommandPath) {
    self.path = path
    options = path.options
    parsed = ParsedArguments(path: path)
  }

  mutating func parse(
    _ words: ArraySlice<String>, _ isElsewhere: (ParsedArguments) -> Bool
  ) throws(UsageError) -> ParsedArguments {
    var rest = words
    while let word = rest.popFirst() {
      if word == "--" {
        // Without the flag that requires them, they are ordinary arguments.
        let trailing = path.arguments.first { $0.isTrailing && $0.onlyWith.map(parsed.has) ?? true }
        guard let trailing else {
          free += rest
          break
        }
        for word in rest { parsed.add(word, for: trailing) }
        break
      } else if word.hasPrefix("--") {
        try readLong(word, &rest)
      } else if word.hasPrefix("-"), word != "-" {
        try readShort(word, &rest)
      } else {
        free.append(word)
      }
    }
    // The version is printed even if a parameter is missing.
    if parsed.asksForVersion { return parsed }
    try distribute()
    try checkWhole(isElsewhere)
    return parsed
  }

  private mutating func readLong(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let parts = word.unicodeScalars.split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let spelling = String(parts[0])
    // A page of Apple has '--l' for '-l'.
    guard
      let option = options.first(where: { "--\($0.name)" == spelling })
        ?? options.first(where: { $0.short.map { "--\($0)" } == spelling })
    else {
      let argument = path.parameters.first { $0.triedAs.contains(spelling) }
      if let argument { throw .argumentAsOption(spelling, argument) }
      throw .unknownOption(
        spelling, among: options.map { "--\($0.name)" }, guesses: path.program.optionGuesses)
    }
    try read(option, spelling: spelling, attached: parts.dropFirst().first.map(String.init), &rest)
  }

  /// Reads `-o x`, `-ox`, `-o=x` and bundles such as `-qv` or `-qo x`.
  private mutating func readShort(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    var letters = word.unicodeScalars.dropFirst()
    while let letter = letters.popFirst().map(Character.init) {
      guard let option = options.first(where: { $0.short == letter }) else {
        // The word may be a long name with one dash instead of two.
        let isFirst = letters.count + 2 == word.unicodeScalars.count && letters.count > 0
        throw .unknownOption(
          isFirst ? word : "-\(letter)", among: hints(for: letter, isFirst),
          guesses: path.program.optionGuesses.filter { guess in
            options.contains { "--\($0.name)" == guess.option.optionName }
          })
      }
      var attached: String?
      if letters.first == "=" {
        attached = String(letters.dropFirst())
        letters.removeAll()
      } else if option.arity != .none, !letters.isEmpty {
        attached = String(letters)
        letters.removeAll()
      }
      try read(option, spelling: "-\(letter)", attached: attached, &rest)
    }
  }

  private func hints(for letter: Character, _ isLongName: Bool) -> [String] {
    let spellings = options.flatMap(\.spellings)
    if isLongName { return spellings.filter { $0.hasPrefix("--") } }
    return spellings.filter { $0.lowercased() == "-\(letter)".lowercased() }
  }

  private mutating func read(
    _ option: Parameter, spelling: String, attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    if option.arity == .none {
      if let attached { throw .needlessValue(attached, spelling: spelling) }
      parsed.add("", for: option)
      return
    }
    if let attached {
      try add(attached, for: option)
      return
    }
    guard let first = rest.first, !isOption(first) else {
      throw .missingValue(option, spelling: spelling, next: rest.first)
    }
    rest.removeFirst()
    try add(first, for: option)
    guard option.arity == .several else { return }
    while let next = rest.first, !isOption(next) {
      // A word that cannot be a value may be an argument of the command.
      if !path.arguments.isEmpty, option.check(next) != nil { return }
      rest.removeFirst()
      try add(next, for: option)
    }
  }

  private func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }

  private mutating func add(_ word: String, for parameter: Parameter) throws(UsageError) {
    if let problem = parameter.check(word) { throw .invalidValue(word, parameter, problem) }
    parsed.add(word, for: parameter)
  }

  /// Assigns the words that are not options to the arguments, in order.
  private mutating func distribute() throws(UsageError) {
    var words = free[...]
    for argument in path.arguments where !argument.isTrailing {
      if argument.arity == .several {
        while let word = words.popFirst() { try add(word, for: argument) }
      } else if let word = words.popFirst() {
        try add(word, for: argument)
      }
    }
    guard words.isEmpty else { throw .unexpected(Array(words)) }
  }

  /// Returns a hint that the last argument may be the value of a missing option.
  private func hint(for missing: [Parameter]) -> String? {
    guard let last = free.last, let option = missing.first(where: { $0.form == .option }),
      case .files(let endings) = option.completion,
      endings.contains(where: { last.lowercased().hasSuffix(".\($0)") })
    else { return nil }
    return "\(option.spellings[0]) \(last)"
  }

  private func checkWhole(_ isElsewhere: (ParsedArguments) -> Bool) throws(UsageError) {
    var missing = path.parameters.filter {
      $0.isRequired && !parsed.has($0.name) && !($0.needlessWith.map(parsed.has) ?? false)
    }
    if missing.contains(where: { $0.elsewhere != nil }), isElsewhere(parsed) {
      missing.removeAll { $0.elsewhere != nil }
    }
    guard missing.isEmpty else { throw .missing(missing, hint: hint(for: missing)) }
    for parameter in path.parameters where parsed.has(parameter.name) {
      if let other = parameter.onlyWith, !parsed.has(other) {
        throw .withoutEffect(parameter, without: other)
      }
    }
    for group in path.command.exclusive {
      let given = path.parameters.filter {
        group.contains($0.name) && parsed.has($0.name)
      }
      if given.count > 1 { throw .exclusive(given[0], given[1]) }
    }
  }
}

/// What a command line said, with typed access.
package struct ParsedArguments: Sendable {
  /// The command that is to run.
  package let path: CommandPath
  /// The words given for each parameter, by its name; a flag has an empty word for each time.
  private var words: [String: [String]] = [:]

  init(path: CommandPath) { self.path = path }

  /// The value of a parameter: what was given, or what holds without it.
  package subscript<P: TypedParameter>(parameter: P) -> P.Value {
    parameter.value(of: words[parameter.parameter.name, default: []])
  }

  /// The value of a parameter that the command cannot do without.
  package func required<P: TypedParameter, Wrapped>(
    _ parameter: P
  ) throws(UsageError) -> Wrapped where P.Value == Wrapped? {
    guard let value = self[parameter] else { throw .missing([parameter.parameter]) }
    return value
  }

  /// Whether a parameter was given at all.
  package func isGiven(_ parameter: some TypedParameter) -> Bool {
    has(parameter.parameter.name)
  }

  func has(_ name: String) -> Bool { words[name] != nil }

  mutating func add(_ word: String, for parameter: Parameter) {
    words[parameter.name, default: []].append(word)
  }
}

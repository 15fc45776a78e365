/// The values given on a command line.
package struct ParsedArguments: Sendable {
  /// The command to run.
  package let path: CommandPath
  /// The words given for each parameter, by its name; a flag has an empty word for each occurrence.
  private var words: [String: [String]] = [:]

  init(path: CommandPath) { self.path = path }

  /// The value of a parameter, or its default.
  package subscript<P: TypedParameter>(parameter: P) -> P.Value {
    parameter.value(of: words[parameter.parameter.name, default: []])
  }

  /// Returns the value of a parameter that must be given.
  package func required<P: TypedParameter, Wrapped>(
    _ parameter: P
  ) throws(UsageError) -> Wrapped where P.Value == Wrapped? {
    guard let value = self[parameter] else { throw .missing([parameter.parameter]) }
    return value
  }

  /// Returns whether a parameter was given.
  package func isGiven(_ parameter: some TypedParameter) -> Bool {
    has(parameter.parameter.name)
  }

  /// Returns the words given for a parameter.
  package func words(of parameter: Parameter) -> [String] {
    words[parameter.name, default: []]
  }

  /// Whether `--version` is given and the command has no option of that name.
  var asksForVersion: Bool { !path.hidesVersion && self[Program.showVersion] }

  func has(_ name: String) -> Bool { words[name] != nil }

  mutating func add(_ word: String, for parameter: Parameter) {
    words[parameter.name, default: []].append(word)
  }
}

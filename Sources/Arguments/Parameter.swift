/// One thing a command takes, as data: the parser, the help, the completions and the man page all
/// read this and nothing else.
package struct Parameter: Sendable {
  /// How it is written on a command line.
  package enum Form: Sendable {
    /// `--force`: there or not there, or counted.
    case flag
    /// `--threads 4`.
    case option
    /// A word that stands by itself.
    case argument
  }

  /// How many words it takes.
  package enum Arity: Sendable {
    case none
    case one
    /// Several words behind one name, and the name may come again.
    case several
  }

  package var form: Form
  /// The long name without its dashes, or the name of an argument; also the key of parsed values.
  package var name: String
  package var short: Character?
  /// What the help calls the word it takes: `path` in `--output-path <path>`.
  package var valueName: String
  package var arity: Arity
  package var isRequired: Bool
  /// The name of the flag beside which it may be left out all the same.
  package var needlessWith: String?
  /// The name of the option without which it would have no effect.
  package var onlyWith: String?
  /// A sentence without indentation or line breaks.
  package var help: String
  /// What holds when it is not given, as the help shows it.
  package var defaultText: String?
  /// The words it takes, if they can be listed.
  package var choices: [String]
  package var completion: Completion
  /// Says why a word cannot be its value.
  package var check: @Sendable (String) -> InvalidValue?
}

/// What a shell offers for a word.
package enum Completion: Sendable, Equatable {
  case nothing
  case words([String])
  /// Files whose names end in one of these, without dots; all files when the list is empty.
  case files([String])
  case folders
}

extension Parameter {
  /// Every way of writing its name, the short one first.
  package var spellings: [String] {
    guard form != .argument else { return [] }
    return (short.map { ["-\($0)"] } ?? []) + ["--\(name)"]
  }

  /// How messages and the usage line write it: `--output-path <path>`, `<manifest>`.
  package var synopsis: String {
    switch form {
    case .flag: "--\(name)"
    case .option: "--\(name) <\(valueName)>\(arity == .several ? " ..." : "")"
    case .argument: "<\(valueName)>\(arity == .several ? " ..." : "")"
    }
  }
}

/// A typed way to one parameter: what `ParsedArguments` hands out for it.
package protocol TypedParameter<Value>: Sendable {
  associatedtype Value: Sendable
  var parameter: Parameter { get }
  /// Makes the value out of the words that were given, each of which `check` has accepted.
  func value(of words: [String]) -> Value
}

/// One thing that a command takes, as data: parser, help, completions and man page are made from
/// it.
package struct Parameter: Sendable {
  /// How it is given on a command line.
  package enum Form: Sendable {
    /// `--force`: given or not, or counted.
    case flag
    /// `--threads 4`.
    case option
    /// A word that is not an option.
    case argument
  }

  /// How many words it takes.
  package enum Arity: Sendable {
    case none
    case one
    /// Several words after the name; the name may also be repeated.
    case several
  }

  package var form: Form
  /// The long name without its dashes, or the name of an argument; also the key of the parsed
  /// value.
  package var name: String
  package var short: Character?
  /// What the help calls its value: `path` in `--output-path <path>`.
  package var valueName: String
  package var arity: Arity
  package var isRequired: Bool
  /// The name of a flag that makes it optional.
  package var needlessWith: String?
  /// How it can be made unnecessary by what stands outside of the command line; nil if it cannot.
  package var elsewhere: String?
  /// The name of an option without which it has no effect.
  package var onlyWith: String?
  /// Whether it takes the words behind `--`, whatever they look like, and no others.
  package var isTrailing = false
  /// What people try in front of this argument as if it were an option: `--only`.
  package var triedAs: [String] = []
  /// One or more sentences, without indentation or line breaks.
  package var help: String
  /// The default, as the help shows it.
  package var defaultText: String?
  /// The possible words, if there is a list of them.
  package var choices: [String]
  package var completion: Completion
  /// Returns the reason if a word cannot be its value.
  package var check: @Sendable (String) -> InvalidValue?
}

/// What a shell offers as a value.
package enum Completion: Sendable, Equatable {
  case nothing
  case words([String])
  /// Files whose names end in one of these (without dots); all files if the list is empty.
  case files([String])
  case folders
}

extension Parameter {
  /// Whether a command line without it is never right.
  var mustBeGiven: Bool { isRequired && elsewhere == nil }

  /// All spellings of its name, the short one first.
  package var spellings: [String] {
    guard form != .argument else { return [] }
    return (short.map { ["-\($0)"] } ?? []) + ["--\(name)"]
  }

  /// How messages and the usage line show it: `--output-path <path>`, `<manifest>`.
  package var synopsis: String {
    switch form {
    case .flag: "--\(name)"
    case .option: "--\(name) <\(valueName)>\(arity == .several ? " ..." : "")"
    case .argument: "\(isTrailing ? "-- " : "")<\(valueName)>\(arity == .several ? " ..." : "")"
    }
  }
}

/// A parameter with a type: `ParsedArguments` returns values of that type for it.
package protocol TypedParameter<Value>: Sendable {
  associatedtype Value: Sendable
  var parameter: Parameter { get }
  /// Makes the value from the words that were given; `check` has accepted each of them.
  func value(of words: [String]) -> Value
}

/// An option, a flag or an argument of a command, as data.
///
/// The parser, the help, the completions and the manual pages are made from it.
package struct Parameter: Sendable {
  /// The form on a command line.
  package enum Form: Sendable {
    /// `--force`: given or not, or counted.
    case flag
    /// `--threads 4`.
    case option
    /// A word that is not an option.
    case argument
  }

  /// The number of values.
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
  /// The name of its value in the help: `path` in `--output-path <path>`.
  package var valueName: String
  package var arity: Arity
  package var isRequired: Bool
  /// The name of a flag that makes it optional.
  package var needlessWith: String?
  /// A hint if something outside of the command line can replace it, such as a project file.
  package var elsewhere: String?
  /// The name of an option without which it has no effect.
  package var onlyWith: String?
  /// Whether its values are all words after `--`, and no others.
  package var isTrailing = false
  /// Options that users try in front of this argument: `--only`.
  package var triedAs: [String] = []
  /// The group of an option in the help.
  package var group = OptionGroup.general
  /// One sentence that fits two lines of 54 columns, with an example or the default.
  package var help: String
  /// Further sentences for `--help` and the manual page.
  package var details = ""
  /// The default, as the help shows it.
  package var defaultText: String?
  /// The possible words, if there is a list of them.
  package var choices: [String]
  package var completion: Completion
  /// Returns the reason if a word cannot be its value.
  package var check: @Sendable (String) -> InvalidValue?
}

/// A group of options in the help, such as the options for compression.
package struct OptionGroup: Sendable, Hashable {
  /// The title in the help, such as "Compression"; empty for options without a group.
  package let title: String

  package init(_ title: String) { self.title = title }

  /// Options without a group.
  package static let general = OptionGroup("")

  /// The heading in a terminal.
  var heading: String { title.isEmpty ? "OPTIONS" : "\(title.uppercased()) OPTIONS" }
  /// The heading in other texts.
  var name: String { title.isEmpty ? "Options" : "\(title) options" }
}

/// The values that a shell offers.
package enum Completion: Sendable, Equatable {
  case nothing
  case words([String])
  /// Files whose names end in one of these (without dots); all files if the list is empty.
  case files([String])
  case folders
}

extension Parameter {
  /// Whether it must be on the command line: it is required, and has no replacement elsewhere.
  var mustBeGiven: Bool { isRequired && elsewhere == nil }

  /// All spellings of its name, the short one first.
  package var spellings: [String] {
    guard form != .argument else { return [] }
    return (short.map { ["-\($0)"] } ?? []) + ["--\(name)"]
  }

  /// The form in messages and in the usage line: `--output-path <path>`, `<manifest>`.
  package var synopsis: String {
    switch form {
    case .flag: "--\(name)"
    case .option: "--\(name) <\(valueName)>\(arity == .several ? " ..." : "")"
    case .argument: "\(isTrailing ? "-- " : "")<\(valueName)>\(arity == .several ? " ..." : "")"
    }
  }
}

/// A parameter with the type of its value in `ParsedArguments`.
package protocol TypedParameter<Value>: Sendable {
  associatedtype Value: Sendable
  var parameter: Parameter { get }
  /// Returns the value of words that `check` has accepted.
  func value(of words: [String]) -> Value
}

/// `--force`: given or not.
package struct Flag: TypedParameter {
  package let parameter: Parameter

  package init(
    _ name: String, short: Character? = nil, in group: OptionGroup = .general, _ help: String,
    details: String = ""
  ) {
    parameter = Parameter(flag: name, short: short, help: help).in(group, details)
  }

  package func value(of words: [String]) -> Bool { !words.isEmpty }
}

/// `--source-root <dir>`: one value or none; if given more than once, the last one counts.
package struct Option<Wrapped: Sendable>: TypedParameter {
  package let parameter: Parameter
  private let type: ValueType<Wrapped>

  package init(
    _ name: String, short: Character? = nil, _ type: ValueType<Wrapped>, called valueName: String,
    in group: OptionGroup = .general, isRequired: Bool = false, needlessWith flag: Flag? = nil,
    elsewhere: String? = nil, _ help: String, details: String = ""
  ) {
    self.type = type
    var parameter = Parameter(
      .option, name, short: short, valueName: valueName, .one, isRequired: isRequired, help, type)
    parameter.needlessWith = flag?.parameter.name
    parameter.elsewhere = elsewhere
    self.parameter = parameter.in(group, details)
  }

  package func value(of words: [String]) -> Wrapped? { words.last.flatMap { try? type.read($0) } }
}

/// `--format <format>`, with a default value.
package struct DefaultedOption<Value: Sendable>: TypedParameter {
  package let parameter: Parameter
  private let type: ValueType<Value>
  private let fallback: Value

  /// Creates an option; the help shows its default as `defaultText`.
  package init(
    _ name: String, short: Character? = nil, _ type: ValueType<Value>, called valueName: String,
    in group: OptionGroup = .general, default fallback: Value, shownAs defaultText: String,
    _ help: String, details: String = ""
  ) {
    self.type = type
    self.fallback = fallback
    let parameter = Parameter(
      .option, name, short: short, valueName: valueName, .one, defaultText: defaultText, help, type)
    self.parameter = parameter.in(group, details)
  }

  package func value(of words: [String]) -> Value {
    words.last.flatMap { try? type.read($0) } ?? fallback
  }
}

extension DefaultedOption where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// Creates an option whose values are the cases of a type.
  package init(
    _ name: String, called valueName: String, in group: OptionGroup = .general,
    default fallback: Value, _ help: String, details: String = ""
  ) {
    self.init(
      name, .choice, called: valueName, in: group, default: fallback, shownAs: fallback.rawValue,
      help, details: details)
  }
}

/// `--platforms iOS macOS`: any number of values, after one name or several.
package struct OptionList<Element: Sendable>: TypedParameter {
  package let parameter: Parameter
  private let type: ValueType<Element>

  package init(
    _ name: String, _ type: ValueType<Element>, called valueName: String,
    in group: OptionGroup = .general, _ help: String, details: String = ""
  ) {
    self.type = type
    let parameter = Parameter(.option, name, valueName: valueName, .several, help, type)
    self.parameter = parameter.in(group, details)
  }

  package func value(of words: [String]) -> [Element] { words.compactMap { try? type.read($0) } }
}

/// `--against a.json --against b.json`: one value for each time it is given.
package struct RepeatableOption<Element: Sendable>: TypedParameter {
  package let parameter: Parameter
  private let type: ValueType<Element>

  package init(
    _ name: String, _ type: ValueType<Element>, called valueName: String,
    in group: OptionGroup = .general, _ help: String, details: String = ""
  ) {
    self.type = type
    let parameter = Parameter(.option, name, valueName: valueName, .one, help, type)
    self.parameter = parameter.in(group, details)
  }

  package func value(of words: [String]) -> [Element] { words.compactMap { try? type.read($0) } }
}

/// A word that is not an option.
package struct Argument<Wrapped: Sendable>: TypedParameter {
  package let parameter: Parameter
  private let type: ValueType<Wrapped>

  package init(
    _ name: String, _ type: ValueType<Wrapped>, isRequired: Bool = true, elsewhere: String? = nil,
    _ help: String, details: String = ""
  ) {
    self.type = type
    var parameter = Parameter(
      .argument, name, valueName: name, .one, isRequired: isRequired, help, type)
    parameter.elsewhere = elsewhere
    parameter.details = details
    self.parameter = parameter
  }

  package func value(of words: [String]) -> Wrapped? { words.last.flatMap { try? type.read($0) } }
}

/// All words that are not options and that do not belong to a single argument.
package struct ArgumentList<Element: Sendable>: TypedParameter {
  package let parameter: Parameter
  private let type: ValueType<Element>

  package init(
    _ name: String, _ type: ValueType<Element>, isRequired: Bool = true, elsewhere: String? = nil,
    triedAs: [String] = [], _ help: String, details: String = ""
  ) {
    self.type = type
    var parameter = Parameter(
      .argument, name, valueName: name, .several, isRequired: isRequired, help, type)
    parameter.elsewhere = elsewhere
    parameter.triedAs = triedAs
    parameter.details = details
    self.parameter = parameter
  }

  package func value(of words: [String]) -> [Element] { words.compactMap { try? type.read($0) } }
}

/// The words after `--`, which belong to another program; they require a flag.
package struct TrailingWords: TypedParameter {
  package let parameter: Parameter

  package init(_ name: String, with flag: Flag, _ help: String) {
    var parameter = Parameter(
      .argument, name, valueName: name, .several, isRequired: false, help, .text)
    parameter.isTrailing = true
    parameter.onlyWith = flag.parameter.name
    self.parameter = parameter
  }

  package func value(of words: [String]) -> [String] { words }
}

extension Parameter {
  fileprivate func `in`(_ group: OptionGroup, _ details: String) -> Parameter {
    var parameter = self
    parameter.group = group
    parameter.details = details
    return parameter
  }

  fileprivate init(flag name: String, short: Character?, help: String) {
    self.init(
      form: .flag, name: name, short: short, valueName: "", arity: .none, isRequired: false,
      help: help, defaultText: nil, choices: [], completion: .nothing, check: { _ in nil })
  }

  fileprivate init<Value>(
    _ form: Form, _ name: String, short: Character? = nil, valueName: String, _ arity: Arity,
    isRequired: Bool = false, defaultText: String? = nil, _ help: String, _ type: ValueType<Value>
  ) {
    self.init(
      form: form, name: name, short: short, valueName: valueName, arity: arity,
      isRequired: isRequired, help: help, defaultText: defaultText, choices: type.choices,
      completion: type.completion, check: { word in type.problem(with: word) })
  }
}

/// The reason why a word cannot be the value of a parameter; the text follows a colon.
package struct InvalidValue: Error, Equatable, Sendable {
  package var reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// A type of values: the function that reads a word, and the candidates that a shell offers.
package struct ValueType<Value: Sendable>: Sendable {
  package var choices: [String] = []
  package var completion: Completion = .nothing
  package var read: @Sendable (String) throws(InvalidValue) -> Value

  package init(
    choices: [String] = [], completion: Completion = .nothing,
    read: @escaping @Sendable (String) throws(InvalidValue) -> Value
  ) {
    self.choices = choices
    self.completion = choices.isEmpty ? completion : .words(choices)
    self.read = read
  }

  /// Returns the reason why `word` is invalid; nil if it is valid.
  func problem(with word: String) -> InvalidValue? {
    do {
      _ = try read(word)
      return nil
    } catch {
      return error
    }
  }
}

extension ValueType where Value == String {
  /// Any word, even an empty one.
  package static var text: Self { Self { word throws(InvalidValue) in word } }

  /// Returns the type of file paths; the shell offers files that end in one of `endings`.
  package static func file(_ endings: String...) -> Self {
    path(completion: .files(endings))
  }

  package static var folder: Self { path(completion: .folders) }

  private static func path(completion: Completion) -> Self {
    Self(completion: completion) { word throws(InvalidValue) in
      guard !word.isEmpty else { throw InvalidValue("a path cannot be empty") }
      return word
    }
  }
}

extension ValueType where Value == Int {
  /// Returns the type of whole numbers in decimal digits.
  package static func number(in range: ClosedRange<Int>) -> Self {
    Self { word throws(InvalidValue) in
      guard let number = Int(word), range.contains(number), word.first != "+" else {
        throw InvalidValue(
          range.upperBound == .max
            ? "expected a whole number of at least \(range.lowerBound)"
            : "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
  }
}

extension ValueType where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the cases of a type.
  package static var choice: Self {
    Self(choices: Value.allCases.map(\.rawValue)) { word throws(InvalidValue) in
      guard let value = Value(rawValue: word) else { throw InvalidValue("not one of the choices") }
      return value
    }
  }
}

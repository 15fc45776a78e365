/// The type and the limits of a value; readers, JSON Schemas and references are generated from
/// these data.
package indirect enum JSONShape: Sendable {
  /// A string; the pattern is the part of its grammar that a schema can contain.
  case string(pattern: String? = nil)
  /// One of several texts.
  case word([String])
  /// `true` or `false`.
  case bool
  /// Any number.
  case number
  /// A whole number.
  case integer(in: ClosedRange<Int>)
  /// A number of bytes: a whole number, or a string such as `10G` that the pattern describes.
  case size(pattern: String)
  /// An array whose elements all have one shape.
  case array(of: JSONShape, atLeast: Int = 0)
  /// An object with these members.
  case record(JSONRecord)
  /// A value of a shape, or null.
  case nullable(JSONShape)
  /// An object with exactly one of these sets of keys.
  case alternatives([[JSONKey]])
  /// A value of one of several shapes with different types.
  case either([JSONShape])
  /// `{}`.
  case emptyObject
  /// An object with any keys whose values all have one shape.
  case values(of: JSONShape)
  /// An object with any keys.
  case anyObject
  /// Any value; it is not read.
  case anything
}

/// A key that an object may have.
package struct JSONKey: Sendable {
  /// Whether a key is required.
  package enum Presence: Sendable {
    case required
    case optional
    /// The key is accepted and has no effect.
    case ignored
  }

  /// The key in the text.
  package let name: String
  /// The shape of its value.
  package let shape: JSONShape
  /// Whether the key is required.
  package let presence: Presence
  /// Its purpose, in one or two sentences.
  package let summary: String
  /// Further details, one or two sentences each.
  package let details: [String]
  /// A value for templates, as JSON; empty if templates do not show the key.
  package let example: String
  /// A valid value for messages, as JSON.
  package let sample: String
  private let correction: (@Sendable (_ value: JSONNode, _ object: JSONNode) -> Fix?)?

  /// Creates a key; `sample` is a valid value, if the example of the template is none.
  ///
  /// `correction` returns a fix for a value of the wrong type, instead of that of the shape.
  package init(
    _ name: String, _ shape: JSONShape, is presence: Presence = .required, _ summary: String,
    details: [String] = [], example: String = "", sample: String? = nil,
    correction: (@Sendable (_ value: JSONNode, _ object: JSONNode) -> Fix?)? = nil
  ) {
    self.name = name
    self.shape = shape
    self.presence = presence
    self.summary = summary
    self.details = details
    self.example = example
    self.sample = sample ?? example
    self.correction = correction
  }

  /// Returns a fix for a value of the wrong type in an object.
  func fix(of value: JSONNode, in object: JSONNode) -> Fix? {
    correction?(value, object) ?? shape.correction(of: value, in: object)
  }

  /// The same key as an optional one.
  package var asOptional: JSONKey {
    JSONKey(
      name, shape, is: .optional, summary, details: details, example: example, sample: sample,
      correction: correction)
  }
}

/// The members of an object in a document.
package struct JSONRecord: Sendable {
  package var keys: [JSONKey]
  /// For each choice, the alternative records; the object has the members of exactly one of them.
  package var choices: [[JSONRecord]]
  /// Whether a reader ignores other members.
  package var isOpen: Bool

  package init(keys: [JSONKey] = [], choices: [[JSONRecord]] = [], isOpen: Bool = true) {
    self.keys = keys
    self.choices = choices
    self.isOpen = isOpen
  }

  /// The names of all members, including those of choices.
  package var names: [String] {
    var names = keys.map(\.name)
    for record in choices.joined() {
      for name in record.names where !names.contains(name) { names.append(name) }
    }
    return names
  }
}

extension JSONShape {
  /// Returns an object with these keys and no others.
  package static func object(_ keys: [JSONKey]) -> JSONShape {
    .record(JSONRecord(keys: keys, isOpen: false))
  }

  /// The type of value, in a phrase that follows "must be".
  package var expectation: String {
    switch self {
    case .string, .word: "a string"
    case .bool: "true or false"
    case .number: "a number"
    case .integer: "a whole number"
    case .size: "a size"
    case .array(let element, _):
      switch element {
      case .string, .word: "an array of strings"
      case .record, .alternatives: "an array of objects"
      default: "an array"
      }
    case .either(let shapes): shapes.map(\.expectation).joined(separator: " or ")
    case .record, .alternatives, .emptyObject, .values, .anyObject: "an object"
    case .nullable(let shape): shape.expectation + " or null"
    case .anything: "a value"
    }
  }

  /// Returns whether a value has the right type, independently of its contents.
  package func accepts(_ kind: JSONNode.Kind) -> Bool {
    switch self {
    case .string, .word: kind == .string
    case .bool: kind == .bool
    case .number, .integer: kind == .number
    case .size: kind == .number || kind == .string
    case .array: kind == .array
    case .either(let shapes): shapes.contains { $0.accepts(kind) }
    case .record, .alternatives, .emptyObject, .values, .anyObject: kind == .object
    case .nullable(let shape): kind == .null || shape.accepts(kind)
    case .anything: kind != .invalid
    }
  }
}

extension JSONNode.Kind {
  /// The name of the type: "a string".
  package var description: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    case .invalid: "an unreadable value"
    }
  }
}

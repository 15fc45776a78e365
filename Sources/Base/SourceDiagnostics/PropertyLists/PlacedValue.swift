/// A value of a property list or a JSON text, with its place in the text.
package struct PlacedValue: Sendable {
  package enum Kind: Sendable, Equatable {
    case string(String)
    case number(String)
    case bool(Bool)
    case date(String)
    case data([UInt8])
    case null
    case array([PlacedValue])
    case dictionary([Member])
  }

  /// A key of a dictionary and its value.
  package struct Member: Sendable, Equatable {
    package var key: String
    package var keySpan: SourceSpan
    package var value: PlacedValue

    package init(key: String, keySpan: SourceSpan, value: PlacedValue) {
      self.key = key
      self.keySpan = keySpan
      self.value = value
    }

    /// Whether both members are equal, regardless of their places.
    package static func == (left: Member, right: Member) -> Bool {
      left.key == right.key && left.value == right.value
    }
  }

  package var kind: Kind
  package var span: SourceSpan

  /// The maximum nesting depth of values that a reader accepts.
  package static let depthLimit = 64
  /// The maximum number of values that a reader accepts.
  package static let countLimit = 2_000_000

  package init(_ kind: Kind, at span: SourceSpan) {
    self.kind = kind
    self.span = span
  }
}

extension PlacedValue: Equatable {
  /// Whether both values are equal, regardless of their places.
  package static func == (left: PlacedValue, right: PlacedValue) -> Bool {
    left.kind == right.kind
  }
}

extension PlacedValue {
  /// The members of a dictionary; empty for other values.
  package var members: [Member] { if case .dictionary(let members) = kind { members } else { [] } }

  /// The elements of an array; empty for other values.
  package var elements: [PlacedValue] {
    if case .array(let elements) = kind { elements } else { [] }
  }

  /// The text of a string, or of a value that is a string only in some property list formats: `1`,
  /// `YES`.
  package var text: String? {
    switch kind {
    case .string(let text), .number(let text): text
    case .bool(let bool): bool ? "YES" : "NO"
    default: nil
    }
  }

  /// The texts of an array, or of a single text.
  package var texts: [(text: String, span: SourceSpan)] {
    if let text { return [(text, span)] }
    return elements.compactMap { element in element.text.map { ($0, element.span) } }
  }

  /// The value of a key; of duplicate keys, the last one, as in Xcode.
  package subscript(_ key: String) -> PlacedValue? {
    guard case .dictionary(let members) = kind else { return nil }
    return members.last { $0.key == key }?.value
  }
}

/// The reason why a text cannot be parsed: the place, the error, and a hint.
package struct Unreadable: Error, Equatable {
  package var span: SourceSpan
  package var reason: Finding.Message
  package var remedy: Finding.Message

  package init(_ span: SourceSpan, _ reason: Finding.Message, remedy: Finding.Message) {
    self.span = span
    self.reason = reason
    self.remedy = remedy
  }
}

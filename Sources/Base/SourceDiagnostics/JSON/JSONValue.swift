/// A JSON value that keeps the order of its members and the text of its numbers.
public enum JSONValue: Sendable, Equatable {
  /// One member of an object.
  public struct Member: Sendable, Equatable {
    /// Its name.
    public var key: String
    /// Its value.
    public var value: JSONValue

    /// Creates a member.
    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  case null
  case bool(Bool)
  /// A number, in the form of strict JSON.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])
}

extension JSONValue {
  /// Returns a whole number.
  package static func integer(_ value: some BinaryInteger) -> JSONValue { .number("\(value)") }
}

extension JSONValue: CustomStringConvertible {
  /// The value as strict JSON, on one line.
  public var description: String { JSONWriter.string(self, .compact) }
}

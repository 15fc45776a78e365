import SourceDiagnostics

/// A value that is written by hand as JSON5: a manifest, a project file.
///
/// The reader, the fixes, the schema and the template use its table.
protocol Keyed: Sendable {
  /// The places of the parts of a text.
  associatedtype Locations: KeyLocations
  /// All keys, in the order of the template and of written files.
  static var table: Table<Draft<Self>> { get }
  /// The value of a text without keys.
  static var blank: Self { get }
  /// Returns a finding if the bytes are another kind of file.
  static func refusal(of bytes: [UInt8]) -> Finding?
  /// Checks the complete value after all keys have been read.
  static func conclude(_ root: JSONNode, _ draft: inout Draft<Self>, _ findings: inout Ledger)
}

/// The places of values in a text, by the names of their keys.
protocol KeyLocations: Sendable {
  init()
  /// The place of the value of a key; a key in an object is named `object.key`.
  subscript(key: String) -> SourceSpan? { get set }
}

extension Dictionary: KeyLocations where Key == String, Value == SourceSpan {}

/// A value while its text is being read.
struct Draft<Value: Keyed>: Sendable {
  /// The value; keys that were not read have their initial values.
  var value = Value.blank
  /// The host of the packs; nil if it is unknown.
  var hosting: Hosting?
  /// The places of the values that were read.
  var locations = Value.Locations()
}

/// The key with the address of the schema, for editors.
let schemaKey = "$schema"

// MARK: - Keys

extension Table {
  init<Value>(text noun: String, @ListBuilder<Key<Subject>> _ keys: () -> [Key<Subject>])
  where Subject == Draft<Value> {
    self.init(
      noun, blank: Draft(), unknown: .refused, placing: { $2.locations[$0] = $1 }, keys)
  }
}

extension Key {
  var name: String { json?.name ?? "" }

  /// Creates a key for a property.
  ///
  /// `write` returns nil to omit the key. `read` returns nil if it adds an error.
  init<Value>(
    _ json: JSONKey, _ property: any WritableKeyPath<Subject, Value> & Sendable,
    write: @escaping @Sendable (Value) -> JSONValue?,
    read: @escaping @Sendable (JSONNode, inout Subject, inout Ledger) -> Value?
  ) {
    self.init(json, property: property, write: { write($0[keyPath: property]) }) {
      node, subject, findings in
      guard let value = read(node, &subject, &findings) else { return false }
      subject[keyPath: property] = value
      return true
    }
  }

  /// Creates an optional key whose value is an object with these keys.
  init<Text>(
    _ name: String, of keys: [Key], _ summary: String, details: [String] = [],
    isPresent: (any WritableKeyPath<Subject, Bool> & Sendable)? = nil
  ) where Subject == Draft<Text> {
    let table = Table<Subject>(
      "'\(name)'", blank: Draft(), unknown: .refused,
      placing: { $2.locations["\(name).\($0)"] = $1 }
    ) { keys }
    let examples = table.record.keys.filter { !$0.example.isEmpty }
      .map { "\"\($0.name)\": \($0.example)" }
    self.init(
      JSONKey(
        name, .record(table.record), is: .optional, summary, details: details,
        example: "{\(examples.joined(separator: ", "))}"),
      part: table, isPresent: isPresent)
  }

  /// Creates a key that the reader accepts and ignores.
  init(ignored name: String, _ summary: String, example: String) {
    self.init(
      JSONKey(name, .anything, is: .ignored, summary, example: example), write: { _ in nil })
  }
}

extension JSONForm<String> {
  /// A string; `fault` returns a finding for an invalid string.
  static func text(
    pattern: String?, fault: @escaping @Sendable (String, SourceSpan) -> Finding?
  ) -> JSONForm {
    JSONForm(
      .string(pattern: pattern), write: { .string($0) },
      reading: { node, findings in
        guard let text = node.string else { return nil }
        guard let finding = fault(text, node.span) else { return text }
        findings.add(finding)
        return nil
      })
  }
}

// MARK: - Uses of a table

extension Keyed {
  /// Returns the name of the key for a property; empty if there is none.
  static func name(of property: PartialKeyPath<Self>) -> String {
    let value: PartialKeyPath<Draft<Self>> = \.value
    return value.appending(path: property).flatMap { table.name(of: $0) } ?? ""
  }

  /// The keys with their values, without keys that may be omitted.
  var members: [JSONValue.Member] { Self.table.members(of: Draft(value: self)) }

  /// Returns the value as strict JSON; `schema` is the address of the schema for editors.
  func authored(schema: String? = nil) -> JSONValue {
    let first = schema.map { JSONValue.Member(schemaKey, .string($0)) }
    return .object((first.map { [$0] } ?? []) + members)
  }
}

extension [JSONValue.Member] {
  /// The value of the member with a name.
  subscript(_ name: String) -> JSONValue? { first { $0.key == name }?.value }
}

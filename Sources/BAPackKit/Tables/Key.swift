import SourceDiagnostics

/// A value that a text in JSON5 says: a manifest, a project file.
///
/// Each of its properties stands under a key, and the keys are a table: reader, fixes, schema, template and
/// whatever shows or compares such values walk it.
protocol Keyed: Sendable {
  /// Where the parts of a text stand.
  associatedtype Locations: KeyLocations
  /// All keys, in the order in which they are taught and written.
  static var keys: [TextKey<Self>] { get }
  /// What such a text is called in messages, with an article.
  static var noun: String { get }
  /// What a text without any key says.
  static var blank: Self { get }
  /// What is wrong with bytes that are no such text at all; nil if they may be one.
  static func refusal(of bytes: [UInt8]) -> Finding?
  /// Looks at what was read as a whole.
  static func conclude(_ root: JSONNode, in reader: inout KeyedReader<Self>)
}

/// The places of values in a text, by the names of their keys.
protocol KeyLocations: Sendable {
  init()
  /// Where the value of a key stands; the key of an object in the text has the names of both, with a dot.
  subscript(key: String) -> SourceSpan? { get set }
}

/// The key under which editors find the schema of a text.
let schemaKey = "$schema"

/// One key, and all that is known about it; nothing but the table of them names a key.
struct TextKey<Subject: Keyed>: Sendable {
  /// Its name, what its value looks like, and what people are told about it.
  let json: JSONKey
  /// Whether it goes into packs, or is there for the packager alone.
  let isArchived: Bool
  /// The keys of its value, where each of those is a property.
  let members: [TextKey]
  /// What it says of the subject; nil for a key that means nothing.
  private let property: (any PartialKeyPath<Subject> & Sendable)?
  private let reading: @Sendable (JSONNode, inout KeyedReader<Subject>) -> Bool
  private let writing: @Sendable (Subject) -> JSONValue?
  private let comparing: @Sendable (Subject, Subject) -> Bool
  private let showing: @Sendable (Subject) -> (title: String, text: String)?

  /// Its name.
  var name: String { json.name }

  /// Reads its value, and says whether there was one; what is wrong with it goes to the findings.
  func read(_ value: JSONNode, into reader: inout KeyedReader<Subject>) -> Bool {
    reading(value, &reader)
  }

  /// The value that a subject gives it; nil where that is said by leaving the key out.
  func value(in subject: Subject) -> JSONValue? { writing(subject) }

  /// Whether two subjects give it the same value.
  func isSame(in one: Subject, and other: Subject) -> Bool { comparing(one, other) }

  /// A line about it for people: what it is, and what the subject says.
  func line(in subject: Subject) -> (title: String, text: String)? { showing(subject) }

  /// Whether it is about a property.
  func isAbout(_ property: PartialKeyPath<Subject>) -> Bool {
    self.property as PartialKeyPath<Subject>? == property
  }
}

extension TextKey {
  /// A key whose value is a property.
  ///
  /// `read` gives no value where it reports an error, and `write` none for what is said by leaving the
  /// key out. What has a title is shown to people, unless `words` has none.
  init<Value: Equatable & Sendable>(
    _ json: JSONKey, _ property: any WritableKeyPath<Subject, Value> & Sendable,
    isArchived: Bool = true, title: String? = nil,
    words: @escaping @Sendable (Value) -> String? = { _ in nil },
    write: @escaping @Sendable (Value) -> JSONValue?,
    read: @escaping @Sendable (JSONNode, inout KeyedReader<Subject>) -> Value?
  ) {
    self.init(
      json: json, isArchived: isArchived, members: [], property: property,
      reading: { node, reader in
        guard let value = read(node, &reader) else { return false }
        reader.draft[keyPath: property] = value
        return true
      },
      writing: { write($0[keyPath: property]) },
      comparing: { $0[keyPath: property] == $1[keyPath: property] },
      showing: { subject in
        guard let title, let text = words(subject[keyPath: property]) else { return nil }
        return (title, text)
      })
  }

  /// A key whose value may be large, and is kept as it was written.
  init(
    written json: JSONKey, _ property: any KeyPath<Subject, JSONValue?> & Sendable,
    read: @escaping @Sendable (JSONNode, inout KeyedReader<Subject>) -> Void
  ) {
    self.init(
      json: json, isArchived: true, members: [], property: property,
      reading: { node, reader in
        read(node, &reader)
        return true
      },
      writing: { $0[keyPath: property] },
      comparing: { JSONValue.meanSame($0[keyPath: property], $1[keyPath: property]) },
      showing: { _ in nil })
  }

  /// A key whose value is an object, each key of which is a property; `isThere` remembers that the object
  /// was written, if there is nothing in it.
  init(
    _ name: String, of members: [TextKey], _ summary: String, details: [String] = [],
    isThere: (any WritableKeyPath<Subject, Bool> & Sendable)? = nil
  ) {
    let example =
      "{"
      + members.compactMap { $0.json.example.isEmpty ? nil : "\"\($0.name)\": \($0.json.example)" }
      .joined(separator: ", ") + "}"
    self.init(
      json: JSONKey(
        name, .object(members.map(\.json)), is: .optional, summary, details: details,
        example: example), isArchived: false, members: members, property: nil,
      reading: { node, reader in
        if let isThere { reader.draft[keyPath: isThere] = true }
        reader.read(members, of: node, owner: "'\(name)'", prefix: name + ".")
        return true
      },
      writing: { subject in
        let values = members.compactMap { key in
          key.value(in: subject).map { JSONValue.Member(key.name, $0) }
        }
        let isWritten = !values.isEmpty || isThere.map { subject[keyPath: $0] } ?? false
        return isWritten ? .object(values) : nil
      },
      comparing: { one, other in members.allSatisfy { $0.isSame(in: one, and: other) } },
      showing: { _ in nil })
  }

  /// A key that may be there and means nothing.
  init(meaningless json: JSONKey) {
    self.init(
      json: json, isArchived: false, members: [], property: nil, reading: { _, _ in true },
      writing: { _ in nil }, comparing: { _, _ in true }, showing: { _ in nil })
  }
}

// MARK: - What walks a table

extension Keyed {
  /// What each key looks like.
  static var shapes: [JSONKey] { keys.map(\.json) }

  /// The name of the key that a property stands under, with the name of the key around it and a dot.
  static func name(of property: PartialKeyPath<Self>) -> String? {
    for key in keys {
      if key.isAbout(property) { return key.name }
      if let member = key.members.first(where: { $0.isAbout(property) }) {
        return "\(key.name).\(member.name)"
      }
    }
    return nil
  }

  /// The strict JSON that an author would write; with `$schema` where editors are to find the schema.
  func authored(schema: String? = nil) -> JSONValue {
    let first = schema.map { JSONValue.Member(schemaKey, .string($0)) }
    return .object((first.map { [$0] } ?? []) + members { _ in true })
  }

  /// The keys that a text says something under, with their values.
  func members(_ isWanted: (TextKey<Self>) -> Bool) -> [JSONValue.Member] {
    Self.keys.filter(isWanted).compactMap { key in
      key.value(in: self).map { JSONValue.Member(key.name, $0) }
    }
  }
}

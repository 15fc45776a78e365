/// A type whose values JSON objects describe: each key of its table is a property.
package protocol Described: SendableMetatype {
  /// The keys, and the value that an empty object describes.
  ///
  /// Declare it as a stored property, because it is used for each object.
  static var table: Table<Self> { get }
}

/// Makes a list of the values that a closure names.
@resultBuilder
package enum ListBuilder<Element> {
  package static func buildExpression(_ element: Element) -> [Element] { [element] }
  package static func buildExpression(_ elements: [Element]) -> [Element] { elements }
  package static func buildBlock(_ lists: [Element]...) -> [Element] {
    // `joined()` would need more types at run time.
    var all: [Element] = []
    for list in lists { all += list }
    return all
  }
}

/// The description of an object in JSON, from which its writer, its reader, its schema and its
/// reference are made.
package struct Table<Subject>: Sendable {
  /// The object in messages, with an article: "an upload".
  package let noun: String
  package let keys: [Key<Subject>]
  /// The writers and readers of the keys: a loop over the keys themselves would copy each of them.
  private let writers: [Key<Subject>.Writing]
  private let readers: [Key<Subject>.Reading]
  private let unknown: JSONObjectReader.UnknownKeys
  package let blank: (@Sendable () -> Subject)?
  private let placing: Placing?
  /// The members that are read by their names, and for each key its place among them.
  private let members: [JSONKey]
  private let places: [Int?]
  /// The names of the other members.
  private let inlined: Set<String>

  /// Called for each member with its name and the place of its value, before the value is read.
  package typealias Placing =
    @Sendable (_ name: String, _ place: SourceSpan, inout Subject) -> Void

  /// Creates the table of a document that is written and read.
  ///
  /// A reader starts from `blank` and sets the property of each key that it finds.
  package init(
    _ noun: String, blank: @autoclosure @escaping @Sendable () -> Subject,
    unknown: JSONObjectReader.UnknownKeys = .ignored, placing: Placing? = nil,
    @ListBuilder<Key<Subject>> _ keys: () -> [Key<Subject>]
  ) {
    self.init(noun, unknown, blank, placing, keys())
  }

  /// Creates the table of a document that is only written.
  package init(written noun: String, @ListBuilder<Key<Subject>> _ keys: () -> [Key<Subject>]) {
    self.init(noun, .ignored, nil, nil, keys())
  }

  private init(
    _ noun: String, _ unknown: JSONObjectReader.UnknownKeys, _ blank: (@Sendable () -> Subject)?,
    _ placing: Placing?, _ keys: [Key<Subject>]
  ) {
    self.noun = noun
    self.keys = keys
    writers = keys.map(\.writing)
    readers = keys.map(\.reading)
    self.unknown = unknown
    self.blank = blank
    self.placing = placing
    members = keys.compactMap(\.json)
    var count = 0
    places = keys.map { key in
      guard key.json != nil else { return nil }
      count += 1
      return count - 1
    }
    inlined = Set(keys.flatMap { $0.json == nil ? $0.record.names : [] })
  }

  /// The members of the object.
  package var record: JSONRecord {
    JSONRecord(
      keys: keys.flatMap(\.record.keys), choices: keys.flatMap(\.record.choices),
      isOpen: unknown == .ignored)
  }

  /// Whether the table can read objects.
  package var isRead: Bool { blank != nil }

  // MARK: Reading

  /// Reads an object; nil if a required member is missing or invalid.
  package func read(_ node: JSONNode, into findings: inout Ledger) -> Subject? {
    guard var subject = blank?() else { return nil }
    guard node.kind == .object else {
      if node.kind != .invalid { findings.add(.wrongType(node, "\(noun) must be an object")) }
      return nil
    }
    return read(node, into: &subject, &findings) ? subject : nil
  }

  /// Reads an object into a value; returns whether all required members were read.
  package func read(
    _ object: JSONNode, into subject: inout Subject, _ findings: inout Ledger
  ) -> Bool {
    let values = JSONObjectReader(
      object, keys: members, owner: noun, unknown: unknown, besides: inlined, into: &findings)
    var isComplete = true
    for index in readers.indices {
      guard let place = places[index] else {
        if !readers[index](object, &subject, &findings) { isComplete = false }
        continue
      }
      if let node = values[place] {
        placing?(members[place].name, node.span, &subject)
        if readers[index](node, &subject, &findings) { continue }
      }
      if members[place].presence == .required { isComplete = false }
    }
    return isComplete
  }

  // MARK: Writing

  package func members(of subject: Subject) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    members.reserveCapacity(writers.count)
    for write in writers { write(subject, &members) }
    return members
  }

  package func value(of subject: Subject) -> JSONValue { .object(members(of: subject)) }

  package func bytes(
    of subject: Subject, _ layout: JSONWriter.Layout = .indented
  ) -> [UInt8] {
    JSONWriter.bytes(value(of: subject), layout)
  }

  /// The object with a line for each member, and for each element of a long list.
  package func lines(of subject: Subject) -> [UInt8] {
    var lines = JSONLines()
    for key in keys {
      if let stream = key.stream(of: subject) {
        lines.begin(stream.name)
        stream.write(&lines)
        lines.end()
      } else {
        var members: [JSONValue.Member] = []
        key.writing(subject, &members)
        for member in members { lines.add(member.key, member.value) }
      }
    }
    return lines.finished()
  }

  /// Writes the object as an element of a list; its last member can be a long list.
  package func write(_ subject: Subject, to lines: inout JSONLines) {
    guard let last = keys.last, let stream = last.stream(of: subject) else {
      lines.addElement(value(of: subject))
      return
    }
    var members: [JSONValue.Member] = []
    for key in keys.dropLast() { key.writing(subject, &members) }
    lines.openElement(members, stream.name)
    stream.write(&lines)
    lines.closeElement()
  }

  // MARK: Documentation

  /// The name of the member for a property: `size`, or `cache.size` in a part.
  package func name(of property: PartialKeyPath<Subject>) -> String? {
    for key in keys {
      if let name = key.name(of: property) { return name }
    }
    return nil
  }

  /// The JSON Schema 2020-12 of the object.
  package func schema(title: String) -> JSONValue {
    JSONSchema.document(title: title, record: record)
  }
}

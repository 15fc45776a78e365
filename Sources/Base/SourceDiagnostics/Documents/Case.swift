/// One case of an enumeration: its word, and the members for its payload.
package struct Case<Whole>: Sendable {
  package let word: String
  let record: JSONRecord
  private let reading: @Sendable (JSONNode, inout Ledger) -> Whole?
  /// Returns the members if the value has this case.
  private let writing: @Sendable (Whole) -> [JSONValue.Member]?

  /// A case with a payload; `blank` is the payload that an empty object describes.
  package init<Payload>(
    _ word: String, _ make: @escaping @Sendable (Payload) -> Whole,
    _ payload: @escaping @Sendable (Whole) -> Payload?,
    blank: @autoclosure @escaping @Sendable () -> Payload,
    @ListBuilder<Key<Payload>> _ keys: () -> [Key<Payload>]
  ) {
    let table = Table("an object", blank: blank(), keys)
    self.init(
      word: word, record: table.record,
      reading: { object, findings in table.read(object, into: &findings).map(make) },
      writing: { payload($0).map(table.members) })
  }

  /// A case that is only written.
  package init<Payload>(
    _ word: String, written payload: @escaping @Sendable (Whole) -> Payload?,
    @ListBuilder<Key<Payload>> _ keys: () -> [Key<Payload>]
  ) {
    let table = Table(written: "an object", keys)
    self.init(
      word: word, record: table.record, reading: { _, _ in nil },
      writing: { payload($0).map(table.members) })
  }

  /// A case without a payload.
  package init(_ word: String, _ whole: Whole) where Whole: Equatable & Sendable {
    self.init(
      word: word, record: JSONRecord(), reading: { _, _ in whole },
      writing: { $0 == whole ? [] : nil })
  }

  private init(
    word: String, record: JSONRecord,
    reading: @escaping @Sendable (JSONNode, inout Ledger) -> Whole?,
    writing: @escaping @Sendable (Whole) -> [JSONValue.Member]?
  ) {
    self.word = word
    self.record = record
    self.reading = reading
    self.writing = writing
  }

  func read(_ object: JSONNode, into findings: inout Ledger) -> Whole? {
    reading(object, &findings)
  }

  static func write(
    _ whole: Whole, of cases: [Case], _ name: String, to members: inout [JSONValue.Member]
  ) {
    for one in cases {
      guard let own = one.writing(whole) else { continue }
      members.append(.init(name, .string(one.word)))
      members += own
      return
    }
  }

  static func record(of cases: [Case], _ words: JSONKey) -> JSONRecord {
    JSONRecord(
      keys: [],
      choices: [
        cases.map { one in
          JSONRecord(
            keys: [JSONKey(words.name, .word([one.word]), words.summary)] + one.record.keys,
            choices: one.record.choices)
        }
      ])
  }
}

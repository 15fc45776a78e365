/// A key of a table: one member of an object, or several that belong together.
package struct Key<Subject>: Sendable {
  package typealias Reading = @Sendable (JSONNode, inout Subject, inout Ledger) -> Bool
  package typealias Writing = @Sendable (Subject, inout [JSONValue.Member]) -> Void

  /// The members that it writes.
  package let record: JSONRecord
  /// The member that it reads; nil if it reads several.
  package let json: JSONKey?
  /// The property that is the value of the member, if there is one.
  package private(set) var property: (any PartialKeyPath<Subject> & Sendable)?
  /// Reads the value of its member, or its members from the object; returns whether that succeeded.
  let reading: Reading
  /// Appends its members, unless they are absent.
  package let writing: Writing
  private var streaming: Streaming?
  /// The members of its value, if those are properties of the same subject.
  package private(set) var part: Table<Subject>?

  /// A long list that is written one element after the other.
  struct Streaming: Sendable {
    let isPresent: @Sendable (Subject) -> Bool
    let write: @Sendable (Subject, inout JSONLines) -> Void
  }

  /// Returns the name of the member for a property: `size`, or `cache.size` in a part.
  func name(of property: PartialKeyPath<Subject>) -> String? {
    guard let json else { return nil }
    if let own = self.property, own as PartialKeyPath<Subject> == property { return json.name }
    return part?.name(of: property).map { "\(json.name).\($0)" }
  }

  func stream(of subject: Subject) -> (name: String, write: (inout JSONLines) -> Void)? {
    guard let streaming, let json, streaming.isPresent(subject) else { return nil }
    return (json.name, { streaming.write(subject, &$0) })
  }
}

// MARK: - One member

extension Key {
  /// The most general key of one member; `write` returns nil where the member is absent.
  package init(
    _ json: JSONKey, property: (any PartialKeyPath<Subject> & Sendable)? = nil,
    write: @escaping @Sendable (Subject) -> JSONValue?,
    read: @escaping Reading = { _, _, _ in true }
  ) {
    self.init(
      record: JSONRecord(keys: [json]), json: json, property: property, reading: read,
      writing: { subject, members in
        if let value = write(subject) { members.append(.init(json.name, value)) }
      })
  }

  /// A member whose value is an object, the members of which are properties of this subject, too.
  ///
  /// The member is absent if the object has no members. Where an empty object has a meaning,
  /// `isPresent` is the property that is true for it.
  package init(
    _ json: JSONKey, part table: Table<Subject>,
    isPresent: (any WritableKeyPath<Subject, Bool> & Sendable)? = nil
  ) {
    self.init(
      json,
      write: { subject in
        let members = table.members(of: subject)
        let isEmpty = members.isEmpty && !(isPresent.map { subject[keyPath: $0] } ?? false)
        return isEmpty ? nil : .object(members)
      }
    ) { node, subject, findings in
      if let isPresent { subject[keyPath: isPresent] = true }
      return table.read(node, into: &subject, &findings)
    }
    part = table
  }

  /// Members that are only written, and that belong together.
  package init(
    members: [JSONKey],
    written: @escaping @Sendable (Subject, inout [JSONValue.Member]) -> Void
  ) {
    self.init(
      record: JSONRecord(keys: members), json: nil, reading: { _, _, _ in true },
      writing: written)
  }

  /// A member whose value is a property.
  ///
  /// The reader accepts an object without the member only if it is `.optional`.
  package init<Value>(
    _ name: String, _ property: any WritableKeyPath<Subject, Value> & Sendable,
    _ form: JSONForm<Value>, is presence: JSONKey.Presence = .required, _ summary: String,
    details: [String] = [], example: String = ""
  ) {
    let (writing, reading) = (form.writing, form.reader(of: name))
    self.init(
      JSONKey(name, form.shape, is: presence, summary, details: details, example: example),
      property: property, write: { writing($0[keyPath: property]) }
    ) { node, subject, findings in
      guard let value = reading(node, &findings) else { return false }
      subject[keyPath: property] = value
      return true
    }
  }

  /// A member that is absent where the property is nil.
  package init<Value>(
    _ name: String, _ property: any WritableKeyPath<Subject, Value?> & Sendable,
    _ form: JSONForm<Value>, _ summary: String, details: [String] = [], example: String = ""
  ) {
    let (writing, reading) = (form.writing, form.reader(of: name))
    self.init(
      JSONKey(name, form.shape, is: .optional, summary, details: details, example: example),
      property: property,
      write: { subject in
        guard let value = subject[keyPath: property] else { return nil }
        return writing(value)
      }
    ) { node, subject, findings in
      guard let value = reading(node, &findings) else { return false }
      subject[keyPath: property] = value
      return true
    }
  }

  /// A member that is written; the reader ignores it.
  package init<Value>(
    _ name: String, written get: @escaping @Sendable (Subject) -> Value, _ form: JSONForm<Value>,
    _ summary: String
  ) {
    let writing = form.writing
    self.init(JSONKey(name, form.shape, is: .required, summary), write: { writing(get($0)) })
  }

  /// A member that is written unless the property is nil; the reader ignores it.
  package init<Value>(
    _ name: String, written get: @escaping @Sendable (Subject) -> Value?, _ form: JSONForm<Value>,
    _ summary: String
  ) {
    let writing = form.writing
    self.init(JSONKey(name, form.shape, is: .optional, summary)) { subject in
      guard let value = get(subject) else { return nil }
      return writing(value)
    }
  }

  /// A member that always has the same value; the reader refuses any other.
  package init(constant name: String, _ word: String, _ summary: String) {
    self.init(
      JSONKey(name, .word([word]), is: .optional, summary), write: { _ in .string(word) }
    ) { node, _, findings in
      if node.string == word { return true }
      findings.add(.error) { .wrongValue(node, "'\(name)' must be '\(word)'") }
      return false
    }
  }

  /// A member whose value is a long list, with one line of the text for each element.
  ///
  /// `isPresent` returns whether the list is written, and `rows` calls its closure for each
  /// element. A reader calls `begin` and then, for each element, `add`.
  package init<Row>(
    _ name: String, rows table: Table<Row>, is presence: JSONKey.Presence = .required,
    _ summary: String, isPresent: @escaping @Sendable (Subject) -> Bool = { _ in true },
    each rows: @escaping @Sendable (Subject, (Row) -> Void) -> Void,
    begin: @escaping @Sendable (inout Subject) -> Void = { _ in },
    add: @escaping @Sendable (Row, JSONNode, inout Subject, inout Ledger) -> Void = { _, _, _, _ in
    }
  ) {
    let json = JSONKey(name, .array(of: .record(table.record)), is: presence, summary)
    self.init(
      record: JSONRecord(keys: [json]), json: json,
      reading: { node, subject, findings in
        guard table.isRead else { return true }
        begin(&subject)
        for element in node.elements {
          if let row = table.read(element, into: &findings) {
            add(row, element, &subject, &findings)
          }
        }
        return true
      },
      writing: { subject, members in
        guard isPresent(subject) else { return }
        var elements: [JSONValue] = []
        rows(subject) { elements.append(table.value(of: $0)) }
        members.append(.init(name, .array(elements)))
      },
      streaming: Streaming(isPresent: isPresent) { subject, lines in
        rows(subject) { table.write($0, to: &lines) }
      })
  }
}

extension Key {
  /// A member whose value is a list with a line for each element; the reader ignores it.
  package init<Element>(
    _ name: String, lines get: @escaping @Sendable (Subject) -> [Element],
    of form: JSONForm<Element>,
    _ summary: String
  ) {
    self.init(name, .required, lines: { get($0) }, of: form, summary)
  }

  /// A member whose value is a list with a line for each element, and that is absent where the list
  /// is nil; the reader ignores it.
  package init<Element>(
    _ name: String, lines get: @escaping @Sendable (Subject) -> [Element]?,
    of form: JSONForm<Element>,
    _ summary: String
  ) {
    self.init(name, .optional, lines: get, of: form, summary)
  }

  private init<Element>(
    _ name: String, _ presence: JSONKey.Presence,
    lines get: @escaping @Sendable (Subject) -> [Element]?, of form: JSONForm<Element>,
    _ summary: String
  ) {
    let json = JSONKey(name, .array(of: form.shape), is: presence, summary)
    self.init(
      record: JSONRecord(keys: [json]), json: json, reading: { _, _, _ in true },
      writing: { subject, members in
        if let list = get(subject) { members.append(.init(name, .array(list.map(form.value)))) }
      },
      streaming: Streaming(isPresent: { get($0) != nil }) { subject, lines in
        for element in get(subject) ?? [] { lines.addElement(form.value(element)) }
      })
  }

  /// The same members in the table of a type from which the subject is computed; the reader ignores
  /// them.
  package func written<Whole>(of get: @escaping @Sendable (Whole) -> Subject) -> Key<Whole> {
    Key<Whole>(
      record: record, json: json, reading: { _, _, _ in true },
      writing: { whole, members in writing(get(whole), &members) },
      streaming: streaming.map { streaming in
        .init(isPresent: { streaming.isPresent(get($0)) }) { streaming.write(get($0), &$1) }
      })
  }
}

// MARK: - Several members

extension Key {
  /// The members of a property, as members of this object.
  package init<Value: Described>(
    inlined property: any WritableKeyPath<Subject, Value> & Sendable
  ) {
    let table = Value.table
    self.init(
      record: table.record, json: nil,
      reading: { object, subject, findings in
        table.read(object, into: &subject[keyPath: property], &findings)
      },
      writing: { subject, members in members += table.members(of: subject[keyPath: property]) })
  }

  /// The members of a computed value, as members of this object; the reader ignores them.
  package init<Value>(
    inlined get: @escaping @Sendable (Subject) -> Value, of table: Table<Value>
  ) {
    self.init(
      record: table.record, json: nil, reading: { _, _, _ in true },
      writing: { subject, members in members += table.members(of: get(subject)) })
  }

  /// The members with other names, which are kept unchanged.
  package init(
    others property: any WritableKeyPath<Subject, [JSONValue.Member]> & Sendable,
    besides names: [String]
  ) {
    let names = Set(names)
    self.init(
      record: JSONRecord(), json: nil, property: property,
      reading: { object, subject, _ in
        subject[keyPath: property] = object.members.compactMap { member in
          guard let name = member.key.string, !names.contains(name) else { return nil }
          return JSONValue.Member(name, member.value.value)
        }
        return true
      },
      writing: { subject, members in members += subject[keyPath: property] }, streaming: nil)
  }

  /// An enumeration: the member `name` is the word of the case, and the members of the case follow.
  package init<Value>(
    cases name: String, _ property: any WritableKeyPath<Subject, Value> & Sendable,
    _ summary: String, @ListBuilder<Case<Value>> _ list: () -> [Case<Value>]
  ) {
    let cases = list()
    let words = JSONKey(name, .word(cases.map(\.word)), summary)
    self.init(
      record: Case.record(of: cases, words), json: nil,
      reading: { object, subject, findings in
        let node = JSONObjectReader(
          object, keys: [words], owner: "an object", unknown: .ignored, into: &findings)[0]
        guard let node else { return false }
        guard let found = cases.first(where: { $0.word == node.string }) else {
          findings.add(.error) {
            .wrongValue(node, "'\(name)' must be \(Finding.choices(cases.map(\.word)))")
          }
          return false
        }
        guard let value = found.read(object, into: &findings) else { return false }
        subject[keyPath: property] = value
        return true
      },
      writing: { subject, members in
        Case.write(subject[keyPath: property], of: cases, name, to: &members)
      })
  }

  /// An enumeration that is only written.
  package init<Value>(
    cases name: String, written get: @escaping @Sendable (Subject) -> Value, _ summary: String,
    @ListBuilder<Case<Value>> _ list: () -> [Case<Value>]
  ) {
    let cases = list()
    let words = JSONKey(name, .word(cases.map(\.word)), summary)
    self.init(
      record: Case.record(of: cases, words), json: nil,
      reading: { _, _, _ in true },
      writing: { subject, members in Case.write(get(subject), of: cases, name, to: &members) })
  }
}

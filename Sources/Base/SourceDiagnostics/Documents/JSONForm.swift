/// The JSON form of the values of a type: its shape, its writer, and its reader.
package struct JSONForm<Value>: Sendable {
  /// Returns the value that a JSON node represents; nil if the node represents none.
  package typealias Reading = @Sendable (JSONNode, inout Ledger) -> Value?

  package let shape: JSONShape
  /// The values that the reader accepts, in a phrase that follows "must be".
  package let expectation: String
  /// Converts a value to JSON.
  ///
  /// Keys call it directly, once for each element of a long list.
  let writing: @Sendable (Value) -> JSONValue
  private let reading: Reading?

  /// Creates a form from closures.
  ///
  /// `read` gets only values whose type fits the shape. If it returns nil without a finding, the
  /// form adds one with `expecting`. A form without `read` is only written.
  package init(
    _ shape: JSONShape, expecting: String? = nil, write: @escaping @Sendable (Value) -> JSONValue,
    reading: Reading?
  ) {
    self.shape = shape
    expectation = expecting ?? shape.expectation
    writing = write
    self.reading = reading
  }

  /// Creates a form whose reader adds no findings.
  package init(
    _ shape: JSONShape, expecting: String? = nil, write: @escaping @Sendable (Value) -> JSONValue,
    read: @escaping @Sendable (JSONNode) -> Value?
  ) {
    self.init(shape, expecting: expecting, write: write) { node, _ in read(node) }
  }

  package var isRead: Bool { reading != nil }

  package func value(_ value: Value) -> JSONValue { writing(value) }

  /// Reads the value of a member; nil if the value is invalid, which is a finding.
  package func read(_ node: JSONNode, of name: String, into findings: inout Ledger) -> Value? {
    reader(of: name)(node, &findings)
  }

  /// Returns the function that ``read(_:of:into:)`` calls.
  ///
  /// Keys keep this function and call it for each element of a long list.
  func reader(of name: String) -> Reading {
    guard let reading else { return { _, _ in nil } }
    let (shape, expectation) = (shape, expectation)
    return { node, findings in
      guard node.kind != .invalid else { return nil }
      guard shape.accepts(node.kind) else {
        findings.add(.wrongType(node, "'\(name)' must be \(expectation)"))
        return nil
      }
      let count = findings.count
      if let value = reading(node, &findings) { return value }
      if findings.count == count {
        findings.add(.error) { .wrongValue(node, "'\(name)' must be \(expectation)") }
      }
      return nil
    }
  }
}

// MARK: - Simple values

extension JSONForm<String> {
  /// Any text.
  package static var text: JSONForm { text(pattern: nil) }

  /// A text whose grammar a schema describes by a pattern; the reader accepts any text.
  package static func text(pattern: String?) -> JSONForm {
    JSONForm(.string(pattern: pattern), write: { .string($0) }, read: { $0.string })
  }
}

extension JSONForm {
  /// A value that is written as text: a date, an ID, a digest.
  package static func text(
    expecting: String, pattern: String? = nil, write: @escaping @Sendable (Value) -> String,
    read: @escaping @Sendable (String) -> Value?
  ) -> JSONForm {
    JSONForm(.string(pattern: pattern), expecting: expecting, write: { .string(write($0)) }) {
      node in
      node.string.flatMap(read)
    }
  }
}

extension JSONForm<Bool> {
  package static var flag: JSONForm { JSONForm(.bool, write: { .bool($0) }, read: { $0.bool }) }
}

extension JSONForm<Int> {
  package static var integer: JSONForm { integer(in: .min ... .max) }

  package static func integer(in range: ClosedRange<Int>) -> JSONForm {
    JSONForm(
      .integer(in: range),
      expecting: range == .min ... .max
        ? nil
        : range.upperBound == .max
          ? "a whole number from \(range.lowerBound)"
          : "a whole number from \(range.lowerBound) to \(range.upperBound)",
      write: { .integer($0) }
    ) { node in
      node.number.flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A whole number of at least 0.
  package static var count: JSONForm { integer(in: 0 ... .max) }
}

extension JSONForm<UInt64> {
  package static var bytes: JSONForm { whole("a number of bytes") }

  /// A whole number of at least 0.
  package static var count: JSONForm { whole("a whole number from 0") }

  private static func whole(_ expectation: String) -> JSONForm {
    JSONForm(
      .integer(in: 0 ... .max), expecting: expectation, write: { .integer($0) },
      read: { $0.number.flatMap { UInt64($0) } })
  }
}

extension JSONForm<Double> {
  /// A number; by default, it is written with the fewest digits that represent it exactly.
  package static func number(digits: @escaping @Sendable (Double) -> String = { "\($0)" })
    -> JSONForm
  {
    JSONForm(.number, write: { .number(digits($0)) }, read: { $0.number.flatMap { Double($0) } })
  }
}

extension JSONForm<JSONValue> {
  /// Any value; numbers keep their digits.
  package static var anything: JSONForm { JSONForm(.anything, write: { $0 }, read: { $0.value }) }
}

extension JSONForm
where Value: RawRepresentable & CaseIterable & SendableMetatype, Value.RawValue == String {
  /// One of the words of an enumeration.
  package static var word: JSONForm {
    let words = Value.allCases.map(\.rawValue)
    return JSONForm(
      .word(words), expecting: Finding.choices(words), write: { .string($0.rawValue) },
      read: { $0.string.flatMap(Value.init) })
  }
}

// MARK: - Composed values

extension JSONForm {
  /// A value that can be null.
  package static func nullable<Known>(_ form: JSONForm<Known>) -> JSONForm where Value == Known? {
    JSONForm(
      .nullable(form.shape), expecting: form.shape.expectation + " or null",
      write: { $0.map(form.value) ?? .null },
      reading: form.ifRead { node, findings in
        node.kind == .null ? .some(nil) : form.reading?(node, &findings).map { .some($0) }
      })
  }

  /// An array; an element that cannot be read adds a finding.
  package static func list<Element>(of form: JSONForm<Element>) -> JSONForm
  where Value == [Element] {
    JSONForm(
      .array(of: form.shape), write: { .array($0.map(form.value)) },
      reading: form.ifRead { node, findings in
        var elements: [Element] = []
        elements.reserveCapacity(node.count)
        for element in node.elements {
          if let element = form.element(element, &findings) { elements.append(element) }
        }
        return elements
      })
  }

  /// An object with any keys whose values all have one form; it is only written.
  package static func values<Element>(
    of form: JSONForm<Element>
  ) -> JSONForm where Value == [(key: String, value: Element)] {
    JSONForm(
      .values(of: form.shape),
      write: { .object($0.map { .init($0.key, form.value($0.value)) }) }, reading: nil)
  }

  /// Reads an element of an array or the value of a free key.
  private func element(_ node: JSONNode, _ findings: inout Ledger) -> Value? {
    guard node.kind != .invalid else { return nil }
    let count = findings.count
    if shape.accepts(node.kind), let value = reading?(node, &findings) { return value }
    if findings.count == count {
      findings.add(.error) { .wrongValue(node, "expected \(expectation)") }
    }
    return nil
  }

  /// A value that is converted to a value of another form when it is written.
  package static func mapped<Other>(
    _ form: JSONForm<Other>, expecting: String? = nil, write: @escaping @Sendable (Value) -> Other,
    read: @escaping @Sendable (Other) -> Value?
  ) -> JSONForm {
    JSONForm(
      form.shape, expecting: expecting ?? form.expectation, write: { form.value(write($0)) },
      reading: form.ifRead { node, findings in form.reading?(node, &findings).flatMap(read) })
  }
}

extension JSONForm where Value: Described {
  /// An object that the table of the type describes.
  package static var object: JSONForm { object(Value.table) }
}

extension JSONForm {
  /// An object that a table describes.
  package static func object(_ table: Table<Value>) -> JSONForm {
    JSONForm(
      .record(table.record), write: { table.value(of: $0) },
      reading: table.isRead ? Self.reading(by: table) : nil)
  }

  private static func reading(by table: Table<Value>) -> Reading {
    { node, findings in table.read(node, into: &findings) }
  }

  /// The reader of a form that contains this one; nil if this one is only written.
  private func ifRead<Whole>(_ reading: @escaping JSONForm<Whole>.Reading) -> JSONForm<Whole>
    .Reading?
  {
    isRead ? reading : nil
  }
}

/// One value in a parsed JSON text, with its place.
package struct JSONNode: Sendable {
  /// The text that it is in.
  package let document: JSONDocument
  let index: Int

  package enum Kind: Sendable, Equatable {
    case null, bool, number, string, array, object
    /// Text that is not a value; it has been reported.
    case invalid
  }

  private var slot: JSONSlot { document.slots[index] }

  /// The kind of value.
  package var kind: Kind {
    switch slot.kind {
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .string, .key: .string
    case .array: .array
    case .object: .object
    case .invalid: .invalid
    }
  }

  /// Its place, including quotes or brackets.
  package var span: SourceSpan {
    let slot = slot
    let end = slot.isContainer ? document.slots[index + 1].start : slot.start + slot.byteLength
    return document.span(slot.start, end)
  }

  /// Whether a part of it could not be read.
  ///
  /// This has been reported. A member or an element that seems to be missing may be in that part.
  package var isDamaged: Bool { slot.isDamaged }

  /// The number of elements or members.
  package var count: Int { slot.isContainer ? document.slots[index + 1].memberCount : 0 }

  /// Its first byte: for a string, the quote.
  var quote: UInt8 { document.text[slot.start] }

  /// The text of a string or a key.
  package var string: String? {
    let slot = slot
    guard slot.kind == .string || slot.kind == .key else { return nil }
    return JSONText.string(of: slot, in: document.text)
  }

  /// Returns whether it is a string or a key with exactly these bytes.
  func hasText(_ text: String) -> Bool {
    let slot = slot
    guard slot.kind == .string || slot.kind == .key else { return false }
    guard !slot.needsDecoding else { return string?.utf8.elementsEqual(text.utf8) ?? false }
    let bytes = JSONText.range(of: slot, in: document.text)
    let span = text.utf8.span
    guard span.count == bytes.count else { return false }
    for index in span.indices where span[index] != document.text[bytes.lowerBound + index] {
      return false
    }
    return true
  }

  /// The value of `true` or `false`.
  package var bool: Bool? {
    slot.kind == .bool ? document.text[slot.start] == UInt8(ascii: "t") : nil
  }

  /// The text of a number, as strict JSON writes it.
  package var number: String? {
    let slot = slot
    guard slot.kind == .number else { return nil }
    return JSONText.number(of: slot, in: document.text)
  }

  /// The elements of an array; empty for other nodes.
  package var elements: Elements { Elements(of: self) }

  /// The members of an object; empty for other nodes.
  package var members: Members { Members(of: self) }

  /// The value of the first member with a key.
  package subscript(_ key: String) -> JSONNode? {
    for member in members where member.key.string == key { return member.value }
    return nil
  }

  /// The value without places; parts that could not be read are null.
  package var value: JSONValue {
    switch kind {
    case .null, .invalid: .null
    case .bool: .bool(bool ?? false)
    case .number: .number(number ?? "0")
    case .string: .string(string ?? "")
    case .array: .array(arrayValue)
    case .object: .object(objectValue)
    }
  }

  private var arrayValue: [JSONValue] {
    var values: [JSONValue] = []
    values.reserveCapacity(count)
    for element in elements { values.append(element.value) }
    return values
  }

  private var objectValue: [JSONValue.Member] {
    var values: [JSONValue.Member] = []
    values.reserveCapacity(count)
    for member in members {
      values.append(JSONValue.Member(member.key.string ?? "", member.value.value))
    }
    return values
  }

  /// The index of the word after this node and its contents.
  fileprivate var nextIndex: Int {
    let slot = slot
    return slot.isContainer ? index + slot.wordCount : index + 1
  }

  /// The elements of an array, in order.
  package struct Elements: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var index: Int
    private let end: Int

    fileprivate init(of node: JSONNode) {
      document = node.document
      index = node.index + 2
      end = node.kind == .array ? node.nextIndex : 0
    }

    package mutating func next() -> JSONNode? {
      guard index < end else { return nil }
      let node = JSONNode(document: document, index: index)
      index = node.nextIndex
      return node
    }
  }

  /// One member of an object.
  package struct Member: Sendable {
    /// Its key: a node of the kind `string`, damaged if its text is uncertain.
    package let key: JSONNode
    package let value: JSONNode
  }

  /// The members of an object in order, including repeated ones.
  package struct Members: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var index: Int
    private let end: Int

    fileprivate init(of node: JSONNode) {
      document = node.document
      index = node.index + 2
      end = node.kind == .object ? node.nextIndex : 0
    }

    package mutating func next() -> Member? {
      guard index < end else { return nil }
      let key = JSONNode(document: document, index: index)
      let value = JSONNode(document: document, index: index + 1)
      index = value.nextIndex
      return Member(key: key, value: value)
    }
  }
}

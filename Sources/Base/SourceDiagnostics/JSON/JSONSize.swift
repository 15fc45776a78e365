/// The size of a value's text, computed without writing it.
package struct JSONSize: Sendable, Equatable {
  /// The number of bytes on one line.
  package private(set) var compact = 0
  /// The number of bytes with an indentation of two spaces for each level.
  package private(set) var indented = 0
  /// The nesting depth of values: 1 for a value that contains no other.
  package private(set) var depth = 0

  /// Texts up to this size are always indented.
  private static let small = 64 << 10
  /// The size from which texts are never indented, because users do not read them.
  private static let large = 8 << 20
  /// Deeper values are not measured: all readers reject them.
  private static let mostDepth = 4096

  /// Measures a value.
  package init(of value: JSONValue) { add(value, level: 0) }

  /// Measures a parsed value without building a tree.
  package init(of node: JSONNode) { add(node, level: 0) }

  /// The number of bytes that ``JSONWriter/Layout/readable`` writes, including the line feed at the
  /// end.
  package var written: Int { (isWorthIndenting ? indented : compact) + 1 }

  /// Returns whether readers with these limits accept the text.
  package func isWithin(_ limits: JSONLimits) -> Bool {
    depth <= limits.depth && written <= limits.size
  }

  var isWorthIndenting: Bool {
    indented <= Self.small || indented <= Self.large && indented / 2 <= compact
  }

  private mutating func add(_ value: JSONValue, level: Int) {
    depth = max(depth, level + 1)
    guard depth <= Self.mostDepth else { return }
    switch value {
    case .null: add(4)
    case .bool(let bool): add(bool ? 4 : 5)
    case .number(let text): add(text.utf8.count)
    case .string(let text): add(Self.size(of: text))
    case .array(let elements):
      addList(elements.count, level: level)
      for element in elements { add(element, level: level + 1) }
    case .object(let members):
      addList(members.count, level: level)
      for member in members {
        add(Self.size(of: member.key) + 1)
        indented += 1
        add(member.value, level: level + 1)
      }
    }
  }

  private mutating func add(_ node: JSONNode, level: Int) {
    depth = max(depth, level + 1)
    switch node.kind {
    case .null, .invalid: add(4)
    case .bool: add(node.bool == true ? 4 : 5)
    case .number: add(node.number?.utf8.count ?? 1)
    case .string: add(Self.size(of: node.string ?? ""))
    case .array:
      addList(node.count, level: level)
      for element in node.elements { add(element, level: level + 1) }
    case .object:
      addList(node.count, level: level)
      for member in node.members {
        add(Self.size(of: member.key.string ?? "") + 1)
        indented += 1
        add(member.value, level: level + 1)
      }
    }
  }

  /// Adds brackets, commas, and the line breaks of elements.
  private mutating func addList(_ count: Int, level: Int) {
    add(2 + max(0, count - 1))
    if count > 0 { indented += count * (1 + 2 * (level + 1)) + 1 + 2 * level }
  }

  private mutating func add(_ count: Int) {
    compact += count
    indented += count
  }

  /// Returns the size of a string with its quotes.
  private static func size(of text: String) -> Int {
    text.utf8.reduce(2) { $0 + size(of: $1) }
  }

  /// Returns the size of one byte of a string when it is written.
  private static func size(of byte: UInt8) -> Int {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: 2
    case 0..<0x20: 6
    default: 1
    }
  }
}

/// How large the text of a value is, known before it is written.
package struct JSONSize: Sendable, Equatable {
  /// The number of bytes on one line.
  package private(set) var compact = 0
  /// The number of bytes with two spaces a level.
  package private(set) var indented = 0
  /// How deep values are nested: 1 for one that holds no other.
  package private(set) var depth = 0

  /// Up to here a text is indented, whatever that adds.
  private static let small = 64 << 10
  /// From here on nobody reads it.
  private static let large = 8 << 20
  /// Deeper values are not looked into: whoever asks refuses them.
  private static let mostDepth = 4096

  /// Measures a value.
  package init(of value: JSONValue) { add(value, level: 0) }

  /// Measures what was parsed, without making a tree of it.
  package init(of node: JSONNode) { add(node, level: 0) }

  /// The number of bytes that ``JSONWriter/Layout/readable`` gives, with the line feed at the end.
  package var written: Int { (isWorthIndenting ? indented : compact) + 1 }

  /// Whether readers with these limits take the text.
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

  /// Brackets, commas, and the lines that elements begin on.
  private mutating func addList(_ count: Int, level: Int) {
    add(2 + max(0, count - 1))
    if count > 0 { indented += count * (1 + 2 * (level + 1)) + 1 + 2 * level }
  }

  private mutating func add(_ count: Int) {
    compact += count
    indented += count
  }

  /// The size of a string with its quotes.
  private static func size(of text: String) -> Int {
    text.utf8.reduce(2) { $0 + size(of: $1) }
  }

  /// The size of a byte of a string as it is written.
  private static func size(of byte: UInt8) -> Int {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: 2
    case 0..<0x20: 6
    default: 1
    }
  }
}

/// A JSON5 text with a position for every value: what a person wrote, and what is wrong with it.
///
/// Parsing never fails: after an error it goes on, and what could not be read becomes a node of
/// the kind `invalid`. Nodes are 8-byte words in one flat array, in the order in which they begin
/// (containers take two words), so a text costs at most 5 times its size in nodes.
public final class JSONDocument: Sendable {
  /// The text.
  public let source: SourceText
  /// What is wrong with it, in order of position.
  public let diagnostics: [Diagnostic]
  let slots: [JSONSlot]

  /// Reads a text.
  public convenience init(parsing source: SourceText, limits: JSONLimits = JSONLimits()) {
    var parser = JSONParser(source, limits: limits)
    parser.parse()
    self.init(source: source, slots: parser.slots, syntax: parser.findings)
  }

  private init(source: SourceText, slots: [JSONSlot], syntax: FindingList) {
    self.source = source
    self.slots = slots
    var findings = syntax
    DuplicateKeys.check(slots, in: source, into: &findings)
    diagnostics = findings.sorted()
  }

  /// The outermost value; nil when the text has none.
  public var root: JSONNode? {
    slots.isEmpty ? nil : JSONNode(document: self, index: 0)
  }
}

/// What a JSON text may cost.
public struct JSONLimits: Sendable {
  /// How many bytes it may have.
  public var size = 16 << 20
  /// How deep values may be nested.
  public var depth = 512

  /// The limits of a manifest: 16 MiB, 512 levels.
  public init() {}
}

/// One word of a parsed text: a value, or the second half of a container.
struct JSONSlot {
  enum Kind: UInt64 {
    case null, bool, number, string, array, object, key, invalid
  }

  /// A string or key whose text is not simply the bytes between its quotes, a number that strict
  /// JSON writes differently.
  static let needsDecoding: UInt64 = 1
  /// A container of which a part could not be read, a key whose text is not certain.
  static let damaged: UInt64 = 2

  private var word: UInt64

  init(_ kind: Kind, flags: UInt64 = 0, start: Int, payload: Int) {
    word =
      kind.rawValue << 60 | flags << 56 | (UInt64(start) & 0xFFF_FFFF) << 28
      | (UInt64(payload) & 0xFFF_FFFF)
  }

  var kind: Kind { Kind(rawValue: word >> 60) ?? .invalid }
  var flags: UInt64 { word >> 56 & 0xF }
  /// The offset of the first byte; in a container's second word, the offset behind its last byte.
  var start: Int { Int(word >> 28 & 0xFFF_FFFF) }
  /// A scalar's length in bytes; a container's number of words, with all it contains; in a
  /// container's second word, the number of its elements or members.
  var payload: Int { Int(word & 0xFFF_FFFF) }

  var isContainer: Bool { kind == .array || kind == .object }
  var isDamaged: Bool { flags & Self.damaged != 0 || kind == .invalid }
  var needsDecoding: Bool { flags & Self.needsDecoding != 0 }
}

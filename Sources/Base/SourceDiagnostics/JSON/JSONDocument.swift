/// A JSON5 text with the place of every value, and the findings about it.
///
/// Parsing never fails: it continues after an error, and an unreadable part becomes a node of the
/// kind `invalid`. If one missing character explains an error, the text is read with this
/// character: one mistake is reported once, and the values after it keep their meaning. Nodes are
/// 8-byte words in one flat array, in the order of their starts (containers use two words), so they
/// use at most 5 times the memory of the text.
package final class JSONDocument: Sendable {
  package let source: SourceText
  /// The errors in the text.
  package let findings: Ledger
  /// The text that was parsed: the original text, with the missing characters inserted.
  let text: [UInt8]
  /// The positions of those characters in `text`, in order.
  let insertions: [Int]
  let slots: [JSONSlot]

  /// Reads a text.
  ///
  /// If a missing character could be at several positions, the one is chosen for which `judge`
  /// counts the fewest mistakes.
  package convenience init(
    parsing source: SourceText, limits: JSONLimits = JSONLimits(),
    judge: ((JSONDocument) -> Int)? = nil
  ) {
    self.init(parsing: source, limits, judge) { bytes in
      let text = SourceText(bytes, named: source.name)
      return JSONDocument(parsing: text, limits, judge, trial: nil).syntaxErrors
    }
  }

  private convenience init(
    parsing source: SourceText, _ limits: JSONLimits, _ judge: ((JSONDocument) -> Int)?,
    trial: (([UInt8]) -> Int)?
  ) {
    var parser = JSONParser(source.bytes, of: source, limits: limits)
    parser.parse()
    if parser.findings.hasErrors, !limits.isStrict,
      let repaired = RepairedText(source, limits: limits, first: parser.findings, judge: judge)
    {
      self.init(
        source, repaired.bytes, repaired.insertions, repaired.slots, repaired.findings, trial)
    } else {
      self.init(source, parser.bytes, [], parser.slots, parser.findings, trial)
    }
  }

  convenience init(_ source: SourceText, _ repaired: RepairedText) {
    self.init(
      source, repaired.bytes, repaired.insertions, repaired.slots, repaired.findings, nil)
  }

  private init(
    _ source: SourceText, _ text: [UInt8], _ insertions: [Int], _ slots: [JSONSlot],
    _ syntax: Ledger, _ trial: (([UInt8]) -> Int)?
  ) {
    self.source = source
    self.text = text
    self.insertions = insertions
    self.slots = slots
    var findings = syntax
    DuplicateKeys.check(slots, in: text, into: &findings) { start, end in
      Self.span(start, end, without: insertions)
    }
    if let trial { Self.tryFixes(of: &findings, source.bytes, trial) }
    self.findings = findings
  }

  private var syntaxErrors: Int { findings.count { $0.id == .syntax } }

  /// Tries each fix of the structure; removes the fix if the number of errors is not smaller then.
  ///
  /// A fix that only moves the error to another place is worse than none.
  private static func tryFixes(
    of findings: inout Ledger, _ bytes: [UInt8], _ trial: ([UInt8]) -> Int
  ) {
    let count = findings.count { $0.id == .syntax }
    // Each trial reads the text; if there are many errors, fixing the first may fix the others.
    guard count > 0, count * bytes.count <= 1 << 18 else { return }
    findings.revise { finding in
      guard finding.id == .syntax else { return }
      finding.fixes.removeAll { fix in
        !fix.edits.isEmpty && trial(FixPlan.apply([fix.edits], to: bytes)) >= count
      }
    }
  }

  /// The outermost value; nil if the text has none.
  package var root: JSONNode? {
    slots.isEmpty ? nil : JSONNode(document: self, index: 0)
  }

  /// Whether brackets, quotes and commas are right, so that values are where they seem to be.
  package var isWellFormed: Bool {
    let ids: Set<Finding.ID> = [
      .syntax, .trailingText, .encoding, .escape, .tooDeep,
      .tooLarge, .emptyText,
    ]
    return !findings.contains { ids.contains($0.id) }
  }

  /// Returns the place in the original text of a part of the parsed text.
  func span(_ start: Int, _ end: Int) -> SourceSpan {
    Self.span(start, end, without: insertions)
  }

  static func span(_ start: Int, _ end: Int, without insertions: [Int]) -> SourceSpan {
    if insertions.isEmpty { return SourceSpan(start, end) }
    return SourceSpan(
      start - insertions.count { $0 < start }, end - insertions.count { $0 < end })
  }
}

/// The limits of a JSON text.
package struct JSONLimits: Sendable {
  /// The maximum size in bytes.
  package var size = 16 << 20
  /// The maximum nesting depth of values.
  package var depth = 512
  /// The maximum number of findings that are kept; the others are counted.
  package var findings = Ledger.limit
  /// Whether the additions of JSON5 are errors, such as comments and trailing commas.
  package var isStrict = false

  /// Creates the limits of a manifest: 16 MiB, 512 levels.
  package init() {}
}

/// One word of a parsed text: a value, or the second word of a container.
struct JSONSlot {
  enum Kind: UInt64 {
    case null, bool, number, string, array, object, key, invalid
  }

  /// A string or key with escapes, or a number that strict JSON writes differently: its text must
  /// be computed.
  static let needsDecoding: UInt64 = 1
  /// A container of which a part could not be read, or a key whose text is uncertain.
  static let damaged: UInt64 = 2

  private var word: UInt64

  init(_ kind: Kind, flags: UInt64 = 0, start: Int, count: Int) {
    word =
      kind.rawValue << 60 | flags << 56 | (UInt64(start) & 0xFFF_FFFF) << 28
      | (UInt64(count) & 0xFFF_FFFF)
  }

  var kind: Kind { Kind(rawValue: word >> 60) ?? .invalid }
  var flags: UInt64 { word >> 56 & 0xF }
  /// The offset of the first byte; in a container's second word, the offset after its last byte.
  var start: Int { Int(word >> 28 & 0xFFF_FFFF) }
  /// The length of a scalar in bytes.
  var byteLength: Int { Int(word & 0xFFF_FFFF) }
  /// The number of words of a container, including its contents.
  var wordCount: Int { Int(word & 0xFFF_FFFF) }
  /// In a container's second word, the number of its elements or members.
  var memberCount: Int { Int(word & 0xFFF_FFFF) }

  var isContainer: Bool { kind == .array || kind == .object }
  var isDamaged: Bool { flags & Self.damaged != 0 || kind == .invalid }
  var needsDecoding: Bool { flags & Self.needsDecoding != 0 }
}

/// Which bytes, and which pairs of bytes, a text may have: a few bits of each.
///
/// A pattern that needs a byte or a pair that a text lacks cannot match it. The comparison takes a
/// few instructions, so that a name can be compared with thousands of patterns.
package struct ByteSketch: Sendable, Equatable {
  private var bytes: UInt64 = 0
  private var pairs: UInt64 = 0

  /// The sketch of nothing, which every text has.
  package init() {}

  /// The sketch of a text.
  package init(_ text: some Sequence<UInt8>) { add(text) }

  /// Adds what another text has.
  package mutating func add(_ text: some Sequence<UInt8>) {
    var last: UInt8?
    for byte in text {
      bytes |= 1 &<< UInt64(byte & 63)
      if let last {
        let pair = UInt16(last) << 8 | UInt16(byte)
        pairs |= 1 &<< UInt64((pair &* 40_503) >> 10)
      }
      last = byte
    }
  }

  /// Adds what another sketch has.
  package mutating func formUnion(_ other: ByteSketch) {
    bytes |= other.bytes
    pairs |= other.pairs
  }

  /// Whether a text may have all that is needed.
  package func has(_ needed: ByteSketch) -> Bool {
    bytes & needed.bytes == needed.bytes && pairs & needed.pairs == needed.pairs
  }
}

/// An approximate set of the bytes and the pairs of bytes of a text (a Bloom filter).
///
/// A pattern cannot match a text that lacks one of its bytes or pairs. The comparison takes a few
/// instructions, so that a name can be compared with thousands of patterns.
package struct ByteSketch: Sendable, Hashable {
  private var bytes: UInt64 = 0
  private var pairs: UInt64 = 0

  /// Creates an empty set.
  package init() {}

  /// Creates the set of a text.
  package init(_ text: some Sequence<UInt8>) { add(text) }

  /// Adds the bytes of another text.
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

  /// Adds another set.
  package mutating func formUnion(_ other: ByteSketch) {
    bytes |= other.bytes
    pairs |= other.pairs
  }

  /// Returns whether it may contain all of another set.
  package func has(_ needed: ByteSketch) -> Bool {
    bytes & needed.bytes == needed.bytes && pairs & needed.pairs == needed.pairs
  }
}

package import SystemIO

/// Where encoders look up what an earlier run made of the same block, and where they keep what they
/// make.
///
/// A store is asked only about blocks that would be encoded otherwise, on the thread that would
/// encode them. What it finds must be the very bytes that encoding would give: it saves time and
/// changes nothing else. So it cannot fail; if anything goes wrong, it does not have the block.
package protocol BlockStore: Sendable {
  /// The key under which the store keeps the block.
  func key(of block: RawSpan) throws(Failure) -> BlockKey

  /// Puts the encoded form of a block into `encoded`, which is empty; nil when the store does not
  /// have it.
  ///
  /// The contents of `encoded` then mean nothing.
  func find(_ key: BlockKey, of block: RawSpan, into encoded: inout ByteBuffer) -> BlockForm?

  /// Keeps what a block became, after so long; the stored form comes without bytes.
  func keep(
    _ key: BlockKey, _ form: BlockForm, _ encoded: borrowing ByteBuffer, after time: Duration)
}

/// Identifies a block: no two different blocks with the same settings share a key.
package struct BlockKey: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// In which form a block goes into a container.
package enum BlockForm: Sendable {
  case encoded
  /// As it was: encoding would not make it smaller.
  case stored
}

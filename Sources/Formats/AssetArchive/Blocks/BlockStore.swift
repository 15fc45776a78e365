package import SystemIO

/// A cache in which encoders find the results of an earlier run for the same block, and store new
/// ones.
///
/// A store is used only for blocks that would be encoded otherwise, on the thread that would encode
/// them. A result must have the same bytes as encoding would give: a store saves time and changes
/// no bytes. After an error, `find` returns nil instead of throwing.
package protocol BlockStore: Sendable {
  /// Returns the key under which the store keeps the block.
  func key(of block: RawSpan) throws(Failure) -> BlockKey

  /// Appends the encoded form of a block to `encoded`, which is empty; returns nil if the store
  /// does not have the block.
  ///
  /// If the result is nil, the contents of `encoded` are undefined.
  func find(_ key: BlockKey, of block: RawSpan, into encoded: inout ByteBuffer) -> BlockEncoding?

  /// Stores the result of a block, with the time that encoding took; the stored form has no bytes.
  func keep(
    _ key: BlockKey, _ form: BlockEncoding, _ encoded: borrowing ByteBuffer, after time: Duration)
}

/// Identifies a block: no two different blocks with the same settings share a key.
package struct BlockKey: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// The encoding of a block in a container.
package enum BlockEncoding: Sendable {
  case encoded
  /// Unencoded, because encoding would not make it smaller.
  case stored
}

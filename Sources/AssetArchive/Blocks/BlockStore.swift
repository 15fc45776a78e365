package import SystemIO

/// Where encoders find what was made of the same blocks before, and leave what they make.
///
/// A store is asked only about blocks that would be encoded otherwise, on the thread that would do
/// it. What it finds must be the very bytes that encoding would give: it may save time, and change
/// nothing else. So it has no way to fail; whatever goes wrong in it is a block that it does not
/// have.
package protocol BlockStore: Sendable {
  /// What the store knows the block by.
  func key(of block: RawSpan) throws(Failure) -> BlockKey

  /// Puts the encoded form of a block into `encoded`, which is empty; nil when it is not known, and
  /// what `encoded` then holds means nothing.
  func find(_ key: BlockKey, into encoded: inout ByteBuffer) -> BlockForm?

  /// Keeps what has become of a block; a form that is not encoded has no bytes.
  func keep(_ key: BlockKey, _ form: BlockForm, _ encoded: borrowing ByteBuffer)
}

/// What stands for a block: no two different blocks of the same settings share it.
package struct BlockKey: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// In which form a block goes into a container.
package enum BlockForm: Sendable {
  case encoded
  /// As it came: nothing was gained.
  case stored
}

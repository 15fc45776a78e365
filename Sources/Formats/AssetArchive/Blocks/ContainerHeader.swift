package import BlockCodecs

/// The first twelve bytes of a container: the algorithm and the size of its blocks.
package struct ContainerHeader: Sendable, Hashable {
  package static let size = 12
  /// The maximum block size: readers reject blocks of 4 GiB or more.
  package static let largestBlockSize = UInt64(UInt32.max)
  static let magic: [UInt8] = Array("pbz".utf8)

  package var algorithm: BlockAlgorithm
  /// The decoded size of every block but the last.
  package var blockSize: UInt64

  package init(_ algorithm: BlockAlgorithm, blockSize: UInt64) {
    self.algorithm = algorithm
    self.blockSize = blockSize
  }

  /// The header's bytes.
  package var encoded: [UInt8] {
    Self.magic + [algorithm.rawValue] + blockSize.bigEndianBytes
  }
}

/// The sixteen bytes before each block's payload.
package struct BlockHeader: Sendable, Hashable {
  package static let size = 16

  /// The decoded size of the block.
  package var rawSize: UInt64
  /// The size of its payload.
  package var storedSize: UInt64

  package init(rawSize: UInt64, storedSize: UInt64) {
    self.rawSize = rawSize
    self.storedSize = storedSize
  }

  /// Whether the payload is the block itself.
  package var isStored: Bool { rawSize == storedSize }

  /// The header's bytes.
  package var encoded: [UInt8] { rawSize.bigEndianBytes + storedSize.bigEndianBytes }

  init(decoding bytes: [UInt8]) {
    rawSize = UInt64(bigEndianBytes: bytes[0..<8])
    storedSize = UInt64(bigEndianBytes: bytes[8..<16])
  }
}

extension UInt64 {
  var bigEndianBytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) }
  }

  init(bigEndianBytes bytes: ArraySlice<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

package import BlockCodecs
package import LZFSE

/// The division of a stream into blocks; the number of threads and the window change only the time.
package struct BlockSettings: Sendable {
  /// `stored` means no container, and so no blocks.
  package var algorithm: BlockAlgorithm
  package var effort: Effort
  package var blockSize: Int
  package var threads: Int
  /// The number of blocks in memory.
  package var window: Int

  /// The memory in bytes for all blocks; a single block may be larger than that.
  private static let sharedMemory = 256 << 20

  package static let defaultBlockSize = 1 << 20

  package init(
    algorithm: BlockAlgorithm = .lzfse, effort: Effort = .default,
    blockSize: Int = Self.defaultBlockSize, threads: Int = 1, window: Int? = nil
  ) {
    self.algorithm = algorithm
    self.effort = effort
    self.blockSize = blockSize
    let affordable = max(1, Self.sharedMemory / max(1, 2 * blockSize))
    self.window = max(1, min(affordable, window ?? (threads > 1 ? 2 * threads + 2 : 1)))
    // Even a waiting encoder uses memory: that of xz up to twelve times its dictionary.
    let encoder = algorithm == .lzma ? 12 * min(blockSize, 64 << 20) : 1
    self.threads = max(1, min(threads, affordable, Self.sharedMemory / max(1, encoder)))
  }
}

/// The number of bytes and blocks of an encoded stream.
package struct BlockStatistics: Sendable, Equatable {
  /// The number of input bytes.
  package var rawBytes: UInt64 = 0
  /// The size of the archive in bytes, with the headers of a container.
  package var fileBytes: UInt64 = 0
  /// The number of blocks; 0 without a container.
  package var blocks = 0
  /// The number of blocks that are stored because encoding did not make them smaller.
  package var storedBlocks = 0
  /// The number of blocks that the store had.
  package var foundBlocks = 0
  /// The number of blocks that were searched in the store and that it did not have.
  package var missedBlocks = 0

  /// Counts bytes that are written without a container.
  mutating func count(pieceOf size: UInt64) {
    rawBytes += size
    fileBytes += size
  }

  mutating func count(_ block: BlockHeader, wasFound: Bool?) {
    rawBytes += block.rawSize
    fileBytes += UInt64(BlockHeader.size) + block.storedSize
    blocks += 1
    if block.isStored { storedBlocks += 1 }
    switch wasFound {
    case .some(true): foundBlocks += 1
    case .some(false): missedBlocks += 1
    case .none: break
    }
  }
}

import AssetArchive
import BlockCodecs
import LZFSE
@_exported public import struct SystemIO.Moment

/// How a pack is written; everything but `threads` and `memory` shows in its bytes.
public struct PackSettings: Sendable, Equatable {
  /// The codec of the blocks.
  public enum Compression: String, Sendable, CaseIterable {
    case lzfse, zlib, lzma, lz4, none
  }

  /// How hard an encoder tries.
  public enum Effort: String, Sendable, CaseIterable {
    /// As fast as a disk takes the bytes.
    case fast
    /// As small as that is quick.
    case `default`
    /// As small as possible, and slowly.
    case best

    fileprivate var forBlocks: LZFSE.Effort {
      switch self {
      case .fast: .fast
      case .default: .default
      case .best: .best
      }
    }
  }

  /// What the entries say about owner, permissions and time.
  public enum Metadata: Sendable, Equatable {
    /// The same for everybody: owner 501:20, modes 0644 and 0755, one time.
    case fixed
    /// What the source has; for what has no source, the fixed values.
    case preserved
  }

  /// The codec of the blocks.
  public var compression: Compression
  /// How hard the encoder tries.
  public var effort: Effort
  /// How many bytes a block holds before it is encoded.
  public var blockSize: Int
  /// How many threads encode.
  public var threads: Int
  /// What one block may take in memory while it is encoded.
  public var memory = PackReader.defaultMemory
  /// The time of every entry that has no time of its own.
  public var timestamp: Moment
  /// What the entries say about owner, permissions and time.
  public var metadata: Metadata

  /// The block sizes that every reader takes.
  public static let blockSizes = 1 << 12...1 << 30

  /// Makes settings; those of the original, unless said otherwise.
  public init(
    compression: Compression = .lzfse, effort: Effort = .default, blockSize: Int = 1 << 20,
    threads: Int = 1, timestamp: Moment = .reference, metadata: Metadata = .fixed
  ) {
    self.compression = compression
    self.effort = effort
    self.blockSize = blockSize
    self.threads = threads
    self.timestamp = timestamp
    self.metadata = metadata
  }

  /// What the block stream is told.
  var blocks: BlockSettings {
    let algorithm: BlockAlgorithm =
      switch compression {
      case .lzfse: .lzfse
      case .zlib: .zlib
      case .lzma: .lzma
      case .lz4: .lz4
      case .none: .stored
      }
    return BlockSettings(
      algorithm: algorithm, effort: effort.forBlocks, blockSize: blockSize, threads: threads)
  }
}

extension Moment {
  /// 2001-01-01T00:00:00Z: the time of entries when nobody asks for another.
  public static let reference = Moment(seconds: 978_307_200)
}

import AssetArchive
import BlockCodecs
import LZFSE
@_exported public import struct SystemIO.Moment

/// How a pack is written; `threads` and `memory` do not change its bytes, all others do.
public struct PackSettings: Sendable, Equatable {
  /// The codec of the blocks.
  public enum Compression: String, Sendable, CaseIterable {
    case lzfse, zlib, lzma, lz4, none
  }

  /// How much time an encoder spends.
  public enum Effort: String, Sendable, CaseIterable {
    /// Fast enough to keep up with a disk.
    case fast
    /// Small, and still quick.
    case `default`
    /// As small as possible, but slow.
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
    /// The same for all sources: owner 501:20, modes 0644 and 0755, and one time.
    case fixed
    /// As in the source; entries without a source get the fixed values.
    case preserved
  }

  /// The codec of the blocks.
  public var compression: Compression
  /// How much time the encoder spends.
  public var effort: Effort
  /// The size of a block before it is encoded.
  public var blockSize: Int
  /// How many threads encode.
  public var threads: Int
  /// The most memory that encoding one block may take.
  public var memory = BlockStreamReader.Parallelism.defaultMemory
  /// The time of entries that have no time of their own.
  public var timestamp: Moment
  /// What the entries say about owner, permissions and time.
  public var metadata: Metadata

  /// The modes of entries that do not keep those of their sources.
  static func fixedModes(_ isFile: Bool) -> Set<UInt16> { isFile ? [0o644, 0o755] : [0o755] }

  /// The block sizes that all readers accept.
  public static let blockSizes = 1 << 12...1 << 30

  /// Makes settings; the defaults are those of Apple's tool.
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

  /// The settings of the block stream.
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
  /// 2001-01-01T00:00:00Z: the default time of entries.
  public static let reference = Moment(seconds: 978_307_200)
}

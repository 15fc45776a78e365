import AssetArchive
import BlockCodecs
import LZFSE
public import SystemIO

/// The settings of an archive; all of them except `threads` and `memory` change its bytes.
public struct PackSettings: Sendable, Equatable {
  /// The codec of the blocks.
  public enum Compression: String, Sendable, CaseIterable {
    case lzfse, zlib, lzma, lz4, none
  }

  /// The effort of an encoder.
  public enum Effort: String, Sendable, CaseIterable {
    /// The fastest compression, about as fast as a disk.
    case fast
    /// A compromise between size and time.
    case `default`
    /// An archive nearly as small as that of `best`, in a fraction of its time.
    case better
    /// The smallest archive, and the slowest compression.
    case best

    fileprivate var forBlocks: LZFSE.Effort {
      switch self {
      case .fast: .fast
      case .default: .default
      case .better: .better
      case .best: .best
      }
    }
  }

  /// The metadata of the entries: owner, permissions and times.
  public enum Metadata: Sendable, Equatable {
    /// Fixed values: owner 501:20, modes 0644 and 0755, and one time.
    case fixed
    /// The values of the source; the fixed values for entries without a source.
    case preserved
  }

  /// The codec of the blocks.
  public var compression: Compression
  /// The effort of the encoder.
  public var effort: Effort
  /// The size of a block before compression, in bytes (default: 1 MiB).
  public var blockSize: Int
  /// The number of threads (default: 1).
  public var threads: Int
  /// The maximum memory for encoding one block, in bytes.
  public var memory = BlockStreamReader.Parallelism.defaultMemory
  /// The time of entries without a time.
  public var timestamp: Moment
  /// The metadata of the entries: owner, permissions and times.
  public var metadata: Metadata

  /// Returns the modes of entries with fixed metadata.
  static func fixedModes(_ isFile: Bool) -> Set<UInt16> { isFile ? [0o644, 0o755] : [0o755] }

  /// The block sizes that all readers accept.
  public static let blockSizes = 1 << 12...1 << 30

  /// Creates settings; the defaults are those of Apple's tool.
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
  /// 2001-01-01T00:00:00Z, the default time of entries.
  public static let reference = Moment(seconds: 978_307_200)
}

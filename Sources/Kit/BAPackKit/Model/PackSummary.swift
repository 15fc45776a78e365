public import SystemIO

/// The result of packing.
public struct PackSummary: Sendable, Equatable {
  /// The path of the archive.
  public var path: FilePath
  /// The pack's ID.
  public var assetPackID: String
  /// The number of files for the app.
  public var fileCount: Int
  /// The total size of the files in bytes.
  public var contentBytes: UInt64
  /// The size of the archive in bytes.
  public var archiveBytes: UInt64
  /// The number of blocks; 0 without compression, because the archive has no blocks then.
  public var blockCount: Int
  /// The number of blocks that are stored uncompressed, because compression did not reduce their
  /// size.
  public var storedBlockCount: Int
  /// The use of a cache; nil without a cache.
  package var cacheUse: CacheUse?
  /// The duration in seconds, without the time of other archives that were packed at the same time.
  public var seconds: Double
  /// The SHA-256 digest of the archive; nil if not requested.
  public var sha256: [UInt8]?
  /// The status of the archive before it was renamed; nil without a digest.
  package var written: FileStatus?
  /// The contents of the files, for a record.
  package var examined = ExaminedFiles()

  /// Discards the contents of the files, to save memory.
  package mutating func discardFiles() { examined = ExaminedFiles() }

  /// The number of lookups in a cache.
  ///
  /// There are no lookups for incompressible blocks.
  package struct CacheUse: Sendable, Equatable {
    /// The number of blocks that were in the cache.
    package var hits: Int
    /// The number of blocks that were not in the cache.
    package var misses: Int
  }
}

/// The contents of the source files when an archive was packed.
package struct ExaminedFiles: Sendable, Equatable {
  /// The files that were modified shortly before they were read.
  var contents: [Content] = []
  /// The concatenated SHA-256 digests of these files.
  var digests: [UInt8] = []

  /// The digest of a file of the selection.
  package struct Content: Sendable, Equatable {
    /// The index in the selection; `archive` is the source root.
    package var index: Int
    package var sha256: [UInt8]

    static let archive = Int(UInt32.max)
  }
}

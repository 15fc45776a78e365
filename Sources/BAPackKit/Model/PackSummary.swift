public import SystemIO

/// The result of packing a plan.
public struct PackSummary: Sendable, Equatable {
  /// The archive.
  public var path: FilePath
  /// The pack's ID.
  public var assetPackID: String
  /// How many files the app will see.
  public var fileCount: Int
  /// The total size of the files.
  public var contentBytes: UInt64
  /// The size of the archive.
  public var archiveBytes: UInt64
  /// How many blocks the archive has; none if nothing is compressed, because it then is no
  /// container.
  public var blockCount: Int
  /// How many of the blocks are stored because compression did not make them smaller.
  public var storedBlockCount: Int
  /// What a cache contributed; nil if there was none.
  public var cacheUse: CacheUse?
  /// How long it took, in seconds, without the time that other archives made at the same time took.
  public var seconds: Double
  /// The SHA-256 of the archive, if it was asked for.
  public var sha256: [UInt8]?
  /// What the system said about the archive before it got its name; nil without a digest.
  package var written: FileStatus?
  /// What the files held, if a record is kept.
  package var seen = SeenFiles()

  /// Forgets what the files held, which takes memory for each of them.
  package mutating func forgetFiles() { seen = SeenFiles() }

  /// How many blocks a cache was asked for.
  ///
  /// It is not asked for blocks that are obviously incompressible.
  public struct CacheUse: Sendable, Equatable {
    /// How many of the blocks it had.
    public var hits: Int
    /// How many it did not have.
    public var misses: Int
  }
}

/// What the files of an archive held when it was made.
package struct SeenFiles: Sendable, Equatable {
  /// Those that had been written to shortly before they were looked at.
  var contents: [Content] = []
  /// The SHA-256 of each, in one piece.
  var digests: [UInt8] = []

  /// What a file of the selection held.
  package struct Content: Sendable, Equatable {
    /// Its place in the selection; `archive` stands for the source root.
    package var index: Int
    package var sha256: [UInt8]

    static let archive = Int(UInt32.max)
  }
}

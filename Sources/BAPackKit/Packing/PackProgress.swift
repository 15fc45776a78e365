/// How far packing is, in numbers.
public struct PackProgress: Sendable, Equatable {
  /// The index in the plan's selection of the entry being packed; the entry count at the end.
  public var entry: Int
  /// How many bytes of the files have been read.
  public var bytes: UInt64
  /// How many there are.
  public var totalBytes: UInt64
}

/// What became of a plan.
public struct PackSummary: Sendable, Equatable {
  /// The archive.
  public var path: String
  /// The pack's ID.
  public var assetPackID: String
  /// How many files the app will see.
  public var fileCount: Int
  /// How many bytes they hold.
  public var contentBytes: UInt64
  /// How many bytes the archive has.
  public var archiveBytes: UInt64
  /// How many blocks it consists of; none when nothing is compressed: it is no container then.
  public var blockCount: Int
  /// How many of those gained nothing by compression and are stored.
  public var storedBlockCount: Int
  /// What a cache did for it; nil where there was none.
  public var cacheUse: CacheUse?
  /// How long it took, in seconds.
  public var seconds: Double
  /// The SHA-256 of the archive, if it was asked for.
  public var sha256: [UInt8]?

  /// How many blocks a cache was asked for; those that show at once that they gain nothing by
  /// compression are not.
  public struct CacheUse: Sendable, Equatable {
    /// How many of them it had.
    public var hits: Int
    /// How many it did not have.
    public var misses: Int
  }
}

public import SourceDiagnostics
public import SystemIO

/// What was found in a pack.
public struct VerificationReport: Sendable {
  /// The findings about the pack, then those about the manifest in it.
  ///
  /// Of more than 1,000 errors or warnings about a pack, only the first are listed, and one
  /// finding gives the number of the others.
  public var findings: Ledger
  /// How many files the pack has for the app.
  public var fileCount: Int
  /// The total size of the files.
  public var byteCount: UInt64
  /// Whether there are errors.
  public var hasErrors: Bool { findings.hasErrors }

  /// How many findings have this severity, including those that are not listed.
  public func count(_ severity: Finding.Severity) -> Int {
    findings.count(severity)
  }
}

/// What was taken out of a pack.
public struct ExtractionSummary: Sendable, Equatable {
  /// How many files.
  public var fileCount = 0
  /// How many folders.
  public var directoryCount = 0
  /// The total size of the files.
  public var byteCount: UInt64 = 0
  /// The times that an exported archive could not hold; nil if it holds all of them.
  public var movedTimes: MovedTimes?

  /// Times outside the range of an archive's format; they are moved to the nearer end of the range.
  public struct MovedTimes: Sendable, Equatable {
    /// How many entries have such a time.
    public var count: Int
    /// The earliest time that the format can hold.
    public var earliest: Moment
    /// The latest time that the format can hold.
    public var latest: Moment
  }
}

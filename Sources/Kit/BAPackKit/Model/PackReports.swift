public import SourceDiagnostics
package import SystemIO

/// The result of verifying a pack.
public struct VerificationReport: Sendable {
  /// The findings about the pack, then those about its manifest.
  ///
  /// At most 1,000 errors or warnings are listed; a last finding contains the number of the others.
  public var findings: Ledger
  /// The number of files for the app.
  public var fileCount: Int
  /// The total size of the files in bytes.
  public var byteCount: UInt64
  /// Whether there are errors.
  public var hasErrors: Bool { findings.hasErrors }

  /// Returns the number of findings with a severity, including findings that are not listed.
  public func count(_ severity: Finding.Severity) -> Int {
    findings.count(severity)
  }
}

/// The result of extracting a pack.
public struct ExtractionSummary: Sendable, Equatable {
  /// The number of files.
  public var fileCount = 0
  /// The number of folders.
  public var directoryCount = 0
  /// The total size of the files in bytes.
  public var byteCount: UInt64 = 0
  /// The times that the format of an exported archive does not support; nil if there are none.
  package var movedTimes: MovedTimes?

  /// Times outside the range of an archive's format, which are changed to the nearest valid time.
  package struct MovedTimes: Sendable, Equatable {
    /// The number of entries with such a time.
    package var count: Int
    /// The earliest time of the format.
    package var earliest: Moment
    /// The latest time of the format.
    package var latest: Moment
  }
}

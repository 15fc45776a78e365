import AssetArchive
import ForeignArchives
import SystemIO

/// A writer of extracted entries to an archive of another format.
struct ExportWriter: ExtractionSink, ~Copyable {
  private var archive: ForeignArchiveWriter
  private let times: ClosedRange<Int64>

  init(
    _ file: borrowing FileDescriptor, _ format: ForeignFormat, name: String
  ) throws(PackError) {
    times = format.times
    archive = try mapFailure(.writing) { () throws(Failure) in
      try ForeignArchiveWriter(file, format: format, name: name)
    }
  }

  mutating func addFolder(_ path: PackPath, _ entry: PackEntry) throws(PackError) {
    try add(path, entry, .directory)
  }

  mutating func beginFile(_ path: PackPath, _ entry: PackEntry) throws(PackError) {
    try add(path, entry, .file)
  }

  private mutating func add(
    _ path: PackPath, _ entry: PackEntry, _ kind: ForeignEntry.Kind
  ) throws(PackError) {
    let foreignEntry = ForeignEntry(
      path: Array(path.bytes), kind: kind, size: entry.size,
      permissions: entry.permissions.map { UInt32($0 & 0o777) } ?? (kind == .file ? 0o644 : 0o755),
      userID: entry.userID ?? 0, groupID: entry.groupID ?? 0,
      modified: entry.modified)
    try mapFailure(.writing) { () throws(Failure) in try archive.begin(foreignEntry) }
  }

  mutating func write(_ bytes: RawSpan) throws(PackError) {
    try mapFailure(.writing) { () throws(Failure) in try archive.write(bytes) }
  }

  mutating func endFile(_ entry: PackEntry) throws(PackError) {}

  /// The times that the archive's format could not represent.
  var movedTimes: ExtractionSummary.MovedTimes? {
    guard archive.movedTimeCount > 0 else { return nil }
    return ExtractionSummary.MovedTimes(
      count: archive.movedTimeCount, earliest: Moment(seconds: times.lowerBound),
      latest: Moment(seconds: times.upperBound))
  }

  consuming func finish() throws(PackError) {
    do throws(Failure) {
      try archive.finish()
    } catch {
      throw PackError(error, while: .writing)
    }
  }
}

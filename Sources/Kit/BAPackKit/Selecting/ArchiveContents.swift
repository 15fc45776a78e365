import ForeignArchives
import SystemIO

/// The contents of a selection's files in an archive.
///
/// Entries are identified by their index. If the archive was modified, reading fails, because
/// another file could have the same index.
final class ArchiveContents: SourceContents {
  private let selection: Selection
  private let archive: SourceRoot.OpenArchive
  private var contents: ForeignContents
  private var index = 0
  private var remaining: UInt64 = 0

  init(
    _ selection: Selection, in archive: SourceRoot.OpenArchive, name: String, _ work: Work
  ) throws(PackError) {
    self.selection = selection
    self.archive = archive
    let order = selection.records.lazy.filter { $0.kind == .file }.map { $0.entryIndex }
    contents = try Self.reading(archive) { () throws(Failure) in
      try ForeignContents(archive.descriptor, name: name, order: order, work)
    }
  }

  func open(_ index: Int) throws(PackError) {
    self.index = index
    remaining = selection.size(at: index)
    try archive.checkUnchanged()
    try Self.reading(archive) { () throws(Failure) in
      try contents.open(selection.records[index].entryIndex)
    }
  }

  func read(into output: inout OutputRawSpan) throws(PackError) -> Int {
    let before = output.byteCount
    try Self.reading(archive) { () throws(Failure) in try contents.read(into: &output) }
    let count = output.byteCount - before
    if UInt64(count) > remaining || (count == 0 && remaining > 0 && output.freeCapacity > 0) {
      try archive.checkUnchanged()
      throw PackError(
        .changed,
        "the size of '\(shownBytes(selection.sourceBytes(at: index)))' differs from the directory",
        remedy: "create the archive again")
    }
    remaining -= UInt64(count)
    if remaining == 0 { try archive.checkUnchanged() }
    return count
  }

  /// Does nothing: the archive was checked when its last byte was read.
  func finish() {}

  /// Calls a reading function.
  ///
  /// If the archive was modified, that error replaces any other error.
  private static func reading<Success: ~Copyable>(
    _ archive: SourceRoot.OpenArchive, _ body: () throws(Failure) -> Success
  ) throws(PackError) -> Success {
    do throws(Failure) {
      return try body()
    } catch {
      if error.isAboutBytes { try archive.checkUnchanged() }
      throw PackError(error, while: .packing)
    }
  }
}

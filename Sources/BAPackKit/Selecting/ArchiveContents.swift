import ForeignArchives
import SystemIO

/// Reads the files of a selection from the archive that it was made from.
///
/// Entries are found by their index, so an archive that was written to in the meantime is refused:
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
        "'\(shownBytes(selection.sourceBytes(at: index)))' has not the size its archive says",
        remedy: "make the archive again")
    }
    remaining -= UInt64(count)
    if remaining == 0 { try archive.checkUnchanged() }
    return count
  }

  /// Nothing to do: the archive was checked when the last byte was read.
  func finish() {}

  /// Reads on.
  ///
  /// If the archive was written to, that is reported instead of whatever fails because of it.
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

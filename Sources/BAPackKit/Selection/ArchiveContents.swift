import ForeignArchives
import SystemIO

/// Reads the files of a selection out of the archive that it was made from.
final class ArchiveContents: SourceContents {
  private let selection: Selection
  private var contents: ForeignContents
  private var index = 0
  private var remaining: UInt64 = 0

  init(_ selection: Selection, descriptor: Int32, name: String) throws(PackError) {
    self.selection = selection
    let order = selection.records.lazy.filter { $0.kind == .file }.map { Int($0.inode) }
    do throws(ForeignArchiveError) {
      contents = try ForeignContents(descriptor: descriptor, name: name, order: order)
    } catch {
      throw PackError(error)
    }
  }

  func open(_ index: Int) throws(PackError) {
    self.index = index
    remaining = selection.size(at: index)
    do throws(ForeignArchiveError) {
      try contents.open(Int(selection.records[index].inode))
    } catch {
      throw PackError(error)
    }
  }

  func read(into output: inout OutputRawSpan) throws(PackError) -> Int {
    let before = output.byteCount
    do throws(ForeignArchiveError) {
      try contents.read(into: &output)
    } catch {
      throw PackError(error)
    }
    let count = output.byteCount - before
    if UInt64(count) > remaining || (count == 0 && remaining > 0 && output.freeCapacity > 0) {
      throw PackError(
        .changed,
        "'\(shownBytes(selection.sourceBytes(at: index)))' has not the size its archive says",
        remedy: "make the archive again")
    }
    remaining -= UInt64(count)
    return count
  }
}

extension PackError {
  /// What libarchive refused.
  init(_ error: ForeignArchiveError) {
    self.init(.malformed(offset: nil), "cannot read '\(error.path)': \(error.reason)")
  }
}

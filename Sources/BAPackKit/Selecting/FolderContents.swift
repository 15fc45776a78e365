import Glibc
import SystemIO

/// Reads the files of a selection from the folder that it was made from.
///
/// A file is opened in its folder and never through a link. From selection until it has been read,
/// it must be the same file: if it was replaced or written to in between, that is an error.
final class FolderContents: SourceContents {
  private let selection: Selection
  private var opener: FileOpener
  private var readAhead: ReadAhead?
  private var file: SequentialReader?
  /// The status of the current file when it was opened.
  private var status: FileStatus?
  private var remaining: UInt64 = 0

  /// `readAhead` is for callers that read all files, one after the other.
  init(_ selection: Selection, in tree: FolderTree, readAhead: ReadAhead? = nil) {
    self.selection = selection
    self.readAhead = readAhead
    opener = FileOpener(tree)
  }

  func open(_ index: Int) throws(PackError) {
    let record = selection.records[index]
    let path = selection.sourceBytes(at: index)
    file = nil
    try explaining({ PackError($0, opening: path) }) { () throws(Failure) in
      let opened = try opener.open(path)
      let status = try opened.status()
      guard status.kind == .file, status.identity == record.identity, status.size == record.size,
        status.modified == record.modified
      else { throw Failure(.open, opened.path, code: ESTALE) }
      file = SequentialReader(opened, status)
      self.status = status
    }
    remaining = record.size
    readAhead?.move(to: index, of: selection)
  }

  func read(into output: inout OutputRawSpan) throws(PackError) -> Int {
    let count = try mapFailure(.packing) { () throws(Failure) in
      try file?.read(into: &output) ?? 0
    }
    // Longer than planned, or shorter.
    if UInt64(count) > remaining || (count == 0 && remaining > 0 && output.freeCapacity > 0) {
      throw .changed(Array((file?.path ?? "").utf8)[...])
    }
    remaining -= UInt64(count)
    return count
  }

  func finish() throws(PackError) {
    guard let status,
      let now = try mapFailure(.packing, { () throws(Failure) in try file?.status() })
    else { return }
    // A write that keeps the size, and even one that sets the modification time back, changes
    // `changed`.
    guard now.size == status.size, now.modified == status.modified, now.changed == status.changed
    else { throw .changed(Array((file?.path ?? "").utf8)[...]) }
    file = nil
    self.status = nil
  }
}

extension PackError {
  /// Why a selected file cannot be opened.
  init(_ error: Failure, opening path: ArraySlice<UInt8>) {
    switch error.code {
    case ESTALE, ENOENT, ELOOP, ENOTDIR: self = .changed(path)
    default: self.init(error, while: .packing)
    }
  }

  fileprivate static func changed(_ path: ArraySlice<UInt8>) -> PackError {
    PackError(
      .changed, "'\(shownBytes(path))' changed while it was being packed",
      remedy: "run again when nothing writes to it")
  }
}

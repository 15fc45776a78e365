import Glibc
import SystemIO

/// The contents of a selection's files in a folder or a list.
///
/// In a folder, a file is never opened through a link. If the file was replaced or modified
/// between selection and the end of reading, an error is thrown.
final class FolderContents: SourceContents {
  private let selection: Selection
  private var opener: FileOpener
  private var readAhead: ReadAhead?
  private var file: SequentialReader?
  /// The status of the current file when it was opened.
  private var status: FileStatus?
  private var remaining: UInt64 = 0

  /// Creates contents; `readAhead` is for callers that read all files in order.
  init(_ selection: Selection, _ opener: FileOpener, readAhead: ReadAhead? = nil) {
    self.selection = selection
    self.readAhead = readAhead
    self.opener = opener
  }

  func open(_ index: Int) throws(PackError) {
    let record = selection.records[index]
    let path = selection.sourceBytes(at: index)
    file = nil
    try explaining({ PackError($0, opening: path) }) { () throws(Failure) in
      let opened = try opener.open(path)
      let status = try opened.status()
      guard status.kind == .file, status.identity == record.identity, status.size == record.size,
        status.modified == record.modified, status.changed == record.changed
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
    // The file is longer or shorter than expected.
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
    // `changed` differs after every write, even if the size is unchanged and the modification time
    // was reset.
    guard now.isSameFile(as: status) else { throw .changed(Array((file?.path ?? "").utf8)[...]) }
    file = nil
    self.status = nil
  }
}

extension PackError {
  /// Creates an error for a selected file that cannot be opened.
  init(_ error: Failure, opening path: ArraySlice<UInt8>) {
    switch error.code {
    case ESTALE, ENOENT, ELOOP, ENOTDIR: self = .changed(path)
    default: self.init(error, while: .packing)
    }
  }

  fileprivate static func changed(_ path: ArraySlice<UInt8>) -> PackError {
    PackError(
      .changed, "'\(shownBytes(path))' changed during packing",
      remedy: "run again when no process writes to it")
  }
}

import CArchive
import Glibc
import SystemIO

/// The output of libarchive.
///
/// libarchive keeps a pointer to this object; the code that writes the archive keeps the object in
/// memory.
final class ForeignOutput {
  private let file: FileDescriptor
  /// The failure of the operating system; libarchive's own message would hide it.
  private(set) var failure: Failure?

  /// Writes to an open file; the caller keeps its own descriptor.
  init(_ file: borrowing FileDescriptor) throws(Failure) {
    self.file = try file.duplicate()
  }

  private func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    do throws(Failure) {
      try unsafe file.write(UnsafeRawBufferPointer(start: bytes, count: count).bytes)
      return count
    } catch {
      failure = error
      return -1
    }
  }

  /// Opens `archive` on this output and returns libarchive's status.
  func open(_ archive: OpaquePointer) -> Int32 {
    let client = unsafe Unmanaged.passUnretained(self).toOpaque()
    return unsafe archive_write_open2(
      archive, client, nil,
      { archive, client, bytes, count in
        guard let client = unsafe client, let bytes = unsafe bytes else { return -1 }
        let output = unsafe Unmanaged<ForeignOutput>.fromOpaque(client).takeUnretainedValue()
        let written = unsafe output.write(bytes, count)
        if written < 0 { unsafe setArchiveError(archive, EIO, "cannot write the file") }
        return written
      }, nil, nil)
  }
}

import CArchive
import Glibc

/// Where the bytes go that libarchive writes.
///
/// libarchive keeps a pointer to this object; whoever writes the archive keeps the object alive.
final class ArchiveOutput {
  private let descriptor: Int32
  /// What the operating system refused, which libarchive's own words hide.
  private(set) var systemCode: Int32 = 0

  init(descriptor: Int32) { self.descriptor = descriptor }

  private func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    while true {
      let written = unsafe Glibc.write(descriptor, bytes, count)
      if written < 0 && errno == EINTR { continue }
      if written < 0 { systemCode = errno }
      return written
    }
  }

  /// Opens `archive` on this output; the result is libarchive's status.
  func open(_ archive: OpaquePointer) -> Int32 {
    let client = unsafe Unmanaged.passUnretained(self).toOpaque()
    return unsafe archive_write_open2(
      archive, client, nil,
      { archive, client, bytes, count in
        guard let client = unsafe client, let bytes = unsafe bytes else { return -1 }
        let output = unsafe Unmanaged<ArchiveOutput>.fromOpaque(client).takeUnretainedValue()
        let written = unsafe output.write(bytes, count)
        if written < 0 { unsafe setArchiveError(archive, EIO, "cannot write the file") }
        return written
      }, nil, nil)
  }
}

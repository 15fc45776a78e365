import Glibc

/// One temporary file without a name: it is gone when the process is, however that ends.
struct Spool: ~Copyable {
  struct Stretch { var offset: Int64, count: Int64 }

  private let descriptor: Int32
  private var end: Int64 = 0

  /// Makes the file in `TMPDIR`, else in `/var/tmp`, which is meant for large files.
  init() throws(ForeignArchiveError) {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp"
    // O_TMPFILE, which Glibc's overlay does not import: __O_TMPFILE | O_DIRECTORY.
    let nameless = 0o20000000 | O_DIRECTORY
    var file = unsafe open(folder, O_RDWR | O_CLOEXEC | nameless, 0o600)
    if file < 0 {
      // A file system that cannot make a nameless file: make a named one and take its name away.
      var template = Array("\(folder)/.ba-package-XXXXXX".utf8CString)
      file = unsafe mkstemp(&template)
      if file >= 0 { unsafe unlink(template) }
    }
    guard file >= 0 else {
      throw ForeignArchiveError(folder, reason: unsafe String(cString: strerror(errno)))
    }
    descriptor = file
  }

  deinit { close(descriptor) }

  /// Appends bytes at the end.
  mutating func append(_ bytes: RawSpan) throws(ForeignArchiveError) {
    var done = 0
    while done < bytes.byteCount {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        return unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(end))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw failure() }
      end += Int64(count)
      done += count
    }
  }

  /// The offset at which the next byte goes.
  var position: Int64 { end }

  /// Reads from the start of a stretch, which shrinks by what was read.
  func read(_ stretch: inout Stretch, into output: inout OutputRawSpan) throws(ForeignArchiveError)
  {
    let wanted = min(Int(stretch.count), output.freeCapacity)
    guard wanted > 0 else { return }
    let count = unsafe output.withUnsafeMutableBytes { buffer, initialized in
      guard let base = buffer.baseAddress else { return 0 }
      var count = 0
      repeat {
        count = unsafe pread(descriptor, base + initialized, wanted, off_t(stretch.offset))
      } while count < 0 && errno == EINTR
      if count > 0 { initialized += count }
      return count
    }
    guard count > 0 else { throw failure() }
    stretch.offset += Int64(count)
    stretch.count -= Int64(count)
  }

  private func failure() -> ForeignArchiveError {
    ForeignArchiveError("the temporary file", reason: unsafe String(cString: strerror(errno)))
  }
}

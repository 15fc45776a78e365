import CArchive
import Glibc

/// The bytes libarchive reads: a descriptor read by position, so that two passes over one archive,
/// and two readers at once, do not disturb each other.
///
/// libarchive keeps a pointer to this object; whoever opens the archive keeps the object alive.
@safe final class ArchiveInput {
  private static let capacity = 256 << 10

  private let descriptor: Int32
  private let buffer: UnsafeMutableRawPointer
  private var position: Int64 = 0
  /// What the operating system refused, which libarchive's own words hide.
  private(set) var systemCode: Int32 = 0

  /// Duplicates the descriptor: the caller keeps its own.
  init?(descriptor: Int32) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    self.descriptor = copy
    unsafe buffer = .allocate(byteCount: Self.capacity, alignment: 16)
  }

  deinit {
    unsafe buffer.deallocate()
    close(descriptor)
  }

  private func read(_ result: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
    while true {
      let count = unsafe pread(descriptor, buffer, Self.capacity, off_t(position))
      if count < 0 && errno == EINTR { continue }
      if count < 0 {
        systemCode = errno
        return -1
      }
      position += Int64(count)
      unsafe result.pointee = UnsafeRawPointer(buffer)
      return count
    }
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let start: Int64
    switch whence {
    case SEEK_SET: start = 0
    case SEEK_CUR: start = position
    default:
      let end = lseek(descriptor, 0, SEEK_END)
      if end < 0 {
        systemCode = errno
        return -1
      }
      start = Int64(end)
    }
    let (target, overflow) = start.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return -1 }
    position = target
    return target
  }

  /// Opens `archive` on this input; the result is libarchive's status.
  func open(_ archive: OpaquePointer) -> Int32 {
    unsafe archive_read_set_read_callback(archive) { archive, input, result in
      guard let input = unsafe input, let result = unsafe result else { return -1 }
      let count = unsafe Unmanaged<ArchiveInput>.fromOpaque(input).takeUnretainedValue()
        .read(result)
      if count < 0 { unsafe setArchiveError(archive, EIO, "cannot read the file") }
      return count
    }
    unsafe archive_read_set_seek_callback(archive) { _, input, offset, whence in
      guard let input = unsafe input else { return -1 }
      let moved = unsafe Unmanaged<ArchiveInput>.fromOpaque(input).takeUnretainedValue()
        .seek(offset, whence)
      return moved < 0 ? Int64(ARCHIVE_FATAL) : moved
    }
    unsafe archive_read_set_skip_callback(archive) { _, input, count in
      guard let client = unsafe input, count > 0 else { return 0 }
      let input = unsafe Unmanaged<ArchiveInput>.fromOpaque(client).takeUnretainedValue()
      // Only whole jumps inside the file: a skip past the end would hide that the file is cut off.
      let before = input.position
      let end = input.seek(0, SEEK_END)
      input.position = before
      guard end >= 0, before + count <= end else { return 0 }
      input.position = before + count
      return count
    }
    unsafe archive_read_set_callback_data(archive, Unmanaged.passUnretained(self).toOpaque())
    return unsafe archive_read_open1(archive)
  }
}

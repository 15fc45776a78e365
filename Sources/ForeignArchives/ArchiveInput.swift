import CArchive
import Glibc
import SystemIO

/// The bytes libarchive reads: a descriptor read by position, so that two passes over one archive,
/// and two readers at once, do not disturb each other.
///
/// libarchive keeps a pointer to this object; whoever opens the archive keeps the object alive.
@safe final class ArchiveInput {
  private static let capacity = 256 << 10

  private let file: FileDescriptor
  private let buffer: UnsafeMutableRawPointer
  private var position: Int64 = 0
  private let isInterrupted: @Sendable () -> Bool
  /// What went wrong here, which libarchive's own words hide.
  private(set) var failure: ForeignArchiveError?

  /// Reads an open file; the caller keeps its own.
  init(
    _ file: borrowing FileDescriptor, isInterrupted: @escaping @Sendable () -> Bool
  ) throws(SystemError) {
    self.file = try file.duplicate()
    self.isInterrupted = isInterrupted
    unsafe buffer = .allocate(byteCount: Self.capacity, alignment: 16)
  }

  deinit { unsafe buffer.deallocate() }

  /// Goes back to the beginning.
  func rewind() { position = 0 }

  private func read(_ result: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
    let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Self.capacity)
    var output = unsafe OutputRawSpan(buffer: room, initializedCount: 0)
    if isInterrupted() {
      failure = .interrupted(file.path)
      return -1
    }
    do throws(SystemError) {
      _ = try file.read(into: &output, at: UInt64(position))
    } catch {
      failure = ForeignArchiveError(error)
      return -1
    }
    let count = unsafe output.finalize(for: room)
    position += Int64(count)
    unsafe result.pointee = UnsafeRawPointer(buffer)
    return count
  }

  /// How long the file is now; nil when the system does not say.
  private func size() -> Int64? {
    do throws(SystemError) {
      return Int64(clamping: try file.status().size)
    } catch {
      failure = ForeignArchiveError(error)
      return nil
    }
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let start: Int64
    switch whence {
    case SEEK_SET: start = 0
    case SEEK_CUR: start = position
    default:
      guard let end = size() else { return -1 }
      start = end
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
      guard let end = input.size(), count <= end - input.position else { return 0 }
      input.position += count
      return count
    }
    unsafe archive_read_set_callback_data(archive, Unmanaged.passUnretained(self).toOpaque())
    return unsafe archive_read_open1(archive)
  }
}

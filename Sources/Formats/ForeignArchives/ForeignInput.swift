import CArchive
import Glibc
import SystemIO

/// The input of libarchive.
///
/// libarchive keeps a pointer to this object; the code that opens the archive keeps the object in
/// memory.
@safe final class ForeignInput {
  private let origin: any ByteOrigin
  /// The file, if libarchive may skip and seek in it.
  private let file: FileOrigin?
  /// The failure during reading; libarchive's own message would hide it.
  private(set) var failure: Failure?
  /// The offset of the next byte.
  private var position: Int64 = 0
  /// The number of all bytes, after a read at the end.
  private(set) var byteCount: Int64?

  init(_ origin: any ByteOrigin) {
    self.origin = origin
    file = origin as? FileOrigin
  }

  /// Reads the rest: only then are all checks of a compressed stream done.
  func readToEnd() throws(Failure) {
    while unsafe !(try origin.next()).isEmpty {}
  }

  private func read(_ result: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
    do throws(Failure) {
      let bytes = try unsafe origin.next()
      unsafe result.pointee = bytes.baseAddress
      position += Int64(bytes.count)
      if unsafe bytes.isEmpty { byteCount = position }
      return bytes.count
    } catch {
      failure = error
      return -1
    }
  }

  private func skip(_ count: Int64) -> Int64 {
    do throws(Failure) {
      let skipped = try file?.skip(count) ?? 0
      position += skipped
      return skipped
    } catch {
      failure = error
      return Int64(ARCHIVE_FATAL)
    }
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let start: FileOrigin.Start =
      switch whence {
      case SEEK_SET: .beginning
      case SEEK_CUR: .position
      default: .end
      }
    do throws(Failure) {
      guard let reached = try file?.seek(offset, from: start) else { return Int64(ARCHIVE_FATAL) }
      position = reached
      return reached
    } catch {
      failure = error
      return Int64(ARCHIVE_FATAL)
    }
  }

  /// Opens `archive` on this input and returns libarchive's status.
  func open(_ archive: OpaquePointer) -> Int32 {
    unsafe archive_read_set_read_callback(archive) { archive, input, result in
      guard let input = unsafe input, let result = unsafe result else { return -1 }
      let count = unsafe Unmanaged<ForeignInput>.fromOpaque(input).takeUnretainedValue()
        .read(result)
      if count < 0 { unsafe setArchiveError(archive, EIO, "cannot read the file") }
      return count
    }
    if file != nil {
      unsafe archive_read_set_seek_callback(archive) { _, input, offset, whence in
        guard let input = unsafe input else { return Int64(ARCHIVE_FATAL) }
        return unsafe Unmanaged<ForeignInput>.fromOpaque(input).takeUnretainedValue()
          .seek(offset, whence)
      }
      unsafe archive_read_set_skip_callback(archive) { _, input, count in
        guard let input = unsafe input else { return 0 }
        return unsafe Unmanaged<ForeignInput>.fromOpaque(input).takeUnretainedValue().skip(count)
      }
    }
    unsafe archive_read_set_callback_data(archive, Unmanaged.passUnretained(self).toOpaque())
    return unsafe archive_read_open1(archive)
  }
}

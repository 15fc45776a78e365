import CArchive
import SystemIO

/// libarchive, which is loaded for the first archive.
///
/// All of its functions need a reader or a writer, or are called while there is one.
enum ArchiveLibrary {
  private static let library = unsafe OpenedLibrary("libarchive.so.13") {
    unsafe ba_archive_fill($0)
  }

  /// Returns a new reader; nil if there is not enough memory.
  static func makeReader() throws(Failure) -> OpaquePointer? {
    try library.load()
    return unsafe archive_read_new()
  }

  /// Returns a new writer; nil if there is not enough memory.
  static func makeWriter() throws(Failure) -> OpaquePointer? {
    try library.load()
    return unsafe archive_write_new()
  }
}

import CArchive
import SystemIO

/// libarchive, which is loaded for the first archive.
enum ArchiveLibrary {
  private static let library = unsafe OpenedLibrary("libarchive.so.13") {
    unsafe ba_archive_fill($0)
  }

  /// Loads the library; required before its functions are called.
  static func load() throws(Failure) { try library.load() }
}

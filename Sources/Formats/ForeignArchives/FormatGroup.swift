import CArchive
import Glibc
import SystemIO

/// Formats that libarchive reads with the same character set.
enum FormatGroup {
  /// Tar: names are bytes, and unchanged if libarchive has no character set.
  case withBytes
  /// Zip and 7z: names are in a character set that must be converted to UTF-8.
  case withUnicode

  var locale: NameLocale { self == .withBytes ? .bytes : .unicode }

  func enable(_ archive: OpaquePointer) {
    switch self {
    case .withBytes: unsafe archive_read_support_format_tar(archive)
    case .withUnicode:
      // Never read a zip from its start: modes and links are in the directory at its end.
      unsafe archive_read_support_format_zip_seekable(archive)
      unsafe archive_read_support_format_7zip(archive)
    }
  }
}

/// The format that libarchive recognized.
struct RecognisedFormat {
  private let family: Int32

  init(of archive: OpaquePointer) {
    family = unsafe archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK
  }

  var isZip: Bool { family == ARCHIVE_FORMAT_ZIP }
  var isTar: Bool { family == ARCHIVE_FORMAT_TAR }
  var isSevenZip: Bool { family == ARCHIVE_FORMAT_7ZIP }
}

/// Returns the bytes of a file without any compression; the file itself if it is not compressed.
func decoded(_ file: FileOrigin, _ name: String) throws(Failure) -> any ByteOrigin {
  var origin: any ByteOrigin = file
  // Servers sometimes compress a file again; no real file has more layers than this.
  for _ in 0..<4 {
    if GzipOrigin.mayBegin(try origin.start(2)) {
      origin = try GzipOrigin(origin, name: name)
    } else if let filter = try FilterOrigin(origin, name: name) {
      origin = filter
    } else {
      break
    }
  }
  return origin
}

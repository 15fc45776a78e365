import CArchive
import Glibc
import SystemIO

/// Formats that libarchive reads with the same character set.
enum FormatGroup {
  /// Names are bytes; they are unchanged if libarchive has no character set.
  case withBytes
  /// Names are in a character set that must be converted to UTF-8.
  case withUnicode

  var locale: NameLocale { self == .withBytes ? .bytes : .unicode }

  func enable(_ archive: OpaquePointer) {
    switch self {
    case .withBytes:
      unsafe archive_read_support_format_tar(archive)
      unsafe archive_read_support_format_cpio(archive)
      unsafe archive_read_support_format_ar(archive)
    case .withUnicode:
      // Never read a zip from its start: modes and links are in the directory at its end.
      unsafe archive_read_support_format_zip_seekable(archive)
      unsafe archive_read_support_format_7zip(archive)
      unsafe archive_read_support_format_iso9660(archive)
      unsafe archive_read_support_format_rar(archive)
      unsafe archive_read_support_format_rar5(archive)
      unsafe archive_read_support_format_cab(archive)
      unsafe archive_read_support_format_lha(archive)
      unsafe archive_read_support_format_xar(archive)
    }
  }
}

/// The format that libarchive recognized.
struct RecognisedFormat {
  private let code: Int32

  init(of archive: OpaquePointer) { code = unsafe archive_format(archive) }

  private var family: Int32 { code & ARCHIVE_FORMAT_BASE_MASK }

  var isZip: Bool { family == ARCHIVE_FORMAT_ZIP }
  var isTar: Bool { family == ARCHIVE_FORMAT_TAR }
  var isSevenZip: Bool { family == ARCHIVE_FORMAT_7ZIP }

  /// Whether a second name of a file may have separate contents.
  var secondNamesMayHoldData: Bool {
    family == ARCHIVE_FORMAT_CPIO || family == ARCHIVE_FORMAT_TAR
  }

  /// Whether the format contains the owners of files; nil if only some entries do.
  var hasOwners: Bool? {
    switch family {
    case ARCHIVE_FORMAT_TAR, ARCHIVE_FORMAT_CPIO, ARCHIVE_FORMAT_AR, ARCHIVE_FORMAT_XAR: true
    case ARCHIVE_FORMAT_ISO9660: code == ARCHIVE_FORMAT_ISO9660_ROCKRIDGE
    case ARCHIVE_FORMAT_7ZIP, ARCHIVE_FORMAT_CAB: false
    default: nil
    }
  }

  /// Whether the format contains the permissions of files.
  var hasPermissions: Bool { hasOwners != false || isSevenZip }
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

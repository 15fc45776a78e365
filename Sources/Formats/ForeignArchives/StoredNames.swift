import SystemIO

/// The facts of an archive about its entries that libarchive does not deliver unchanged.
enum StoredNames {
  /// The names of libarchive are used: those of a tar.
  case asGiven
  case sevenZip(SevenZipNames)
  case zip(ZipDirectory)

  /// Reads the facts of an archive of one of these formats.
  ///
  /// If the archive is a zip, `bytes` ends before its comment afterwards.
  init(
    _ formats: FormatGroup, _ file: borrowing FileDescriptor, _ bytes: FileOrigin,
    start: [UInt8], isCompressed: Bool, _ name: String
  ) throws(Failure) {
    guard formats == .withUnicode else {
      self = .asGiven
      return
    }
    if isCompressed {
      // Both formats have these facts at their ends.
      let isZip = start.starts(with: [0x50, 0x4B, 3, 4])
      if isZip || start.starts(with: SevenZipNames.magic) {
        let kind = isZip ? "ZIP" : "7-Zip"
        throw .malformed(
          "it is a compressed \(kind) archive: decompress it first", name)
      }
    } else if start.starts(with: SevenZipNames.magic) {
      self = .sevenZip(try SevenZipNames(file))
      return
    } else if let directory = try ZipDirectory(file, name: name) {
      bytes.endWithoutComment = directory.end
      self = .zip(directory)
      return
    }
    // Of a 7z after other data, such as a program, the names would be changed.
    throw .malformed("Unrecognized archive format", name)
  }
}

import SystemIO

/// The names in a zip or a 7z as they are stored, by the order of its entries.
///
/// libarchive hands out such names with their letters composed ("é" as one character, even where the
/// archive holds two); the archive's own directory says how they were written. An archive of another
/// kind has no names here, and neither has one whose directory is strange: then names are what
/// libarchive says.
struct StoredNames {
  private let names: [[UInt8]]

  init(_ file: borrowing FileDescriptor) throws(ForeignArchiveError) {
    do throws(SystemError) {
      let source = try ByteSource(try file.duplicate())
      let start = try source.read(at: 0, count: SevenZipNames.magic.count)
      names =
        start == SevenZipNames.magic
        ? try SevenZipNames(source).names : try ZipNames(source).names
    } catch {
      throw ForeignArchiveError(error)
    }
  }

  /// The stored name of an entry, if it is another spelling of the name libarchive gives.
  func stored(at index: Int, insteadOf given: [UInt8]) -> [UInt8] {
    // libarchive marks folders with a slash; a zip does so, too.
    let slash = UInt8(ascii: "/")
    func bare(_ name: [UInt8]) -> ArraySlice<UInt8> {
      name.last == slash ? name.dropLast() : name[...]
    }
    guard names.indices.contains(index), names[index] != given,
      let stored = String(validating: bare(names[index]), as: UTF8.self),
      stored == String(decoding: bare(given), as: UTF8.self)
    else { return given }
    return names[index]
  }
}

/// Numbers with the least significant byte first.
extension [UInt8] {
  func word16(_ at: Int) -> UInt16 { UInt16(self[at]) | UInt16(self[at + 1]) << 8 }

  func word32(_ at: Int) -> UInt32 { UInt32(word16(at)) | UInt32(word16(at + 2)) << 16 }

  func word64(_ at: Int) -> Int {
    Int(truncatingIfNeeded: UInt64(word32(at)) | UInt64(word32(at + 4)) << 32)
  }
}

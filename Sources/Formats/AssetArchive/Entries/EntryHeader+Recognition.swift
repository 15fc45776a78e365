import SystemIO

/// Headers in unexpected places: in the middle of other bytes.
extension EntryHeader {
  /// The longest header that is recognized: all fields except the path fit into 512 bytes.
  package static let longestRecognized = PackPath.longest + 512

  /// Returns the first index from `start` on at which a header may begin: one with the magic bytes
  /// of a header.
  package static func possibleStart(in bytes: RawSpan, from start: Int) -> Int? {
    var from = start
    // `AA01` and `YAA1` have their second and fourth characters in common.
    while let second = bytes.firstIndex(
      of: UInt8(ascii: "A"), and: UInt8(ascii: "1"), 2, from: from + 1)
    {
      var letters: [UInt8] = []
      letters.append(copying: bytes.extracting(second - 1..<second + 3))
      if letters == magic || letters == oldMagic { return second - 1 }
      from = second
    }
    return nil
  }

  /// Returns the header of a file or folder at `start`, with its path and its length; nil if there
  /// is none.
  ///
  /// Only headers in the form that packers write are recognized: `TYP` and `PAT` are first. The
  /// number of bytes read is subtracted from `effort`; when that is used up, no header is
  /// recognized.
  package static func recognize(
    in bytes: RawSpan, at start: Int, effort: inout Int
  ) -> (header: StoredHeader, path: PackPath, length: Int)? {
    func take(_ count: Int) -> [UInt8]? {
      guard count <= bytes.byteCount - start else { return nil }
      var taken: [UInt8] = []
      taken.append(copying: bytes.extracting(start..<start + count))
      return taken
    }
    // The reason for rejecting it is not used.
    let place = Failure.Place(fileOffset: 0)
    // Most false matches end here, before long data is copied.
    let size = prefixSize + 11
    guard let beginning = take(size),
      beginning[prefixSize..<prefixSize + 4].elementsEqual(typeStart),
      beginning[prefixSize + 5..<prefixSize + 9].elementsEqual(pathStart),
      let length = try? StoredHeader.length(prefix: Array(beginning.prefix(prefixSize)), at: place)
    else { return nil }
    let pathSize = Int(beginning[size - 2]) | Int(beginning[size - 1]) << 8
    guard length <= longestRecognized, (size...size + 512).contains(length - pathSize),
      spend(length, of: &effort), let whole = take(length),
      let header = try? StoredHeader(decoding: whole, at: place),
      header.type == .file || header.type == .directory, let path = header.path?.path
    else { return nil }
    return (header, path, length)
  }

  private static func spend(_ count: Int, of effort: inout Int) -> Bool {
    guard count <= effort else { return false }
    effort -= count
    return true
  }

  private static let typeStart = Array("TYP1".utf8)
  private static let pathStart = Array("PATP".utf8)
}

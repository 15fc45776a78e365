import SystemIO

/// The names in the header of a 7z.
///
/// The header is at the end of the file and usually compressed with LZMA; a second header, which is
/// not compressed, then contains the method. Most of the header is only skipped to reach the names.
struct SevenZipNames {
  static let magic: [UInt8] = [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]
  /// A longer header is not read; then only ASCII names are accepted.
  private static let largestHeader = 64 << 20

  /// The names in the order in which libarchive delivers the entries.
  private(set) var names: [[UInt8]] = []

  /// Reads the header.
  ///
  /// If the file is not a 7z, or the header is damaged, there are no names.
  init(_ file: borrowing FileDescriptor) throws(Failure) {
    try self.init(ByteSource(try file.duplicate()))
  }

  private init(_ source: borrowing ByteSource) throws(Failure) {
    let start = try source.read(at: 0, count: 32)
    guard start.count == 32, start.starts(with: Self.magic),
      var header = try Self.read(source, start.word64(12), start.word64(20))
    else { return }
    // A header may be compressed more than once, but no program does that more than twice.
    for _ in 0..<2 {
      var cursor = SevenZipCursor(header)
      guard (try? cursor.byte()) == SevenZipMark.encodedHeader else { break }
      guard let packed = try? cursor.streams(), let size = packed.unpackedSize,
        let bytes = try Self.read(source, packed.offset, packed.size), size <= Self.largestHeader,
        let plain = packed.isStored
          ? bytes : try decodeLZMA(bytes, properties: packed.properties, size: size)
      else { return }
      header = plain
    }
    var cursor = SevenZipCursor(header)
    names = (try? cursor.names()) ?? []
  }

  /// Returns the stored name of an entry; nil if libarchive may have changed it and the header has
  /// no other spelling of it.
  ///
  /// libarchive composes letters: it gives "é" as one character even if the archive has two.
  func stored(at index: Int, insteadOf given: [UInt8]) -> [UInt8]? {
    // libarchive adds a slash to the names of folders.
    func bare(_ name: [UInt8]) -> ArraySlice<UInt8> {
      name.last == slash ? name.dropLast() : name[...]
    }
    guard names.indices.contains(index),
      let stored = String(validating: bare(names[index]), as: UTF8.self),
      stored == String(decoding: bare(given), as: UTF8.self)
    else { return given.allSatisfy { $0 < 0x80 } ? given : nil }
    return names[index]
  }

  /// Reads bytes at an offset from the end of the start header, which has 32 bytes.
  private static func read(
    _ source: borrowing ByteSource, _ offset: Int, _ count: Int
  ) throws(Failure) -> [UInt8]? {
    let size = Int(clamping: source.size) - 32
    guard (0...largestHeader).contains(count), offset >= 0, count <= size, offset <= size - count
    else { return nil }
    let bytes = try source.read(at: UInt64(32 + offset), count: count)
    return bytes.count == count ? bytes : nil
  }
}

/// The bytes that begin the parts of a header.
private enum SevenZipMark {
  static let end: UInt8 = 0x00
  static let header: UInt8 = 0x01
  static let properties: UInt8 = 0x02
  static let moreStreams: UInt8 = 0x03
  static let mainStreams: UInt8 = 0x04
  static let files: UInt8 = 0x05
  static let packed: UInt8 = 0x06
  static let unpacked: UInt8 = 0x07
  static let parts: UInt8 = 0x08
  static let sizes: UInt8 = 0x09
  static let digests: UInt8 = 0x0A
  static let folders: UInt8 = 0x0B
  static let unpackedSizes: UInt8 = 0x0C
  static let partCounts: UInt8 = 0x0D
  static let names: UInt8 = 0x11
  static let encodedHeader: UInt8 = 0x17
}

/// The first packed stream that a header describes.
private struct SevenZipStream {
  var offset = 0
  var size = 0
  var unpackedSize: Int?
  /// The coder of the only stream, and its properties.
  var coder: [UInt8] = []
  var properties: [UInt8] = []

  var isStored: Bool { coder == [0] }
}

/// Reads a header in order, and never beyond its end.
private struct SevenZipCursor {
  /// The header does not follow the format.
  struct InvalidHeader: Error {}

  private let bytes: [UInt8]
  private var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func byte() throws(InvalidHeader) -> UInt8 { try read(1)[0] }

  private mutating func read(_ count: Int) throws(InvalidHeader) -> [UInt8] {
    guard count >= 0, count <= bytes.count - at else { throw InvalidHeader() }
    defer { at += count }
    return Array(bytes[at..<at + count])
  }

  private mutating func expect(_ mark: UInt8) throws(InvalidHeader) {
    guard try byte() == mark else { throw InvalidHeader() }
  }

  /// Reads a number: the count of leading 1 bits in the first byte is the count of bytes after it.
  private mutating func number() throws(InvalidHeader) -> Int {
    let first = try byte()
    let more = (~first).leadingZeroBitCount
    var value: UInt64 = 0
    for (place, byte) in try read(more).enumerated() { value |= UInt64(byte) << (8 * place) }
    if more < 7 { value |= UInt64(first & (0x7F >> UInt8(more))) << (8 * more) }
    guard let number = Int(exactly: value) else { throw InvalidHeader() }
    return number
  }

  /// Reads a number of items; throws if the rest of the header has fewer bytes than items.
  private mutating func count() throws(InvalidHeader) -> Int {
    let count = try number()
    guard count <= bytes.count - at else { throw InvalidHeader() }
    return count
  }

  /// Skips the digests of `count` elements; returns for each whether it has one.
  private mutating func digests(_ count: Int) throws(InvalidHeader) -> [Bool] {
    let size = 4
    guard try byte() == 0 else {
      guard count <= (bytes.count - at) / size else { throw InvalidHeader() }
      _ = try read(count * size)
      return Array(repeating: true, count: count)
    }
    let bits = try read((count + 7) / 8)
    let areThere = (0..<count).map { bits[$0 / 8] & (0x80 >> UInt8($0 % 8)) != 0 }
    _ = try read(areThere.count { $0 } * size)
    return areThere
  }

  /// Returns the names of all files.
  mutating func names() throws(InvalidHeader) -> [[UInt8]] {
    try expect(SevenZipMark.header)
    while true {
      switch try byte() {
      case SevenZipMark.properties:
        while try byte() != SevenZipMark.end { _ = try read(try number()) }
      case SevenZipMark.moreStreams, SevenZipMark.mainStreams: _ = try streams()
      case SevenZipMark.files: return try fileNames()
      default: throw InvalidHeader()
      }
    }
  }

  private mutating func fileNames() throws(InvalidHeader) -> [[UInt8]] {
    let fileCount = try number()
    while true {
      let mark = try byte()
      if mark == SevenZipMark.end { return [] }
      let value = try read(try number())
      guard mark == SevenZipMark.names else { continue }
      // The first byte is not 0 if the names are stored externally.
      guard value.first == 0, value.count % 2 == 1 else { throw InvalidHeader() }
      let units = stride(from: 1, to: value.count, by: 2).map { value.word16($0) }
      let names = units.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      guard names.count == fileCount else { throw InvalidHeader() }
      return names.map { Array(String(decoding: $0, as: UTF16.self).utf8) }
    }
  }

  /// Reads a description of streams.
  mutating func streams() throws(InvalidHeader) -> SevenZipStream {
    var stream = SevenZipStream()
    var folders: [(outputs: Int, hasDigest: Bool)] = []
    while true {
      switch try byte() {
      case SevenZipMark.end: return stream
      case SevenZipMark.packed: try packed(&stream)
      case SevenZipMark.unpacked: folders = try unpacked(&stream)
      case SevenZipMark.parts: try parts(folders)
      default: throw InvalidHeader()
      }
    }
  }

  private mutating func packed(_ stream: inout SevenZipStream) throws(InvalidHeader) {
    stream.offset = try number()
    let count = try self.count()
    while true {
      switch try byte() {
      case SevenZipMark.end: return
      case SevenZipMark.sizes:
        for index in 0..<count {
          let size = try number()
          if index == 0 { stream.size = size }
        }
      case SevenZipMark.digests: _ = try digests(count)
      default: throw InvalidHeader()
      }
    }
  }

  /// Skips the chains of coders, which 7z calls folders.
  private mutating func unpacked(
    _ stream: inout SevenZipStream
  ) throws(InvalidHeader) -> [(outputs: Int, hasDigest: Bool)] {
    try expect(SevenZipMark.folders)
    let count = try self.count()
    try expect(0)
    var folders: [(outputs: Int, hasDigest: Bool)] = []
    for _ in 0..<count { folders.append((try folder(&stream), false)) }
    try expect(SevenZipMark.unpackedSizes)
    for folder in folders {
      for _ in 0..<folder.outputs { stream.unpackedSize = try number() }
    }
    while true {
      switch try byte() {
      case SevenZipMark.end: return folders
      case SevenZipMark.digests:
        for (index, isPresent) in try digests(count).enumerated() {
          folders[index].hasDigest = isPresent
        }
      default: throw InvalidHeader()
      }
    }
  }

  /// Skips the coders of one folder; returns the number of their outputs.
  private mutating func folder(_ stream: inout SevenZipStream) throws(InvalidHeader) -> Int {
    var inputs = 0
    var outputs = 0
    for _ in 0..<(try count()) {
      let form = try byte()
      stream.coder = try read(Int(form & 0x0F))
      let isComplex = form & 0x10 != 0
      inputs += isComplex ? try count() : 1
      outputs += isComplex ? try count() : 1
      stream.properties = form & 0x20 != 0 ? try read(try number()) : []
    }
    guard outputs > 0, inputs >= outputs - 1 else { throw InvalidHeader() }
    let pairs = outputs - 1
    for _ in 0..<2 * pairs { _ = try number() }
    if inputs - pairs > 1 { for _ in 0..<inputs - pairs { _ = try number() } }
    return outputs
  }

  /// Skips the sizes and digests of the files in each folder.
  private mutating func parts(_ folders: [(outputs: Int, hasDigest: Bool)]) throws(InvalidHeader) {
    var counts = folders.map { _ in 1 }
    var mark = try byte()
    if mark == SevenZipMark.partCounts {
      for index in counts.indices { counts[index] = try number() }
      mark = try byte()
    }
    if mark == SevenZipMark.sizes {
      // The size of the last file in a folder is not stored: it is the rest after the others.
      for count in counts { for _ in 0..<max(0, count - 1) { _ = try number() } }
      mark = try byte()
    }
    if mark == SevenZipMark.digests {
      var unknown = 0
      for (folder, count) in zip(folders, counts) where count != 1 || !folder.hasDigest {
        guard count <= bytes.count * 8 - unknown else { throw InvalidHeader() }
        unknown += count
      }
      _ = try digests(unknown)
      mark = try byte()
    }
    guard mark == SevenZipMark.end else { throw InvalidHeader() }
  }
}

import CZlib
import SystemIO

/// The facts in the directory at the end of a zip, where libarchive delivers less.
///
/// libarchive composes the letters of names and treats `\` as `/`. If it does not find the
/// directory, it reads the zip from its start and then has neither modes nor links. This module
/// reads a zip only by its directory.
struct ZipDirectory {
  struct Entry {
    var name: [UInt8]
    /// The offset of the header before the contents.
    var offset: Int
    var method: UInt16
    var checkSum: UInt32
    var isLink: Bool
    /// Whether it contains the owner of the file.
    var hasOwner: Bool
    /// Whether it contains the permissions; DOS does not.
    var hasPermissions: Bool
    /// The reason why the entry cannot be used; in a message it follows the name.
    var flaw: String?
    /// The target of a link, unchanged; nil if libarchive delivers it.
    var target: [UInt8]?
  }

  /// The entries in the order in which libarchive delivers them: by the offset of their contents.
  private(set) var entries: [Entry] = []
  /// The offset at which the zip ends if its comment is omitted.
  let end: Int64

  /// Reads the directory; nil if the file is not a zip.
  ///
  /// Other data may precede the zip, such as a program that unpacks it.
  init?(_ file: borrowing FileDescriptor, name: String) throws(Failure) {
    let source = try ZipFile(file, name: name)
    let isZip = try source.beginsAsZip
    guard let end = try ZipEnd(source, toleratingMore: isZip) else {
      if !isZip { return nil }
      throw .malformed("the ZIP archive is truncated", name)
    }
    self.end = Int64(end.place + ZipEnd.size)
    entries = try Self.read(end, source)
    for index in entries.indices { try compare(index, source, end.shift) }
  }

  private static func read(
    _ end: ZipEnd, _ source: borrowing ZipFile
  ) throws(Failure) -> [Entry] {
    let directory = try source.bytes(at: end.start + end.shift, count: end.length)
    var entries: [Entry] = []
    var at = 0
    while at < directory.count {
      guard at + 46 <= directory.count, directory.word32(at) == 0x0201_4B50 else {
        throw source.damagedDirectory
      }
      let name = at + 46
      let extra = name + Int(directory.word16(at + 28))
      let comment = extra + Int(directory.word16(at + 30))
      let next = comment + Int(directory.word16(at + 32))
      guard next <= directory.count else { throw source.damagedDirectory }
      guard let entry = entry(directory, at, name: name..<extra, extra: extra..<comment) else {
        throw source.damagedDirectory
      }
      entries.append(entry)
      at = next
    }
    guard UInt64(entries.count) & 0xFFFF == end.count & 0xFFFF else {
      throw source.damagedDirectory
    }
    entries.sort { $0.offset < $1.offset }
    for (one, next) in zip(entries, entries.dropFirst()) where one.offset == next.offset {
      throw source.malformed(
        "its entries '\(shownBytes(one.name))' and '\(shownBytes(next.name))' overlap")
    }
    return entries
  }

  private static func entry(
    _ directory: [UInt8], _ at: Int, name: Range<Int>, extra: Range<Int>
  ) -> Entry? {
    var offset = Int(directory.word32(at + 42))
    if offset == 0xFFFF_FFFF {
      let skipped = [24, 20].count { directory.word32(at + $0) == 0xFFFF_FFFF } * 8
      guard let wide = directory.extraField(0x0001, in: extra), wide.count >= skipped + 8 else {
        return nil
      }
      offset = directory.word64(wide.lowerBound + skipped)
    }
    let system = directory[at + 5]
    var entry = Entry(
      name: Array(directory[name]), offset: offset, method: directory.word16(at + 10),
      checkSum: directory.word32(at + 16),
      isLink: system == 3 && directory.word32(at + 38) >> 28 == 0xA,
      hasOwner: [0x5855, 0x7855, 0x7875].contains {
        directory.extraField($0, in: extra) != nil
      }, hasPermissions: system == 3)
    // This name is in Unicode; the character set of the other name is unknown.
    if let unicode = directory.extraField(0x7075, in: extra), unicode.count > 5,
      directory[unicode.lowerBound] == 1,
      directory.word32(unicode.lowerBound + 1) == checkSum(of: entry.name)
    {
      entry.name = Array(directory[(unicode.lowerBound + 5)..<unicode.upperBound])
    }
    // On DOS and Windows a backslash may separate folders, so such a name is ambiguous.
    if [0, 6, 10, 11, 14].contains(system), entry.name.contains(UInt8(ascii: "\\")) {
      entry.flaw = #"has a '\' in its name, which may represent a '/'"#
    }
    return entry
  }

  /// Compares the header before the contents of an entry with the directory.
  private mutating func compare(
    _ index: Int, _ source: borrowing ZipFile, _ shift: Int
  ) throws(Failure) {
    let entry = entries[index]
    let start = entry.offset + shift
    guard let header = try source.bytesIfThere(at: start, count: 30),
      header.word32(0) == 0x0403_4B50,
      let rest = try source.bytesIfThere(
        at: start + 30, count: Int(header.word16(26)) + Int(header.word16(28)))
    else {
      entries[index].flaw = "is not at the offset in the directory of the ZIP archive"
      return
    }
    let extra = Int(header.word16(26))..<rest.count
    let own = Array(rest[..<extra.lowerBound])
    let isSame = own == entry.name || rest.extraField(0x7075, in: extra) != nil
    if !isSame || header.word16(8) != entry.method {
      entries[index].flaw = "differs between the directory and its local header: the ZIP is damaged"
      return
    }
    guard entry.isLink, entry.method == 0, header.word16(6) & 1 == 0 else { return }
    // This header's length may be wrong: the checksum shows whether these bytes are the whole
    // target.
    let size = Int(header.word32(22))
    if size <= ZipFile.longestTarget,
      let target = try source.bytesIfThere(at: start + 30 + rest.count, count: size),
      Self.checkSum(of: target) == entry.checkSum
    {
      entries[index].target = target
    }
  }

  static func checkSum(of bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      UInt32(truncatingIfNeeded: unsafe crc32(0, buffer.baseAddress, UInt32(buffer.count)))
    }
  }
}

extension ZipDirectory {
  /// Returns the entry at an index in the order of the contents, which libarchive calls `given`.
  ///
  /// The result is nil if the entry has another name: then libarchive and this type interpret the
  /// directory differently.
  func entry(at index: Int, called given: [UInt8]?) -> Entry? {
    guard entries.indices.contains(index) else { return nil }
    // libarchive adds a slash to the names of folders, composes letters, and replaces each
    // backslash with a slash.
    func plain(_ name: [UInt8]) -> String {
      let name = name.last == slash ? name.dropLast() : name[...]
      return String(decoding: name.map { $0 == UInt8(ascii: "\\") ? slash : $0 }, as: UTF8.self)
    }
    let entry = entries[index]
    // libarchive gives no name if it cannot convert it; and an entry with a flaw may differ.
    guard let given, entry.flaw == nil else { return entry }
    return entry.name == given || plain(entry.name) == plain(given) ? entry : nil
  }
}

/// The bytes of a zip file, and its name for messages.
struct ZipFile: ~Copyable {
  /// The maximum length of a link's target; no file system supports a longer one.
  static let longestTarget = 1 << 16

  private let source: ByteSource
  /// Its name in messages.
  private let name: String

  init(_ file: borrowing FileDescriptor, name: String) throws(Failure) {
    source = try ByteSource(try file.duplicate())
    self.name = name
  }

  var size: Int { Int(clamping: source.size) }

  /// Whether the first entry is at the start; otherwise the file is not recognized as a zip by its
  /// start.
  var beginsAsZip: Bool {
    get throws(Failure) {
      guard let start = try bytesIfThere(at: 0, count: 4) else { return false }
      // The mark of an entry, of the end of an empty zip, or of a zip in several volumes.
      return [0x0403_4B50, 0x0605_4B50, 0x3030_4B50].contains(start.word32(0))
    }
  }

  /// Exactly `count` bytes; nil if the file ends before them.
  func bytesIfThere(at offset: Int, count: Int) throws(Failure) -> [UInt8]? {
    guard offset >= 0, count >= 0, count <= size, offset <= size - count else { return nil }
    let bytes = try source.read(at: UInt64(offset), count: count)
    return bytes.count == count ? bytes : nil
  }

  /// The failure of an inconsistent directory.
  var damagedDirectory: Failure { malformed("the directory of the ZIP archive is damaged") }

  func malformed(_ reason: String) -> Failure { .malformed(reason, name) }

  func bytes(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
    guard let bytes = try bytesIfThere(at: offset, count: count) else { throw damagedDirectory }
    return bytes
  }
}

/// The record at the end of a zip with the position of the directory.
struct ZipEnd {
  /// Its length without the comment after it.
  static let size = 22
  private static let longestComment = 0xFFFF
  /// A larger directory is not read.
  private static let longestDirectory = 1 << 30

  /// The offset of the record in the file.
  private(set) var place: Int
  private(set) var start: Int
  private(set) var length: Int
  /// The number of entries; if there are more than 65,535, it may have only the lower sixteen bits.
  private(set) var count: UInt64
  /// The number that is added to all positions in the zip: the length of the data before it.
  private(set) var shift = 0

  /// Finds the record; nil if there is none.
  ///
  /// Normally the comment ends at the end of the file. Bytes after the comment are accepted only if
  /// the file is known to be a zip, because a file of any format may contain such a record.
  init?(_ source: borrowing ZipFile, toleratingMore: Bool) throws(Failure) {
    let tailStart = max(0, source.size - Self.size - Self.longestComment)
    let tail = try source.bytesIfThere(at: tailStart, count: source.size - tailStart) ?? []
    let records = tail.indices.dropLast(Self.size - 1).filter {
      tail[$0] == 0x50 && tail.word32($0) == 0x0605_4B50
    }
    func slack(_ at: Int) -> Int { tail.count - at - Self.size - Int(tail.word16(at + 20)) }
    guard
      let at = records.first(where: { slack($0) == 0 })
        ?? (toleratingMore ? records.last { slack($0) > 0 } : nil)
    else { return nil }
    place = tailStart + at
    count = UInt64(tail.word16(at + 10))
    length = Int(tail.word32(at + 12))
    start = Int(tail.word32(at + 16))
    var directoryEnd = place
    if start == 0xFFFF_FFFF || length == 0xFFFF_FFFF || count == 0xFFFF,
      let locator = try source.bytesIfThere(at: place - 20, count: 20),
      locator.word32(0) == 0x0706_4B50
    {
      let record = try source.bytes(at: locator.word64(8), count: 56)
      guard record.word32(0) == 0x0606_4B50 else { throw source.damagedDirectory }
      directoryEnd = locator.word64(8)
      count = UInt64(bitPattern: Int64(record.word64(32)))
      length = record.word64(40)
      start = record.word64(48)
    }
    guard (0...Self.longestDirectory).contains(length), length <= directoryEnd, start >= 0 else {
      throw source.damagedDirectory
    }
    if try !Self.isDirectory(source, start, length) {
      shift = directoryEnd - length - start
      guard shift > 0, try Self.isDirectory(source, start + shift, length) else {
        throw source.damagedDirectory
      }
    }
  }

  private static func isDirectory(
    _ source: borrowing ZipFile, _ start: Int, _ length: Int
  ) throws(Failure) -> Bool {
    if length == 0 { return true }
    return try source.bytesIfThere(at: start, count: 4)?.word32(0) == 0x0201_4B50
  }
}

extension [UInt8] {
  /// Returns the value of an extra field.
  fileprivate func extraField(_ id: UInt16, in range: Range<Int>) -> Range<Int>? {
    var at = range.lowerBound
    while at + 4 <= range.upperBound {
      let end = at + 4 + Int(word16(at + 2))
      guard end <= range.upperBound else { return nil }
      if word16(at) == id { return at + 4..<end }
      at = end
    }
    return nil
  }
}

import CZlib
import SystemIO

/// The names in a xar as stored: libarchive delivers them with composed letters.
///
/// They are in a table of contents, an XML text that is compressed with zlib. Only files, their
/// names and the targets of links are read from it.
struct XarNames {
  static let magic = Array("xar!".utf8)
  /// A larger table is not read; the names are then those of libarchive.
  private static let largestTable = 64 << 20

  struct Entry {
    var path: [UInt8]
    var target: [UInt8]?
  }

  /// The entries by path; Swift compares texts independently of the composition of letters.
  private var entries: [String: Entry] = [:]

  /// Reads the table; an invalid table has no names.
  init(_ file: borrowing FileDescriptor) throws(Failure) {
    let source = try ByteSource(try file.duplicate())
    let header = try source.read(at: 0, count: 28)
    guard header.count == 28 else { return }
    let start = Int(header[4]) << 8 | Int(header[5])
    let stored = Self.number(header[8..<16])
    let size = Self.number(header[16..<24])
    guard let stored, let size, stored <= Self.largestTable, size <= Self.largestTable else {
      return
    }
    let packed = try source.read(at: UInt64(start), count: stored)
    guard let table = Self.inflated(packed, size) else { return }
    read(table)
  }

  /// Returns the stored data of the entry to which libarchive gives this name.
  func entry(called given: [UInt8]) -> Entry? {
    String(validating: given, as: UTF8.self).flatMap { entries[$0] }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private static func inflated(_ packed: [UInt8], _ size: Int) -> [UInt8]? {
    var count = uLongf(size)
    let table = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      let status = unsafe uncompress(buffer.baseAddress, &count, packed, uLong(packed.count))
      filled = status == Z_OK ? Int(count) : 0
    }
    return table.count == size ? table : nil
  }

  /// An element of the text that has not been closed yet.
  private struct Element {
    var name: [UInt8]
    /// The file that this element is, or that contains it.
    var file: Int
  }

  private mutating func read(_ table: [UInt8]) {
    var files: [(parent: Int, name: [UInt8]?, target: [UInt8]?)] = []
    var open: [Element] = []
    for piece in table.split(separator: UInt8(ascii: "<")) {
      guard let end = piece.firstIndex(of: UInt8(ascii: ">")) else { continue }
      let tag = piece[..<end]
      let word = Array(tag.prefix { !(0x09...0x20).contains($0) && $0 != slash })
      if tag.first == slash {
        if open.popLast() == nil { return }
        continue
      }
      if tag.first == UInt8(ascii: "?") || tag.first == UInt8(ascii: "!") { continue }
      let around = open.last
      var element = Element(name: word, file: around?.file ?? -1)
      if word == Array("file".utf8) {
        files.append((element.file, nil, nil))
        element.file = files.count - 1
      } else if around?.name == Array("file".utf8), element.file >= 0 {
        let text = Self.plain(piece[(end + 1)...])
        if word == Array("link".utf8) { files[element.file].target = text }
        if word == Array("name".utf8) {
          // A name that XML cannot contain is in base64, which an attribute specifies.
          files[element.file].name = tag.contains(UInt8(ascii: "=")) ? Self.decoded(text) : text
        }
      }
      if tag.last != slash { open.append(element) }
    }
    store(files)
  }

  private mutating func store(_ files: [(parent: Int, name: [UInt8]?, target: [UInt8]?)]) {
    // A folder is before its contents, but its name may be after them.
    var paths: [[UInt8]?] = []
    for file in files {
      var path: [UInt8]? = file.name
      if file.parent >= 0, let name = file.name {
        path = paths[file.parent].map { $0 + [slash] + name }
      }
      if path?.count ?? 0 > ForeignPath.longest { path = nil }
      paths.append(path)
      guard let path, let text = String(validating: path, as: UTF8.self) else { continue }
      entries[text] = Entry(path: path, target: file.target)
    }
  }

  /// Decodes base64; nil if the text is not base64.
  private static func decoded(_ text: [UInt8]) -> [UInt8]? {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var decoded: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for sign in text where sign > 0x20 && sign != UInt8(ascii: "=") {
      guard let digit = digits.firstIndex(of: sign) else { return nil }
      bits = bits << 6 | UInt32(digit)
      count += 6
      if count >= 8 {
        count -= 8
        decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return decoded
  }

  /// Returns the text with XML's escapes replaced.
  private static func plain(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
    var plain: [UInt8] = []
    var rest = text
    let signs = [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'")]
    while let first = rest.first {
      if let (sign, meaning) = signs.first(where: { rest.starts(with: $0.0.utf8) }) {
        plain += meaning.utf8
        rest = rest.dropFirst(sign.utf8.count)
      } else {
        plain.append(first)
        rest = rest.dropFirst()
      }
    }
    return plain
  }
}

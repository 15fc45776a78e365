import SourceDiagnostics
import SystemIO

/// A check of a property list before Foundation reads it.
///
/// Foundation crashes if values are nested deeply or a number contains invalid UTF-8, and never
/// returns if a value contains itself.
package struct PropertyListBounds {
  /// The maximum nesting depth.
  static let depth = 64
  /// The maximum number of values; a value that is used twice counts twice.
  static let values = 200_000

  private let bytes: [UInt8]
  private var left = Self.values

  /// Returns the reason why a text cannot be read; nil if it can.
  package static func refusal(of bytes: [UInt8]) -> String? {
    var bounds = PropertyListBounds(bytes: bytes)
    if bytes.starts(with: "bplist".utf8) { return bounds.refusalOfBinary() }
    let start = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    guard start.first == UInt8(ascii: "<") else { return "this is not a property list" }
    guard String(validating: bytes, as: UTF8.self) != nil else { return "it is not UTF-8" }
    return bounds.refusalOfXML()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  // MARK: XML

  private mutating func refusalOfXML() -> String? {
    var depth = 0
    var index = 0
    while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      let rest = bytes[open...]
      if rest.starts(with: "<!--".utf8) {
        index = end(of: "-->", from: open)
        continue
      }
      if rest.starts(with: "<![CDATA[".utf8) {
        index = end(of: "]]>", from: open)
        continue
      }
      if rest.starts(with: "<!ENTITY".utf8) { return "it declares entities" }
      index = end(of: ">", from: open)
      // A document type may contain declarations, which are checked like the rest.
      if rest.starts(with: "<!DOCTYPE".utf8) {
        index = open + 1
        continue
      }
      guard !rest.starts(with: "<?".utf8) else { continue }
      left -= 1
      if left < 0 { return "it has more than \(Self.values) values" }
      if rest.starts(with: "</".utf8) {
        depth -= 1
      } else if index < 2 || bytes[index - 2] != slash {
        depth += 1
        if depth > Self.depth { return "it is nested more than \(Self.depth) levels deep" }
      }
    }
    return nil
  }

  /// Returns the offset after the next occurrence of `marker`, or the end.
  private func end(of marker: String, from start: Int) -> Int {
    let marker = Array(marker.utf8)
    var index = start
    while let next = bytes[index...].firstIndex(of: marker[0]) {
      if bytes[next...].starts(with: marker) { return next + marker.count }
      index = next + 1
    }
    return bytes.count
  }

  // MARK: Binary

  private mutating func refusalOfBinary() -> String? {
    let damaged = "it is damaged"
    guard bytes.count >= 40, bytes.starts(with: "bplist00".utf8) else { return damaged }
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    let referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = number(at: trailer + 8, size: 8), let top = number(at: trailer + 16, size: 8),
      let table = number(at: trailer + 24, size: 8), count > 0, top < count, table >= 8,
      table <= trailer, count <= (trailer - table) / offsetSize
    else { return damaged }
    let list = BinaryList(
      count: count, table: table, offsetSize: offsetSize, referenceSize: referenceSize)
    // A loop instead of recursion, because invalid input must not exhaust the stack.
    var open: [(object: Int, depth: Int)] = [(top, 1)]
    while let (object, depth) = open.popLast() {
      left -= 1
      if left < 0 { return "it has more than \(Self.values) values, or contains itself" }
      if depth > Self.depth {
        return "it is nested more than \(Self.depth) levels deep, or contains itself"
      }
      guard let members = members(of: object, in: list) else { return damaged }
      if members.count > left { return "it has more than \(Self.values) values" }
      open += members.map { ($0, depth + 1) }
    }
    return nil
  }

  private struct BinaryList {
    var count: Int
    var table: Int
    var offsetSize: Int
    var referenceSize: Int
  }

  /// Returns the objects that an object contains; nil if it is outside the file.
  private func members(of object: Int, in list: BinaryList) -> [Int]? {
    guard let offset = number(at: list.table + object * list.offsetSize, size: list.offsetSize),
      offset >= 8, offset < list.table
    else { return nil }
    let kind = bytes[offset] >> 4
    guard let (count, start) = count(at: offset, before: list.table) else { return nil }
    let room = list.table - start
    switch kind {
    case 0x0: return []
    case 0x1, 0x2: return room >= 1 << (bytes[offset] & 0xF) ? [] : nil
    case 0x3: return room >= 8 ? [] : nil
    case 0x4, 0x5, 0x7: return room >= count ? [] : nil
    case 0x6: return room / 2 >= count ? [] : nil
    case 0x8: return room >= Int(bytes[offset] & 0xF) + 1 ? [] : nil
    case 0xA, 0xB, 0xC, 0xD:
      let references = kind == 0xD ? count.multipliedReportingOverflow(by: 2).partialValue : count
      guard count <= room, references <= room / list.referenceSize else { return nil }
      var members: [Int] = []
      members.reserveCapacity(references)
      for index in 0..<references {
        let place = start + index * list.referenceSize
        guard let member = number(at: place, size: list.referenceSize), member < list.count else {
          return nil
        }
        members.append(member)
      }
      return members
    default: return nil
    }
  }

  /// Returns the number of members of an object, and the offset of their list.
  private func count(at offset: Int, before end: Int) -> (count: Int, start: Int)? {
    let kind = bytes[offset] >> 4
    let low = Int(bytes[offset] & 0xF)
    guard kind >= 4, kind != 8, low == 0xF else { return (low, offset + 1) }
    guard offset + 2 < end, bytes[offset + 1] >> 4 == 1, bytes[offset + 1] & 0xF <= 3 else {
      return nil
    }
    let size = 1 << Int(bytes[offset + 1] & 0xF)
    guard let count = number(at: offset + 2, size: size), offset + 2 + size <= end else {
      return nil
    }
    return (count, offset + 2 + size)
  }

  /// Returns a big-endian number; nil if it is outside the file or has an invalid size.
  private func number(at offset: Int, size: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    var value: UInt64 = 0
    for byte in bytes[offset..<offset + size] {
      guard value >> 55 == 0 else { return nil }
      value = value << 8 | UInt64(byte)
    }
    return value < 1 << 40 ? Int(value) : nil
  }
}

import FoundationEssentials
package import SourceDiagnostics

/// A binary property list, which is checked before Foundation reads it.
///
/// Foundation crashes if values are nested deeply, and never returns if a value contains itself.
package struct BinaryPropertyList {
  /// The maximum number of values; a value that is used twice counts twice.
  private static let countLimit = 200_000

  private let bytes: [UInt8]
  private var left = Self.countLimit

  /// Returns the value of a list; it has no places, and its keys are sorted.
  package static func read(_ bytes: [UInt8]) throws(Unreadable) -> PlacedValue {
    let whole = SourceSpan(0, min(bytes.count, 1))
    let remedy: Finding.Message = "save it again, or convert it to XML"
    var list = BinaryPropertyList(bytes: bytes)
    if let refusal = list.refusal() {
      throw Unreadable(whole, .init(whole: refusal), remedy: remedy)
    }
    guard let value = try? PropertyListDecoder().decode(BinaryValue.self, from: Data(bytes)) else {
      throw Unreadable(whole, "it is damaged", remedy: remedy)
    }
    return PlacedValue(value.kind, at: whole)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the reason why the list cannot be read; nil if it can.
  private mutating func refusal() -> String? {
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
      if left < 0 { return "it has more than \(Self.countLimit) values, or contains itself" }
      if depth > PlacedValue.depthLimit {
        return "it is nested more than \(PlacedValue.depthLimit) levels deep, or contains itself"
      }
      guard let members = members(of: object, in: list) else { return damaged }
      if members.count > left { return "it has more than \(Self.countLimit) values" }
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

/// A value of a binary property list, which has no places.
///
/// Its keys are sorted.
private struct BinaryValue: Decodable {
  var kind: PlacedValue.Kind

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let nowhere = SourceSpan(0, 0)
    if let members = try? decoder.container(keyedBy: Key.self) {
      let keys = members.allKeys.sorted { $0.stringValue < $1.stringValue }
      kind = .dictionary(
        try keys.map {
          let value = try members.decode(Self.self, forKey: $0)
          return .init(
            key: $0.stringValue, keySpan: nowhere, value: PlacedValue(value.kind, at: nowhere))
        })
    } else if var elements = try? decoder.unkeyedContainer() {
      var values: [PlacedValue] = []
      while !elements.isAtEnd {
        values.append(PlacedValue(try elements.decode(Self.self).kind, at: nowhere))
      }
      kind = .array(values)
    } else {
      kind = Self.scalar(try decoder.singleValueContainer())
    }
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) -> PlacedValue.Kind {
    if let text = try? container.decode(String.self) { return .string(text) }
    if let bool = try? container.decode(Bool.self) { return .bool(bool) }
    if let number = try? container.decode(Int64.self) { return .number(String(number)) }
    if let number = try? container.decode(UInt64.self) { return .number(String(number)) }
    if let number = try? container.decode(Double.self) { return .number(String(number)) }
    if let data = try? container.decode(Data.self) { return .data([UInt8](data)) }
    if let date = try? container.decode(Date.self) { return .date(date.ISO8601Format()) }
    return .null
  }
}

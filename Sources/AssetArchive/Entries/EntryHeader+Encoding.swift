package import SystemIO

extension EntryHeader {
  /// Every header starts with this or with `oldMagic`, followed by two bytes with its length.
  static let magic: [UInt8] = Array("AA01".utf8)
  static let oldMagic: [UInt8] = Array("YAA1".utf8)
  static let prefixSize = 6

  /// Returns whether a header starts with these bytes.
  static func isMagic(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) -> Bool {
    guard second == UInt8(ascii: "A"), fourth == UInt8(ascii: "1") else { return false }
    return first == UInt8(ascii: "A") && third == UInt8(ascii: "0")
      || first == UInt8(ascii: "Y") && third == UInt8(ascii: "A")
  }

  /// Appends the header's bytes, each value in the smallest width.
  ///
  /// Throws if the header would exceed 65,535 bytes.
  package func encode(into bytes: inout [UInt8]) throws(Failure) {
    let start = bytes.count
    bytes += Self.magic
    bytes += [0, 0]
    bytes.append(Field(.type, .number(UInt64(type.rawValue))))
    bytes += FieldKey.path.bytes
    bytes.append(string: path.bytes)
    for field in fields { bytes.append(field) }
    guard let length = UInt16(exactly: bytes.count - start) else {
      throw .malformed("an entry header cannot be \(bytes.count - start) bytes long")
    }
    bytes[start + 4] = UInt8(truncatingIfNeeded: length)
    bytes[start + 5] = UInt8(truncatingIfNeeded: length >> 8)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ field: Field) {
    self += field.key.bytes
    switch field.value {
    case .flag:
      append(UInt8(ascii: "*"))
    case .number(let value):
      let width = value < 1 << 8 ? 1 : value < 1 << 16 ? 2 : value < 1 << 32 ? 4 : 8
      append(UInt8(ascii: "0") + UInt8(width))
      append(littleEndian: value, width: width)
    case .string(let text):
      append(string: text[...])
    case .hash(let digest):
      let letter: Unicode.Scalar =
        switch digest.count {
        case 4: "F"
        case 20: "G"
        case 32: "H"
        case 48: "I"
        default: "J"
        }
      append(UInt8(ascii: letter))
      self += digest
    case .time(let time):
      append(UInt8(ascii: time.nanoseconds == 0 ? "S" : "T"))
      append(littleEndian: UInt64(bitPattern: time.seconds), width: 8)
      if time.nanoseconds != 0 { append(littleEndian: UInt64(time.nanoseconds), width: 4) }
    case .blob(let size):
      let (letter, width): (Unicode.Scalar, Int) =
        size < 1 << 16 ? ("A", 2) : size < 1 << 32 ? ("B", 4) : ("C", 8)
      append(UInt8(ascii: letter))
      append(littleEndian: size, width: width)
    }
  }

  fileprivate mutating func append(string text: ArraySlice<UInt8>) {
    append(UInt8(ascii: "P"))
    append(littleEndian: UInt64(text.count), width: 2)
    self += text
  }

  private mutating func append(littleEndian value: UInt64, width: Int) {
    for place in 0..<width { append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(place)))) }
  }
}

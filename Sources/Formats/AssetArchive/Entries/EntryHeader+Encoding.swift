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
    bytes.appendStart(of: type)
    bytes.append(path: path.bytes)
    for field in fields { bytes.append(field) }
    try bytes.endHeader(from: start)
  }
}

/// The common form of many headers, which differ only by their paths and the sizes of their data.
package struct HeaderTemplate: Sendable {
  /// The bytes before the path.
  private let start: [UInt8]
  /// The bytes between the path and the data.
  private let fields: [UInt8]

  /// Creates the template of headers with these fields and, after them, data.
  package init(_ type: EntryType, _ fields: [Field]) {
    var bytes: [UInt8] = []
    bytes.appendStart(of: type)
    start = bytes
    bytes.removeAll()
    for field in fields { bytes.append(field) }
    self.fields = bytes
  }

  /// Appends the bytes of a header, as ``EntryHeader/encode(into:)`` does; an entry without a size
  /// has no data.
  package func encode(
    _ path: PackPath, size: UInt64?, into bytes: inout [UInt8]
  ) throws(Failure) {
    let count = bytes.count
    bytes += start
    bytes.append(path: path.bytes)
    bytes += fields
    if let size { bytes.append(Field(.data, .blob(size))) }
    try bytes.endHeader(from: count)
  }
}

extension [UInt8] {
  /// Appends the bytes before the path; the length of the header is still 0.
  fileprivate mutating func appendStart(of type: EntryType) {
    self += EntryHeader.magic
    append(0)
    append(0)
    append(Field(.type, .number(UInt64(type.rawValue))))
  }

  fileprivate mutating func append(path: ArraySlice<UInt8>) {
    FieldKey.path.append(to: &self)
    append(string: path)
  }

  /// Writes the length of the header that begins at `start` and ends here.
  fileprivate mutating func endHeader(from start: Int) throws(Failure) {
    guard let length = UInt16(exactly: count - start) else {
      throw .malformed("an entry header cannot be \(count - start) bytes long")
    }
    self[start + 4] = UInt8(truncatingIfNeeded: length)
    self[start + 5] = UInt8(truncatingIfNeeded: length >> 8)
  }

  fileprivate mutating func append(_ field: Field) {
    field.key.append(to: &self)
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

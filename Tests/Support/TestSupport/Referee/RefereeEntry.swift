/// One entry, as the referee reads it.
package struct RefereeEntry {
  package struct Time: Equatable {
    package var seconds: Int
    package var nanoseconds: Int

    package init(_ seconds: Int, _ nanoseconds: Int = 0) {
      self.seconds = seconds
      self.nanoseconds = nanoseconds
    }
  }

  package enum Value: Equatable {
    case flag
    case number(Int)
    case text([UInt8])
    case digest([UInt8])
    case time(Time)
    case blob(length: Int)
  }

  /// The offset of the header in the stream, and its length.
  package var offset: Int
  package var headerLength: Int
  /// The keys in the order of the header.
  package var keys: [String] = []
  package var fields: [String: Value] = [:]
  package var blobs: [String: [UInt8]] = [:]
  /// Whether every number and length has the smallest width for its value.
  package var isMinimal: Bool
  var end: Int

  package var type: Character {
    guard case .number(let code) = fields["TYP"], let scalar = Unicode.Scalar(code) else {
      return "?"
    }
    return Character(scalar)
  }

  package var path: [UInt8] {
    if case .text(let bytes) = fields["PAT"] { bytes } else { [] }
  }

  package var name: String { String(decoding: path, as: UTF8.self) }

  /// The contents of a file.
  package var data: [UInt8] { blobs["DAT"] ?? [] }

  package func number(_ key: String) -> Int? {
    if case .number(let value) = fields[key] { value } else { nil }
  }

  package func time(_ key: String) -> Time? {
    if case .time(let value) = fields[key] { value } else { nil }
  }

  init(_ stream: [UInt8], at start: Int) throws {
    try require(start + 6 <= stream.count, "@\(start): entry cut off")
    let magic = stream[start..<start + 4]
    try require(
      magic.elementsEqual("AA01".utf8) || magic.elementsEqual("YAA1".utf8),
      "@\(start): no entry starts here")
    offset = start
    headerLength = littleEndian(stream[start + 4..<start + 6])
    try require(
      headerLength >= 6 && start + headerLength <= stream.count, "@\(start): header length")
    end = start + headerLength
    let header = stream[start + 6..<end]
    var cursor = Cursor(rest: header)
    var written: [UInt8] = []
    while !cursor.rest.isEmpty {
      let (key, value) = try cursor.field()
      try require(fields.updateValue(value, forKey: key) == nil, "@\(start): \(key) twice")
      keys.append(key)
      written += minimal(key, value)
    }
    isMinimal = written.elementsEqual(header)
    for key in keys {
      guard case .blob(let length) = fields[key] else { continue }
      try require(
        length >= 0 && length <= stream.count - end, "@\(start): \(key) runs past the end")
      blobs[key] = Array(stream[end..<end + length])
      end += length
    }
    try require("FDLPCBSWRTMH".contains(type), "@\(start): type \(type)")
    if type != "M" {
      guard case .text(let path) = fields["PAT"] else {
        throw RefereeComplaint(description: "@\(start): no path")
      }
      try require(isSafe(path), "@\(start): path \(String(decoding: path, as: UTF8.self))")
    }
  }

  private func isSafe(_ path: [UInt8]) -> Bool {
    if path.isEmpty { return true }
    if path.count > 1023 || path.contains(0) { return false }
    return path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
    }
  }
}

/// Reads fields from the front of a header.
private struct Cursor {
  var rest: ArraySlice<UInt8>

  mutating func read(_ count: Int) throws -> ArraySlice<UInt8> {
    try require(count <= rest.count, "a field runs past its header")
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func field() throws -> (String, RefereeEntry.Value) {
    let key = String(decoding: try read(3), as: UTF8.self)
    try require(key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }, "key \(key)")
    let letter = Character(Unicode.Scalar(try read(1)[rest.startIndex - 1]))
    switch letter {
    case "*": return (key, .flag)
    case "1", "2", "4", "8":
      return (key, .number(littleEndian(try read(letter.wholeNumberValue ?? 0))))
    case "P": return (key, .text(Array(try read(littleEndian(try read(2))))))
    case "F": return (key, .digest(Array(try read(4))))
    case "G": return (key, .digest(Array(try read(20))))
    case "H": return (key, .digest(Array(try read(32))))
    case "I": return (key, .digest(Array(try read(48))))
    case "J": return (key, .digest(Array(try read(64))))
    case "S": return (key, .time(.init(littleEndian(try read(8)))))
    case "T":
      let time = RefereeEntry.Time(littleEndian(try read(8)), littleEndian(try read(4)))
      try require(time.nanoseconds < 1_000_000_000, "\(key): nanoseconds")
      return (key, .time(time))
    case "A": return (key, .blob(length: littleEndian(try read(2))))
    case "B": return (key, .blob(length: littleEndian(try read(4))))
    case "C": return (key, .blob(length: littleEndian(try read(8))))
    default: throw RefereeComplaint(description: "\(key): unknown subtype \(letter)")
    }
  }
}

/// Returns a field in the form that a writer must use.
private func minimal(_ key: String, _ value: RefereeEntry.Value) -> [UInt8] {
  func little(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
  func field(_ letter: Character, _ bytes: [UInt8]) -> [UInt8] {
    Array(key.utf8) + Array(String(letter).utf8) + bytes
  }
  switch value {
  case .flag: return field("*", [])
  case .number(let number):
    if number < 0 || number >= 1 << 32 { return field("8", little(number, 8)) }
    if number >= 1 << 16 { return field("4", little(number, 4)) }
    return number >= 1 << 8 ? field("2", little(number, 2)) : field("1", little(number, 1))
  case .text(let bytes): return field("P", little(bytes.count, 2) + bytes)
  case .digest(let bytes):
    let letters: [Int: Character] = [4: "F", 20: "G", 32: "H", 48: "I", 64: "J"]
    return field(letters[bytes.count] ?? "?", bytes)
  case .time(let time):
    if time.nanoseconds == 0 { return field("S", little(time.seconds, 8)) }
    return field("T", little(time.seconds, 8) + little(time.nanoseconds, 4))
  case .blob(let length):
    if length < 1 << 16 { return field("A", little(length, 2)) }
    return length < 1 << 32 ? field("B", little(length, 4)) : field("C", little(length, 8))
  }
}

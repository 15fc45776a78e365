import SystemIO

extension EntryHeader {
  /// Every header starts with one of these, and two bytes with the header's length.
  static let magic: [UInt8] = Array("AA01".utf8)
  static let oldMagic: [UInt8] = Array("YAA1".utf8)
  static let prefixSize = 6

  /// What is wrong with a header, and at which byte of it.
  struct Fault: Error, Equatable {
    var place: Int
    var reason: String
  }

  /// The length that the first six bytes of a header declare; they are included in it.
  static func length(prefix: [UInt8]) throws(Fault) -> Int {
    let magic = prefix.prefix(4)
    guard magic.elementsEqual(Self.magic) || magic.elementsEqual(oldMagic) else {
      throw Fault(place: 0, reason: "expected the start of an entry ('AA01')")
    }
    let length = Int(prefix[4]) | Int(prefix[5]) << 8
    guard length >= prefixSize else {
      throw Fault(place: 4, reason: "an entry header cannot be \(length) bytes long")
    }
    return length
  }

  /// Reads a whole header; the caller has already read its prefix.
  init(decoding bytes: [UInt8]) throws(Fault) {
    var cursor = FieldCursor(bytes: bytes, place: Self.prefixSize)
    var fields: [Field] = []
    fields.reserveCapacity(10)
    var type: EntryType?
    // Used only for headers with unusually many fields: there may be 16,000.
    var keys: Set<FieldKey> = []
    while let (place, field) = try cursor.next() {
      let isRepeated =
        if fields.count < 24 {
          fields.contains { $0.key == field.key }
        } else {
          !keys.insert(field.key).inserted
        }
      guard !isRepeated, field.key != .type || type == nil
      else { throw Fault(place: place, reason: "the field \(field.key) comes twice") }
      if let rule = FieldRule.rule(for: field.key), rule.kind != field.value.kind {
        throw Fault(place: place, reason: "the field \(field.key) is not a \(rule.kind)")
      }
      if field.key == .type, case .number(let letter) = field.value {
        guard let known = UInt8(exactly: letter).flatMap(EntryType.init(rawValue:)) else {
          throw Fault(place: place, reason: "unknown entry type \(letter)")
        }
        type = known
      } else {
        fields.append(field)
        if fields.count == 24 { keys.formUnion(fields.map(\.key)) }
      }
    }
    guard let type else { throw Fault(place: 0, reason: "an entry has no type (TYP)") }
    self.init(type, fields)
    guard type == .metadata || self[.path] != nil else {
      throw Fault(place: 0, reason: "an entry has no path (PAT)")
    }
  }
}

/// Goes through the fields of a header and never reads beyond its end.
private struct FieldCursor {
  let bytes: [UInt8]
  var place: Int

  typealias Fault = EntryHeader.Fault

  mutating func next() throws(Fault) -> (place: Int, field: Field)? {
    guard place < bytes.count else { return nil }
    let start = place
    try pass(4)
    guard let key = FieldKey(bytes[start], bytes[start + 1], bytes[start + 2]) else {
      throw Fault(place: start, reason: "a field has no valid name")
    }
    guard let subtype = Subtype(bytes[start + 3]) else {
      let letter = String(bytes[start + 3], radix: 16)
      throw Fault(
        place: start + 3, reason: "the field \(key) has the unknown subtype 0x\(letter)")
    }
    return (start, Field(key, try value(subtype, key)))
  }

  private mutating func value(_ subtype: Subtype, _ key: FieldKey) throws(Fault) -> FieldValue {
    switch subtype {
    case .flag: return .flag
    case .number(let width): return .number(try number(width))
    case .blob(let width): return .blob(try number(width))
    case .hash(let width): return .hash(try take(width))
    case .string: return .string(try take(Int(try number(2))))
    case .seconds: return .time(Moment(seconds: Int64(bitPattern: try number(8))))
    case .secondsAndNanoseconds:
      let seconds = Int64(bitPattern: try number(8))
      let nanoseconds = try number(4)
      guard let time = Moment(seconds: seconds, stored: nanoseconds) else {
        throw Fault(place: place - 4, reason: "the field \(key) has \(nanoseconds) nanoseconds")
      }
      return .time(time)
    }
  }

  private mutating func number(_ width: Int) throws(Fault) -> UInt64 {
    try pass(width)
    var number: UInt64 = 0
    for index in (place - width..<place).reversed() { number = number << 8 | UInt64(bytes[index]) }
    return number
  }

  private mutating func take(_ count: Int) throws(Fault) -> [UInt8] {
    try pass(count)
    return Array(bytes[place - count..<place])
  }

  /// Skips `count` bytes, if there are as many.
  private mutating func pass(_ count: Int) throws(Fault) {
    guard count <= bytes.count - place else {
      throw Fault(place: place, reason: "a field runs past its entry's header")
    }
    place += count
  }
}

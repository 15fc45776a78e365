import SystemIO

extension EntryHeader {
  /// Every header starts with this or with `oldMagic`, followed by two bytes with its length.
  static let magic: [UInt8] = Array("AA01".utf8)
  static let oldMagic: [UInt8] = Array("YAA1".utf8)
  static let prefixSize = 6

  /// Returns the length that the first six bytes of a header declare; they are included in it.
  ///
  /// Errors are reported for a header at `start`.
  static func length(prefix: [UInt8], at start: Failure.Place) throws(Failure) -> Int {
    let magic = prefix.prefix(4)
    guard magic.elementsEqual(Self.magic) || magic.elementsEqual(oldMagic) else {
      throw start.malformed("expected the start of an entry ('AA01')")
    }
    let length = Int(prefix[4]) | Int(prefix[5]) << 8
    guard length >= prefixSize else {
      throw start.malformed("an entry header cannot be \(length) bytes long", 4)
    }
    return length
  }

  /// Reads a whole header at `start`; its prefix has already been read.
  init(decoding bytes: [UInt8], at start: Failure.Place) throws(Failure) {
    var cursor = FieldCursor(bytes: bytes, start: start, place: Self.prefixSize)
    var fields: [Field] = []
    fields.reserveCapacity(10)
    var type: EntryType?
    var path: StoredPath?
    // Used only for headers with unusually many fields: there may be 16,000.
    var keys: Set<FieldKey> = []
    while let (place, field) = try cursor.next() {
      let isRepeated =
        if fields.count < 24 {
          fields.contains { $0.key == field.key }
        } else {
          !keys.insert(field.key).inserted
        }
      guard !isRepeated, field.key != .type || type == nil, field.key != .path || path == nil
      else { throw start.malformed("the field \(field.key) is listed twice", place) }
      if let rule = FieldRule.rule(for: field.key), rule.kind != field.value.kind {
        throw start.malformed("the field \(field.key) is not a \(rule.kind)", place)
      }
      if field.key == .type, case .number(let letter) = field.value {
        guard let known = UInt8(exactly: letter).flatMap(EntryType.init(rawValue:)) else {
          throw start.malformed("unknown entry type \(letter)", place)
        }
        type = known
      } else if field.key == .path, case .string(let bytes) = field.value {
        path = StoredPath(reading: bytes[...])
      } else {
        fields.append(field)
        if fields.count == 24 { keys.formUnion(fields.map(\.key)) }
      }
    }
    guard let type else { throw start.malformed("an entry has no type (TYP)") }
    guard type == .metadata || path != nil else {
      throw start.malformed("an entry has no path (PAT)")
    }
    self.init(type, stored: path, fields)
  }
}

/// Reads the fields of a header in order, and never beyond its end.
private struct FieldCursor {
  let bytes: [UInt8]
  /// The position of the header.
  let start: Failure.Place
  /// The offset in the header.
  var place: Int

  mutating func next() throws(Failure) -> (place: Int, field: Field)? {
    guard place < bytes.count else { return nil }
    let first = place
    try pass(4)
    guard let key = FieldKey(bytes[first], bytes[first + 1], bytes[first + 2]) else {
      throw start.malformed("a field has no valid name", first)
    }
    guard let subtype = Subtype(bytes[first + 3]) else {
      let letter = String(bytes[first + 3], radix: 16)
      throw start.malformed("the field \(key) has the unknown subtype 0x\(letter)", first + 3)
    }
    return (first, Field(key, try value(subtype, key)))
  }

  private mutating func value(_ subtype: Subtype, _ key: FieldKey) throws(Failure) -> FieldValue {
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
        throw start.malformed("the field \(key) has \(nanoseconds) nanoseconds", place - 4)
      }
      return .time(time)
    }
  }

  private mutating func number(_ width: Int) throws(Failure) -> UInt64 {
    try pass(width)
    var number: UInt64 = 0
    for index in (place - width..<place).reversed() { number = number << 8 | UInt64(bytes[index]) }
    return number
  }

  private mutating func take(_ count: Int) throws(Failure) -> [UInt8] {
    try pass(count)
    return Array(bytes[place - count..<place])
  }

  /// Skips `count` bytes, if there are as many.
  private mutating func pass(_ count: Int) throws(Failure) {
    guard count <= bytes.count - place else {
      throw start.malformed("a field extends past its entry's header", place)
    }
    place += count
  }
}

extension Failure.Place {
  /// Returns a failure of a header at this position, `count` bytes after its start.
  fileprivate func malformed(_ reason: String, _ count: Int = 0) -> Failure {
    var place = self
    place.streamOffset? += UInt64(count)
    return Failure(.malformed(reason), at: place)
  }
}

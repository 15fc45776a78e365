package import SystemIO

/// The header of an entry that was read.
///
/// An archive can have millions of headers, so a header without unusual fields is one piece of
/// memory: its bytes, of which the path is a view.
package struct StoredHeader: Sendable, Hashable {
  package let type: EntryType
  /// The path of the entry; nil for metadata, which may have none.
  package let path: StoredPath?
  package let fields: Fields

  /// Data that follow a header.
  package struct Blob: Sendable, Hashable {
    package let key: FieldKey
    package let size: UInt64
  }

  /// The values that readers use, except type and path.
  package struct Fields: Sendable, Hashable {
    package fileprivate(set) var linkTarget: ArraySlice<UInt8>?
    package fileprivate(set) var userID: UInt64?
    package fileprivate(set) var groupID: UInt64?
    package fileprivate(set) var mode: UInt64?
    package fileprivate(set) var modified: Moment?
    package fileprivate(set) var created: Moment?
    /// The size of the contents in bytes; nil if the entry has no contents.
    package fileprivate(set) var dataSize: UInt64?
    /// The fields with a size or a digest of the contents.
    package fileprivate(set) var recorded: [Field] = []
    /// The keys of the fields that packers do not write.
    package fileprivate(set) var unusual: [FieldKey] = []
    package fileprivate(set) var blobs = Blobs()
  }

  /// The data that follow a header, in order: usually one blob, which needs no separate memory.
  package struct Blobs: Sendable, Hashable {
    package private(set) var first: Blob?
    private var others: ArraySlice<Blob> = []

    /// The sizes of all blobs together.
    package var size: UInt64 {
      others.reduce(first?.size ?? 0) { $0.addingSaturated($1.size) }
    }

    fileprivate mutating func append(_ blob: Blob) {
      if first == nil { first = blob } else { others.append(blob) }
    }

    mutating func removeFirst() { first = others.popFirst() }
  }
}

// MARK: - Reading

extension StoredHeader {
  /// Returns the length that the first six bytes of a header declare; they are included in it.
  ///
  /// Errors are reported for a header at `start`.
  static func length(prefix: [UInt8], at start: Failure.Place) throws(Failure) -> Int {
    guard EntryHeader.isMagic(prefix[0], prefix[1], prefix[2], prefix[3]) else {
      throw start.malformed("expected the start of an entry ('AA01')")
    }
    let length = Int(prefix[4]) | Int(prefix[5]) << 8
    guard length >= EntryHeader.prefixSize else {
      throw start.malformed("an entry header cannot be \(length) bytes long", 4)
    }
    return length
  }

  /// Reads a whole header at `start`; its prefix has already been read.
  init(decoding bytes: [UInt8], at start: Failure.Place) throws(Failure) {
    var reader = FieldReader(bytes: bytes, start: start)
    while try reader.readNext() {}
    guard let type = reader.type else { throw start.malformed("an entry has no type (TYP)") }
    guard type == .metadata || reader.path != nil else {
      throw start.malformed("an entry has no path (PAT)")
    }
    self.type = type
    path = reader.path.map { StoredPath(reading: bytes[$0]) }
    fields = reader.fields
  }
}

/// Reads the fields of a header in order, and never beyond its end.
private struct FieldReader {
  /// The value of a field; bytes are a range of the header.
  private enum Value {
    case flag
    case number(UInt64)
    case string(Range<Int>)
    case hash(Range<Int>)
    case time(Moment)
    case blob(UInt64)

    var kind: FieldRule.Kind {
      switch self {
      case .flag: .flag
      case .number: .number
      case .string: .string
      case .hash: .hash
      case .time: .time
      case .blob: .blob
      }
    }
  }

  private let bytes: [UInt8]
  /// The position of the header.
  private let start: Failure.Place
  /// The offset in the header.
  private var place = EntryHeader.prefixSize
  private let table = FieldTable.shared
  /// The documented keys that were read, as bits by their rows in the table.
  private var seen: UInt32 = 0
  private var undocumented: [FieldKey] = []
  /// The undocumented keys of a header with many of them: there may be 16,000.
  private var keys: Set<FieldKey> = []

  private(set) var type: EntryType?
  /// The place of the path in the header.
  private(set) var path: Range<Int>?
  private(set) var fields = StoredHeader.Fields()

  init(bytes: [UInt8], start: Failure.Place) {
    self.bytes = bytes
    self.start = start
  }

  /// Reads a field; false at the end of the header.
  mutating func readNext() throws(Failure) -> Bool {
    guard place < bytes.count else { return false }
    let first = place
    try pass(4)
    guard let key = FieldKey(bytes[first], bytes[first + 1], bytes[first + 2]) else {
      throw start.malformed("a field has no valid name", first)
    }
    guard let subtype = Subtype(bytes[first + 3]) else {
      let letter = String(bytes[first + 3], radix: 16)
      throw start.malformed("the field \(key) has the unknown subtype 0x\(letter)", first + 3)
    }
    let value = try value(subtype, key)
    let row = table.row(of: key)
    let isRepeated =
      if let row { seen & 1 << row.index != 0 } else { !insertUndocumented(key) }
    if isRepeated { throw start.malformed("the field \(key) is listed twice", first) }
    if let row {
      seen |= 1 << row.index
      guard row.kind == value.kind else {
        throw start.malformed("the field \(key) is not a \(row.kind)", first)
      }
    }
    try record(key, value, at: first)
    return true
  }

  /// Inserts an undocumented key; returns false if it was read before.
  private mutating func insertUndocumented(_ key: FieldKey) -> Bool {
    if undocumented.count < 24 {
      if undocumented.contains(key) { return false }
      undocumented.append(key)
      if undocumented.count == 24 { keys.formUnion(undocumented) }
      return true
    }
    return keys.insert(key).inserted
  }

  private mutating func record(
    _ key: FieldKey, _ value: Value, at first: Int
  ) throws(Failure) {
    if case .blob(let size) = value {
      fields.blobs.append(StoredHeader.Blob(key: key, size: size))
    }
    switch (key, value) {
    case (.type, .number(let letter)):
      guard let known = UInt8(exactly: letter).flatMap(EntryType.init(rawValue:)) else {
        throw start.malformed("unknown entry type \(letter)", first)
      }
      type = known
    case (.path, .string(let range)): path = range
    case (.userID, .number(let number)): fields.userID = number
    case (.groupID, .number(let number)): fields.groupID = number
    case (.mode, .number(let number)): fields.mode = number
    case (.flags, _), (.backedUp, _): break
    case (.created, .time(let time)): fields.created = time
    case (.modified, .time(let time)): fields.modified = time
    case (.data, .blob(let size)): fields.dataSize = size
    case (.linkTarget, .string(let range)): fields.linkTarget = bytes[range]
    case (.size, .number(let size)):
      fields.recorded.append(Field(key, .number(size)))
      fields.unusual.append(key)
    case (_, .hash(let range)):
      if table.row(of: key) != nil {
        fields.recorded.append(Field(key, .hash(Array(bytes[range]))))
      }
      fields.unusual.append(key)
    default: fields.unusual.append(key)
    }
  }

  private mutating func value(_ subtype: Subtype, _ key: FieldKey) throws(Failure) -> Value {
    switch subtype {
    case .flag: return .flag
    case .number(let width): return .number(try number(width))
    case .blob(let width): return .blob(try number(width))
    case .hash(let width): return .hash(try range(width))
    case .string: return .string(try range(Int(try number(2))))
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

  private mutating func range(_ count: Int) throws(Failure) -> Range<Int> {
    try pass(count)
    return place - count..<place
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

package import SystemIO

/// The header of one entry: its fields, in the order in which they are written.
///
/// The data of all blob fields follow the header, in the same order.
package struct EntryHeader: Sendable, Hashable {
  package let type: EntryType
  /// The path of the entry; nil for metadata, which may have none.
  package let path: StoredPath?
  /// All fields except `TYP` and `PAT`, which are first.
  package var fields: [Field]

  package init(_ type: EntryType, _ path: PackPath, _ fields: [Field]) {
    self.init(type, stored: StoredPath(path), fields)
  }

  init(_ type: EntryType, stored path: StoredPath?, _ fields: [Field]) {
    self.type = type
    self.path = path
    self.fields = fields
  }
}

extension EntryHeader {
  package subscript(key: FieldKey) -> FieldValue? {
    fields.first { $0.key == key }?.value
  }

  package func number(_ key: FieldKey) -> UInt64? {
    if case .number(let value) = self[key] { value } else { nil }
  }

  package func string(_ key: FieldKey) -> [UInt8]? {
    if case .string(let value) = self[key] { value } else { nil }
  }

  package func time(_ key: FieldKey) -> Moment? {
    if case .time(let value) = self[key] { value } else { nil }
  }

  /// The size of the contents in bytes; nil if the entry has no contents.
  package var dataSize: UInt64? {
    if case .blob(let size) = self[.data] { size } else { nil }
  }
}

/// The type of an entry; the raw value is the letter in its `TYP` field.
package enum EntryType: UInt8, Sendable, CaseIterable {
  case file = 0x46  // F
  case directory = 0x44  // D
  case symbolicLink = 0x4C  // L
  case fifo = 0x50  // P
  case characterDevice = 0x43  // C
  case blockDevice = 0x42  // B
  case socket = 0x53  // S
  case whiteout = 0x57  // W
  case door = 0x52  // R
  case port = 0x54  // T
  case metadata = 0x4D  // M
  case hardLink = 0x48  // H
}

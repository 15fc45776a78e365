/// The header of an entry to write: its fields, in the order in which they are written.
///
/// The data of all blob fields follow the header, in the same order. A header that was read is a
/// ``StoredHeader``.
package struct EntryHeader: Sendable, Hashable {
  package let type: EntryType
  package let path: PackPath
  /// All fields except `TYP` and `PAT`, which are first.
  package var fields: [Field]

  package init(_ type: EntryType, _ path: PackPath, _ fields: [Field]) {
    self.type = type
    self.path = path
    self.fields = fields
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

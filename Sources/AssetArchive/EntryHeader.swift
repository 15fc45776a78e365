package import SystemIO

/// The header of one entry: its fields, in the order in which they are written.
///
/// The data of all blob fields follow the header in that order.
package struct EntryHeader: Sendable, Hashable {
  package var type: EntryType
  /// Every field but `TYP`, which comes first.
  package var fields: [Field]

  package init(_ type: EntryType, _ fields: [Field]) {
    self.type = type
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

  /// The path, as bytes; only metadata entries have none.
  package var path: [UInt8] { string(.path) ?? [] }

  /// How many bytes of contents follow; nil when the entry has none at all.
  package var dataSize: UInt64? {
    if case .blob(let size) = self[.data] { size } else { nil }
  }
}

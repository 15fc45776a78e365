import BAPackKit
package import SourceDiagnostics

/// A property list with its text, for messages with positions.
package struct InfoList: Sendable {
  package let source: SourceText
  package let root: PlacedValue
  /// Whether its values have positions, as in XML.
  private let hasPlaces: Bool

  /// Reads a property list in any format.
  package init(_ source: SourceText) throws(Unreadable) {
    self.source = source
    let bytes = source.bytes
    hasPlaces = !bytes.starts(with: "bplist".utf8)
    root = hasPlaces ? try XMLPropertyList.read(bytes) : try BinaryPropertyList.read(bytes)
    guard case .dictionary = root.kind else {
      throw Unreadable(
        hasPlaces ? root.span : SourceSpan(0, 0), "its root is not a dictionary",
        remedy: "write a dictionary")
    }
  }

  /// The value of a key.
  package subscript(_ key: String) -> PlacedValue? { root[key] }

  /// The text of a key; nil if the value is not a text.
  package func string(_ key: String) -> String? { root.string(key) }

  /// The position of a key; nil in a binary list, or if the key is missing.
  package func span(of key: String) -> SourceSpan? {
    hasPlaces ? root.members.last { $0.key == key }?.keySpan : nil
  }
}

extension PlacedValue {
  /// The text of a key of a dictionary; nil if the value is not a text.
  package func string(_ key: String) -> String? {
    if case .string(let text) = self[key]?.kind { text } else { nil }
  }
}

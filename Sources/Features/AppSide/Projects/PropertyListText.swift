import BAPackKit
package import SourceDiagnostics

/// Reads property lists in all formats.
package enum PropertyListText {
  /// The format of a text.
  package enum Format: Sendable {
    case old, xml, binary, json
  }

  /// Returns the probable format of a text, which may still be invalid.
  package static func format(of bytes: [UInt8]) -> Format {
    if bytes.starts(with: "bplist".utf8) { return .binary }
    let start = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    if start.first == UInt8(ascii: "<") {
      // Data of the NeXTSTEP format begins with the same character, but never with these two.
      let second = start.dropFirst().first
      return second == UInt8(ascii: "?") || second == UInt8(ascii: "!")
        || second == UInt8(ascii: "p") ? .xml : .old
    }
    guard start.first == UInt8(ascii: "{") else {
      return start.first == UInt8(ascii: "[") ? .json : .old
    }
    // ':' follows a key of JSON, and '=' a key of the NeXTSTEP format.
    let key = start.dropFirst().drop { $0 <= 0x20 }
    guard key.first == UInt8(ascii: "\"") else {
      return key.first == UInt8(ascii: "}") && key.dropFirst().allSatisfy({ $0 <= 0x20 })
        ? .json : .old
    }
    let after = key.dropFirst().drop { $0 != UInt8(ascii: "\"") }.dropFirst().drop { $0 <= 0x20 }
    return after.first == UInt8(ascii: ":") ? .json : .old
  }

  /// The maximum size of a property list in bytes, far above that of real projects.
  package static let largest = 64 << 20

  /// Parses a property list; if it cannot be parsed, returns nil and adds the finding that `refuse`
  /// returns to `ledger`.
  package static func read(
    _ source: SourceText, into ledger: inout Ledger, refusing refuse: (Unreadable) -> Finding
  ) -> PlacedValue? {
    ledger.turn(to: source)
    do throws(Unreadable) {
      let bytes = source.bytes
      let whole = SourceSpan(0, min(bytes.count, 1))
      guard bytes.count <= largest else {
        throw Unreadable(
          whole, "it has more than \(largest >> 20) MiB", remedy: "use a smaller file")
      }
      if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
        throw Unreadable(whole, "the text is UTF-16", remedy: "save it as UTF-8")
      }
      switch format(of: bytes) {
      case .old: return try OldPropertyList.read(bytes)
      case .xml: return try XMLPropertyList.read(bytes)
      case .binary: return try BinaryPropertyList.read(bytes)
      case .json:
        var limits = JSONLimits()
        limits.size = largest
        limits.depth = PlacedValue.depthLimit
        let document = JSONDocument(parsing: source, limits: limits)
        ledger.add(contentsOf: document.findings)
        return document.isWellFormed ? document.root.map { PlacedValue($0) } : nil
      }
    } catch {
      ledger.add(refuse(error))
      return nil
    }
  }
}

extension PlacedValue {
  /// Creates the value of a JSON text.
  package init(_ node: JSONNode) {
    let kind: Kind =
      switch node.kind {
      case .null, .invalid: .null
      case .bool: .bool(node.bool ?? false)
      case .number: .number(node.number ?? "0")
      case .string: .string(node.string ?? "")
      case .array: .array(node.elements.map { PlacedValue($0) })
      case .object:
        .dictionary(
          node.members.map {
            Member(
              key: $0.key.string ?? "", keySpan: $0.key.span, value: PlacedValue($0.value))
          })
      }
    self.init(kind, at: node.span)
  }
}

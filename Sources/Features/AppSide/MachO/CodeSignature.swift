package import SourceDiagnostics

/// The signature of a program: its team and its entitlements.
///
/// The signature is not verified.
package struct CodeSignature: Sendable {
  package private(set) var team: String?
  /// Whether it is without a certificate, as on a development machine or by a linker.
  package private(set) var isAdHoc = false
  /// The entitlements; nil for none.
  package private(set) var entitlements: PlacedValue?

  private static let mostParts = 64

  /// Reads the parts of a signature.
  init(_ blob: CheckedBytes) throws(Unreadable) {
    guard blob.u32(0) == 0xFADE_0CC0, let size = blob.u32(4), let whole = blob.part(0, size),
      let count = whole.u32(8), count <= Self.mostParts
    else { throw .damaged(0, "its signature is damaged") }
    var other: PlacedValue?
    for index in 0..<Int(count) {
      guard let slot = whole.u32(12 + index * 8), let offset = whole.u32(16 + index * 8),
        let rest = whole.rest(offset), let size = rest.u32(4), let part = rest.part(0, size),
        let magic = part.u32(0)
      else { throw .damaged(12, "its signature is damaged") }
      switch (slot, magic) {
      case (0, 0xFADE_0C02): try readDirectory(part)
      case (5, 0xFADE_7171):
        guard let text = part.rest(8)?.contents else { continue }
        entitlements = text.isEmpty ? nil : try XMLPropertyList.read(Array(text))
      case (7, 0xFADE_7172):
        var reader = EntitlementReader()
        guard let value = part.rest(8).flatMap({ reader.read($0) }) else {
          throw .damaged(8, "its binary entitlements are damaged")
        }
        other = value
      default: break
      }
    }
    // Other signers write only one of both forms.
    entitlements = entitlements ?? other
  }

  private mutating func readDirectory(_ directory: CheckedBytes) throws(Unreadable) {
    guard let version = directory.u32(8), let flags = directory.u32(12) else {
      throw .damaged(8, "the directory of its signature is damaged")
    }
    isAdHoc = flags & 0x2_0002 != 0
    guard version >= 0x2_0200, let place = directory.u32(48), place > 0 else { return }
    guard let team = directory.text(place) else {
      throw .damaged(48, "the directory of its signature is damaged")
    }
    self.team = team.isEmpty ? nil : team
  }
}

/// Reads entitlements in DER: `70 { 02 01 01, b0 { 30 { 0c key, value } … } }`.
private struct EntitlementReader {
  private var left = 20_000
  private let nowhere = SourceSpan(0, 0)

  mutating func read(_ bytes: CheckedBytes) -> PlacedValue? {
    var bytes = bytes
    guard let whole = element(&bytes), whole.tag == 0x70 else { return nil }
    var rest = whole.contents
    guard let version = element(&rest), version.tag == 0x02, let dictionary = element(&rest) else {
      return nil
    }
    return value(dictionary, depth: 1)
  }

  private typealias Element = (tag: UInt8, contents: CheckedBytes)

  /// Removes the first element; nil if it is damaged.
  private func element(_ bytes: inout CheckedBytes) -> Element? {
    guard let tag = bytes.number(0, UInt8.self), let short = bytes.number(1, UInt8.self) else {
      return nil
    }
    var (size, start) = (Int(short), 2)
    if short >= 0x80 {
      let count = Int(short & 0x7F)
      guard (1...4).contains(count), let digits = bytes.part(2, count) else { return nil }
      size = digits.contents.reduce(0) { $0 << 8 | Int($1) }
      start = 2 + count
    }
    guard let contents = bytes.part(start, size), let rest = bytes.rest(start + size) else {
      return nil
    }
    bytes = rest
    return (tag, contents)
  }

  private mutating func value(_ element: Element, depth: Int) -> PlacedValue? {
    left -= 1
    guard left >= 0, depth <= 16 else { return nil }
    var rest = element.contents
    switch element.tag {
    case 0x01: return PlacedValue(.bool(rest.contents.contains { $0 != 0 }), at: nowhere)
    case 0x0C:
      return String(validating: rest.contents, as: UTF8.self).map {
        PlacedValue(.string($0), at: nowhere)
      }
    case 0x02:
      guard rest.count <= 8 else { return nil }
      let start: Int64 = rest.contents.first.map { $0 >= 0x80 } == true ? -1 : 0
      let number = rest.contents.reduce(start) { $0 << 8 | Int64($1) }
      return PlacedValue(.number(String(number)), at: nowhere)
    case 0x04: return PlacedValue(.data(Array(rest.contents)), at: nowhere)
    case 0x30:
      var elements: [PlacedValue] = []
      while rest.count > 0 {
        guard let next = self.element(&rest), let value = value(next, depth: depth + 1) else {
          return nil
        }
        elements.append(value)
      }
      return PlacedValue(.array(elements), at: nowhere)
    // Apple's signer writes dictionaries with this tag, others as sets.
    case 0xB0, 0x31:
      var members: [PlacedValue.Member] = []
      while rest.count > 0 {
        guard var pair = self.element(&rest)?.contents, let key = self.element(&pair),
          key.tag == 0x0C, let name = String(validating: key.contents.contents, as: UTF8.self),
          let next = self.element(&pair), let value = value(next, depth: depth + 1)
        else { return nil }
        members.append(.init(key: name, keySpan: nowhere, value: value))
      }
      return PlacedValue(.dictionary(members), at: nowhere)
    default: return nil
    }
  }
}

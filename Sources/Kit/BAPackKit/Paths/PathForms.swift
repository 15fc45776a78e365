import SystemIO
import TerminalText

/// The comparison of paths by the file system of a device, which ignores Unicode normalization and,
/// on most Macs, case.
package struct PathForms: Sendable {
  private let ignoresCase: Bool

  package init(on platform: Platform) { ignoresCase = platform == .macOS }

  /// Returns a hash that is equal for paths that may be the same file.
  package func fingerprint(of path: AssetPath) -> UInt64 {
    let bytes = path.bytes
    guard bytes.allSatisfy({ $0 < 0x80 }) else {
      let key = key(path)
      return key.utf8.allSatisfy { $0 < 0x80 }
        ? BAPackKit.fingerprint(of: key.utf8) : UInt64(bitPattern: Int64(key.hashValue))
    }
    return ignoresCase
      ? BAPackKit.fingerprint(of: bytes.lazy.map(\.lowercased))
      : BAPackKit.fingerprint(of: bytes)
  }

  /// Returns a text that is equal for paths that may be the same file.
  ///
  /// Texts are compared by canonical equivalence.
  package func key(_ path: AssetPath) -> String {
    let text = Self.unmasked(path.text)
    // Both conversions, so that 'ß' equals 'SS'.
    return ignoresCase ? Self.unmasked(text.uppercased().lowercased()) : text
  }

  /// Whether a path is its own key, because it contains no character with another form.
  func isKey(_ path: AssetPath) -> Bool {
    path.bytes.allSatisfy { $0 < 0x80 && !(ignoresCase && $0 != $0.lowercased) }
  }

  /// Whether another path may be the same file as this one.
  package func mayHaveOthers(_ path: AssetPath) -> Bool {
    ignoresCase || path.bytes.contains { $0 >= 0x80 }
  }

  /// Whether two different paths may be the same file.
  package func areAlike(_ left: AssetPath, _ right: AssetPath) -> Bool {
    if left.bytes.allSatisfy({ $0 < 0x80 }), right.bytes.allSatisfy({ $0 < 0x80 }) {
      return ignoresCase && left.bytes.count == right.bytes.count
        && zip(left.bytes, right.bytes).allSatisfy { $0.lowercased == $1.lowercased }
    }
    return key(left) == key(right)
  }

  /// Returns the text with ASCII for characters that are canonically equivalent to ASCII.
  private static func unmasked(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { masks[$0] != nil }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { masks[$0] ?? $0 }))
  }

  /// The non-ASCII characters whose canonical form is ASCII: the Kelvin sign, the Greek question
  /// mark, the Greek varia.
  private static let masks: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{212A}": "K", "\u{37E}": ";", "\u{1FEF}": "`",
  ]
}

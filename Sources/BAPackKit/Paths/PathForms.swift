import SystemIO
import TerminalText

/// Which paths the file system of a device may take for one: it looks through Unicode
/// normalisation, and on a Mac usually through case.
package struct PathForms: Sendable {
  private let ignoresCase: Bool

  package init(on platform: Platform) { ignoresCase = platform == .macOS }

  /// A number that is the same for paths that may be one.
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

  /// A text that is the same for paths that may be one: texts are compared by what their characters
  /// mean.
  package func key(_ path: AssetPath) -> String {
    let text = Self.unmasked(path.text)
    // In both directions, so that 'ß' equals 'SS'.
    return ignoresCase ? Self.unmasked(text.uppercased().lowercased()) : text
  }

  /// Whether a path is its own key, since it has no character with another form.
  func isKey(_ path: AssetPath) -> Bool {
    path.bytes.allSatisfy { $0 < 0x80 && !(ignoresCase && $0 != $0.lowercased) }
  }

  /// Whether any other path may be the same as this one.
  package func mayHaveOthers(_ path: AssetPath) -> Bool {
    ignoresCase || path.bytes.contains { $0 >= 0x80 }
  }

  /// Whether two paths that differ may be one.
  package func areAlike(_ left: AssetPath, _ right: AssetPath) -> Bool {
    if left.bytes.allSatisfy({ $0 < 0x80 }), right.bytes.allSatisfy({ $0 < 0x80 }) {
      return ignoresCase && left.bytes.count == right.bytes.count
        && zip(left.bytes, right.bytes).allSatisfy { $0.lowercased == $1.lowercased }
    }
    return key(left) == key(right)
  }

  /// The text with ASCII where a character means the same, so that texts that are the same are
  /// ASCII alike.
  private static func unmasked(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { masks[$0] != nil }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { masks[$0] ?? $0 }))
  }

  /// All characters beyond ASCII whose canonical form is in ASCII: the Kelvin sign, the Greek
  /// question mark, the Greek varia.
  private static let masks: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{212A}": "K", "\u{37E}": ";", "\u{1FEF}": "`",
  ]
}

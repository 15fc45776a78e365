/// File names that are not plain text.
package enum HostileNames {
  /// Each has bytes at its start, at its end or in the middle that are handled incorrectly as
  /// characters.
  package static let possible: [[UInt8]] = [
    Array("\u{301}mark".utf8), Array("🏻".utf8), Array("🏻.json".utf8), Array("\u{FE0F}".utf8),
    Array("\u{200D}👩".utf8), Array("a\u{600}".utf8), Array("\u{10FF80}\u{10FFFF}".utf8),
    [0xE9], [0xFF, 0xFE, 0x2E], Array("caf".utf8) + [0xE9], [0xF4, 0x8F, 0xBE], [0xC3, 0x28],
    [0x8F, 0x45, 0x83, 0x5C], Array("\u{1B}[31m".utf8), Array("a\nb".utf8), Array("a\rb".utf8),
    Array("\u{202E}gnp".utf8), Array("a\\b".utf8), Array("*?[x]".utf8), Array("-o".utf8),
    Array("=x".utf8), Array("a b".utf8), Array("'\"$(x)".utf8), Array(repeating: 0x6E, count: 255),
    Array(String(repeating: "🏻", count: 63).utf8),
  ]

  /// Longer than the limit of any file system.
  package static let tooLong: [[UInt8]] = [256, 4096, 65_536].map {
    Array(repeating: 0x6E, count: $0)
  }

  /// The names that are text, and may occur in a manifest.
  package static var text: [String] {
    possible.compactMap { String(validating: $0, as: UTF8.self) }.filter {
      !$0.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
  }
}

import SourceDiagnostics

/// A manifest is a text.
enum NotAManifest {
  static let rule = Rule(
    "manifest.not-a-manifest",
    what: "A folder, an archive or another binary file was given as a manifest.",
    why: """
      'validate', 'evaluate' and 'pack' start from a manifest, the JSON text that says what a \
      pack is. 'list', 'info' and 'verify' look into finished packs.
      """,
    example: .init(
      wrong: "pbze", right: #"{"assetPackID": "Tutorial"}"#))

  /// Recognizes archives by their first bytes, and other files that are no text by a NUL in them.
  static func check(_ bytes: [UInt8]) -> Diagnostic? {
    guard let (_, name) = marks.first(where: { bytes.starts(with: $0.mark) }) ?? tape(bytes) else {
      return isBinary(bytes)
        ? rule.finding(.error, "this is a binary file, not a manifest", at: nil) : nil
    }
    let isPack = name == "an Apple Archive"
    return rule.finding(
      .error, "this is \(name), not a manifest", at: nil,
      fixes: isPack ? [Fix("look into a pack with 'ba-package info'", .shownOnly)] : [])
  }

  static func folder() -> Diagnostic {
    rule.finding(.error, "this is a folder, not a manifest", at: nil)
  }

  private static let marks: [(mark: [UInt8], name: String)] = [
    (Array("pbz".utf8), "an Apple Archive"), (Array("AA01".utf8), "an Apple Archive"),
    (Array("YAA1".utf8), "an Apple Archive"), ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"),
    ([0x1F, 0x8B], "a gzip archive"), (Array("BZh".utf8), "a bzip2 archive"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "an xz archive"),
    ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard archive"),
    ([0x37, 0x7A, 0xBC, 0xAF], "a 7-Zip archive"),
  ]

  /// A NUL where JSON would not even have begun to go wrong; UTF-16 has its own message.
  private static func isBinary(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(1024)
    let opening = start.first { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
    let isUTF16 = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
    return start.contains(0) && opening != UInt8(ascii: "{") && !isUTF16
  }

  private static func tape(_ bytes: [UInt8]) -> (mark: [UInt8], name: String)? {
    let mark = Array("ustar".utf8)
    guard bytes.count >= 512, bytes[257..<262].elementsEqual(mark) else { return nil }
    return (mark, "a tar archive")
  }
}

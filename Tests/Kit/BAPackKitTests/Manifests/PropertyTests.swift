import BAPackKit
import KitProperties
import TestSupport
import Testing

/// The properties of the fuzz targets, for random inputs.
@Suite struct PropertyTests {
  /// Pieces of manifests, and of mistakes in them.
  private static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "'", "\\", "\n", " ", "// c\n", "/* c */", "/*", "\u{FEFF}",
    "\"assetPackID\":", "\"downloadPolicy\":", "\"fileSelectors\":", "\"platforms\":",
    "\"language\":",
    "\"userInfo\":", "\"sourceRoot\":", "assetPackID", "{\"file\":", "{\"directory\": \"a/\"},",
    "{\"file\": \"a\"}", "{\"filePattern\": \"*\"}", "\"fileSource\": \"x\",",
    "\"fileDestination\": \"y\"", "{\"onDemand\": {}}", "{\"onDemand\": null}", "\"essential\":",
    "{\"prefetch\": {\"installationEventTypes\": [", "\"firstInstallation\"",
    "\"FirstInstallation\"",
    "\"iOS\"", "\"ios\"", "'IOS'", "\"macOS\",", "\"iPadOS\"", "\"zh_hant\"", "\"IW-uk\"",
    "\"deu\"",
    "\"\"", "\"[Path to File]\"", "\"..\"", "\"/a\"", "1", "-.5e3", "0x1F", "NaN", "true", "null",
    "\"en-USA\"", "{\"filePattern\": \"[ \"},", "{\"file\": \"..\\\\x\"},",
    "{\"fileSource\": \"a\",",
    "\"fileDestination\": \"/b\"},", "{\"file\": \"*.png\"},", "{\"fileExclusion\": \"\"},", "\r",
    "// c\r", "\r\n", "\u{2028}", "\"platforms\" [", "True", "iOS\"", "1 234",
    "\"plattforms\":", "{\"pattern\": \"a\"}", "{\"ondemand\": {}}", "\"en-UK\"",
    "\"\\uD83D\"", "\"\\u00e4\"", "ä", "é\u{301}", "🐠", "“a”", "=", "@",
  ]

  private static func manifest(_ random: inout Seeded) -> [UInt8] {
    var parts = [
      "{", "\"assetPackID\": \"A\"", ",", "\n  ", "\"downloadPolicy\": ", "{\"onDemand\": {}}", ",",
      "\"fileSelectors\": ", "[", "{\"file\": \"a\"}", ",", "{\"file\": \"b\"}", "]", ",",
      "\"platforms\": ", "[", "\"iOS\"", ",", "\"tvOS\"", "]", ",", "\"language\": ", "\"en\"", "}",
    ]
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let place = Int.random(in: parts.indices, using: &random)
      let piece = pieces.randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<4, using: &random) {
      case 0: parts.remove(at: place)
      case 1: parts[place] = piece
      case 2: parts.insert(parts[place], at: place)
      default: parts.insert(piece, at: place)
      }
    }
    // Each text has one kind of line end; one in four has comments.
    let lineEnd = ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n"
    let separator = Int.random(in: 0..<4, using: &random) == 0 ? " // c" + lineEnd : ""
    var bytes = Array(
      parts.map { $0 == "\n  " ? lineEnd + "  " : $0 }.joined(separator: separator).utf8)
    if Int.random(in: 0..<8, using: &random) == 0, !bytes.isEmpty {
      bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
    }
    return bytes
  }

  private func check(rounds: Int, seed: UInt64) {
    var random = Seeded(seed: seed)
    for round in 0..<rounds {
      let bytes = Self.manifest(&random)
      let hosting = ([nil] + Hosting.allCases.map(Optional.some))[round % 3]
      let fault =
        ManifestProperties.violation(inJSON: bytes)
        ?? ManifestProperties.violation(inManifest: bytes, for: hosting)
      if let fault {
        Issue.record("\(fault): \(String(decoding: bytes, as: UTF8.self))")
        return
      }
    }
  }

  @Test func `manifests similar to a valid one have the properties`() { check(rounds: 60, seed: 1) }

  @Test(.world, arguments: 2..<7 as Range<UInt64>)
  func `many manifests similar to a valid one have the properties`(seed: UInt64) {
    check(rounds: 3_000, seed: seed)
  }

  @Test(.heavy) func `pieces in any order have the properties`() {
    var random = Seeded(seed: 7)
    for _ in 0..<80 {
      let count = Int.random(in: 0...30, using: &random)
      let text = (0..<count).compactMap { _ in Self.pieces.randomElement(using: &random) }.joined()
      #expect(ManifestProperties.violation(inJSON: Array(text.utf8)) == nil, "\(text)")
      #expect(
        ManifestProperties.violation(inManifest: Array(text.utf8), for: .apple) == nil, "\(text)")
    }
  }

  @Test func `language tags have their properties`() {
    var random = Seeded(seed: 3)
    let subtags = [
      "en", "EN", "zh", "Hant", "hANT", "TW", "tw", "419", "99", "yue", "x", "u", "1996", "abcde",
      "ä", "", "i", "root", "a1",
    ]
    for _ in 0..<5_000 {
      let count = Int.random(in: 1...4, using: &random)
      let text = (0..<count).compactMap { _ in subtags.randomElement(using: &random) }
        .joined(separator: Bool.random(using: &random) ? "-" : "_")
      #expect(ManifestProperties.violation(inLanguage: text) == nil, "\(text)")
    }
  }
}

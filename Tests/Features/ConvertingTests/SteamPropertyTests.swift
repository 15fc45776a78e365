import Foundation
import Properties
import TestSupport
import Testing

@testable import Converting

/// The fuzzing properties, checked with the corpus, with scripts that are truncated or changed at
/// random, and with the example game.
@Suite struct SteamPropertyTests {
  private static let seeds: [[UInt8]] = {
    let folder = Checkout.file("Tests/Corpus/steam-scripts")
    let names =
      (try? FileManager.default.contentsOfDirectory(
        atPath: folder.path(percentEncoded: false))) ?? []
    return names.sorted().compactMap { try? Array(Data(contentsOf: folder.appending(path: $0))) }
  }()

  @Test func `the corpus exists and has the properties`() throws {
    #expect(Self.seeds.count > 5)
    let folder = try TemporaryFolder()
    for bytes in Self.seeds {
      #expect(SteamProperties.violation(inKeyValues: bytes) == nil)
      #expect(SteamProperties.violation(inScript: bytes, in: folder.path) == nil)
    }
  }

  @Test(.heavy) func `truncated and changed scripts have the properties`() throws {
    var random = Seeded(seed: 16)
    let pieces = ["\"", "{", "}", "\\", "*", "..", "[$OSX]", "\n", "//", "C:", "?", "\u{0}", "/"]
    let folder = try TemporaryFolder()
    for round in 0..<150 {
      var bytes = Self.seeds[round % Self.seeds.count]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.removeSubrange(place..<min(bytes.count, place + 7))
        case 1:
          bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
        default: bytes.removeSubrange(min(bytes.count, place + 200)...)
        }
      }
      #expect(SteamProperties.violation(inKeyValues: bytes) == nil, "\(bytes)")
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(SteamProperties.violation(inScript: bytes, in: folder.path) == nil, "\(text)")
    }
  }

  @Test(.heavy)
  func `scripts of one repeated part have the properties`() {
    for unit in [#"\" "#, "\"", "{", "a b\n", "\"x\n", "[", "//\n", "\"a\" \"b\\\" \"\n"] {
      let bytes = Array(String(repeating: unit, count: 100_000).utf8)
      #expect(SteamProperties.violation(inKeyValues: bytes) == nil, "\(unit)")
    }
  }
}

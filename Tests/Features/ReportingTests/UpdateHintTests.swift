import BAPackKit
import Reporting
import SystemIO
import TerminalText
import TestSupport
import Testing

/// The hints for smaller updates.
@Suite struct UpdateHintTests {
  private static func bytes(_ count: Int, _ seed: UInt64) -> [UInt8] {
    var random = Seeded(seed: seed)
    return random.noise(count)
  }

  @Test func `a hint contains the largest update of all devices after the change`() throws {
    func release(_ large: Bool) -> [String: PackModel] {
      let seed: UInt64 = large ? 1 : 2
      return [
        "de": PackModel(
          language: "de",
          files: ["still": Self.bytes(3_000_000, 9), "moves": Self.bytes(1000, seed)]),
        "fr": PackModel(language: "fr", files: ["f": Self.bytes(1_500_000, seed + 10)]),
        "ja": PackModel(
          language: "ja",
          files: ["rest": Self.bytes(1_400_000, 8), "small": Self.bytes(1000, seed + 20)]),
      ]
    }
    let comparison = try Releases().comparison(release(true), release(false))
    let costs = comparison.costs
    let hints = Verdict(comparison, breaks: []).hints
    // Devices in Japanese save most of their update, which is not the largest.
    #expect(hints.map(\.pack.text) == ["de"])
    let french = try #require(costs.rows.first { $0.language?.description == "fr" }?.wholeUpdate)
    #expect(hints.first?.instead == french)
    #expect(hints.first?.update == costs.largestUpdate?.wholeUpdate)
    let report = Report(comparison.new, comparison: comparison)
    let message = "moves in a separate pack would reduce this update to \(Quantity.bytes(french))"
    let page = String(decoding: try ReportPage(of: report, madeBy: "t").html(), as: UTF8.self)
    #expect(page.contains("Hint: \(message)."))
    #expect(
      ReportMarkdown(of: report).text.contains(
        "Hint: \(message.replacing("moves", with: "`moves`"))."))
  }

  @Test func `a hint names up to three files, and counts the others`() throws {
    func release(_ seed: UInt64, _ count: Int) -> [String: PackModel] {
      var files = ["still": Self.bytes(3_000_000, 9)]
      for file in 0..<count { files["f\(file)"] = Self.bytes(2000 - file, seed + UInt64(file)) }
      return ["p": PackModel(files: files)]
    }
    let names = [
      2: "f0 and f1", 3: "f0, f1 and f2", 4: "f0, f1, f2 and 1 other changed file",
      6: "f0, f1, f2 and 3 other changed files",
    ]
    for (count, phrase) in names {
      let comparison = try Releases().comparison(release(10, count), release(20, count))
      let hint = try #require(Verdict(comparison, breaks: []).hints.first)
      #expect(hint.files.count == count)
      #expect(hint.phrase { $0 }.hasPrefix(phrase + " in a separate pack would reduce"))
    }
  }

  @Test func `a device that gets a pack for the first time saves nothing by a hint`() throws {
    func pack(
      _ id: String, _ language: String?, _ size: UInt64, _ version: UInt8
    ) -> InventoryPack {
      var pack = InventoryPack(
        PackID(id), policy: .prefetch([.firstInstallation, .subsequentUpdate]), place: id)
      pack.language = language.flatMap { LanguageTag($0) }
      pack.downloadSize = size
      var contents = PackContents()
      contents.append(
        AssetPath(unchecked: "\(id)/moves".utf8), size: 1000,
        share: .init(stored: 1000, uncompressed: 0), digest: [UInt8](repeating: version, count: 32))
      contents.append(
        AssetPath(unchecked: "\(id)/still".utf8), size: size - 1000,
        share: .init(stored: size - 1000, uncompressed: 0),
        digest: [UInt8](repeating: 9, count: 32))
      pack.contents = contents
      pack.sha256 = [UInt8](repeating: version, count: 32)
      return pack
    }
    // Devices in French get the English pack for the first time, as a whole.
    let old = Inventory("old", [pack("en", "en", 5_000_000, 1), pack("fr", "fr", 4_000_000, 1)])
    let new = Inventory("new", [pack("en", "en", 5_000_000, 2)])
    let comparison = try Comparison(from: old, to: new, threads: 1, .unstoppable)
    #expect(comparison.costs.largestUpdate?.wholeUpdate == 5_000_000)
    #expect(Verdict(comparison, breaks: []).hints.isEmpty)
  }
}

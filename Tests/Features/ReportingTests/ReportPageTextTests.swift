import BAPackKit
import Foundation
import Reporting
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// Texts from outside on the page of a report.
@Suite struct ReportPageTextTests {
  /// Returns a report in which every section contains texts with the given one.
  private func report(_ text: String) throws -> Report {
    func side(_ name: String, isNew: Bool) throws -> Inventory {
      var packs: [InventoryPack] = []
      for (number, language) in ["de", "fr", nil].enumerated() {
        var pack = MadePack(id: "\(text)-\(language ?? "all")", archive: 90_000)
        pack.language = language
        pack.policy = isNew ? .onDemand : .prefetch([.firstInstallation])
        let names = ["kept", "same", isNew ? "new" : "old", isNew ? "renamed" : "name"]
        for (place, name) in names.enumerated() where number != 1 || place != 0 {
          pack.files.append(
            .init(
              path: Array("\(text)/\(name)\(text).png".utf8), size: 50_000, stored: 49_900,
              contents: name == "renamed" || name == "name" ? 9 : UInt8(place)))
        }
        var made = pack.inventoryPack
        made.sha256 = [UInt8(number), isNew ? 1 : 0]
        packs.append(made)
      }
      return Inventory("\(text) \(name)", packs)
    }
    let (old, new) = (try side("before", isNew: false), try side("now", isNew: true))
    var findings = Ledger(about: SourceText(Array("text".utf8), named: text))
    findings.add(
      Finding("test.example", .warning, "found '\(text)'", notes: ["because of '\(text)'"]))
    return Report(
      new, findings: findings, comparison: try Comparison(from: old, to: new, .unstoppable),
      history: [HistoryPoint(old), HistoryPoint(new)])
  }

  @Test func `no text of a report becomes a tag or an attribute of its page`() throws {
    func page(_ text: String) throws -> [UInt8] {
      try ReportPage(of: try report(text), madeBy: text).html()
    }
    let (plain, hostile) = (try page("plain"), try page(hostileText))
    #expect(tags(of: plain).count > 300)
    #expect(tags(of: hostile) == tags(of: plain))
    let text = String(decoding: hostile, as: UTF8.self)
    for section in [
      "changes", "costs", "packs", "languages", "duplicates", "largest", "uncompressed", "findings",
      "history",
    ] {
      #expect(text.contains("<section id=\"\(section)\""), "\(section)")
    }
    #expect(!text.unicodeScalars.contains("\u{200F}"))
    #expect(text.components(separatedBy: "&lt;b&gt;&amp;&quot;&#39;").count > 40)
  }
}

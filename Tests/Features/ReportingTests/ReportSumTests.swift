import BAPackKit
import Foundation
import Reporting
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@Suite("Sums of a report")
struct ReportSumTests {
  @Test(arguments: UInt64(1)...60)
  func `sums match a model that counts one file after the other`(seed: UInt64) {
    let packs = MadePack.seeded(seed)
    let report = Report(packs.inventory)
    let files = packs.flatMap(\.files)
    #expect(report.totals.packs == packs.count)
    #expect(report.totals.files == files.count)
    #expect(report.totals.unpacked == files.reduce(0) { $0 + $1.size })
    #expect(report.totals.hosted == packs.reduce(0) { $0 + ($1.archive ?? 0) })
    #expect(report.kinds.reduce(0) { $0 + $1.files } == files.count)
    #expect(
      report.kinds.reduce(0) { $0 + ($1.stored ?? 0) } == files.reduce(0) { $0 + ($1.stored ?? 0) })
    let largest = files.map { $0.stored ?? 0 }.sorted(by: >).prefix(Report.mostLargest)
    #expect(report.largest.map { report.stored(of: $0) ?? 0 } == Array(largest))
  }

  @Test(arguments: UInt64(1)...60)
  func `each copy of a file except the largest costs its size`(seed: UInt64) {
    let packs = MadePack.seeded(seed)
    let report = Report(packs.inventory)
    let groups = Dictionary(grouping: packs.flatMap(\.files).filter { $0.size > 0 }, by: \.contents)
      .filter { $0.value.count > 1 }
    #expect(report.duplicates.count == groups.count)
    for duplicate in report.duplicates {
      let copies = groups[duplicate.digest[0]] ?? []
      #expect(duplicate.copies.count == copies.count)
      let stored = copies.map { $0.stored ?? 0 }.sorted()
      #expect(duplicate.cost == stored.dropLast().reduce(0, +))
      #expect(duplicate.size == copies.first?.size)
    }
    #expect(report.duplicates.map(\.cost) == report.duplicates.map(\.cost).sorted(by: >))
    #expect(report.totals.duplicates == report.duplicates.reduce(0) { $0 + $1.cost })
  }

  @Test(arguments: UInt64(1)...40)
  func `every device has one row with its downloads`(seed: UInt64) throws {
    let packs = MadePack.seeded(seed)
    let report = Report(packs.inventory)
    let languages = [nil] + Set(packs.compactMap(\.language)).sorted().map(Optional.some)
    let platforms = Platform.allCases.filter { platform in
      packs.contains { $0.platforms.isEmpty || $0.platforms.contains(platform) }
    }
    #expect(Set(report.costs.flatMap(\.platforms)) == Set(platforms), "others have no packs")
    for platform in platforms {
      for language in languages {
        let rows = report.costs.filter {
          $0.platforms.contains(platform) && $0.language?.description == language
        }
        let row = try #require(rows.count == 1 ? rows[0] : nil)
        let offered = packs.filter {
          ($0.platforms.isEmpty || $0.platforms.contains(platform))
            && ($0.language == nil || $0.language == language)
        }
        func sum(_ isCounted: (MadePack) -> Bool) -> UInt64 {
          offered.filter(isCounted).reduce(0) { $0 + ($1.archive ?? 0) }
        }
        func time(_ pack: MadePack) -> DownloadTime {
          switch pack.policy {
          case .essential(let events) where events.contains(.firstInstallation): .beforeLaunch
          case .prefetch(let events) where events.contains(.firstInstallation): .inBackground
          default: .onRequest
          }
        }
        #expect(row.beforeLaunch.download == sum { time($0) == .beforeLaunch })
        #expect(row.inBackground.download == sum { time($0) == .inBackground })
        #expect(row.onRequest.download == sum { time($0) == .onRequest })
      }
    }
  }

  @Test func `copies of different sizes cost the smaller ones, and empty files have no cost`() {
    var pack = MadePack(id: "a", archive: 400)
    pack.files = [
      .init(path: Array("x.png".utf8), size: 100, stored: 90, contents: 1),
      .init(path: Array("y.png".utf8), size: 100, stored: 40, contents: 1),
      .init(path: Array("empty".utf8), size: 0, stored: 0, contents: 2),
      .init(path: Array("void".utf8), size: 0, stored: 0, contents: 2),
    ]
    var other = MadePack(id: "b", archive: 100)
    other.files = [.init(path: Array("z.png".utf8), size: 100, stored: 60, contents: 1)]
    let report = Report([pack, other].inventory)
    #expect(report.duplicates.count == 1)
    #expect(report.duplicates.first?.cost == 100)
    #expect(report.duplicates.first?.copies.map(\.pack) == [0, 0, 1])
  }

  @Test func `uncompressed files are grouped by suffix, with the known reason`() {
    var pack = MadePack(id: "a", archive: 4000)
    pack.files = [
      .init(path: Array("a.PNG".utf8), size: 1000, stored: 990, contents: 1),
      .init(path: Array("b.json".utf8), size: 1000, stored: 100, contents: 2),
      .init(path: Array("noise".utf8), size: 1000, stored: 1000, contents: 3),
    ]
    let found = Report([pack].inventory).uncompressed
    #expect(found.map(\.suffix) == ["", "png"])
    #expect(found.last?.reason == "PNG contains compressed pixels")
    // The compression of a shared block is unknown for each of its files.
    for index in pack.files.indices { pack.files[index].shared = 600 }
    #expect(Report([pack].inventory).uncompressed.isEmpty)
  }

  @Test
  func `a language family shows missing files, with the language anywhere in the path`() {
    func pack(_ id: String, _ language: String, _ paths: [String]) -> MadePack {
      MadePack(
        id: id, language: language, archive: 10,
        files: paths.map { .init(path: Array($0.utf8), size: 1, stored: 1, contents: 1) })
    }
    let report = Report(
      [
        pack("voices-en", "en", ["Voices/en/door.wav", "Voices/en/lamp.wav", "open.en.txt"]),
        pack("voices-fr", "fr", ["Voices/fr/door.wav", "open.fr.txt"]),
        pack("voices-zh-hant", "zh-Hant", ["Voices/zh_Hant/door.wav", "Voices/zh_Hant/lamp.wav"]),
        pack("other-fr", "fr", ["x"]),
      ].inventory)
    #expect(report.families.map(\.name) == ["voices-*"])
    let family = report.families.first
    #expect(family?.languages.map(\.description) == ["en", "fr", "zh-Hant"])
    #expect(family?.counts == [3, 2, 2])
    #expect(family?.gaps.map(\.path.shown) == ["Voices/*/lamp.wav", "open.*.txt"])
    #expect(family?.gaps.map(\.lacking) == [[1], [2]])
  }

  @Test func `systems without support for localized packs have a row if packs are localized`() {
    func pack(_ id: String, _ language: String?, _ size: UInt64) -> MadePack {
      MadePack(
        id: id, language: language, archive: size,
        files: [.init(path: Array(id.utf8), size: 1, stored: 1, contents: 1)])
    }
    let report = Report([pack("base", nil, 10), pack("voices", "es-ES", 500)].inventory)
    #expect(report.olderSystemCosts.map(\.offered.download) == [10])
    #expect(report.olderSystemCosts.map(\.platformText) == ["All platforms"])
    #expect(ReportMarkdown(of: report).text.contains("(iOS 26): no localized packs"))
    #expect(Report([pack("base", nil, 10)].inventory).olderSystemCosts.isEmpty)
  }

  @Test func `languages with the same values are one row`() throws {
    let tags = ["de", "es", "fr", "it", "ja"]
    func pack(_ id: String, _ language: String?, _ platforms: [Platform], _ size: UInt64)
      -> MadePack
    {
      MadePack(
        id: id, platforms: platforms, language: language, archive: size,
        files: [.init(path: Array(id.utf8), size: 1, stored: 1, contents: 1)])
    }
    let packs =
      [pack("base", nil, [.iOS, .macOS], 1000)]
      + tags.map { pack("voices-\($0)", $0, [.iOS], $0 == "ja" ? 900 : 500) }
    let report = Report(packs.inventory)
    let rows = ReportMarkdown(of: report).text.split(separator: "\n").map(String.init)
    let mac = rows.filter { $0.hasPrefix("| macOS |") }
    #expect(mac.count == 1, "\(mac)")
    #expect(mac.first?.hasPrefix("| macOS | all | ") == true, "\(mac)")
    let phone = rows.filter { $0.hasPrefix("| iOS |") }
    #expect(
      phone.map { $0.components(separatedBy: " | ")[1] } == [
        "de, es, fr, it", "ja", "others", DeviceCost.olderSystems,
      ])
    let page = String(decoding: try ReportPage(of: report, madeBy: "t").html(), as: UTF8.self)
    #expect(page.components(separatedBy: ">all languages</th>").count == 2)
    #expect(page.contains(#"<span lang="en">es</span>, <span lang="en">fr</span>, "#))
    // Programs read one row for each device.
    #expect(report.costs.count == 12)
  }

  @Test func `packs with few known values can be reported`() {
    var packs = [InventoryPack(PackID("listed"), policy: .onDemand, place: "m.json")]
    packs[0].downloadSize = 500
    packs.append(InventoryPack(PackID("nobody knows"), place: "list"))
    let report = Report(Inventory("odd", packs))
    #expect(report.totals.hosted == nil)
    #expect(report.totals.unpacked == nil)
    #expect(report.totals.files == 0)
    #expect(!ReportMarkdown(of: report).text.isEmpty)
  }
}

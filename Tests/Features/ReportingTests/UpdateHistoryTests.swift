import AssetHistory
import BAPackKit
import Foundation
import Reporting
import SourceDiagnostics
import SystemIO
import TerminalText
import TestSupport
import Testing

/// Compares the updates of a history with `diff`, with simulated devices and with a simple count.
@Suite struct UpdateHistoryTests {
  /// A pack of a release.
  struct Model: Equatable {
    var policy: DownloadPolicy
    var language: String?
    var platforms: [Platform] = []
    /// The content of each path; a path belongs to one pack.
    var files: [String: UInt8] = [:]

    var tag: LanguageTag? { language.flatMap { LanguageTag($0) } }

    static func size(_ content: UInt8) -> UInt64 { 100 + UInt64(content) }

    func pack(_ id: String) -> InventoryPack {
      var pack = InventoryPack(PackID(id), policy: policy, place: id)
      pack.language = tag
      pack.platforms = platforms
      var contents = PackContents()
      for (path, content) in files {
        contents.append(
          AssetPath(unchecked: path.utf8), size: Self.size(content),
          digest: [UInt8](repeating: content, count: 32))
      }
      contents.sort()
      pack.contents = contents
      pack.downloadSize = 50 + files.values.reduce(0) { $0 + Self.size($1) }
      pack.sha256 = Array(
        "\(files.sorted { $0.key < $1.key }) \(policy) \(language ?? "") \(platforms)".utf8)
      return pack
    }
  }

  typealias Packs = [String: Model]

  // MARK: Seeded histories

  private static func first(_ random: inout Seeded) -> Packs {
    let policies: [DownloadPolicy] = [
      .essential(UpdateCostTests.always), .prefetch(UpdateCostTests.always), .onDemand,
      .prefetch([.subsequentUpdate]),
    ]
    var packs: Packs = [:]
    for number in 0..<1 + random.next(below: 5) {
      var model = Model(policy: policies[random.next(below: policies.count)])
      model.language = [nil, nil, "de", "en", "fr"][random.next(below: 5)]
      model.platforms = [[], [], [.iOS], [.macOS]][random.next(below: 4)]
      for file in 0..<1 + random.next(below: 4) {
        model.files["\(number)/\(file)"] = UInt8(random.next(below: 5))
      }
      packs["pack-\(number)"] = model
    }
    return packs
  }

  private static func next(_ packs: Packs, _ release: Int, _ random: inout Seeded) -> Packs {
    var packs = packs
    for _ in 0...random.next(below: 3) {
      let id = packs.keys.sorted()[random.next(below: packs.count)]
      let path = packs[id]?.files.keys.sorted().first ?? ""
      switch random.next(below: 6) {
      case 0: packs[id]?.files["\(id)-\(release)"] = UInt8(random.next(below: 200))
      case 1 where packs[id]?.files.count ?? 0 > 1: packs[id]?.files[path] = nil
      case 2 where packs.count > 1 && packs[id]?.files.count ?? 0 > 1:
        let other = packs.keys.sorted().first { $0 != id } ?? id
        let moved = packs[id]?.files.removeValue(forKey: path)
        packs[other]?.files[path] = moved
      case 3 where packs.count > 1: packs[id] = nil
      case 4:
        packs["new-\(release)"] = Model(
          policy: .prefetch(UpdateCostTests.always), files: ["new/\(release)": 9])
      default: packs[id]?.files[path] = UInt8(random.next(below: 200))
      }
    }
    return packs
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `updates equal those of diff and of simulated devices`(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    var releases = [Self.first(&random)]
    for number in 1...1 + random.next(below: 3) {
      releases.append(Self.next(releases[number - 1], number, &random))
    }
    let inventories = releases.enumerated().map { number, packs in
      Inventory("\(number)", packs.map { $1.pack($0) })
    }
    var history = UpdateHistory()
    for (old, new) in zip(inventories, inventories.dropFirst()) {
      history.append(try Comparison(from: old, to: new, threads: 1, .unstoppable))
    }
    #expect(history.updates.count == releases.count - 1)
    for (number, update) in history.updates.enumerated() {
      let (old, new) = (inventories[number], inventories[number + 1])
      let rows = try Comparison(from: old, to: new, threads: 1, .unstoppable).costs.rows
      let source = UpdateCostTests.source(old.packs, new.packs)
      let before = releases[number].values.reduce(into: [String: UInt8]()) {
        $0.merge($1.files) { first, _ in first }
      }
      for row in rows {
        let bytes = update.bytes(on: row.platform, row.language)
        #expect(bytes.downloaded == row.wholeUpdate)
        let device = UpdateCostTests.profile(row.platform, row.language, row.fallback)
        #expect(bytes.downloaded == UpdateCostTests.update(device, source))
      }
      for pack in update.packs {
        let model = try #require(releases[number + 1][pack.id.text])
        #expect(pack.bytes.downloaded == model.pack("").downloadSize)
        if model == releases[number][pack.id.text] { continue }
        let changed = model.files.reduce(UInt64(0)) { sum, file in
          before[file.key] == file.value ? sum : sum + Model.size(file.value)
        }
        #expect(pack.bytes.changed == changed, "\(pack) \(releases)")
      }
    }
    for device in history.devices {
      for platform in device.platforms {
        let bytes = history.updates.reduce(into: UInt64(0)) { sum, update in
          let rows = update.costs.rows.filter { $0.platform == platform }
          let row = rows.first { $0.language == device.language }
          sum += (row ?? rows.first { $0.language == nil })?.wholeUpdate ?? 0
        }
        #expect(device.bytes.downloaded == bytes)
      }
    }
    let sum = history.updates.reduce(UInt64(0)) { $0 + $1.sum.downloaded }
    #expect(history.packs.reduce(0) { $0 + $1.bytes.downloaded } == sum)
  }

  // MARK: Replays

  private static func manifest(_ id: String, _ selector: String) throws -> Manifest {
    let document = ManifestDocument(
      parsing: Array(
        #"""
        {"assetPackID": "\#(id)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
         "fileSelectors": [\#(selector)]}
        """#.utf8), named: id)
    return try #require(document.manifest)
  }

  private static func replay(_ today: Inventory) throws -> UpdateHistory {
    func content(_ size: UInt64, _ byte: UInt8) -> AssetHistory.Content {
      .init(size: size, digest: [UInt8](repeating: byte, count: 32))
    }
    let history = AssetHistory(
      ["text/de.txt", "music/a.ogg", "music/b.ogg"].map { Array($0.utf8) },
      [content(1000, 1), content(2000, 2), content(40_000, 3), content(3000, 4)],
      [
        .init(name: "v1", files: [.init(path: 0, content: 0), .init(path: 1, content: 2)]),
        .init(name: "v<2>", files: [.init(path: 0, content: 1), .init(path: 1, content: 2)]),
        .init(
          name: "v3",
          files: [
            .init(path: 2, content: 3), .init(path: 0, content: 1), .init(path: 1, content: 2),
          ]),
      ], notes: ["left out: 1 link"])
    let packs = [
      ("all", #"{"directory": "."}"#),
      ("music", #"{"directorySource": "music", "directoryDestination": "sound"}"#),
    ]
    let manifests: [(manifest: Manifest, place: String)] = try packs.map {
      (try manifest($0.0, $0.1), $0.0)
    }
    return try UpdateHistory(
      replaying: [PackReplay(history, manifests, measuredBy: today, .unstoppable)], threads: 1,
      .unstoppable)
  }

  @Test func `packs of today are replayed in former releases`() throws {
    let updates = try Self.replay(Inventory("now", []))
    #expect(updates.sizes == .kinds)
    #expect(updates.updates.map(\.new) == ["v<2>", "v3"])
    // Text takes half of its size in an archive, and music its size; a pack has 500 bytes more.
    let all = try #require(updates.packs.first)
    #expect(all.id == "all")
    #expect(all.changes == 2)
    #expect(all.bytes == .init(downloaded: 41_500 + 44_500, changed: 1000 + 3000))
    let music = updates.packs[1]
    #expect(music.changes == 1)
    #expect(music.bytes == .init(downloaded: 43_500, changed: 3000))
    #expect(updates.devices.count == 1)
    #expect(
      updates.summary
        == "A device with all packs downloaded 130 KB in 2 updates; 7.00 KB of that had changed "
        + "(18.5 x). Sizes are estimated from the kinds of files, because no archives exist.")
  }

  @Test func `the sizes of files in today's archives are used`() throws {
    var contents = PackContents()
    contents.append(
      AssetPath(unchecked: "text/de.txt".utf8), size: 2000,
      share: .init(stored: 700, uncompressed: 0))
    var pack = InventoryPack("all", policy: .onDemand, place: "all.aar")
    pack.contents = contents
    pack.downloadSize = 1000
    let updates = try Self.replay(Inventory("now", [pack]))
    #expect(updates.sizes == .estimated)
    // The archive takes 300 bytes more than its files.
    #expect(updates.updates[0].packs.first?.bytes == .init(downloaded: 41_000, changed: 700))
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `a replay equals comparisons of all files`(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    let paths = ["a/x", "a/y", "b/x", "b/y", "c"]
    let contents = (0..<8).map { number in
      AssetHistory.Content(
        size: UInt64(number / 2 * 100), digest: [UInt8](repeating: UInt8(number), count: 32))
    }
    let releases = (0..<4).map { number in
      AssetHistory.Release(
        name: "v\(number)",
        files: paths.indices.compactMap { path in
          random.next(below: 4) == 0
            ? nil : .init(path: Int32(path), content: Int32(random.next(below: 8)))
        })
    }
    let manifests: [(manifest: Manifest, place: String)] = try [
      #"{"directory": "a"}"#, #"{"filePattern": "**/x"}"#,
      #"{"directorySource": "b", "directoryDestination": "a"}, {"file": "c"}"#,
    ].enumerated().map { (try Self.manifest("pack-\($0)", $1), "") }
    let replay = try PackReplay(
      AssetHistory(paths.map { Array($0.utf8) }, contents, releases), manifests,
      measuredBy: Inventory("", []), .unstoppable)
    let updates = try UpdateHistory(replaying: [replay], threads: 1, .unstoppable)
    var inventories = releases.indices.map { Inventory("v\($0)", replay.packs(in: $0)) }[...]
    inventories = inventories.drop { $0.packs.isEmpty }
    var all = UpdateHistory(sizes: .kinds)
    for (old, new) in zip(inventories, inventories.dropFirst()) {
      all.append(try Comparison(from: old, to: new, threads: 1, .unstoppable))
    }
    #expect(updates.updates.map(\.packs) == all.updates.map(\.packs))
    #expect(updates.updates.map(\.costs.rows) == all.updates.map(\.costs.rows))
    #expect(updates.packs == all.packs)
  }

  @Test func `all formats contain the updates`() throws {
    let updates = try Self.replay(Inventory("now", []))
    let report = Report(Inventory("now", []), updates: updates)
    let page = String(decoding: try ReportPage(of: report, madeBy: "t").html(), as: UTF8.self)
    #expect(page.contains(##"<a href="#updates">Updates</a>"##))
    #expect(page.contains("A device with all packs downloaded 130 KB"))
    #expect(page.contains(#"<rect class="u0""#))
    #expect(page.contains("left out: 1 link."))
    #expect(page.contains("v&lt;2&gt;"))
    #expect(!page.contains("v<2>"))
    let markdown = ReportMarkdown(of: report).text
    #expect(markdown.contains("| `all` | 2 of 2 | 44.5 KB | 86.0 KB | 4.00 KB | 21.5 x |"))
    #expect(markdown.contains("| `v3` | 88.0 KB | 6.00 KB | 14.7 x |"))
    let json = try JSONSerialization.jsonObject(with: Data(ReportJSON(of: report).bytes))
    let members = try #require((json as? [String: Any])?["updates"] as? [String: Any])
    #expect(members["sizes"] as? String == "kinds")
    let releases = try #require(members["releases"] as? [[String: Any]])
    #expect(releases.map { $0["new"] as? String } == ["v<2>", "v3"])
    let packs = try #require(members["packs"] as? [[String: Any]])
    #expect(packs.map { $0["downloaded"] as? Int } == [86_000, 43_500])
    #expect(packs.map { $0["changed"] as? Int } == [4000, 3000])
  }
}

import BAPackKit
import DeviceSimulator
import Foundation
import Reporting
import SourceDiagnostics
import SystemIO
import TerminalText
import TestSupport
import Testing

/// The changes between releases, with their breaks and costs.
@Suite final class ComparisonTests {
  private let releases: Releases
  private static let onDemand = #"{"onDemand": {}}"#
  private static let prefetch =
    #"{"prefetch": {"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}}"#

  init() throws { releases = try Releases() }

  private static func bytes(_ count: Int, _ seed: UInt64) -> [UInt8] {
    var random = Seeded(seed: seed)
    return random.noise(count)
  }

  @Test func `the same packs have no differences`() throws {
    let packs = ["a": PackModel(files: ["x": Self.bytes(50_000, 1)]), "b": PackModel()]
    let comparison = try releases.comparison(packs, packs)
    #expect(comparison.isEmpty)
    #expect(comparison.unchanged.map(\.text) == ["a", "b"])
    #expect(comparison.costs.rows.allSatisfy { $0.wholeUpdate == 0 })
    #expect(comparison.costs.hosted == comparison.costs.oldHosted)
  }

  @Test(arguments: [1, 2, 3, 8])
  func `files are distinguished by their contents`(threads: Int) throws {
    var old = PackModel()
    old.files = [
      "same.bin": Self.bytes(40_000, 1), "other.bin": Self.bytes(40_000, 2),
      "larger.bin": Self.bytes(10, 3), "gone.bin": Self.bytes(100, 4),
      "was/here.bin": Self.bytes(30_000, 5), "Case.bin": Self.bytes(200, 6), "empty": [],
    ]
    var new = old
    new.files["other.bin"] = Self.bytes(40_000, 12)
    new.files["larger.bin"] = Self.bytes(20_000, 3)
    new.files["gone.bin"] = nil
    new.files["was/here.bin"] = nil
    new.files["is/there.bin"] = Self.bytes(30_000, 5)
    new.files["Case.bin"] = nil
    new.files["case.bin"] = Self.bytes(200, 6)
    new.files["new.bin"] = Self.bytes(50, 7)
    let comparison = try releases.comparison(["p": old], ["p": new], threads: threads)
    #expect(
      comparison.lines == [
        "p: changed other.bin", "p: renamed was/here.bin -> is/there.bin BREAKS path-removed",
        "p: changed larger.bin", "p: renamed Case.bin -> case.bin BREAKS path-case",
        "p: removed gone.bin BREAKS path-removed", "p: added new.bin",
      ])
    #expect(
      comparison.breaks.map {
        "\($0.breakage.rawValue) \($0.path?.text ?? "")"
      }
        == ["path-removed was/here.bin", "path-case Case.bin", "path-removed gone.bin"])
  }

  @Test func `a file that moves to another pack is not a break if all devices have that pack`()
    throws
  {
    let old = [
      "level": PackModel(files: [
        "map": Self.bytes(3000, 1), "late": Self.bytes(2000, 2), "mac": Self.bytes(1000, 3),
        "new": Self.bytes(4000, 4),
      ]), "more": PackModel(),
    ]
    let new = [
      "level": PackModel(), "more": PackModel(files: ["map": Self.bytes(3000, 1)]),
      // It is downloaded when the app is updated.
      "fresh": PackModel(files: ["new": Self.bytes(4000, 4)]),
      "demand": PackModel(policy: Self.onDemand, files: ["late": Self.bytes(2000, 2)]),
      "macs": PackModel(platforms: ["macOS"], files: ["mac": Self.bytes(1000, 3)]),
    ]
    let comparison = try releases.comparison(old, new)
    #expect(
      Set(comparison.lines.filter { !$0.contains("Keep") }) == [
        "more: moved from level map", "fresh: moved from level new BREAKS policy-weakened",
        "demand: moved from level late BREAKS policy-weakened",
        "macs: moved from level mac BREAKS path-removed",
      ])
  }

  /// Returns the number of breaks in the text of a comparison, and the number of counted breaks.
  private func shownBreaks(
    _ old: [String: PackModel], _ new: [String: PackModel]
  ) throws -> (lines: [String], count: Int) {
    let comparison = try Releases().comparison(old, new)
    let lines = ComparisonText(Verdict(comparison, breaks: comparison.breaks)).lines
    return (lines.filter { $0.contains("BREAKS: ") }, comparison.breaks.count)
  }

  @Test func `the text shows each break that is counted, also in new packs`() throws {
    let map = Self.bytes(3000, 1)
    let moved = try shownBreaks(
      ["tutorial": PackModel(files: ["map": map])],
      ["tutorial": PackModel(), "extra": PackModel(policy: Self.onDemand, files: ["map": map])])
    #expect(moved.count == 1)
    #expect(moved.lines.count == 1)
    #expect(
      moved.lines.first?.hasPrefix("    moved     map from tutorial   ") == true, "\(moved.lines)")
    let ambiguous = try shownBreaks(
      ["a": PackModel(files: ["x": Self.bytes(100, 1)])],
      [
        "a": PackModel(files: ["x": Self.bytes(100, 1)]),
        "b": PackModel(files: ["x": Self.bytes(100, 2)]),
      ])
    #expect(ambiguous.count == 1)
    #expect(ambiguous.lines.count == 1, "\(ambiguous.lines)")
    #expect(ambiguous.lines.first?.hasPrefix("    added     x   ") == true, "\(ambiguous.lines)")
    let mixed = try shownBreaks(
      ["tutorial": PackModel(files: ["map": map, "gone": Self.bytes(50, 2)])],
      ["tutorial": PackModel(), "extra": PackModel(policy: Self.onDemand, files: ["map": map])])
    #expect(mixed.count == 2)
    #expect(mixed.lines.count == 2, "\(mixed.lines)")
    // Each platform that loses the pack counts.
    let narrowed = try shownBreaks(["a": PackModel()], ["a": PackModel(platforms: ["iOS"])])
    #expect(narrowed.count > 1)
    #expect(narrowed.lines.count == narrowed.count, "\(narrowed.lines)")
  }

  @Test func `a manifest that offers a pack to fewer devices breaks apps`() throws {
    let old = [
      "a": PackModel(userInfo: #"{"v": 1}"#), "b": PackModel(platforms: ["iOS", "macOS"]),
      "c": PackModel(), "d": PackModel(policy: Self.prefetch),
    ]
    let new = [
      "a": PackModel(userInfo: #"{"v": 2}"#), "b": PackModel(platforms: ["iOS", "tvOS"]),
      "c": PackModel(language: "fr"), "e": PackModel(),
    ]
    let comparison = try releases.comparison(old, new)
    #expect(
      comparison.breaks.map { "\($0.pack) \($0.breakage.rawValue) \($0.what ?? "")" }.sorted() == [
        "b platform-dropped macOS", "c language-dropped all but fr", "d pack-removed ",
      ])
    let a = try #require(comparison.changes.first { $0.id.text == "a" })
    #expect(a.attributes.map(\.key) == ["userInfo"])
    #expect(a.files.isEmpty && a.isDownloadedAgain)
    let weaker = try Releases().comparison(
      ["d": PackModel(policy: Self.prefetch)], ["d": PackModel(policy: Self.onDemand)])
    #expect(weaker.breaks.map(\.what) == ["prefetch -> onDemand"])
  }

  @Test func `the same files with other settings are reported as rewritten`() throws {
    let files = ["x": [UInt8](repeating: 7, count: 100_000)]
    let comparison = try releases.comparison(
      ["p": PackModel(files: files)],
      ["p": PackModel(files: files, settings: PackSettings(compression: .zlib, blockSize: 32_768))])
    let change = try #require(comparison.changes.first)
    #expect(change.kind == .rewritten)
    #expect(change.settings == ["compression lzfse -> zlib", "block size 16384 -> 32768"])
    #expect(change.downloadAgain == change.new?.downloadSize)
    #expect(comparison.breaks.isEmpty)
  }

  @Test func `a path is ambiguous if two packs on a device have it with different bytes`() throws {
    let old = [
      "a": PackModel(files: ["x": Self.bytes(100, 1), "y": Self.bytes(100, 1), "z": [1]]),
      "b": PackModel(files: ["y": Self.bytes(100, 1), "z": [2]]),
      "fr": PackModel(language: "fr", files: ["v": [1]]),
    ]
    var new = old
    new["b"]?.files["x"] = Self.bytes(100, 2)
    new["b"]?.files["z"] = [3]
    new["de"] = PackModel(language: "de", files: ["v": [2]])
    let comparison = try releases.comparison(old, new)
    #expect(
      comparison.lines.filter { !$0.contains("Keep") } == [
        "b: added x BREAKS path-ambiguous", "b: changed z",
        // An app in German could request the French pack before the release.
        "de: added v BREAKS path-ambiguous",
      ])
    new["b"]?.files["y"] = Self.bytes(100, 2)
    let other = try Releases().comparison(old, new)
    #expect(other.lines.contains("b: changed y BREAKS path-ambiguous"))
  }

  // MARK: Against a model

  private static func model(_ random: inout Seeded) -> [String: PackModel] {
    var packs: [String: PackModel] = [:]
    let policies = [
      PackModel().policy, prefetch, onDemand,
      #"{"essential": {"installationEventTypes": ["firstInstallation"]}}"#,
      #"{"prefetch": {"installationEventTypes": ["subsequentUpdate"]}}"#,
    ]
    for id in ["a", "b", "c", "d", "e"] where random.next(below: 4) > 0 {
      var pack = PackModel(policy: policies[random.next(below: policies.count)])
      pack.language = [nil, nil, "fr", "de"][random.next(below: 4)]
      pack.platforms = [[], [], ["iOS"], ["macOS", "iOS"]][random.next(below: 4)]
      for name in ["x", "y", "z", "d/x", "d/y"] where random.next(below: 2) == 0 {
        pack.files[name] = bytes([10, 10, 3000][random.next(below: 3)], random.next() % 3)
      }
      packs[id] = pack
    }
    return packs
  }

  private static func changed(
    _ packs: [String: PackModel], _ random: inout Seeded
  ) -> [String: PackModel] {
    var packs = packs
    let others = model(&random)
    for (id, other) in others where random.next(below: 2) == 0 {
      if random.next(below: 3) == 0 { packs[id] = other } else { packs[id]?.files = other.files }
    }
    if random.next(below: 3) == 0, let id = packs.keys.sorted().first { packs[id] = nil }
    return packs
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `random pairs of releases match a model, and the downloads of a simulated device`(
    seed: UInt64
  ) throws {
    var random = Seeded(seed: seed)
    let old = Self.model(&random)
    let new = Self.changed(old, &random)
    let comparison = try releases.comparison(old, new)

    #expect(
      comparison.unchanged.map(\.text) == old.keys.filter { old[$0] == new[$0] }.sorted())
    for change in comparison.changes {
      let (before, now) = (old[change.id.text]?.files ?? [:], new[change.id.text]?.files ?? [:])
      var touched: Set<String> = []
      for file in change.files where !file.path.shown.hasPrefix("Keep") {
        touched.insert(file.path.shown)
        switch file.kind {
        case .added, .moved: #expect(before[file.path.shown] == nil && now[file.path.shown] != nil)
        case .removed: #expect(before[file.path.shown] != nil && now[file.path.shown] == nil)
        case .changed:
          #expect(before[file.path.shown] != nil && before[file.path.shown] != now[file.path.shown])
        case .renamed(let from):
          let from = from.text
          touched.insert(from)
          #expect(before[from] == now[file.path.shown] && now[from] == nil)
        case .unknown: Issue.record("\(file)")
        }
        if case .moved(let from) = file.kind {
          touched.insert(file.path.shown)
          #expect(old[from.text]?.files[file.path.shown] == now[file.path.shown])
        }
      }
      let expected = Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }
      let elsewhere = comparison.changes.flatMap { other in
        other.files.compactMap { file -> String? in
          if case .moved(let from) = file.kind, from == change.id { file.path.shown } else { nil }
        }
      }
      #expect(touched.union(elsewhere) == expected.union(elsewhere))
    }
    try expectWhatDevicesDownload(comparison)
  }

  /// Compares each row of the costs with a simulated device that had every pack.
  private func expectWhatDevicesDownload(_ comparison: Comparison) throws {
    var reader = ReleaseReader()
    var findings = Ledger()
    let before = try reader.read([releases.folder.path("old")], &findings, .unstoppable)
    let now = try reader.read([releases.folder.path("new")], &findings, .unstoppable)
    let source = ReleaseSource([before, now])
    for row in comparison.costs.rows {
      var state = DeviceState()
      state.profile.platform = row.platform
      state.profile.languages = row.language.map { [$0] } ?? []
      state.profile.primaryLanguage = row.fallback
      state.publish(0)
      state = state.after(.install, in: source).state
      let language = state.language.language
      let had = before.offered(to: state.profile).packs.filter {
        $0.offered.language.serves(language)
      }
      state = state.after(.request(had.map(\.id), latest: false), in: source).state
      state.publish(1)
      var downloaded: UInt64 = 0
      for step in [Step.updateApp, .checkForUpdates] {
        let (next, events) = state.after(step, in: source)
        state = next
        for event in events {
          if case .downloaded(let download) = event.kind { downloaded += download.size }
        }
      }
      #expect(
        row.wholeUpdate == downloaded,
        "\(row.platform) \(row.language.map(\.description) ?? "-")")
    }
  }

  // MARK: The largest update

  private static func shown(_ count: UInt64) -> String { Quantity.bytes(count) }

  @Test func `an empty file that moves is not added and removed`() throws {
    let old = [
      "a": PackModel(files: ["x/marker": [], "a": [1]]), "b": PackModel(files: ["b": [2]]),
    ]
    var new = old
    new["a"]?.files = ["y/marker": [], "a": [1]]
    #expect(
      try releases.comparison(old, new).lines == [
        "a: renamed x/marker -> y/marker BREAKS path-removed"
      ])
    new["a"]?.files = ["a": [1]]
    new["b"]?.files = ["x/marker": [], "b": [2]]
    #expect(try Releases().comparison(old, new).lines == ["b: moved from a x/marker"])
  }

  @Test func `the largest update is first, with its devices, and equal ones are one line`()
    throws
  {
    func release(_ seed: UInt64) -> [String: PackModel] {
      [
        "base": PackModel(platforms: ["iOS", "macOS"], files: ["b": Self.bytes(20_000, seed)]),
        "mac": PackModel(platforms: ["macOS"], files: ["m": Self.bytes(10_000, seed + 10)]),
        "voices-de": PackModel(
          platforms: ["iOS", "macOS"], language: "de", files: ["v": Self.bytes(40_000, seed + 20)]),
        "voices-fr": PackModel(
          platforms: ["iOS", "macOS"], language: "fr", files: ["v": Self.bytes(100, 30)]),
      ]
    }
    let comparison = try releases.comparison(release(1), release(2))
    #expect(Set(comparison.costs.rows.map(\.platform)) == [.iOS, .macOS])
    let lines = ComparisonText(Verdict(comparison, breaks: [])).lines
    let start = try #require(lines.firstIndex { $0.hasPrefix("update: ") })
    let worst = try #require(comparison.costs.rows.map(\.wholeUpdate).max())
    #expect(lines[start] == "update: \(Self.shown(worst)) (macOS in de)")
    #expect(lines[start + 1].hasSuffix("  iOS in de"))
    #expect(lines[start + 2].hasSuffix("  macOS in fr, other languages"))
    #expect(lines[start + 3].hasSuffix("  iOS in fr, other languages"))
    #expect(lines[start + 4].hasPrefix("first launch: "))
    let table = ComparisonMarkdown(Verdict(comparison, breaks: [])).text()
    let rows = table.split(separator: "\n").filter { $0.contains("macOS") || $0.contains("iOS") }
    #expect(rows.count == 6)
    #expect(rows.first?.hasPrefix("| macOS in de | \(Self.shown(worst)) |") == true)
    #expect(!table.contains("tvOS"))
  }

  // MARK: Equal contents

  @Test(.heavy)
  func `many renamed files with equal contents are compared`() throws {
    func side(_ folder: String) -> Inventory {
      var pack = InventoryPack("p", policy: .onDemand, place: "p.aar")
      var contents = PackContents()
      let digest = [UInt8](repeating: 7, count: 32)
      for number in 0..<50_000 {
        contents.append(
          AssetPath(unchecked: "\(folder)/\(100_000 + number)".utf8), size: 4, digest: digest)
      }
      pack.contents = contents
      return Inventory(folder, [pack])
    }
    let (old, new) = (side("a"), side("b"))
    let comparison = try Comparison(from: old, to: new, threads: 1, .unstoppable)
    let change = try #require(comparison.changes.first)
    #expect(change.files.count == 50_000)
    #expect(change.files.first?.kind == .renamed(from: AssetPath(unchecked: "a/100000".utf8)))
    #expect(change.files.last?.kind == .renamed(from: AssetPath(unchecked: "a/149999".utf8)))
    let verdict = Verdict(comparison, breaks: comparison.breaks)
    let lines = ComparisonText(verdict, filesShown: nil).lines
    #expect(lines.count > 50_000)
  }
}

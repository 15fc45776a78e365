import BAPackKit
import DeviceSimulator
import Reporting
import SourceDiagnostics
import TestSupport
import Testing

/// Compares the costs of updates with the downloads of simulated devices.
@Suite struct UpdateCostTests {
  typealias Packs = [String: InventoryPack]

  static let always: Set<InstallationEvent> = [.firstInstallation, .subsequentUpdate]

  private static func pack(
    _ id: String, _ size: UInt64, _ language: String? = nil,
    _ policy: DownloadPolicy = .prefetch(always), platforms: [Platform] = []
  ) -> InventoryPack {
    var pack = InventoryPack(PackID(id), policy: policy, place: id)
    pack.language = language.flatMap { LanguageTag($0) }
    pack.platforms = platforms
    pack.downloadSize = size
    pack.sha256 = Array("\(id) \(size)".utf8)
    pack.contents = PackContents()
    return pack
  }

  private static func comparison(
    _ old: [InventoryPack], _ new: [InventoryPack]
  ) throws -> Comparison {
    try Comparison(
      from: Inventory("old", old), to: Inventory("new", new), threads: 1, .unstoppable)
  }

  // MARK: Simulated devices

  static func source(_ old: [InventoryPack], _ new: [InventoryPack]) -> ReleaseSource {
    func release(_ name: String, _ packs: [InventoryPack], _ former: [InventoryPack]) -> Release {
      Release(
        name,
        packs.sorted { $0.id < $1.id }.compactMap { pack in
          pack.offered.map { offered in
            let isSame = former.contains {
              $0.id == pack.id && $0.sha256 == pack.sha256 && $0.offered == offered
            }
            return ReleasedPack(offered, version: isSame || former.isEmpty ? 1 : 2)
          }
        })
    }
    return ReleaseSource([release("old", old, []), release("new", new, old)])
  }

  /// Returns the bytes that a device with all packs of its language downloads for the update.
  static func update(_ profile: DeviceProfile, _ source: ReleaseSource) -> UInt64 {
    var state = DeviceState()
    state.profile = profile
    state.publish(0)
    state = state.after(.install, in: source).state
    let language = profile.knowsLocalizedPacks ? state.language.language : nil
    let offered = (state.manifest?.offered(to: profile).packs ?? []).filter {
      $0.offered.language.serves(language)
    }
    state = state.after(.request(offered.map(\.id), latest: false), in: source).state
    state.publish(1)
    var size: UInt64 = 0
    for step in [Step.updateApp, .checkForUpdates] {
      let (next, events) = state.after(step, in: source)
      state = next
      for event in events { size += event.kind.download?.size ?? 0 }
    }
    return size
  }

  static func profile(
    _ platform: Platform, _ language: LanguageTag?, _ primary: LanguageTag?
  ) -> DeviceProfile {
    var profile = DeviceProfile()
    profile.platform = platform
    profile.languages = language.map { [$0] } ?? []
    profile.primaryLanguage = primary
    return profile
  }

  // MARK: Seeded releases

  private static func pick<Value>(_ values: [Value], _ random: inout Seeded) -> Value {
    values[random.next(below: values.count)]
  }

  private static let languages = ["de", "en", "en-GB", "es", "es-US", "fr", "pt-BR", "pt-PT"]

  private static func packs(_ random: inout Seeded) -> [InventoryPack] {
    let policies: [DownloadPolicy] = [
      .essential(always), .essential([.firstInstallation]), .prefetch(always),
      .prefetch([.subsequentUpdate]), .onDemand,
    ]
    return (0..<1 + random.next(below: 6)).map { number in
      pack(
        "pack-\(number)", UInt64(1 + random.next(below: 1000)),
        random.next(below: 4) == 0 ? nil : pick(languages, &random), pick(policies, &random),
        platforms: pick([[], [], [], [.iOS], [.macOS]], &random))
    }
  }

  /// Returns a later release that drops, adds and renames languages.
  private static func changed(
    _ packs: [InventoryPack], _ random: inout Seeded
  ) -> [InventoryPack] {
    var packs = packs
    for _ in 0...random.next(below: 3) {
      let place = random.next(below: max(packs.count, 1))
      switch random.next(below: 5) {
      case 0 where packs.count > 1: packs.remove(at: place)
      case 1:
        packs.append(
          pack("new-\(packs.count)-\(random.next(below: 1000))", 500, pick(languages, &random)))
      case 2 where !packs.isEmpty:
        packs[place].language = LanguageTag(pick(languages, &random))
        packs[place].sha256 = [1]
      case 3 where !packs.isEmpty:
        packs[place].language = nil
        packs[place].sha256 = [2]
      default:
        if packs.isEmpty { break }
        packs[place].downloadSize = UInt64(1 + random.next(below: 1000))
        packs[place].sha256 = [3]
      }
    }
    return packs
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `costs equal the downloads of simulated devices if languages change`(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    for _ in 0..<10 {
      let old = Self.packs(&random)
      let new = Self.changed(old, &random)
      let (comparison, source) = (try Self.comparison(old, new), Self.source(old, new))
      let report = Report(comparison.new, comparison: comparison)
      for row in comparison.costs.rows {
        let device = Self.profile(row.platform, row.language, row.fallback)
        #expect(
          row.wholeUpdate == Self.update(device, source), "\(row)\n\(old)\n\(new)")
        let costs = report.costs.filter {
          $0.platforms.contains(row.platform) && $0.language == row.language
        }
        #expect(costs.map(\.wholeUpdate) == [row.wholeUpdate])
      }
      // No other device downloads more, with any primary language and any further preference.
      let tags = (old + new).compactMap(\.language).inOrder
      var largest: UInt64 = 0
      for platform in UpdateCosts.platforms(of: (old + new).compactMap(\.offered)) {
        for language in [nil] + tags.map(Optional.some) {
          for other in [nil] + tags.map(Optional.some) {
            largest = max(largest, Self.update(Self.profile(platform, language, other), source))
            var device = Self.profile(platform, language, nil)
            device.languages += other.map { [$0] } ?? []
            largest = max(largest, Self.update(device, source))
          }
        }
        var older = Self.profile(platform, nil, nil)
        older.system = DeviceSystem(26)
        let update = Self.update(older, source)
        largest = max(largest, update)
        let costs = report.olderSystemCosts.filter { $0.platforms.contains(platform) }
        #expect(costs.allSatisfy { $0.wholeUpdate == update })
      }
      #expect(comparison.costs.largestUpdate?.wholeUpdate == largest, "\(old)\n\(new)")
      let use = BudgetUse(
        of: try Budget(named: "update", limit: "1"),
        by: comparison.new.holdings(update: comparison.update))
      #expect(use.used == largest)
    }
  }

  @Test func `a device whose language is dropped downloads the packs of its next language`() throws
  {
    let old = [Self.pack("voices-de", 80_000, "de"), Self.pack("voices-en", 90_700, "en")]
    let comparison = try Self.comparison(old, [old[1]])
    let row = try #require(comparison.costs.largestUpdate)
    #expect(row.wholeUpdate == 90_700)
    #expect(row.languageText == "de (then en)")
    let use = BudgetUse(
      of: try Budget(named: "update", limit: "50K"),
      by: comparison.new.holdings(update: comparison.update))
    #expect(use.level == .over)
    #expect(use.contributors.map(\.pack.text) == ["voices-en"])
    let lines = ComparisonText(Verdict(comparison, breaks: [])).lines
    #expect(lines.contains("update: 90.7 KB (de (then en))"), "\(lines)")
  }

  @Test func `a device resolves the region of a renamed language`() throws {
    let base = Self.pack("base", 358)
    let comparison = try Self.comparison(
      [base, Self.pack("voices-es", 90_000, "es")],
      [base, Self.pack("voices-es-us", 90_708, "es-US")])
    let report = Report(comparison.new, comparison: comparison)
    let row = try #require(report.costs.first { $0.language == LanguageTag("es") })
    #expect((row.beforeLaunch + row.inBackground).download == 91_066)
    #expect(row.wholeUpdate == 90_708)
  }

  @Test func `each of many accepted breaks is found`() throws {
    let count = 500
    let entries = (0..<count).map { number in
      #"{"breaks": "path-removed", "pack": "p", "path": "f\#(number)", "reason": "r", "#
        + #""until": "2999-01-01"}"#
    }
    let text = #"{"accepted": [\#(entries.joined(separator: ",\n"))]}"#
    var old = Self.pack("p", 1)
    for number in 0..<count {
      old.contents?.append(AssetPath(unchecked: "f\(number)".utf8), size: 5, digest: [1])
    }
    old.contents?.sort()
    let breaks = try Self.comparison([old], [Self.pack("p", 2)]).breaks
    let list = AcceptedBreaks(parsing: Array(text.utf8), named: "accepted.json")
    var findings = Ledger()
    let divided = list.divide(breaks, today: "2026-01-01", &findings)
    #expect(divided.accepted.count == count)
    #expect(divided.open.isEmpty)
    #expect(findings.isEmpty)
  }
}

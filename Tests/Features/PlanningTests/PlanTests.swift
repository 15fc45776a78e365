import AssetHistory
import BAPackKit
@testable import Planning
import Reporting
import SystemIO
import TestSupport
import Testing

/// Plans of histories whose best borders are known, and of random ones.
@Suite struct PlanTests {
  /// A history in which each release lists the contents of paths as numbers.
  static func history(_ releases: [[String: Int]], size: (String) -> UInt64) -> AssetHistory {
    let paths = Set(releases.flatMap(\.keys)).sorted()
    var contents: [AssetHistory.Content] = []
    var places: [String: Int32] = [:]
    func content(_ path: String, _ number: Int) -> Int32 {
      let key = "\(path) \(number)"
      if let place = places[key] { return place }
      let place = Int32(contents.count)
      var digest = [UInt8](repeating: 0, count: 32)
      withUnsafeBytesOf(place) { for (index, byte) in $0.enumerated() { digest[index] = byte } }
      contents.append(.init(size: size(path), digest: digest))
      places[key] = place
      return place
    }
    let files = releases.enumerated().map { index, release in
      AssetHistory.Release(
        name: "v\(index)",
        files: paths.enumerated().compactMap { place, path in
          release[path].map { .init(path: Int32(place), content: content(path, $0)) }
        })
    }
    return AssetHistory(paths.map { Array($0.utf8) }, contents, files)
  }

  private static func withUnsafeBytesOf(_ value: Int32, _ body: ([UInt8]) -> Void) {
    body((0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
  }

  static func manifest(
    _ id: String, _ selectors: [FileSelector], _ policy: DownloadPolicy? = nil
  ) -> Manifest {
    Manifest(
      assetPackID: id,
      downloadPolicy: policy ?? .prefetch(Set(InstallationEvent.allCases)),
      fileSelectors: selectors, platforms: [])
  }

  static func plan(
    _ history: AssetHistory, _ manifests: [Manifest], _ options: Plan.Options = .init()
  ) throws -> Plan {
    try Plan(
      history, manifests, measuredBy: Inventory("", []), options, search: .unstoppable,
      .unstoppable)
  }

  /// A text that changes in each release, beside large pictures that never do.
  private static let textAndArt = (0..<8).map { number in
    ["Art/Text/de.txt": number, "Art/Text/en.txt": number, "Art/Map/a.png": 0, "Art/Map/b.png": 0]
  }

  private static func size(_ path: String) -> UInt64 {
    path.hasSuffix(".txt") ? 10_000 : 1_000_000
  }

  @Test func `what changes is separated from what does not`() throws {
    let plan = try Self.plan(
      Self.history(Self.textAndArt, size: Self.size), [Self.manifest("art", [.directory("Art")])])
    #expect(plan.seenUpdates == 5)
    #expect(plan.unseenUpdates == 2)
    let best = try #require(plan.proposals.last)
    #expect(plan.proposals.count == 1, "both proposals have the same borders")
    #expect(best.packs.packs.map(\.manifest.assetPackID) == ["art", "art-text"])
    #expect(
      best.packs.packs.map(\.manifest.fileSelectors) == [
        [.directory("Art"), .exclusion("Art/Text")], [.directory("Art/Text")],
      ])
    // Seven updates: of everything (2 MB uncompressed pictures, half of the texts), or of two texts.
    #expect(plan.today.updates == 7 * (2_000_000 + 10_000 + 500))
    #expect(best.figures.updates == 7 * (10_000 + 500))
    #expect(best.figures.unseen == 2 * (10_000 + 500))
    #expect(plan.changed == 7 * 10_000)
    let reason = try #require(best.reasons.first { $0.pack == "art-text" })
    #expect(reason.parents == ["art"])
    #expect((reason.changes, reason.changesOfRest) == (7, 0))
  }

  @Test func `on-demand packs, pinned packs and renamed files stay`() throws {
    let history = Self.history(Self.textAndArt, size: Self.size)
    let selectors: [FileSelector] = [.directory("Art")]
    var pinned = Plan.Options()
    pinned.pinned = ["art"]
    let cases: [(Manifest, Plan.Options)] = [
      (Self.manifest("art", selectors, .onDemand), .init()),
      (Self.manifest("art", selectors), pinned),
      (
        Self.manifest("art", [.renamedDirectory(source: "Art", destination: "Other")]), .init()
      ),
    ]
    for (manifest, options) in cases {
      let plan = try Self.plan(history, [manifest], options)
      #expect(plan.proposals.isEmpty)
      #expect(plan.fixed.map(\.pack) == ["art"])
    }
  }

  @Test func `a proposal that only fits the past is not shown`() throws {
    // The text changes in the part that the search sees, and all pictures in the rest.
    let releases = (0..<8).map { number in
      [
        "Art/Text/de.txt": min(number, 5), "Art/Map/a.png": max(0, number - 5),
        "Art/Map/b.png": max(0, number - 5),
      ]
    }
    let plan = try Self.plan(
      Self.history(releases) { _ in 1_000_000 }, [Self.manifest("art", [.directory("Art")])])
    for proposal in plan.proposals { #expect(proposal.figures.unseen < plan.today.unseen) }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `each proposal has the same files, fewer downloads, and breaks nothing`(
    seed: UInt64
  ) throws {
    var random = Seeded(seed: seed)
    let names = ["a.png", "b.png", "c.txt", "d.txt", "e", ".f", "g[1].png", "h.tmp"]
    let folders = ["A/", "A/B/", "A/C/", "D/", "D/E/F/", "D-E/", ""]
    var release: [String: Int] = [:]
    for folder in folders {
      for name in names where random.next(below: 2) == 0 { release[folder + name] = 0 }
    }
    var releases = [release]
    for number in 1...3 + random.next(below: 6) {
      for path in release.keys.sorted() where random.next(below: path.count % 4 + 2) == 0 {
        release[path] = random.next(below: 20) == 0 ? nil : number
      }
      releases.append(release)
    }
    let history = Self.history(releases) { UInt64($0.count) * 1000 }
    let manifests = [
      Self.manifest("a", [.directory("A"), .exclusion("*.tmp")]),
      Self.manifest("d", [.filePattern("D*/**/*"), .exclusion("h.tmp")]),
      Self.manifest("root", [.filePattern("*"), .exclusion("./*.tmp")], .essential([.firstInstallation])),
      Self.manifest("more", [.filePattern("D-E/*.txt")], .onDemand),
    ]
    let plan = try Self.plan(history, manifests)
    let before = try PackReplay(
      history, manifests.map { ($0, "") }, measuredBy: Inventory("", []), .unstoppable)
    for proposal in plan.proposals {
      #expect(proposal.figures.updates < plan.today.updates)
      #expect(proposal.figures.updates >= plan.changed || plan.changed > plan.today.updates)
      let after = try PackReplay(
        history, proposal.packs.packs.map { ($0.manifest, "") }, measuredBy: Inventory("", []),
        .unstoppable)
      for index in releases.indices {
        let (old, new) = (before.packs(in: index), after.packs(in: index))
        func files(_ packs: [InventoryPack]) -> [String] {
          packs.flatMap { pack in
            (0..<(pack.contents?.count ?? 0)).compactMap { file in
              pack.contents.map { "\($0[file].shown) \(pack.policy == .onDemand)" }
            }
          }.sorted()
        }
        #expect(files(old) == files(new), "seed \(seed), release \(index)")
      }
      let change = try Comparison(
        from: Inventory("old", before.packs(in: releases.count - 1)),
        to: Inventory("new", after.packs(in: releases.count - 1)), .unstoppable)
      #expect(change.breaks.isEmpty, "seed \(seed): \(change.breaks)")
      #expect(Set(manifests.map(\.assetPackID)).isSubset(of: proposal.packs.packs.map(\.manifest.assetPackID)))
    }
    #expect(try Self.plan(history, manifests).proposals.map(\.figures) == plan.proposals.map(\.figures))
  }

  @Test func `tables of installations are read, with the line of a mistake`() throws {
    let weights = try InstallWeights(csv: "release,platform,language,installs\nv1,iOS,de,10\n,,,5\n")
    #expect(weights.rows.count == 2)
    #expect(weights.rows[0].platform == .iOS)
    #expect(weights.rows[1] == .init(installs: 5))
    for (text, line) in [
      ("", 1), ("installs,other\n", 1), ("release\n", 1), ("installs\nx\n", 2),
      ("release,installs\nv1\n", 2), ("platform,installs\nAndroid,1\n", 2),
      ("installs\n1\n-1\n", 3),
    ] {
      let fault = #expect(throws: InstallWeights.Malformed.self) {
        _ = try InstallWeights(csv: text)
      }
      #expect(fault?.line == line, "\(text)")
    }
  }
}

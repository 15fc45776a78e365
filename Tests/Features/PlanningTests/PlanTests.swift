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
      for index in 0..<4 { digest[index] = UInt8(truncatingIfNeeded: place >> (index * 8)) }
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
    try plan([root(history, Array(manifests.indices))], manifests, options)
  }

  /// A source root with the files of the last release.
  private static func root(_ history: AssetHistory, _ packs: [Int]) -> Plan.Root {
    let present = Set(history.releases.last?.files.map { history.paths[Int($0.path)] } ?? [])
    return Plan.Root(packs: packs, history: history, present: present)
  }

  private static func plan(
    _ roots: [Plan.Root], _ manifests: [Manifest], _ options: Plan.Options = .init(),
    faults: (PlannedPacks) -> Set<Int> = { _ in [] }
  ) throws -> Plan {
    try Plan(
      roots, manifests, measuredBy: Inventory("", []), options, search: .unstoppable, .unstoppable
    ) { faults($0) }
  }

  /// A text that changes in each release, next to large pictures that never do.
  static let textAndArt = (0..<8).map { number in
    ["Art/Text/de.txt": number, "Art/Text/en.txt": number, "Art/Map/a.png": 0, "Art/Map/b.png": 0]
  }

  static func size(_ path: String) -> UInt64 {
    path.hasSuffix(".txt") ? 10_000 : 1_000_000
  }

  @Test func `what changes is separated from what does not`() throws {
    let plan = try Self.plan(
      Self.history(Self.textAndArt, size: Self.size), [Self.manifest("art", [.directory("Art")])])
    #expect(plan.seenUpdates == 5)
    #expect(plan.unseenUpdates == 2)
    let best = try #require(plan.proposals.last)
    #expect(plan.proposals.map(\.name) == ["best found"], "the division of 'art' is equal")
    // Released apps do not download a new pack before their update.
    #expect(best.lackingFiles == 2)
    #expect(best.packs.packs.map(\.manifest.assetPackID) == ["art", "art-text"])
    #expect(
      best.packs.packs.map(\.manifest.fileSelectors) == [
        [.directory("Art"), .exclusion("Art/Text")], [.directory("Art/Text")],
      ])
    // Seven updates: of everything (pictures, and texts of half their size), or of two texts.
    #expect(plan.today.updates == 7 * (2_000_000 + 10_000 + 500))
    #expect(best.figures.updates == 7 * (10_000 + 500))
    #expect(best.figures.unseen == 2 * (10_000 + 500))
    #expect(plan.changed == 7 * 10_000)
    let reason = try #require(best.reasons.first { $0.pack == "art-text" })
    #expect(reason.parents == ["art"])
    #expect((reason.changes, reason.changesOfRest) == (7, 0))
  }

  @Test func `without new packs, files move between packs of the same policy`() throws {
    let releases = (0..<8).map { ["Text/de.txt": $0, "Map/a.png": 0, "Sky/b.png": 0] }
    let history = Self.history(releases, size: Self.size)
    let plan = try Self.plan(
      history,
      [
        Self.manifest("art", [.directory("Text"), .directory("Map")]),
        Self.manifest("more", [.directory("Sky")]),
        Self.manifest("start", [.file("none")], .essential([.firstInstallation])),
      ])
    let best = try #require(plan.proposals.first)
    #expect(best.name == "best without new packs")
    #expect(best.lackingFiles == 0)
    // The pictures are together, and each pack remains.
    #expect(best.packs.packs.map(\.manifest.assetPackID) == ["art", "more", "start"])
    #expect(best.packs.packs[0].manifest.fileSelectors == [.directory("Text")])
    #expect(best.packs.packs[1].manifest.fileSelectors == [.directory("Sky"), .directory("Map")])
    #expect(best.figures.updates == 7 * (5_000 + 500))
  }

  @Test func `a selector selects a file of today, and no file that no pack selects`() throws {
    // Only Git has the folder 'Old' now, and 'Art/Text/notes.txt' is in no pack.
    let releases = Self.textAndArt.map { release in
      release.merging(["Art/Old/x.txt": release["Art/Text/de.txt"] ?? 0]) { first, _ in first }
    }
    let history = Self.history(releases, size: Self.size)
    let present = ["Art/Text/de.txt", "Art/Text/en.txt", "Art/Text/notes.md", "Art/Map/a.png"]
    let plan = try Self.plan(
      [.init(packs: [0], history: history, present: Set(present.map { Array($0.utf8) }))],
      [Self.manifest("art", [.filePattern("Art/**/*.txt"), .directory("Art/Map")])])
    let best = try #require(plan.proposals.last)
    let selectors = best.packs.packs.flatMap(\.manifest.fileSelectors)
    #expect(!selectors.contains(.directory("Art/Text")))
    #expect(!selectors.contains(.directory("Art/Old")))
  }

  @Test func `packs that cause findings are left out`() throws {
    let history = Self.history(Self.textAndArt, size: Self.size)
    let manifests = [
      Self.manifest("art", [.directory("Art/Text"), .filePattern("Art/Map/a.*")]),
      Self.manifest("more", [.filePattern("Art/Map/b.*")]),
    ]
    let plan = try Self.plan([Self.root(history, [0, 1])], manifests) {
      $0.packs[0].isChanged ? [0] : []
    }
    #expect(plan.proposals.isEmpty)
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

  @Test(arguments: [["de"], ["de", "en"]])
  func `localized packs stay, and the plan says why`(languages: [String]) throws {
    let releases = (0..<8).map { number in
      languages.reduce(into: ["Art/Text/a.txt": number, "Art/Map/a.png": 0]) {
        $0["\($1)/a.txt"] = number
        $0["\($1)/b.png"] = 0
      }
    }
    let history = Self.history(releases, size: Self.size)
    let localized = languages.map { language in
      var manifest = Self.manifest("voice-\(language)", [.directory(language)])
      manifest.language = LanguageTag(language)
      return manifest
    }
    let plan = try Self.plan(history, [Self.manifest("art", [.directory("Art")])] + localized)
    let reason = "released apps can request it in each language for the files that it contains"
    #expect(plan.fixed == localized.map { .init(pack: $0.assetPackID, reason: reason) })
    let changed = try #require(plan.proposals.last).packs.packs.filter(\.isChanged)
    #expect(changed.map(\.manifest.assetPackID) == ["art", "art-text"])
  }

  @Test(arguments: [
    DownloadPolicy.essential(Set(InstallationEvent.allCases)),
    .prefetch(Set(InstallationEvent.allCases)), .onDemand,
  ])
  func `each file that leaves a localized pack is a breaking change`(
    policy: DownloadPolicy
  ) throws {
    let history = Self.history([["de/a.txt": 0, "de/b.png": 0, "de/c": 0]], size: Self.size)
    func packs(_ selectors: [[FileSelector]], _ language: String?) throws -> Inventory {
      let manifests = selectors.enumerated().map { index, selectors in
        var manifest = Self.manifest("pack-\(index)", selectors, policy)
        manifest.language = language.flatMap { LanguageTag($0) }
        return (manifest, "")
      }
      let replay = try PackReplay(
        history, manifests, measuredBy: Inventory("", []), .unstoppable)
      return Inventory("", replay.packs(in: 0))
    }
    let (text, picture) = (FileSelector.filePattern("de/*.txt"), FileSelector.file("de/b.png"))
    let rest = FileSelector.file("de/c")
    for (old, new, file) in [
      ([[.directory("de")]], [[picture, rest], [text]], "de/a.txt"),
      ([[text], [picture, rest]], [[text, picture], [rest]], "de/b.png"),
    ] {
      let change = try Comparison(from: packs(old, "de"), to: packs(new, "de"), .unstoppable)
      #expect(change.breaks.map(\.breakage) == [.pathRemoved])
      #expect(change.breaks.map { $0.path?.shown } == [file])
      let common = try Comparison(from: packs(old, nil), to: packs(new, nil), .unstoppable)
      #expect(policy == .onDemand || common.breaks.allSatisfy { $0.breakage == .policyWeakened })
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

  /// A few files with unusual names, some of which change in each release.
  private static func releases(_ seed: UInt64) -> [[String: Int]] {
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
    return releases
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `each proposal has the same files, fewer downloads, and breaks nothing`(
    seed: UInt64
  ) throws {
    let releases = Self.releases(seed)
    let history = Self.history(releases) { UInt64($0.count) * 1000 }
    let manifests = [
      Self.manifest("a", [.directory("A"), .exclusion("*.tmp")]),
      Self.manifest("d", [.filePattern("D*/**/*"), .exclusion("h.tmp")]),
      Self.manifest(
        "root", [.filePattern("*"), .exclusion("./*.tmp")], .essential([.firstInstallation])),
      Self.manifest("more", [.filePattern("D-E/*.txt")], .onDemand),
    ]
    let plan = try Self.plan(history, manifests)
    let before = try PackReplay(
      history, manifests.map { ($0, "") }, measuredBy: Inventory("", []), .unstoppable)
    let costs = try UpdateHistory(replaying: [before], .unstoppable)
    #expect(
      costs.largest?.bytes ?? .init()
        == .init(
          downloaded: plan.today.updates, changed: plan.changed))
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
      #expect(change.breaks.count == proposal.lackingFiles, "seed \(seed): \(change.breaks)")
      #expect(change.breaks.allSatisfy { $0.breakage == .policyWeakened })
      let isSplit = proposal.packs.packs.count > manifests.count
      #expect(isSplit == (proposal.lackingFiles > 0))
      let costs = try UpdateHistory(replaying: [after], .unstoppable)
      #expect(costs.largest?.bytes.downloaded == proposal.figures.updates)
      let ids = proposal.packs.packs.map(\.manifest.assetPackID)
      #expect(Set(manifests.map(\.assetPackID)).isSubset(of: ids))
    }
    let again = try Self.plan(history, manifests)
    #expect(again.proposals.map(\.figures) == plan.proposals.map(\.figures))
  }

  @Test func `source roots that have nothing in common are divided as each of them alone`() throws {
    let history = Self.history(Self.textAndArt, size: Self.size)
    let manifests = ["a", "b"].map { Self.manifest($0, [.directory("Art")]) }
    let alone = try manifests.map { try #require(Self.plan(history, [$0]).proposals.last) }
    let together = try Self.plan(
      [Self.root(history, [0]), Self.root(history, [1])], manifests)
    let best = try #require(together.proposals.last)
    func selectors(_ plans: [Plan.Proposal]) -> [String: [FileSelector]] {
      Dictionary(
        uniqueKeysWithValues: plans.flatMap(\.packs.packs).map {
          ($0.manifest.assetPackID, $0.manifest.fileSelectors)
        })
    }
    #expect(selectors([best]) == selectors(alone))
    #expect(best.figures.packs == 4)
    #expect(best.figures.updates == alone.reduce(0) { $0 + $1.figures.updates })
    #expect(together.files == 8)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `files stay below their source root, and the figures are those of all packs`(
    seed: UInt64
  ) throws {
    // The second root has fewer files, and none at all in some histories.
    let releases = [Self.releases(seed), Self.releases(seed + 1000)]
    let count = min(releases[0].count, releases[1].count)
    let histories = releases.enumerated().map { index, all in
      Self.history(
        all.prefix(count).map { $0.filter { index == 0 || seed.isMultiple(of: 3) || $0.key > "D" } }
      ) { UInt64($0.count) * 1000 }
    }
    let manifests = [
      Self.manifest("a", [.directory("A"), .exclusion("*.tmp")]),
      Self.manifest("a2", [.directory("A"), .filePattern("*")]),
      Self.manifest("d", [.filePattern("D*/**/*"), .exclusion("h.tmp")]),
      Self.manifest("d2", [.filePattern("D*/**/*")]),
    ]
    let roots = [Self.root(histories[0], [0, 2]), Self.root(histories[1], [1, 3])]
    let plan = try Self.plan(roots, manifests)
    func replays(_ packs: [(Manifest, source: Int)]) throws -> [PackReplay] {
      try roots.map { root in
        try PackReplay(
          root.history, packs.filter { root.packs.contains($0.source) }.map { ($0.0, "") },
          measuredBy: Inventory("", []), .unstoppable)
      }
    }
    func paths(_ replay: PackReplay, _ release: Int) -> [String] {
      replay.packs(in: release).flatMap { pack in
        (0..<(pack.contents?.count ?? 0)).compactMap { file in
          pack.contents.map { "\($0[file].shown)" }
        }
      }.sorted()
    }
    let before = try replays(manifests.enumerated().map { ($1, $0) })
    let today = try UpdateHistory(replaying: before, .unstoppable)
    #expect(today.largest?.bytes.downloaded ?? 0 == plan.today.updates)
    #expect(today.largest?.bytes.changed ?? 0 == plan.changed)
    for proposal in plan.proposals {
      let after = try replays(proposal.packs.packs.map { ($0.manifest, $0.source) })
      for (old, new) in zip(before, after) {
        for release in 0..<count {
          #expect(paths(old, release) == paths(new, release), "seed \(seed)")
        }
      }
      let costs = try UpdateHistory(replaying: after, .unstoppable)
      #expect(costs.largest?.bytes.downloaded == proposal.figures.updates, "seed \(seed)")
    }
  }

  @Test func `sizes of pointers that no disk can have do not overflow`() throws {
    let history = Self.history(Self.textAndArt) { _ in .max }
    let plan = try Self.plan(history, [Self.manifest("art", [.directory("Art")])])
    #expect(plan.today.updates == .max)
  }
}

import AssetHistory
import BAPackKit
import SystemIO
import TestSupport
import Testing

@testable import Proposing

/// Tests proposals that know the history of the files.
struct HistoryProposalTests {
  private static func trees(_ seed: UInt64) -> [SeededTree] {
    SeededTrees.all(seed: seed) + [SeededTrees.mixed(seed: seed)]
  }

  /// Returns the bytes of files that a device with all packs downloads in updates.
  private static func downloads(
    _ proposal: Proposal, _ tree: AssetTree, _ history: AssetHistory
  ) -> UInt64 {
    var packs: [[UInt8]: Int] = [:]
    for (index, pack) in proposal.packs.enumerated() {
      for file in pack.files.joined() { packs[tree.path(ofFile: file)] = index }
    }
    var total: UInt64 = 0
    var old: [Int32: Int32] = [:]
    for (number, release) in history.releases.enumerated() {
      let new = Dictionary(uniqueKeysWithValues: release.files.map { ($0.path, $0.content) })
      var sizes: [Int: UInt64] = [:]
      var changed: Set<Int> = []
      for path in Set(old.keys).union(new.keys) {
        guard let pack = packs[history.paths[Int(path)]] else { continue }
        if old[path] != new[path] { changed.insert(pack) }
        if let content = new[path] {
          sizes[pack, default: 0] += history.contents[Int(content)].size
        }
      }
      if number > 0 { total += changed.reduce(0) { $0 + (sizes[$1] ?? 0) } }
      old = new
    }
    return total
  }

  @Test(arguments: Array(UInt64(1)...12))
  func `downloads of updates are not larger with a history, also in later releases`(
    seed: UInt64
  ) {
    for seeded in Self.trees(seed) {
      let tree = seeded.assetTree()
      let history = seeded.history(seed: seed, releases: 10)
      let changes = ChangeTable(history.part(0..<6), areTags: true, of: tree)
      let before = Proposal(of: tree, in: FoundProject(), seeded.options)
      let after = Proposal(of: tree, in: FoundProject(), seeded.options, history: changes)
      #expect(after.packs.count <= max(40, before.packs.count), "\(seeded.name)")
      for part in [0..<6, 5..<10] {
        #expect(
          Self.downloads(after, tree, history.part(part))
            <= Self.downloads(before, tree, history.part(part)), "\(seeded.name) \(part)")
      }
      // The first launch is not larger.
      func first(_ proposal: Proposal) -> UInt64 {
        proposal.deviceCosts.map(\.beforeLaunch).max() ?? 0
      }
      #expect(first(after) <= first(before), "\(seeded.name)")
      #expect(after.leftOut.map(\.files) == before.leftOut.map(\.files), "\(seeded.name)")
      // Equal inputs give equal proposals.
      let again = Proposal(of: tree, in: FoundProject(), seeded.options, history: changes)
      #expect(again.packs.map(\.manifest) == after.packs.map(\.manifest), "\(seeded.name)")
    }
  }

  /// A game with a folder that changes in each release, and others that change never.
  private static let files: [String: UInt64] = [
    "Maps/a.map": 400_000, "Maps/b.map": 300_000, "Shapes/a.mesh": 2_000_000,
    "Shapes/b.mesh": 1_500_000, "UI/button.tga": 900_000,
  ]

  /// Returns a history; the last release adds a file.
  private static func history(
    changing names: [String], in releases: Int, adding lastFile: String? = nil
  ) -> AssetHistory {
    let paths = files.keys.sorted()
    var contents: [AssetHistory.Content] = []
    let states = (0..<releases).map { number in
      AssetHistory.Release(
        name: "v\(number)",
        files: paths.enumerated().map { index, path in
          let isNew = number == 0 || names.contains { path.hasPrefix($0) }
          if isNew { contents.append(.init(size: files[path] ?? 0, digest: [])) }
          return .init(path: Int32(index), content: Int32(isNew ? contents.count - 1 : index))
        }.filter { number == releases - 1 || paths[Int($0.path)] != lastFile })
    }
    return AssetHistory(paths.map { Array($0.utf8) }, contents, states)
  }

  @Test func `what changes is not in a pack with what is stable, and the reasons say so`() throws {
    let tree = AssetTree("assets", Self.files)
    let plain = Proposal(of: tree, in: FoundProject(), ProposalOptions())
    #expect(plain.packs.map(\.manifest.assetPackID) == ["core"])
    let changes = ChangeTable(
      Self.history(changing: ["Maps/"], in: 13), areTags: true, of: tree)
    let proposal = Proposal(of: tree, in: FoundProject(), ProposalOptions(), history: changes)
    let packs = Dictionary(
      uniqueKeysWithValues: proposal.packs.map { ($0.manifest.assetPackID, $0) })
    let maps = try #require(packs["core-maps-map"])
    #expect(maps.manifest.fileSelectors == [.directory("Maps")])
    #expect(maps.manifest.downloadPolicy == plain.packs[0].manifest.downloadPolicy)
    #expect(maps.reasons.map(\.text).contains("changed in 12 of 12 releases"))
    #expect(packs["core"]?.reasons.map(\.text).contains("unchanged in 12 releases") == true)
    let commits = ChangeTable(
      Self.history(changing: ["Maps/"], in: 3), areTags: false, of: tree)
    let other = Proposal(of: tree, in: FoundProject(), ProposalOptions(), history: commits)
    #expect(
      other.packs.flatMap(\.reasons).map(\.text).contains("changed in 2 of 2 commits"))
  }

  @Test func `a new file is not in a pack that changes often`() throws {
    // It was added in the last release; later updates download it with its size of today.
    let history = Self.history(changing: ["Maps"], in: 8, adding: "Shapes/b.mesh")
    let tree = AssetTree("assets", Self.files)
    let changes = ChangeTable(history, areTags: true, of: tree)
    let proposal = Proposal(of: tree, in: FoundProject(), ProposalOptions(), history: changes)
    let packs = proposal.packs.map { pack in
      Set(pack.files.joined().map { FilePath(tree.path(ofFile: $0)).text })
    }
    let new = try #require(packs.first { $0.contains("Shapes/b.mesh") })
    #expect(!new.contains { $0.hasPrefix("Maps/") })
  }

  @Test func `files that change together stay together`() {
    let tree = AssetTree("assets", Self.files)
    let changes = ChangeTable(
      Self.history(changing: ["Maps/", "Shapes/", "UI/"], in: 13), areTags: true, of: tree)
    let proposal = Proposal(of: tree, in: FoundProject(), ProposalOptions(), history: changes)
    #expect(proposal.packs.map(\.manifest.assetPackID) == ["core"])
  }

  @Test func `a history that cannot be read is a note`() {
    let tree = AssetTree("assets", Self.files)
    let proposal = Proposal(
      of: tree, in: FoundProject(), ProposalOptions(), history: ChangeTable(without: "damaged"))
    #expect(proposal.notes.map(\.text) == ["damaged"])
    #expect(proposal.packs.flatMap(\.reasons).allSatisfy { !$0.isOfHistory })
  }

  // MARK: Texts

  /// Texts in 12 languages, of which each changes in each release, and a large stable file.
  private static func texts(changing: Bool) -> (AssetTree, AssetHistory) {
    var sizes: [String: UInt64] = ["Art/all.bank": 5_000_000]
    for tag in ["en", "de", "fr", "es", "it", "ja", "ko", "nl", "pl", "pt", "ru", "sv"] {
      sizes["languages/\(tag).txt"] = 400_000
    }
    let paths = sizes.keys.sorted()
    var contents: [AssetHistory.Content] = []
    var releases: [AssetHistory.Release] = []
    for number in 0..<13 {
      var files: [AssetHistory.File] = []
      for (index, path) in paths.enumerated() {
        // One language changes in each release.
        let isNew = number == 0 || changing && index == 1 + number % 12
        if isNew { contents.append(.init(size: sizes[path] ?? 0, digest: [])) }
        let old = releases.last?.files.first { $0.path == Int32(index) }
        files.append(
          .init(path: Int32(index), content: isNew ? Int32(contents.count - 1) : old?.content ?? 0))
      }
      releases.append(.init(name: "v\(number)", files: files))
    }
    return (
      AssetTree("assets", sizes),
      AssetHistory(paths.map { Array($0.utf8) }, contents, releases)
    )
  }

  @Test func `texts that change have a localized pack for each language, and a note`() {
    for changing in [true, false] {
      let (tree, history) = Self.texts(changing: changing)
      let changes = ChangeTable(history, areTags: true, of: tree)
      let proposal = Proposal(of: tree, in: FoundProject(), ProposalOptions(), history: changes)
      let languages = proposal.packs.compactMap(\.manifest.language)
      #expect(languages.count == (changing ? 12 : 0))
      let notes = proposal.notes.map(\.text).joined(separator: "\n")
      #expect(notes.contains("asLocalizedFor") == changing)
      #expect(notes.contains("systems before version 27 receive no localized packs") == changing)
      // The first screen shows text.
      #expect(
        proposal.packs.filter { $0.manifest.language != nil }.allSatisfy {
          $0.manifest.downloadPolicy == .essential(Set(InstallationEvent.allCases))
        })
    }
  }
}

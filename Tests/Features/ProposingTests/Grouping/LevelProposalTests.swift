import BAPackKit
import SystemIO
import TestSupport
import Testing

@testable import Proposing

/// Tests the packs of levels, of the rest, and their selectors.
struct LevelProposalTests {
  /// Returns the packs of files by their IDs.
  private static func packs(
    _ files: [String: UInt64], _ options: ProposalOptions = .init(), in root: FilePath = "assets"
  ) -> (Proposal, [String: ProposedPack]) {
    let proposal = Proposal(of: AssetTree(root, files), in: FoundProject(), options)
    return (
      proposal,
      Dictionary(uniqueKeysWithValues: proposal.packs.map { ($0.manifest.assetPackID, $0) })
    )
  }

  private static func selectors(_ pack: ProposedPack?) -> [FileSelector] {
    pack?.manifest.fileSelectors ?? []
  }

  @Test func `levels that are small together are one pack, with the name of their folder`() {
    var files: [String: UInt64] = ["ui/menu.png": 900_000]
    for level in ["desert", "forest", "jungle", "ocean", "volcano"] {
      files["data/levels/\(level)/map.stl"] = 700_000
      files["data/levels/\(level)/tiles.png"] = 300_000
    }
    files["data/music/theme.ogg"] = 30_000_000
    let (_, packs) = Self.packs(files)
    #expect(packs.keys.sorted() == ["core", "data-levels", "music"])
    #expect(packs["data-levels"]?.manifest.downloadPolicy != .onDemand)
    #expect(packs["data-levels"]?.count == 8)
  }

  @Test func `many small levels are a few packs`() {
    var files: [String: UInt64] = [:]
    for level in 1...400 { files["Levels/\(level)/map.pak"] = 600_000 }
    let (proposal, _) = Self.packs(files)
    #expect(
      (4...10).contains(proposal.packs.count), "\(proposal.packs.map(\.manifest.assetPackID))")
    let ids = proposal.packs.map(\.manifest.assetPackID)
    #expect(ids.allSatisfy { $0 == "core" || $0.hasPrefix("levels-") }, "\(ids)")
  }

  @Test(arguments: [
    (["bonus1", "bonus2", "world1", "world2"], "world1", "its number"),
    (["desert", "intro", "volcano"], "intro", "its name"),
    (["desert", "forest", "volcano"], "forest", "the smallest complete one"),
  ])
  func `the first level is in core, and the reason says which`(
    _ levels: [String], _ first: String, _ reason: String
  ) {
    var files: [String: UInt64] = [:]
    for level in levels {
      files["levels/\(level)/map.pak"] = level == "forest" ? 5_000_000 : 7_000_000
      files["levels/\(level)/map.json"] = 900
    }
    let (_, packs) = Self.packs(files)
    #expect(Self.selectors(packs["core"]) == [.directory("levels/\(first)")])
    #expect(
      packs["core"]?.reasons.last?.text
        == "'levels/\(first)' is taken as the first level: \(reason)")
  }

  @Test func `a file with the order of the levels names the first one`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("tracks/order.txt", "lighthouse\ncove\nabyss\n")
    var files: [String: UInt64] = ["tracks/order.txt": 22]
    for track in ["abyss", "cove", "lighthouse"] { files["tracks/\(track)/map.pak"] = 7_000_000 }
    let (_, packs) = Self.packs(files, in: FilePath(folder.path))
    #expect(
      packs["core"]?.reasons.last?.text
        == "'tracks/lighthouse' is taken as the first level: the order in 'tracks/order.txt'")
  }

  @Test func `the core has the first screen and small folders, not parts of a large folder`() {
    var files: [String: UInt64] = ["images/ui/a.png": 3_000_000, "data/map.txt": 9_000_000]
    for folder in ["ship", "planet", "outfit", "land"] {
      for number in 0..<9 { files["images/\(folder)/\(number).png"] = 400_000 }
    }
    for number in 0..<4 { files["sounds/\(number).wav"] = 500_000 }
    let (_, packs) = Self.packs(files)
    #expect(packs.keys.sorted() == ["core", "images"])
    #expect(
      Self.selectors(packs["core"]) == [
        .directory("data"), .directory("images/ui"), .directory("sounds"),
      ])
    #expect(packs["images"]?.manifest.downloadPolicy == .prefetch(Set(InstallationEvent.allCases)))
  }

  @Test func `files that describe music are in the pack of the music`() {
    var files: [String: UInt64] = ["ui/menu.png": 2_000_000]
    for name in ["cave", "fort", "ice"] {
      files["music/\(name).ogg"] = 4_000_000
      files["music/\(name).music"] = 90
    }
    let (_, packs) = Self.packs(files)
    #expect(Self.selectors(packs["music"]) == [.directory("music")])
  }

  @Test func `texts of languages in the folder of a level are in its pack`() {
    var files: [String: UInt64] = ["ui/menu.png": 2_000_000]
    for level in ["one", "two", "three"] {
      files["levels/\(level)/map.pak"] = 7_000_000
      for language in ["de", "fr", "es", "it", "pl", "cs", "nl"] {
        files["levels/\(level)/\(language).po"] = 9_000
      }
    }
    let (_, packs) = Self.packs(files)
    #expect(Self.selectors(packs["level-three"]) == [.directory("levels/three")])
  }

  @Test func `images of several scales in a folder are patterns`() {
    var files: [String: UInt64] = [:]
    for number in 0..<9 {
      files["Sprites/unit\(number).png"] = 300_000
      files["Sprites/unit\(number)@2x.png"] = 900_000
      files["Sprites/unit\(number)@3x.png"] = 1_900_000
    }
    let (_, packs) = Self.packs(files)
    #expect(Self.selectors(packs["images-2x"]) == [.filePattern("Sprites/*@2x.png")])
    #expect(Self.selectors(packs["images-3x"]) == [.filePattern("Sprites/*@3x.png")])
    let base = packs.values.first { Self.selectors($0).contains(.filePattern("Sprites/*.png")) }
    #expect(
      Self.selectors(base) == [
        .filePattern("Sprites/*.png"), .exclusion("./Sprites/*@2x.png"),
        .exclusion("./Sprites/*@3x.png"),
      ])
  }

  @Test func `scripts are named with their folders, and can be included`() throws {
    let files: [String: UInt64] = [
      "Missions/a.lua": 900, "Missions/b.lua": 900, "Scripts/c.lua": 900, "UI/a.png": 9_000,
      "UI/CMakeLists.txt": 90,
    ]
    let (proposal, _) = Self.packs(files)
    #expect(
      proposal.notes.map(\.text) == [
        "scripts (.lua) are in no pack: 2 in 'Missions', 1 in 'Scripts'; include them if the app "
          + "reads them as data"
      ])
    let rules = proposal.leftOut.map(\.reason.rule.id.name).sorted()
    #expect(rules == ["init.editor", "init.script"])
    var options = ProposalOptions()
    options.inclusions = ["Missions"]
    let (included, packs) = Self.packs(files, options)
    #expect(packs.values.reduce(0) { $0 + $1.count } == 3)
    #expect(included.leftOut.first { $0.reason.rule.id.name == "init.script" }?.count == 1)
  }

  @Test func `a folder whose name leaves it out is inspected if the user includes it`() throws {
    let folder = try TemporaryFolder()
    for path in ["levels/test/a.map", "levels/one/a.map"] { try folder.makeFile(path, path) }
    for (inclusions, count) in [([], 1), (["levels/test"], 2)] as [([String], Int)] {
      var options = ProposalOptions()
      options.inclusions = inclusions
      let tree = try AssetTree(
        reading: FilePath(folder.path), including: inclusions, .unstoppable)
      let proposal = Proposal(of: tree, in: FoundProject(), options)
      #expect(proposal.packs.reduce(0) { $0 + $1.count } == count)
    }
  }
}

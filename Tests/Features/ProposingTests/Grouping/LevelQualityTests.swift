import BAPackKit
import TestSupport
import Testing

@testable import Proposing

/// Tests the packs of levels whose files have several qualities.
struct LevelQualityTests {
  private static func packs(_ levels: Range<Int>, in folder: String = "") -> [String: [String]] {
    var files: [String: UInt64] = ["UI/menu.png": 90_000]
    for level in levels {
      for name in ["wall.png", "floor.png"] {
        files["Levels/\(level)/\(folder)hd/\(name)"] = 4_000_000
        files["Levels/\(level)/\(folder)sd/\(name)"] = 1_000_000
      }
    }
    let tree = AssetTree("assets", files)
    let proposal = Proposal(of: tree, in: FoundProject(), ProposalOptions())
    var packs: [String: [String]] = [:]
    for pack in proposal.packs {
      packs[pack.manifest.assetPackID] = pack.files.joined().map {
        String(decoding: tree.path(ofFile: $0), as: UTF8.self)
      }
    }
    return packs
  }

  @Test func `the first level is in core in the lowest quality, and IDs name the level`() {
    let packs = Self.packs(1..<4)
    #expect(
      packs.keys.sorted() == [
        "core", "level-1-hd", "level-2-hd", "level-2-sd", "level-3-hd", "level-3-sd",
      ])
    #expect(
      packs["core"] == ["Levels/1/sd/floor.png", "Levels/1/sd/wall.png", "UI/menu.png"])
  }

  @Test func `qualities inside the folders of a level are named after the level`() {
    #expect(
      Self.packs(1..<3, in: "textures/").keys.sorted() == [
        "core", "level-1-textures-hd", "level-2-textures-hd", "level-2-textures-sd",
      ])
  }

  @Test func `many levels in two qualities are at most two hundred packs`() {
    let packs = Self.packs(1..<151)
    #expect((50...200).contains(packs.count))
    for (id, paths) in packs where id != "core" {
      #expect(paths.allSatisfy { $0.contains("/hd/") } || paths.allSatisfy { $0.contains("/sd/") })
    }
  }

  @Test func `many models and platforms are at most two hundred packs`() {
    var files: [String: UInt64] = [:]
    for number in 0..<150 {
      files["Models/\(number).gguf"] = 3_000_000
      for platform in ["iOS", "macOS"] {
        files["Bundles\(number % 60)x/\(platform)/\(number).bundle"] = 3_000_000
      }
    }
    let proposal = Proposal(
      of: AssetTree("assets", files), in: FoundProject(), ProposalOptions())
    #expect(proposal.packs.count <= 200)
    #expect(proposal.packs.reduce(0) { $0 + $1.count } == files.count)
  }
}

import BAPackKit
import SystemIO
import TestSupport
import Testing

@testable import Proposing

/// Tests the rules about files whose contents or links decide.
struct LeftOutProposalTests {
  private static let manifest = """
    {"assetPackID": "x", "downloadPolicy": {"onDemand": {}}, "fileSelectors": [{"file": "a"}]}
    """

  /// Returns the paths that are left out, with their rules.
  private static func leftOut(in folder: borrowing TemporaryFolder) throws -> [String: String] {
    let tree = try AssetTree(reading: FilePath(folder.path), .unstoppable)
    let proposal = Proposal(of: tree, in: FoundProject(), ProposalOptions())
    var rules: [String: String] = [:]
    for group in proposal.leftOut {
      for file in group.files {
        rules[FilePath(tree.path(ofFile: file)).text] = group.reason.rule.id.name
      }
    }
    return rules
  }

  @Test func `a folder with its own project file is left out`() throws {
    let folder = try TemporaryFolder()
    for path in ["UI/a.png", "Addon/ba-package.json", "Addon/Packs/x.json", "Addon/b.png"] {
      try folder.makeFile(path, path)
    }
    let rule = "init.nested-project"
    #expect(
      try Self.leftOut(in: folder) == [
        "Addon/ba-package.json": rule, "Addon/Packs/x.json": rule, "Addon/b.png": rule,
      ])
  }

  @Test func `manifests and scenarios are left out by their contents`() throws {
    let folder = try TemporaryFolder()
    for path in ["Packs/x.json", "Old/pack-manifest.json"] {
      try folder.makeFile(path, Self.manifest)
    }
    try folder.makeFile(
      "Scenes/first.scenario", "# A comment\ndevice iOS 27, languages en\ninstall\nlaunch\n")
    for path in ["Packs/level.json", "Levels/level.json", "Levels/manifest.json"] {
      try folder.makeFile(path, #"{"name": "a level", "packs": ["x"]}"#)
    }
    try folder.makeFile("Scenes/battle.scenario", "a scenario of the game with its own format")
    let rule = "init.own-file"
    #expect(
      try Self.leftOut(in: folder) == [
        "Packs/x.json": rule, "Old/pack-manifest.json": rule, "Scenes/first.scenario": rule,
      ])
  }

  @Test func `copies of editors and their folders are left out`() throws {
    let folder = try TemporaryFolder()
    for path in ["~/a.png", "Art~/b.png", "#notes.txt#", "UI/#1.png", "UI/a~b.png"] {
      try folder.makeFile(path, path)
    }
    #expect(
      try Self.leftOut(in: folder).mapValues { $0 == "init.junk" } == [
        "~/a.png": true, "Art~/b.png": true, "#notes.txt#": true,
      ])
  }

  @Test func `folders for developers are left out next to code, and are kept elsewhere`() throws {
    let parts = [
      "docs/guide.html", "docs/images/a.png", "packaging/icon.png", "tools/atlas.json",
      "docs/README.md", "packaging/make.sh", "tools/atlas.py",
      "App/App.config", "App/Properties/launchSettings.json",
    ]
    let kept = [
      "assets/tools/hammer.png", "assets/docs/story.html", "mods/rules.yaml", "mods/a.png",
      "shaders/light.frag", "LICENSE", "Game/map.json", "Game/utils/saw.png",
    ]
    let code = [
      "src/a.cpp", "src/b.cpp", "src/b.h", "App/Main.cs", "App/App.csproj", "Game/a.cpp",
      "Game/b.cpp", "Game/c.cpp",
    ]
    let repository = try TemporaryFolder()
    for path in parts + kept + code { try repository.makeFile(path, path) }
    let rules = try Self.leftOut(in: repository)
    #expect(Set(rules.keys) == Set(parts + code))
    #expect(rules["docs/images/a.png"] == "init.document")
    #expect(rules["packaging/icon.png"] == "init.editor")
    #expect(rules["tools/atlas.json"] == "init.editor")
    #expect(rules["App/App.config"] == "init.code")
    // The same folders without code are those of a game.
    let game = try TemporaryFolder()
    let read = parts.filter { !$0.contains("make.sh") && !$0.contains("launchSettings") }
      .filter { !$0.hasSuffix(".py") && !$0.hasSuffix(".md") }
    for path in read + kept { try game.makeFile(path, path) }
    #expect(try Self.leftOut(in: game) == [:])
  }

  @Test func `a link to a file that a rule leaves out is left out by this rule`() throws {
    let folder = try TemporaryFolder()
    for path in ["UI/a.png", "UI/hero.psd", "UI/.DS_Store", "keys/a.p8", "wip/x.png"] {
      try folder.makeFile(path, path)
    }
    let links = [
      "UI/good.png": "a.png", "UI/source.png": "hero.psd", "UI/store": ".DS_Store",
      "UI/key.txt": "../keys/a.p8", "UI/draft.png": "../wip/x.png",
    ]
    for (name, target) in links { try folder.makeLink(name, to: target) }
    let rules = try Self.leftOut(in: folder)
    #expect(
      rules.filter { links[$0.key] != nil } == [
        "UI/source.png": "init.source", "UI/store": "init.junk", "UI/key.txt": "init.secret",
        "UI/draft.png": "init.unfinished",
      ])
  }
}

import Arguments
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

/// `convert` of On-Demand Resources, from the command line to packs.
@Suite("convert of On-Demand Resources")
struct ConvertOnDemandTests {
  private static let project = Checkout.file("Examples/Lantern/Lantern.xcodeproj").path(
    percentEncoded: false)

  @Test
  func `converted and packed files are those of the tags`() throws {
    let folder = try TemporaryFolder()
    let packs = folder.path("Packs")
    let run = Captured("convert", Self.project, "--compare", "-o", packs)
    #expect(run.ending == .status(.done), "\(run.messages)")
    let names = try FileManager.default.contentsOfDirectory(atPath: packs).sorted()
    #expect(
      names == [
        "MIGRATION.md", "cave-forest.json", "cave.json", "forest.json", "island-music.json",
        "tags.json", "tutorial.json", "winter.json",
      ])
    let packed = Captured("pack", packs, "--hosting", "apple", "-o", folder.path("Built"))
    #expect(packed.ending == .status(.done), "\(packed.messages)")
    let list = Captured("list", folder.path("Built/forest.aar"))
    #expect(list.output == "Forest/backdrop.png\nForest/enemies.json\nForest/map.json\n")
    let extracted = Captured(
      "extract", folder.path("Built/island-music.aar"), "-o", folder.path("Out"))
    #expect(extracted.ending == .status(.done), "\(extracted.messages)")
    let source = Checkout.file("Examples/Lantern/Assets/Sounds/Music/island.wav")
    #expect(try folder.contents("Out/island.wav") == Array(Data(contentsOf: source)))
  }

  @Test
  func `options select, name and place the packs`() throws {
    let folder = try TemporaryFolder()
    let run = Captured(
      "convert", Self.project, "--from", "odr", "--target", "Lantern", "--split-languages",
      "--asset-pack-id", "game", "--prefetch", "--platforms", "tvOS", "--scan", folder.path,
      "-o", folder.path("Packs"))
    #expect(run.ending == .status(.done), "\(run.messages)")
    let manifest = String(decoding: try folder.contents("Packs/game-winter.json"), as: UTF8.self)
    #expect(manifest.contains("\"prefetch\"") && manifest.contains("\"tvOS\""))
    let guide = String(decoding: try folder.contents("Packs/MIGRATION.md"), as: UTF8.self)
    #expect(guide.contains("No calls were found"))
    let none = Captured(
      "convert", Self.project, "--target", "Other", "-o", folder.path("Nothing"))
    #expect(none.ending == .status(.failed))
    #expect(none.messages.contains("odr.no-target") && none.messages.contains("'Lantern'"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("Nothing")))
  }

  @Test
  func `a project that cannot be read is reported with its position`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(
      "Game.xcodeproj/project.pbxproj", "// !$*UTF8*$!\n{\n<<<<<<< HEAD\n\ta = b;\n}")
    let run = Captured("convert", folder.path("Game.xcodeproj"), "-o", folder.path("Packs"))
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("project.pbxproj:3:1: error: an unresolved merge conflict"))
    #expect(run.messages.contains("resolve the conflict"))
  }

  @Test
  func `a single output for several files is an error that lists them`() throws {
    let folder = try TemporaryFolder()
    let file = Captured("convert", Self.project, "-o", folder.path("one.json"))
    #expect(file.ending == .status(.failed))
    #expect(
      file.messages.contains(
        "is for one manifest, but the input has 6 manifests, 'tags.json' and 'MIGRATION.md'\n"))
    #expect(file.messages.contains("specify a folder with -o"))
    let printed = Captured("convert", Self.project)
    #expect(
      printed.messages.contains(
        "standard output is for one manifest, but the input has 6 manifests, 'tags.json'"))
    let dry = Captured("convert", Self.project, "--dry-run", "-o", folder.path("Packs"))
    #expect(dry.ending == .status(.done), "\(dry.messages)")
    #expect(dry.messages.contains("Would also write '\(folder.path("Packs/MIGRATION.md"))'."))
    #expect(!FileManager.default.fileExists(atPath: folder.path("Packs")))
  }

  @Test
  func `options without an effect for an input are errors, and no file is written`() throws {
    let folder = try TemporaryFolder()
    let list = "<plist><dict><key>Tags</key><array><string>t</string></array></dict></plist>"
    try folder.makeFile("p.assetpack/Info.plist", list)
    try folder.makeFile("p.assetpack/a.txt")
    let built = Captured(
      "convert", folder.path("p.assetpack"), "--target", "Game", "--content-root", folder.path,
      "-o", folder.path("Packs"))
    #expect(built.ending == .status(.failed))
    for arguments in [
      "the target has no effect: no input has targets [convert.no-effect]",
      "the content root has no effect: a product of Xcode contains its own files "
        + "[convert.no-effect]",
      "No files were written: 2 errors",
    ] { #expect(built.messages.contains(arguments), "\(built.messages)") }
    // For an input with such data, the option has an effect.
    let both = Captured(
      "convert", folder.path("p.assetpack"), Self.project, "--target", "Lantern", "-o",
      folder.path("Packs"))
    #expect(both.ending == .status(.done), "\(both.messages)")
    #expect(FileManager.default.fileExists(atPath: folder.path("Packs/tags-2.json")))
  }
}

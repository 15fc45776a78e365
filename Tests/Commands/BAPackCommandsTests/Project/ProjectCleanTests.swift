import Arguments
import BAPackCommands
import Foundation
import TestSupport
import Testing

// The files that 'clean' removes, and the notes of 'pack --update' about them.

extension ProjectCommandTests {
  @Test
  func `clean removes the project's packs, and no other files`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    try folder.makeFile(
      "game/Packs/isle.json",
      #"""
      {"assetPackID": "isle", "downloadPolicy": {"onDemand": {}},
       "fileSelectors": [{"directory": "cave"}], "platforms": []}
      """#)
    try folder.makeFile(
      "game/Packs/lake.json",
      #"""
      {"assetPackID": "lake", "downloadPolicy": {"onDemand": {}},
       "fileSelectors": [{"directory": "cave"}], "platforms": []}
      """#)
    #expect(run("pack", in: folder).ending == .status(.done))
    let packs = "game/build/packs/"
    try folder.makeFile(packs + "notes.txt", "mine")
    // A user file in place of a pack.
    try folder.remove(packs + "isle.aar")
    try folder.makeFile(packs + "isle.aar", "mine")
    try folder.remove(packs + "lake.aar")
    try folder.makeFile("precious.aar", try folder.contents(packs + "cave.aar"))
    try folder.makeLink(packs + "lake.aar", to: folder.path("precious.aar"))
    let before = run("clean", "--dry-run", in: folder)
    #expect(before.messages.hasSuffix("2 packs would be removed.\n"))
    #expect(try folder.contents(packs + "cave.aar").count > 0)
    let cleaned = run("clean", in: folder)
    #expect(cleaned.ending == .status(.done))
    #expect(cleaned.messages.contains("isle.aar' was kept: it is not a pack"))
    #expect(cleaned.messages.contains("lake.aar' was kept: it is not a file"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path(packs)).sorted()
        == ["isle.aar", "lake.aar", "notes.txt"])
    #expect(try folder.contents("precious.aar").count > 0)
    for name in ["isle.aar", "lake.aar", "notes.txt"] { try folder.remove(packs + name) }
    #expect(run("pack", in: folder).ending == .status(.done))
    #expect(run("clean", in: folder).ending == .status(.done))
    #expect(!FileManager.default.fileExists(atPath: folder.path(packs)))
  }

  /// Gives a pack another ID, in the same or in another manifest.
  private func rename(_ id: String, to other: String, in folder: borrowing TemporaryFolder) throws {
    let text = try String(
      contentsOfFile: folder.path("game/Packs/\(id).json"), encoding: .utf8)
    try folder.makeFile(
      "game/Packs/\(id).json",
      text.replacing("\"assetPackID\": \"\(id)\"", with: "\"assetPackID\": \"\(other)\""))
  }

  /// Creates packs in the folder of the project that 'clean' must keep.
  private func makeOtherPacks(in folder: borrowing TemporaryFolder, _ made: String) throws {
    // A pack whose manifest belongs to no project or another project is not stale.
    try folder.makeFile(
      "other.json",
      String(contentsOfFile: folder.path("game/Packs/cave.json"), encoding: .utf8)
        .replacing("grotto", with: "other"))
    let other = Captured(
      "pack", folder.path("other.json"), "-o", made, "--update", "--source-root",
      folder.path("game"))
    #expect(other.ending == .status(.done), "\(other.messages)")
    // One without a record, one that was replaced, and a record without its pack.
    let record = ".ba-package-cave.aar.record"
    try folder.makeFile("game/build/packs/lib.aar", folder.contents("game/build/packs/cave.aar"))
    try folder.makeFile("game/build/packs/swap.aar", folder.contents("game/build/packs/grotto.aar"))
    for name in ["swap", "gone"] {
      try folder.makeFile(
        "game/build/packs/.ba-package-\(name).aar.record",
        folder.contents("game/build/packs/\(record)"))
    }
  }

  private func packs(_ folder: borrowing TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("game/build/packs")).sorted()
  }

  @Test
  func `an update reports packs without a manifest, and clean --stale removes them`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    #expect(run("pack", "--update", in: folder).ending == .status(.done))
    // Renaming the manifest has no effect; another ID is another pack.
    try FileManager.default.moveItem(
      atPath: folder.path("game/Packs/forest.json"), toPath: folder.path("game/Packs/trees.json"))
    #expect(!run("pack", "--update", in: folder).messages.contains("no manifest"))
    try rename("cave", to: "grotto", in: folder)
    let made = folder.path("game/build/packs")
    let note =
      "In '\(made)' 1 pack has no manifest (cave.aar): 'ba-package clean --stale "
      + "--project \(folder.path("game/ba-package.json"))' removes it\n"
    let check = run("pack", "--update", "--check", in: folder)
    #expect(check.messages.hasSuffix(note), "\(check.messages)")
    let update = run("pack", "--update", in: folder)
    #expect(update.messages.hasSuffix(note + "1 packed, 1 unchanged\n"), "\(update.messages)")
    // A shard includes the packs of the others.
    #expect(run("pack", "--update", "--shard", "1/2", in: folder).messages.contains(note))
    // A run with a given manifest or folder prints no note.
    let one = run("pack", "--update", folder.path("game/Packs/cave.json"), in: folder)
    #expect(!one.messages.contains("no manifest"), "\(one.messages)")
    try makeOtherPacks(in: folder, made)
    // What 'pack' names, 'clean --stale' removes, with any record or none.
    let several = run("pack", "--update", in: folder)
    #expect(
      several.messages.contains("3 packs have no manifest (cave.aar, lib.aar, swap.aar): "),
      "\(several.messages)")
    let before = try packs(folder)
    let dry = run("clean", "--stale", "--dry-run", in: folder)
    #expect(dry.output == ["cave", "lib", "swap"].map { "\(made)/\($0).aar\n" }.joined())
    #expect(dry.messages.hasSuffix("3 packs without a manifest would be removed.\n"))
    #expect(try packs(folder) == before)
    let all = run("clean", "--dry-run", in: folder)
    #expect(
      all.messages.hasSuffix("5 packs would be removed, 3 of them without a manifest.\n"),
      "\(all.messages)")
    #expect(run("clean", "--stale", in: folder).output == dry.output)
    #expect(
      try packs(folder) == [
        ".ba-package-forest.aar.record", ".ba-package-grotto.aar.record",
        ".ba-package-other.aar.record", "forest.aar", "grotto.aar", "other.aar",
      ])
    #expect(run("pack", "--update", in: folder).messages.hasSuffix("0 packed, 2 unchanged\n"))
    try folder.remove("other.json")
    #expect(
      run("clean", in: folder).messages.contains("Removed 3 packs, 1 of them without a manifest.\n")
    )
    #expect(!FileManager.default.fileExists(atPath: made))
  }

  @Test func `packs without a manifest in the folder of the project are left out everywhere`()
    throws
  {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    #expect(run("pack", in: folder).ending == .status(.done))
    try rename("cave", to: "grotto", in: folder)
    #expect(run("pack", in: folder).ending == .status(.done))
    let made = folder.path("game/build/packs")
    let warning =
      "Warning: In '\(made)' 1 pack has no manifest (cave.aar): 'ba-package clean --stale "
      + "--project \(folder.path("game/ba-package.json"))' removes it; it is left out\n"
    let report = folder.path("report.json")
    for arguments in [
      ["list", made], ["info", made], ["verify", made], ["simulate", made],
      ["report", made, "-o", report], ["diff", made, made],
    ] {
      let run = Captured(arguments + ["--project", folder.path("game/ba-package.json")])
      #expect(run.ending == .status(.done), "\(arguments): \(run.messages)")
      #expect(run.messages.contains(warning), "\(arguments): \(run.messages)")
      #expect(!run.output.contains("cave.aar"), "\(arguments): \(run.output)")
    }
    #expect(
      !String(decoding: try folder.contents("report.json"), as: UTF8.self).contains("cave.aar"))
    // Also in a folder above it; a file that is named is used.
    let above = run("verify", folder.path("game"), in: folder)
    #expect(above.messages.hasSuffix("2 packs: no problems\n"), "\(above.messages)")
    let named = run("verify", made + "/cave.aar", in: folder)
    #expect(named.messages == "1 pack: no problems\n", "\(named.messages)")
    // Without the project, a folder is all its packs.
    let other = Captured("verify", made, "--no-project")
    #expect(other.messages == "3 packs: no problems\n", "\(other.messages)")
  }

  @Test
  func `a restored pack without a manifest is stale, and a second name of a pack is not`()
    throws
  {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    #expect(run("pack", "--update", in: folder).ending == .status(.done))
    try rename("cave", to: "grotto", in: folder)
    #expect(run("pack", "--update", in: folder).ending == .status(.done))
    let bytes = try folder.contents("game/build/packs/cave.aar")
    try folder.remove("game/build/packs/cave.aar")
    try folder.makeFile("game/build/packs/cave.aar", bytes)
    #expect(run("clean", "--stale", "--dry-run", in: folder).output.hasSuffix("cave.aar\n"))
    // Like a file system that ignores case: both names are the same file.
    try folder.remove("game/build/packs/cave.aar")
    try FileManager.default.linkItem(
      atPath: folder.path("game/build/packs/grotto.aar"),
      toPath: folder.path("game/build/packs/cave.aar"))
    #expect(run("clean", "--stale", in: folder).output == "")
    #expect(try packs(folder).contains("grotto.aar"))
  }
}

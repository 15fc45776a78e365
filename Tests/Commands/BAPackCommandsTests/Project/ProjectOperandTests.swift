// Long because all operands are tested with one project.
import Arguments
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

/// Typical operands in a project: IDs, folders, patterns, and the same command again.
@Suite final class ProjectOperandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile(
      "ba-package.json",
      #"{"packs": ["**/*.json"], "output": "out", "sourceRoot": "Assets"}"#)
    for id in ["world-01", "world-02", "voices-en"] {
      try folder.makeFile("Packs/\(id).json", Self.manifest(id))
      try folder.makeFile("Assets/\(id)/\(id).txt", "only in \(id)")
      try folder.makeFile("Assets/\(id)/Levels/\(id)/map.txt", "in all")
    }
  }

  private static func manifest(_ id: String, of name: String? = nil) -> String {
    #"""
    {"assetPackID": "\#(id)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
     "fileSelectors": [{"directorySource": "\#(name ?? id)", "directoryDestination": "."}]}
    """#
  }

  private func path(_ name: String) -> String { folder.path(name) }

  @Test(arguments: [
    ["pack", "m.json"], ["serve"], ["simulate"], ["verify"], ["diff"], ["report"], ["list"],
    ["info"], ["upload"], ["download-manifest", "create", "x.aar"],
    ["download-manifest", "create"], ["download-manifest", "check"],
  ])
  func `a missing argument is an error of the command line, with and without a project`(
    arguments: [String]
  ) throws {
    try folder.makeFile("Other/m.json", Self.manifest("m"))
    try folder.makeFile("Other/ba-package.json", #"{"packs": ["m.json"]}"#)
    let arguments = arguments.map { $0 == "m.json" ? path("Other/m.json") : $0 }
    for project in [["--no-project"], ["--project", path("Other/ba-package.json")]] {
      let run = Captured(arguments + project)
      #expect(run.ending == .status(.usage), "\(project): \(run.messages)")
      #expect(run.messages.hasPrefix("Error: "), "\(run.messages)")
    }
  }

  @Test func `a wrong pattern in the project is one error`() throws {
    try folder.makeFile("Other/ba-package.json", #"{"packs": ["Pakcs/*.json", "x.json"]}"#)
    let run = Captured("validate", "--project", path("Other/ba-package.json"))
    #expect(run.ending == .status(.failed))
    #expect(run.messages.ranges(of: ": error: ").count == 2, "\(run.messages)")
    #expect(!run.messages.contains("manifest.unreadable"), "\(run.messages)")
    #expect(
      run.messages.contains("ba-package.json': 2 errors; no manifest was checked"),
      "\(run.messages)")
  }

  private func run(_ arguments: String...) -> Captured {
    Captured(arguments + ["--project", path("ba-package.json")])
  }

  private var archives: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path("out"))) ?? [])
      .filter { $0.hasSuffix(".aar") }.sorted()
  }

  @Test func `a pattern of manifests ignores files that the program writes`() throws {
    #expect(run("pack", "--record-sizes").ending == .status(.done))
    let urls = ["--download-base-url", "https://example.com/packs", "-o", path("iOS.json")]
    let published = Captured(
      ["download-manifest", "create", "--platform", "iOS", "--no-project"]
        + archives.map { path("out/\($0)") } + urls)
    #expect(published.ending == .status(.done), "\(published.messages)")
    for report in ["report.json", "bom.cdx.json"] {
      let made = Captured("report", path("out"), "-o", path(report), "--no-project")
      #expect(made.ending == .status(.done), "\(made.messages)")
    }
    let sarif = Captured(
      "validate", path("Packs"), "--no-files", "--format", "sarif", "--no-project")
    try folder.makeFile("found.json", sarif.output)
    let pack = path("out/world-01.aar")
    for (number, arguments) in [
      ["schema"], ["schema", "--project"], ["template", "--project"],
      ["diff", pack, pack, "--format", "json"], ["info", pack, "--format", "json"],
      ["list", pack, "--format", "json"], ["list", "--digests", pack, "--format", "json"],
      [
        "evaluate", path("Packs/world-01.json"), "--source-root", path("Assets"), "--format",
        "json",
      ],
      ["simulate", path("out"), "--format", "json"],
    ].enumerated() {
      let printed = Captured(arguments)
      #expect(printed.ending == .status(.done), "\(arguments): \(printed.messages)")
      #expect(!printed.output.isEmpty, "\(arguments)")
      try folder.makeFile("made/\(number).json", printed.output)
    }
    try folder.makeFile("made/project.json", run("project", "--format", "json").output)
    try folder.makeFile(
      "made/accepted.json", #"{"accepted": [{"breaks": "path-removed", "reason": "x"}]}"#)
    try folder.makeFile("other/ba-package.json", #"{"packs": ["a.json"]}"#)
    let checked = run("validate")
    #expect(checked.ending == .status(.done), "\(checked.messages)")
    #expect(checked.messages.contains("and 3 manifests: no problems"), "\(checked.messages)")
    // A text that is not a manifest is still an error.
    try folder.makeFile("Packs/broken.json", #"{"assetPackId": "x"}"#)
    #expect(run("validate").messages.contains("broken.json:1:1: error"))
  }

  @Test func `IDs of packs and patterns of IDs represent manifests`() throws {
    #expect(run("pack", "world-01").ending == .status(.done))
    #expect(archives == ["world-01.aar"])
    let both = run("pack", "world-*", "voices-en", "world-02", "--force")
    #expect(both.ending == .status(.done), "\(both.messages)")
    #expect(archives == ["voices-en.aar", "world-01.aar", "world-02.aar"])
    #expect(run("evaluate", "world-02").output.contains("world-02.txt\n"))
    #expect(run("validate", "voices-*").messages.contains("and 1 manifest: no problems"))
    let against = run("verify", path("out/world-01.aar"), "--against", "world-01")
    #expect(against.ending == .status(.done), "\(against.messages)")
  }

  @Test func `an operand that is neither a file nor an ID is an error with the nearest ID`() {
    let run = run("pack", "wrld-01")
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages == """
        Error: there is no file 'wrld-01', and no pack of the project has this ID
        hint: did you mean 'world-01'?

        """)
    #expect(archives.isEmpty)
  }

  @Test func `a path of a file takes precedence over an ID`() throws {
    try folder.makeFile("here/world-01", Self.manifest("else", of: "world-02"))
    let here = path("here/world-01")
    #expect(run("pack", here, "-o", path("out")).ending == .status(.done))
    #expect(archives == ["else.aar"])
  }

  @Test func `a second run packs only what changed, and several packs have a total`() throws {
    let first = run("pack")
    #expect(first.ending == .status(.done), "\(first.messages)")
    let lines = first.messages.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("3 packs: 6 files, ") }, "\(first.messages)")
    #expect(lines.last == "3 packed, 0 unchanged", "\(first.messages)")
    let second = run("pack")
    #expect(second.ending == .status(.done))
    #expect(second.messages == "0 packed, 3 unchanged\n")
    // A file that is not this pack is never replaced without '--force'.
    let name = try #require(archives.first)
    try folder.makeFile("out/" + name, "notes")
    let refused = run("pack")
    #expect(refused.ending == .status(.failed))
    #expect(refused.messages.contains("is not a pack"), "\(refused.messages)")
    #expect(try folder.contents("out/" + name) == Array("notes".utf8))
    #expect(run("pack", "--force").ending == .status(.done))
  }

  @Test func `a record of sizes that cannot be replaced stops the command before any work`() throws
  {
    try folder.makeFile("ba-package.sizes.json", #"{"format": 99, "packs": {}}"#)
    let run = run("pack", "--record-sizes")
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("in format 99"))
    #expect(archives.isEmpty)
    #expect(
      try folder.contents("ba-package.sizes.json") == Array(#"{"format": 99, "packs": {}}"#.utf8))
  }

  @Test func `an output that looks like another archive is refused`() {
    for name in ["big.zip", "Packs.TAR.GZ", "x.json"] {
      let run = run("pack", "-o", path(name))
      #expect(run.ending == .status(.usage))
      #expect(run.messages.contains("is neither an archive, which ends in '.aar', nor a folder"))
      #expect(!FileManager.default.fileExists(atPath: path(name)))
    }
  }

  @Test func `a pack whose manifest has a new ID is reported, also without a project`() throws {
    func update() -> Captured {
      Captured(
        "pack", path("Packs/world-01.json"), "--no-project", "--source-root", path("Assets"), "-o",
        path("out"), "--update")
    }
    #expect(update().ending == .status(.done))
    try folder.makeFile("Packs/world-01.json", Self.manifest("renamed", of: "world-01"))
    let run = update()
    #expect(run.messages.contains("1 pack has no manifest (world-01.aar): remove it"))
    // Packs of other manifests are not stale.
    let other = Captured(
      "pack", path("Packs/world-02.json"), "--no-project", "--source-root", path("Assets"), "-o",
      path("out"), "--update")
    #expect(!other.messages.contains("renamed.aar"), "\(other.messages)")
  }

  @Test func `packs without a record are reported, and kept`() throws {
    func note(_ names: String) -> String { "not written by these manifests (\(names)): if " }
    func pack(_ sources: String...) -> Captured {
      Captured(
        ["pack"] + sources + ["--no-project", "--source-root", path("Assets"), "-o", path("out")]
          + ["--force"])
    }
    #expect(!pack(path("Packs")).messages.contains("not written by"))
    try folder.makeFile("Packs/world-01.json", Self.manifest("renamed", of: "world-01"))
    try folder.makeFile("out/notes.aar", "no pack")
    let again = pack(path("Packs"))
    #expect(again.ending == .status(.done), "\(again.messages)")
    #expect(again.messages.contains("1 pack is " + note("world-01.aar")), "\(again.messages)")
    let pattern = pack(path("Packs/*.json"))
    #expect(pattern.messages.contains(note("world-01.aar")), "\(pattern.messages)")
    // One of several manifests does not determine the other packs.
    let one = pack(path("Packs/world-02.json"))
    #expect(!one.messages.contains("not written by"), "\(one.messages)")
    let project = run("pack", "--force")
    #expect(project.messages.contains("no manifest (world-01.aar)"), "\(project.messages)")
    #expect(!run("pack", "--force", "-q").messages.contains("not written by"))
    // What 'pack' names, 'clean' removes, also without a record.
    #expect(run("clean", "--stale").output == path("out/world-01.aar") + "\n")
    #expect(archives.contains("notes.aar"))
    // A record of an earlier '--update' is used in other runs, too.
    try FileManager.default.removeItem(atPath: path("out"))
    #expect(run("pack", "--update").ending == .status(.done))
    try folder.makeFile("Packs/world-01.json", Self.manifest("third", of: "world-01"))
    let recorded = run("pack", "--force")
    #expect(
      recorded.messages.contains("no manifest (renamed.aar)"), "\(recorded.messages)")
    #expect(run("clean", "--stale").output.hasSuffix("renamed.aar\n"))
  }

  @Test func `a missing folder of collected packs is one error`() {
    let run = run("verify", "--all-shards", path("nope"))
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("No such file or directory"))
    #expect(!run.messages.contains("shards.missing"))
  }

  @Test func `list and info accept folders, patterns, and the packs of the project`() throws {
    #expect(run("pack").ending == .status(.done))
    let all = run("list").output
    for id in ["world-01", "world-02", "voices-en"] { #expect(all.contains("\(id).txt\n")) }
    #expect(Captured("list", path("out"), "--no-project").output == all)
    #expect(
      Captured("list", path("out/w*.aar"), "--no-project").output.contains("world-02.aar:\n"))
    #expect(run("info").output.components(separatedBy: "Container").count == 4)
    #expect(
      Captured("info", path("out/world-*.aar"), "--no-project").output
        .components(separatedBy: "Container").count == 3)
    #expect(
      Captured("verify", path("out/w*.aar"), "--no-project").messages == "2 packs: no problems\n")
    let none = Captured("info", path("out/x*.aar"), "--no-project")
    #expect(none.ending == .status(.failed))
    #expect(none.messages.contains("no file matches"))
    // A path that does not exist is one in the packs.
    #expect(run("list", "world-01.txt").output == "\(path("out/world-01.aar")):\nworld-01.txt\n")
  }

  @Test func `an ID or a pattern of IDs is accepted as a pack`() throws {
    #expect(run("pack").ending == .status(.done))
    func pack(_ id: String) -> String { path("out/\(id).aar") }
    #expect(run("list", "world-01").output == Captured("list", pack("world-01")).output)
    #expect(run("list", "world-*").output.contains("\(pack("world-02")):\n"))
    #expect(run("list", "world-01", "world-01.txt").output == "world-01.txt\n")
    #expect(run("info", "voices-*").output == Captured("info", pack("voices-en")).output)
    #expect(run("verify", "world-*").messages == "2 packs: no problems\n")
    let simulated = run("simulate", "voices-en")
    #expect(simulated.ending == .status(.done), "\(simulated.messages)")
    #expect(!simulated.output.contains("world-01"), "\(simulated.output)")
    let extracted = run("extract", "world-01", "-o", path("a"))
    #expect(extracted.ending == .status(.done), "\(extracted.messages)")
    #expect(try folder.contents("a/world-01.txt") == Array("only in world-01".utf8))
    let created = run(
      "download-manifest", "create", "world-02", "--platform", "iOS", "--download-base-url",
      "https://example.com", "-o", path("iOS.json"))
    #expect(created.ending == .status(.done), "\(created.messages)")
    let update = run("download-manifest", "update", path("iOS.json"), "voices-*")
    #expect(update.ending == .status(.done), "\(update.messages)")
    let keys = run(
      "download-manifest", "info-plist", "world-*", "--ios", "--download-base-url",
      "https://example.com")
    #expect(keys.ending == .status(.done), "\(keys.messages)")
    let versions = run(
      "download-manifest", "create", "world-*", "--asset-pack-versions", "1", "--ios",
      "--download-base-url", "https://example.com", "-o", path("other.json"))
    #expect(versions.messages.contains("the operands are 2 packs"), "\(versions.messages)")
    // A misspelt ID has a suggestion, and an ID without its pack names the pack.
    let unknown = run("info", "wrld-01")
    #expect(unknown.ending == .status(.failed))
    #expect(unknown.messages.contains("did you mean 'world-01'?"), "\(unknown.messages)")
    let listed = run("list", "wrld-01")
    #expect(
      listed.messages.hasSuffix(
        "contains 'wrld-01'\nhint: did you mean the pack 'world-01'?\n"), "\(listed.messages)")
    try folder.remove("out/world-02.aar")
    let absent = run("verify", "world-02")
    #expect(absent.messages.contains("which is a pack of the project"), "\(absent.messages)")
    // An existing path wins.
    let both = run("extract", "world-*", "-o", path("b"))
    #expect(both.messages.contains("'world-*' is 2 packs") || both.messages.contains("no '"))
  }

  @Test func `patterns select paths in packs, and another case of a path is named`() throws {
    try folder.makeFile("Assets/world-01/Levels/one.dat", "1")
    try folder.makeFile("Assets/world-01/Levels/deep/two.dat", "2")
    #expect(run("pack").ending == .status(.done))
    let pack = path("out/world-01.aar")
    #expect(
      Captured("list", pack, "Levels/*.dat").output == "Levels/one.dat\n")
    #expect(
      Captured("list", pack, "**/*.dat").output == "Levels/deep/two.dat\nLevels/one.dat\n")
    let some = Captured("extract", pack, "**/t*.dat", "-o", path("some"))
    #expect(some.messages.contains(": 1 file,"), "\(some.messages)")
    #expect(try folder.contents("some/Levels/deep/two.dat") == Array("2".utf8))
    // A folder that matches has all its files, as without a pattern.
    #expect(Captured("extract", pack, "Lev*", "-o", path("all")).ending == .status(.done))
    #expect(try folder.contents("all/Levels/one.dat") == Array("1".utf8))
    let none = Captured("extract", pack, "*.png", "-o", path("none"))
    #expect(none.messages.contains("does not contain '*.png'"), "\(none.messages)")
    let other = Captured("extract", pack, "levels/ONE.dat", "-o", path("none"))
    #expect(other.ending == .status(.failed))
    #expect(
      other.messages.hasSuffix("hint: paths are case-sensitive: use 'Levels/one.dat'\n"),
      "\(other.messages)")
    for words in [["Levels/one.dat", "world-01"], ["Levels/one.dat", path("out/WORLD-01.AAR")]] {
      let swapped = Captured(
        ["extract"] + words + ["-o", path("none"), "--project", path("ba-package.json")])
      #expect(swapped.ending == .status(.usage))
      #expect(
        swapped.messages.contains("use 'ba-package extract \(words[1]) Levels/one.dat -o "),
        "\(swapped.messages)")
    }
  }

  @Test func `a file is found in all packs`() throws {
    #expect(run("pack").ending == .status(.done))
    let found = run("list", "--find", "Levels/*/map.txt")
    #expect(found.output.components(separatedBy: "map.txt\n").count == 4)
    #expect(run("list", "--find", "world-0?.txt").output.contains("world-02.aar:\nworld-02.txt\n"))
    #expect(!run("list", "--find", "world-0?.txt").output.contains("voices-en.aar"))
    let none = run("list", "--find", "Levels/*.txt")
    #expect(none.ending == .status(.failed))
    #expect(none.messages.contains("no file in 3 packs matches the pattern"))
  }

  @Test func `files are sorted by size or by name`() throws {
    try folder.makeFile("Assets/world-01/b.txt", String(repeating: "b", count: 900))
    try folder.makeFile("Assets/world-01/a.txt", String(repeating: "a", count: 500))
    #expect(run("pack", "world-01").ending == .status(.done))
    let pack = path("out/world-01.aar")
    #expect(Captured("list", pack, "--sort", "size").output.hasPrefix("b.txt\na.txt\n"))
    #expect(
      Captured("list", pack, "--sort", "name").output
        == "Levels/world-01/map.txt\na.txt\nb.txt\nworld-01.txt\n")
  }

  @Test func `files with equal contents are listed once with all their paths`() throws {
    #expect(run("pack").ending == .status(.done))
    let run = run("list", "--duplicates")
    #expect(
      run.output == """
        3 equal files of 6 bytes:
          \(path("out/voices-en.aar")): Levels/voices-en/map.txt
          \(path("out/world-01.aar")): Levels/world-01/map.txt
          \(path("out/world-02.aar")): Levels/world-02/map.txt

        """)
    #expect(run.messages == "1 file with duplicates; the duplicates have 12 bytes\n")
    let json = self.run("list", "--duplicates", "--format", "json").output
    #expect(json.hasPrefix(#"{"sha256":""#) && json.contains(#""size":6,"files":[{"pack":"#))
    #expect(
      Captured("list", path("out/world-01.aar"), "--duplicates", "--no-project").output.isEmpty)
  }

  @Test func `with --quiet only errors are printed, and warnings where they fail`() throws {
    // Two packs with one path cause a warning.
    try folder.makeFile("Assets/world-02/world-01.txt", "only in world-01")
    #expect(run("validate").messages.contains("warning"))
    #expect(run("validate", "-q").messages == "")
    #expect(run("validate", "-q", "--strict").messages.contains("[files.shared-path]"))
    #expect(run("pack", "-q").messages == "")
  }

  @Test func `a project file of another user is used if the environment trusts it`() throws {
    // Only root can change the owner of a file.
    guard ProcessState.userID == 0 else { return }
    let found = try #require(ProjectPlace(from: folder.path))
    try FileManager.default.setAttributes(
      [.ownerAccountID: 12_345, .groupOwnerAccountID: 12_345],
      ofItemAtPath: path("ba-package.json"))
    #expect(throws: PackError.self) { try ProjectDocument(reading: found, .unstoppable) }
    #expect(try ProjectDocument(reading: found, as: nil, .unstoppable).settings?.output == "out")
    let trusting = Console(
      output: TextStream(capturedAs: false, columns: 80),
      messages: TextStream(capturedAs: false, columns: 80), .unstoppable,
      environment: { $0 == "BA_TRUST_PROJECT" ? "1" : nil })
    #expect(trusting.projectOwner == nil)
  }

  @Test func `project files in subfolders are found, two levels deep`() throws {
    #expect(ProjectPlace.below(folder.path) == [])
    try folder.makeFile("games/lantern/ba-package.json", "{}")
    try folder.makeFile("games/.hidden/ba-package.json", "{}")
    try folder.makeFile("games/lantern/Assets/ba-package.json", "{}")
    #expect(ProjectPlace.below(folder.path) == [path("games/lantern/ba-package.json")])
  }

  @Test func `all scenarios of a folder are run, with one report`() throws {
    #expect(run("pack").ending == .status(.done))
    for (name, word) in [("a", "not downloaded"), ("b", "downloaded")] {
      try folder.makeFile(
        "scenarios/\(name).scenario",
        """
        release \(path("out"))
        install
        expect \(word) world-01
        """)
    }
    try folder.makeFile("scenarios/notes.txt", "no scenario")
    let run = Captured(
      "simulate", "--scenario", path("scenarios"), "--junit", path("junit.xml"), "--no-project")
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("b.scenario:3:"))
    #expect(run.messages.hasSuffix("2 scenarios: 1 failed\n"))
    let report = String(decoding: try folder.contents("junit.xml"), as: UTF8.self)
    #expect(report.components(separatedBy: "<testsuite ").count == 3)
    #expect(report.components(separatedBy: "<failure ").count == 2)
    #expect(report.hasPrefix("<?xml") && report.hasSuffix("</testsuites>\n"))
    let none = Captured("simulate", "--scenario", path("Packs"), "--no-project")
    #expect(none.messages.contains("ends in '.scenario'"))
  }

  @Test func `versions, languages and rates are accepted in common spellings`() throws {
    #expect(run("pack").ending == .status(.done))
    let written = [path("out"), "--no-project", "--format", "json"]
    let plain = Captured(
      ["simulate"] + written + ["--os", "26", "--language", "es-MX", "--bandwidth", "10mbit"])
    let other = Captured(
      ["simulate"] + written + ["--os", "26.1", "--language", "es_MX", "--bandwidth", "10Mbps"])
    #expect(plain.ending == .status(.done), "\(plain.messages)")
    #expect(other.output == plain.output)
    #expect(Captured("simulate", "x", "--os", "26.x").ending == .status(.usage))
  }
}

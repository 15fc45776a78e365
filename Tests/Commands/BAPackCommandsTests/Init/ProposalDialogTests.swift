import Arguments
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

/// Changes a proposal at the prompt of `init`.
@Suite(.mustEnd)
final class ProposalDialogTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try makeGame("game")
  }

  /// Core, music, two levels and two languages.
  private func makeGame(_ name: String) throws {
    try folder.makeFile("\(name)/Fonts/ui.ttf", String(repeating: "font", count: 20_000))
    try folder.makeFile("\(name)/Fonts/notes.md", "notes")
    for index in 1...50 { try folder.makeHole("\(name)/Music/a\(index)/song.ogg", size: 300_000) }
    for level in ["01", "02", "03"] {
      try folder.makeHole("\(name)/Levels/\(level)/map.bin", size: 6_000_000)
    }
    for language in ["en", "de"] {
      try folder.makeHole("\(name)/Voices/\(language)/hello.wav", size: 4_000_000)
    }
  }

  private func run(
    _ name: String, _ options: [String] = ["--oldest-os", "26", "--primary-language", "en"],
    typing lines: String...
  ) -> Captured {
    Captured(
      ["init", folder.path(name)] + options,
      input: lines.map { $0 + "\n" }.joined(), terminal: true)
  }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.path(path))
  }

  private func written(_ name: String) throws -> [String: [UInt8]] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path(name))
    var files: [String: [UInt8]] = [:]
    for path in paths
    where path.hasSuffix(".json") || path.hasSuffix(".scenario") || path == ".gitignore" {
      files[path] = try folder.contents("\(name)/\(path)")
    }
    return files
  }

  private func manifest(_ id: String) throws -> Manifest? {
    ManifestDocument(parsing: try folder.contents("game/Packs/\(id).json"), named: id).manifest
  }

  /// The number of tables that were printed.
  private func tables(_ run: Captured) -> Int {
    run.output.components(separatedBy: "compressed*").count - 1
  }

  @Test func `a question mark describes each change, and the prompt is shown again`() throws {
    let run = run("game", typing: "?", "help", "n")
    for option in InitChoices.options.map(\.parameter) {
      #expect(
        run.messages.components(separatedBy: "\n" + option.name).count == 3, "\(option.name)")
    }
    for line in ["files ID", "rename ID NEW"] { #expect(run.messages.contains("\n" + line)) }
    #expect(run.messages.components(separatedBy: "? [Y/n/?]").count == 4)
    #expect(tables(run) == 1)
    #expect(try written("game").isEmpty)
  }

  @Test func `changes are shown in a new table, and written`() throws {
    let run = run(
      "game", typing: "policy music=essential", "rename music soundtrack", "--exclude *.md",
      "policy soundtrack=prefetch", "y")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(tables(run) == 5)
    let music = try #require(try manifest("soundtrack"))
    #expect(music.assetPackID == "soundtrack")
    #expect(music.downloadPolicy == .prefetch(Set(InstallationEvent.allCases)))
    #expect(!exists("game/Packs/music.json"))
    #expect(run.output.contains("excluded by the user"))
    let game = folder.path("game")
    let check = Captured("validate", "--strict", "--project", game)
    #expect(check.ending == .status(.done), "\(check.messages)")
    #expect(Captured("pack", "--quiet", "--project", game).ending == .status(.done))
    for scenario in ["first-launch", "oldest-system"] {
      let path = "\(game)/Scenarios/\(scenario).scenario"
      let test = Captured(
        ["simulate", "--project", game, "--scenario", path], environment: ["HOME": game])
      #expect(test.ending == .status(.done), "\(test.output)\(test.messages)")
    }
  }

  @Test(arguments: [
    ("policy nothing=prefetch", "no proposed pack has the ID 'nothing'"),
    ("policy musik=prefetch", "did you mean 'music'?"),
    ("policy music", "expected the ID of a pack"),
    ("essential-limit many", "'many'"),
    ("exclude", "--exclude"),
    ("rename music", "'rename' requires two IDs"),
    ("rename music core", "another pack has the ID 'core'"),
    ("rename music Core", "another pack has the ID 'Core'"),
    ("rename music a/b", "hint: choose another ID"),
    ("files", "'files' requires an ID"),
    ("files musik", "no proposed pack has the ID 'musik'"),
    ("polcy", "Did you mean 'policy'?"),
    ("something", "Type 'y', 'n', or '?' for changes."),
    ("hosting self", "Type 'y', 'n', or '?' for changes."),
    ("exclude **", "there are no files to pack"),
  ])
  func `a line that is wrong changes nothing`(_ line: String, _ message: String) throws {
    let run = run("game", typing: line, "y")
    #expect(run.messages.contains(message), "\(run.messages)")
    #expect(run.ending == .status(.done))
    #expect(tables(run) == 1)
    try makeGame("other")
    _ = self.run("other", typing: "y")
    #expect(try written("game") == written("other"))
  }

  @Test func `the files of a pack are listed, and many of them by folder`() throws {
    let run = run("game", typing: "files core", "files music", "n")
    #expect(run.messages.contains(/Fonts\/ui.ttf +80.0 KB\n/), "\(run.messages)")
    let line = try #require(
      run.messages.components(separatedBy: "\n").first { $0.hasPrefix("Music/a2/") })
    #expect(line.hasSuffix("1 file"))
    #expect(run.messages.contains("… and 10 more folders"), "\(run.messages)")
  }

  /// The same choices at the prompt and on the command line give the same files.
  @Test(arguments: 0..<12)
  func `a line at the prompt is an option of the command`(seed: Int) throws {
    var random = Seeded(seed: UInt64(seed))
    let lines = [
      ["policy", "music=on-demand"], ["policy", "core=prefetch"], ["exclude", "*.md"],
      ["exclude", "Music/a1/**"], ["include", "*.md"], ["essential-limit", "2M"],
      ["no-localized"], ["no-history"], ["primary-language", "de"], ["oldest-os", "27"],
      ["oldest-os", "26.1"],
    ]
    var chosen: [[String]] = []
    for line in lines
    where random.next(below: 3) == 0 && !chosen.contains(where: { $0[0] == line[0] }) {
      chosen.append(line)
    }
    let typed = chosen.map { $0.joined(separator: " ") } + ["y"]
    let prompted = Captured(
      ["init", folder.path("game")], input: (["", ""] + typed).map { $0 + "\n" }.joined(),
      terminal: true)
    #expect(prompted.ending == .status(.done), "\(prompted.messages)")
    try makeGame("other")
    var options = chosen.flatMap { ["--" + $0[0]] + $0.dropFirst() }
    // The replies to the prompts about the app.
    if !options.contains("--primary-language") { options += ["--primary-language", "en"] }
    if !options.contains("--oldest-os") { options += ["--oldest-os", "26"] }
    let given = Captured(["init", folder.path("other"), "--yes"] + options)
    #expect(given.ending == .status(.done), "\(given.messages)")
    #expect(try written("game") == written("other"), "\(options)")
  }

  // MARK: The oldest system

  @Test(arguments: [(["--oldest-os", "27"], false), (["--oldest-os", "26.4"], true), ([], true)])
  func `a second scenario is for apps that run on systems without localized packs`(
    _ options: [String], _ isWritten: Bool
  ) throws {
    let game = folder.path("game")
    let run = Captured(["init", game, "--yes"] + options)
    #expect(run.ending == .status(.done), "\(run.messages)")
    let old = "game/Scenarios/oldest-system.scenario"
    #expect(exists(old) == isWritten)
    #expect(run.output.contains("receive no localized") == isWritten)
    let check = Captured("validate", "--project", game)
    #expect(
      check.messages.contains(
        isWritten ? "note: systems before version 27 do not support" : "1 finding off"),
      "\(check.messages)")
    #expect(Captured("validate", "--strict", "--project", game).ending == .status(.done))
    guard isWritten else { return }
    let scenario = String(decoding: try folder.contents(old), as: UTF8.self)
    #expect(scenario.contains("\ndevice iOS 26, "), "\(scenario)")
    let absent = "expect not downloaded level-02 level-03 voices-de voices-en"
    #expect(scenario.contains(absent), "\(scenario)")
  }

  @Test func `--scenario writes both scenarios again, as the project decides`() throws {
    let game = folder.path("game")
    #expect(Captured("init", game, "--yes").ending == .status(.done))
    let paths = ["game/Scenarios/first-launch.scenario", "game/Scenarios/oldest-system.scenario"]
    let before = try paths.map { try folder.contents($0) }
    #expect(Captured("init", "--scenario", game).messages.contains("are up to date."))
    for path in paths { try folder.makeFile(path, "device iOS 26\n") }
    #expect(Captured("init", "--scenario", "--yes", game).ending == .status(.done))
    #expect(try paths.map { try folder.contents($0) } == before)

    // A project whose finding is off requires systems with localized packs.
    let project = String(decoding: try folder.contents("game/ba-package.json"), as: UTF8.self)
    try folder.makeFile(
      "game/ba-package.json", project.replacing("\"level\": \"note\"", with: "\"level\": \"off\""))
    for path in paths { try folder.makeFile(path, "device iOS 26\n") }
    let again = Captured("init", "--scenario", "--yes", game)
    #expect(again.messages.contains("Wrote '"), "\(again.messages)")
    #expect(try folder.contents(paths[0]) == before[0])
    #expect(try folder.contents(paths[1]) == Array("device iOS 26\n".utf8))
  }
}

import Arguments
import BAPackCommands
import Foundation
import Glibc
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// `init --add` on projects with links, changed project files and files of other users.
@Suite("init --add", .mustEnd)
final class InitAddTests {
  private let folder: TemporaryFolder
  private static let complete = "Every file is in a pack, or a rule leaves it out."

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("game/UI/button.png", [1, 2, 3])
    for level in ["01", "02", "03"] {
      try folder.makeHole("game/Levels/\(level)/map.bin", size: 6_000_000)
    }
  }

  private var game: String { folder.path("game") }

  private func run(_ arguments: String...) -> Captured { Captured(["init"] + arguments) }

  private func object(_ text: String) throws -> JSONValue {
    try #require(JSONValue(parsing: text))
  }

  private func move(_ old: String, to new: String) throws {
    try FileManager.default.moveItem(atPath: folder.path(old), toPath: folder.path(new))
  }

  /// Checks that the project is valid, without warnings if `strict`, and complete.
  private func check(strict: Bool = true) {
    let again = run(game, "--add")
    #expect(again.messages.contains(Self.complete), "\(again.output) \(again.messages)")
    let valid = Captured(["validate"] + (strict ? ["--strict"] : []) + ["--project", game])
    #expect(valid.ending == .status(.done), "\(valid.messages)")
  }

  @Test func `manifests that a link leads to are no assets, but remain in their pack`() throws {
    #expect(run(game, "--yes").ending == .status(.done))
    try move("game/Packs", to: "game/UI/packs")
    try folder.makeLink("game/Packs", to: "UI/packs")
    try folder.makeLink("game/UI/copy.json", to: "../ba-package.json")
    // The manifests are now one folder deeper.
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("game/Packs")) {
      let path = "game/UI/packs/\(name)"
      let text = String(decoding: try folder.contents(path), as: UTF8.self)
      try folder.makeFile(
        path, text.replacing("\"sourceRoot\": \"..\"", with: "\"sourceRoot\": \"../..\""))
    }
    try folder.makeHole("game/Levels/04/map.bin", size: 6_000_000)
    let added = run(game, "--add", "--yes")
    #expect(added.ending == .status(.done), "\(added.messages)")
    #expect(added.output.contains("Packs/level-04.json is a new manifest.\n"), "\(added.output)")
    #expect(!added.output.contains("gets:"), "\(added.output)")
    #expect(added.messages.contains("  UI/copy.json\n  UI/packs/core.json\n"), "\(added.messages)")
    check(strict: false)
  }

  @Test func `a budget that new files of the first screen exceed is raised, and packing passes`()
    throws
  {
    #expect(run(game, "--yes").ending == .status(.done))
    var random = Seeded(seed: 3)
    try folder.makeFile("game/Icons/sheet.png", random.noise(300_000))
    let project = try folder.contents("game/ba-package.json")
    let diff = run(game, "--add", "--diff")
    #expect(diff.output.contains("+++ b/ba-package.json\n"), "\(diff.output)")
    #expect(try folder.contents("game/ba-package.json") == project)
    let added = run(game, "--add", "--yes")
    #expect(added.ending == .status(.done), "\(added.messages)")
    #expect(added.output.contains("gets the budget 'essential' of"), "\(added.output)")
    let packed = Captured("pack", "--project", game)
    #expect(packed.ending == .status(.done), "\(packed.messages)")
    check()
  }

  @Test(
    arguments: ["smoke.scenario", "check.sh", "build.py", "Makefile", "notes.md"], [true, false])
  func `a new manifest is next to those of the project, also in a folder with a script`(
    other: String, isPattern: Bool
  ) throws {
    #expect(run(game, "--packs-dir", "Manifests", "--yes").ending == .status(.done))
    try folder.makeFile("game/Manifests/\(other)", "# a file of the user")
    if !isPattern {
      let text = String(decoding: try folder.contents("game/ba-package.json"), as: UTF8.self)
      try folder.makeFile(
        "game/ba-package.json",
        text.replacing(
          "\"Manifests/*.json\"",
          with: "\"Manifests/core.json\", \"Manifests/level-02.json\", \"Manifests/level-03.json\""
        ))
    }
    try folder.makeHole("game/Levels/04/map.bin", size: 6_000_000)
    let added = run(game, "--add", "--yes")
    #expect(added.ending == .status(.done), "\(added.messages)")
    #expect(
      added.output.contains("Manifests/level-04.json is a new manifest.\n"), "\(added.output)")
    #expect(added.messages.contains("no entry of 'packs'") == !isPattern, "\(added.messages)")
    if isPattern { check() }
  }

  @Test(arguments: [
    ForcedFailure(.sync, .fail(ENOSPC), path: "level-04.json"),
    ForcedFailure(.sync, .fail(EIO), path: "level-04.json"),
    ForcedFailure(.open, .fail(EACCES), path: "level-04.json"),
    ForcedFailure(.link, .fail(EEXIST)), ForcedFailure(.link, .fail(ENOSPC)),
  ])
  func `remedies of a failed addition name no option that is missing`(
    failure: ForcedFailure
  ) throws {
    #expect(run(game, "--yes").ending == .status(.done))
    try folder.makeHole("game/Levels/04/map.bin", size: 6_000_000)
    let failed = ForcedFailures.inject(failure) { run(game, "--add", "--yes") }
    #expect(failed.ending == .status(.failed), "\(failed.messages)")
    for option in [" -o", "--force", "--threads", "--memory"] {
      #expect(!failed.messages.contains(option), "\(failed.messages)")
    }
  }

  @Test func `the source root can be a link`() throws {
    try folder.makeFolder("project")
    try move("game", to: "project/Assets")
    try move("project", to: "game")
    try FileManager.default.createDirectory(
      atPath: folder.path("game/Sources"), withIntermediateDirectories: true)
    try folder.makeFile("game/Sources/main.swift", "print()")
    #expect(run(game, "--yes").ending == .status(.done))
    try move("game/Assets", to: "store")
    try folder.makeLink("game/Assets", to: "../store")
    try folder.makeHole("store/Levels/04/map.bin", size: 6_000_000)
    let added = run(game, "--add", "--yes")
    #expect(added.ending == .status(.done), "\(added.messages)")
    check()
  }

  @Test func `a manifest that the project does not select is not written twice`() throws {
    #expect(run(game, "--yes").ending == .status(.done))
    let place = "game/ba-package.json"
    let text = String(decoding: try folder.contents(place), as: UTF8.self)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("game/Packs"))
    let list = names.map { "\"Packs/\($0)\"" }.joined(separator: ", ")
    let single = text.replacing("\"Packs/*.json\"", with: list)
    #expect(single != text)
    try folder.makeFile(place, single)
    try folder.makeHole("game/Levels/04/map.bin", size: 6_000_000)
    for _ in 0..<2 {
      let added = run(game, "--add", "--yes")
      #expect(added.ending == .status(.done))
      #expect(added.messages.contains("no entry of 'packs'"), "\(added.messages)")
      #expect(added.messages.contains("selects 'Packs/level-04.json'"), "\(added.messages)")
    }
    let now = try FileManager.default.contentsOfDirectory(atPath: folder.path("game/Packs"))
    #expect(Set(now).subtracting(names) == ["level-04.json"])
  }

  @Test func `files that no pack gets are named with reasons`() throws {
    for language in ["en", "de", "pt"] {
      try folder.makeHole("game/Voices/\(language)/hello.wav", size: 2_000_000)
    }
    try folder.makeFile("game/UI/old-1.png", [1])
    #expect(run(game, "--exclude", "old-*", "--yes").ending == .status(.done))
    try folder.makeHole("game/Voices/pt_BR/hello.wav", size: 2_000_000)
    try folder.makeHole("game/Voices/pt_BR/bye.wav", size: 2_000_000)
    try folder.makeFile("game/Menu/old-2.png", [1])
    let text = run(game, "--add", "--dry-run")
    #expect(text.messages.contains("match 'old-*' of 'Packs/core.json'"), "\(text.messages)")
    #expect(text.messages.contains("warning: not added: 2 files: the pack 'voices-pt'"))
    #expect(text.messages.contains("No file was added."))
    let plan = try object(run(game, "--add", "--dry-run", "--format", "json").output)
    let paths = plan["notAdded"]?.elements.flatMap { $0["paths"]?.elements ?? [] }
      .compactMap { $0["path"] }
    #expect(
      paths == [.string("Voices/pt_BR/bye.wav"), .string("Voices/pt_BR/hello.wav")])
    #expect(plan["leftOut"]?.elements.count == 1)
  }

  @Test func `the remedy for a project of another user names no option that is missing`() throws {
    // Only root can change the owner of a file.
    guard ProcessState.userID == 0 else { return }
    #expect(run(game, "--yes").ending == .status(.done))
    try FileManager.default.setAttributes(
      [.ownerAccountID: 12_345], ofItemAtPath: folder.path("game/ba-package.json"))
    try folder.makeFolder("game/.git")
    for arguments in [[game, "--add"], [folder.path("game/UI")]] {
      let refused = Captured(["init"] + arguments)
      #expect(refused.ending != .status(.done))
      #expect(refused.messages.contains("BA_TRUST_PROJECT"), "\(refused.messages)")
      #expect(!refused.messages.contains("--"), "\(refused.messages)")
    }
  }
}

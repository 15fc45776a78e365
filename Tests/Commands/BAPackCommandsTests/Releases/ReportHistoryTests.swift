import Arguments
import BAPackCommands
import Foundation
import SystemIO
import TestSupport
import Testing

/// `report --history`: the updates in the history of a Git repository.
@Suite struct ReportHistoryTests {
  /// A repository with three releases: a text changes in each of them, and music never.
  private static func makeRepository() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let path = folder.path
    func git(_ words: String...) throws {
      let output = try ProgramOutput(
        of: ["git", "-C", path, "-c", "user.name=t", "-c", "user.email=t@example.com"]
          + words,
        changing: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_DIR": nil], atMost: 1 << 20,
        until: .now + .seconds(60), .unstoppable)
      try #require(output.end == .status(0), "\(String(decoding: output.errors, as: UTF8.self))")
    }
    try git("init", "--quiet", ".")
    var random = Seeded(seed: 1)
    try folder.makeFile("Art/Music/a.ogg", random.noise(40_000))
    try folder.makeFile(
      "Packs/all.json",
      #"""
      {"assetPackID": "all", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "../Art", "fileSelectors": [{"directory": "."}]}
      """#)
    for (number, tag) in ["v1", "v2", "v3"].enumerated() {
      try folder.makeFile("Art/Text/de.txt", String(repeating: "\(number)", count: 2000))
      try git("add", "--all")
      try git("commit", "--quiet", "-m", tag)
      try git("tag", tag)
    }
    return folder
  }

  private static func updates(_ folder: borrowing TemporaryFolder) throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: Data(try folder.contents("r.json")))
    return try #require((json as? [String: Any])?["updates"] as? [String: Any])
  }

  @Test func `packs are replayed in the tags of a range`() throws {
    let folder = try Self.makeRepository()
    let output = folder.path("r.json")
    let run = Captured(
      "report", folder.path("Packs"), "--history", "v1..HEAD", "--releases", "v*", "-o", output)
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(
      run.messages.hasPrefix(
        "A device with all packs downloaded 83.0 KB in 2 updates; 2.00 KB of that had changed "
          + "(41.5 x). Sizes are estimated from the kinds of files, because no archives exist.\n"))
    let updates = try Self.updates(folder)
    let packs = try #require(updates["packs"] as? [[String: Any]])
    #expect(packs.map { $0["pack"] as? String } == ["all"])
    #expect(packs[0]["changes"] as? Int == 2)
    #expect(packs[0]["releases"] as? Int == 3)
    #expect(packs[0]["downloaded"] as? Int == 83_000)
    #expect(packs[0]["changed"] as? Int == 2000)
    let last = Captured(
      "report", folder.path("Packs"), "--history", "v2..", "--format", "markdown")
    #expect(last.output.contains("| `all` | 1 of 1 | 41.5 KB | 41.5 KB | 1.00 KB | 41.5 x |"))
  }

  @Test func `archives give the sizes of files`() throws {
    let folder = try Self.makeRepository()
    let packed = Captured("pack", folder.path("Packs/all.json"), "-o", folder.path("all.aar"))
    #expect(packed.ending == .status(.done), "\(packed.messages)")
    let run = Captured(
      "report", folder.path("all.aar"), "--source-root", folder.path("Art"), "--history", "v1..v3",
      "-o", folder.path("r.json"))
    #expect(run.ending == .status(.done), "\(run.messages)")
    let updates = try Self.updates(folder)
    #expect(updates["sizes"] as? String == "estimated")
    // The sizes are those of today, because no size in the history differs.
    let size = try folder.contents("all.aar").count
    let packs = try #require(updates["packs"] as? [[String: Any]])
    #expect(packs[0]["downloaded"] as? Int == 2 * size)
  }

  @Test func `former reports are a history`() throws {
    let folder = try Self.makeRepository()
    for (number, name) in ["1.json", "2.json", "3.json"].enumerated() {
      try folder.makeFile("Art/Text/de.txt", String(repeating: "\(number)", count: 2000))
      try folder.makeFolder("packs-\(number)")
      let archive = folder.path("packs-\(number)/all.aar")
      #expect(
        Captured("pack", folder.path("Packs/all.json"), "-o", archive).ending == .status(.done))
      if number < 2 {
        let report = Captured("report", archive, "-o", folder.path(name))
        #expect(report.ending == .status(.done), "\(report.messages)")
      }
    }
    let run = Captured(
      "report", folder.path("packs-2"), "--baseline", folder.path("1.json"), "--baseline",
      folder.path("2.json"), "-o", folder.path("r.json"))
    #expect(run.ending == .status(.done), "\(run.messages)")
    let updates = try Self.updates(folder)
    #expect(updates["sizes"] as? String == "archives")
    let packs = try #require(updates["packs"] as? [[String: Any]])
    var size = 0
    for number in 1...2 { size += try folder.contents("packs-\(number)/all.aar").count }
    #expect(packs[0]["downloaded"] as? Int == size)
    #expect(packs[0]["changes"] as? Int == 2)
  }

  @Test func `files that are not in Git are named`() throws {
    let folder = try Self.makeRepository()
    try folder.makeFile("Made/b.bin", "x")
    try folder.makeFile(
      "Packs/made.json",
      #"""
      {"assetPackID": "made", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "../Made", "fileSelectors": [{"file": "b.bin"}]}
      """#)
    let note = "no release contains a file of the pack 'made'"
    let both = Captured(
      "report", folder.path("Packs"), "--history", "v1..v3", "-o", folder.path("r.json"))
    #expect(both.ending == .status(.done), "\(both.messages)")
    #expect(both.messages.contains(note))
    #expect(try Self.updates(folder)["notes"] as? [String] == [note])
    let alone = Captured(
      "report", folder.path("Packs/made.json"), "--history", "v1..v3", "--format", "json")
    #expect(alone.ending == .status(.failed))
    #expect(alone.messages.contains("fewer than two releases contain files of the packs"))
  }

  @Test func `wrong ranges and source roots are errors`() throws {
    let folder = try Self.makeRepository()
    let packs = folder.path("Packs")
    let wrong = Captured("report", packs, "--history", "a...b", "-o", folder.path("r.json"))
    #expect(wrong.ending == .status(.usage))
    let alone = Captured("report", packs, "--releases", "v*", "-o", folder.path("r.json"))
    #expect(alone.ending == .status(.usage))
    let missing = Captured("report", packs, "--history", "v9", "-o", folder.path("r.json"))
    #expect(missing.ending == .status(.failed))
    #expect(missing.messages.contains("the Git repository has no commit 'v9'"))
    let single = Captured("report", packs, "--history", "v3..", "-o", folder.path("r.json"))
    #expect(single.messages.contains("the range of the history contains only one release"))
    let isWritten = (try? folder.contents("r.json")) != nil
    #expect(!isWritten)
  }
}

import Arguments
import BAPackCommands
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

/// `cache info` and `cache clean`, and the use of caches in the result of `pack`.
@Suite struct CacheCommandTests {
  private static func make(in folder: borrowing TemporaryFolder) throws {
    try folder.makeFile(
      "game/ba-package.json",
      #"{"packs": ["Packs/*.json"], "output": "out", "cache": {"folder": "blocks", "limit": "2G"}}"#
    )
    for id in ["a", "b"] {
      try folder.makeFile(
        "game/Packs/\(id).json",
        #"""
        {"assetPackID": "\#(id)", "downloadPolicy": {"onDemand": {}},
         "fileSelectors": [{"directory": "\#(id)"}], "platforms": []}
        """#)
      try folder.makeFile("game/\(id)/text.txt", String(repeating: id, count: 10_000))
    }
  }

  private func run(_ words: String..., in folder: borrowing TemporaryFolder) -> Captured {
    Captured(words + ["--project", folder.path("game")])
  }

  private func object(_ text: some StringProtocol) throws -> JSONValue {
    try #require(JSONValue(parsing: text))
  }

  @Test func `pack prints one object about the cache after the archives`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    let first = run("pack", "--format", "json", in: folder)
    let lines = first.output.split(separator: "\n")
    #expect(lines.count == 3)
    let cache = try #require(try object(lines[2])["cache"])
    #expect(cache["hits"] == .integer(0))
    #expect(cache["misses"] == .integer(2))
    #expect(cache["folder"]?["path"] == .string(folder.path("game/blocks")))
    #expect(cache["folder"]?["limit"] == .integer(2 << 30))
    #expect(cache["server"] == nil)
    let second = run("pack", "-f", "--format", "json", in: folder)
    let use = try object(try #require(second.output.split(separator: "\n").last))["cache"]
    #expect(use?["hits"] == .integer(2))
    let without = Captured(
      "pack", folder.path("game/Packs/a.json"), "--source-root", folder.path("game"), "-o",
      folder.path("x.aar"), "--format", "json", "--no-project")
    #expect(!without.output.contains("\"cache\""))
  }

  @Test(arguments: ["info", "clean"])
  func `a shared cache is not shown or cleaned`(command: String) {
    let run = Captured("cache", command, "--cache", "https://cache.example.com/blocks")
    #expect(run.ending == .status(.usage) && run.output.isEmpty)
    #expect(run.messages.contains("the server removes the blocks of a shared cache"))
  }

  @Test func `info shows the cache of the project, of an option or of the user`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    #expect(run("cache", "info", in: folder).output.contains("blocks     0\n"))
    _ = run("pack", in: folder)
    let text = run("cache", "info", in: folder).output
    #expect(
      text.hasPrefix(
        """
        folder     \(folder.path("game/blocks"))
        blocks     2
        size       8.19 KB (limit: 2G)
        last used  from 2
        """))
    let json = try object(run("cache", "info", "--format", "json", in: folder).output)
    #expect(json["blocks"] == .integer(2))
    #expect(json["bytes"] == .integer(8192))
    #expect(json["oldestUse"] != nil)
    let other = try object(
      Captured(
        "cache", "info", "--no-project", "--cache", folder.path("game/blocks"), "--format", "json"
      ).output)
    #expect(other["blocks"] == .integer(2))
    let user = Captured(
      "cache", "info", "--no-project", environment: ["XDG_CACHE_HOME": folder.path("home")])
    #expect(user.output.contains("folder     \(folder.path("home/ba-package/blocks"))\n"))
  }

  @Test func `clean removes by age or size, and everything without a limit`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    _ = run("pack", in: folder)
    let young = run("cache", "clean", "--older-than", "30d", in: folder)
    #expect(young.messages == "Removed 0 blocks (0 bytes); 2 blocks (8.19 KB) remain.\n")
    let dry = run("cache", "clean", "--to-size", "4K", "--dry-run", in: folder)
    #expect(
      dry.messages == "1 block (4.10 KB) would be removed, 1 block (4.10 KB) would remain.\n")
    let json = try object(
      run("cache", "clean", "--to-size", "4K", "--format", "json", in: folder).output)
    #expect(json["removedBlocks"] == .integer(1))
    #expect(json["blocks"] == .integer(1))
    #expect(json["dryRun"] == .bool(false))
    #expect(run("cache", "clean", in: folder).messages.hasPrefix("Removed 1 block (4.10 KB)"))
    // A removed block is compressed again.
    let again = run("pack", "-f", "--format", "json", in: folder)
    let use = try object(try #require(again.output.split(separator: "\n").last))["cache"]
    #expect(use?["misses"] == .integer(2))
  }

  @Test func `an invalid age and a foreign folder are errors`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("photos/a.jpg", "x")
    for age in ["30", "d", "-1d", "30y", "1.5d"] {
      let run = Captured("cache", "clean", "--older-than", age, "--no-project")
      #expect(run.ending == .status(.usage), "\(age)")
    }
    let run = Captured("cache", "clean", "--no-project", "--cache", folder.path("photos"))
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("is neither a block cache nor an empty folder"))
    #expect(try folder.contents("photos/a.jpg") == Array("x".utf8))
  }
}

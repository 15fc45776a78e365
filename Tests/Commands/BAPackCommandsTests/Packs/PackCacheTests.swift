import Arguments
import BAPackCommands
import Foundation
import TestSupport
import Testing

@Suite("pack --cache")
struct PackCacheTests {
  private struct Game: ~Copyable {
    let folder: TemporaryFolder

    init() throws {
      let folder = try TemporaryFolder()
      try folder.makeFile("Art/c.bin", [UInt8](repeating: 7, count: 100_000))
      try folder.makeFile(
        "m.json",
        """
        {"assetPackID": "Tutorial", "downloadPolicy": {"onDemand": {}}, "platforms": [],
         "sourceRoot": ".", "fileSelectors": [{"directory": "Art"}]}
        """)
      self.folder = folder
    }

    func pack(_ arguments: String...) -> Captured {
      Captured(["pack", folder.path("m.json"), "-f", "-o", folder.path("x.aar")] + arguments)
    }

    func archive() throws -> Data { try Data(contentsOf: URL(filePath: folder.path("x.aar"))) }
  }

  @Test
  func `hits and misses are printed, and the archive is the same`() throws {
    let game = try Game()
    #expect(game.pack("-q").ending == .status(.done))
    let plain = try game.archive()
    let kept = game.folder.path("kept")
    let first = game.pack("--cache", kept)
    #expect(first.messages.contains(" %), 0 of 1 block from the cache, "))
    #expect(try game.archive() == plain)
    let second = game.pack("--cache", kept, "--cache-limit", "2m")
    #expect(second.messages.contains(" %), 1 of 1 block from the cache, "))
    #expect(try game.archive() == plain)
    let output = game.pack("-q", "--cache", kept, "--format", "json").output
    let json = try #require(output.split(separator: "\n").first)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(object["cacheHits"] as? Int == 1)
    #expect(object["cacheMisses"] as? Int == 0)
    #expect(!game.pack("-q", "--format", "json").output.contains("cache"))
  }

  @Test
  func `a folder with other files is an error before packing`() throws {
    let game = try Game()
    let run = game.pack("--cache", game.folder.path("Art"))
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages == """
        Error: '\(game.folder.path("Art"))' is neither a block cache nor an empty folder
        hint: use another folder with --cache; files in this one are not removed

        """)
    #expect(throws: (any Error).self) { try game.archive() }
  }

  @Test
  func `a folder with an error of the system is a warning, once`() throws {
    let game = try Game()
    let run = game.pack("-q", "--cache", "/proc/self/none/kept")
    #expect(run.ending == .status(.done))
    #expect(run.messages.hasPrefix("Warning: packing without the cache folder: cannot "))
    #expect(run.messages.split(separator: "\n").count == 1)
    #expect(try game.archive().prefix(4) == Data("pbze".utf8))
  }

  @Test
  func `an entry that cannot be written is a warning, once`() throws {
    let game = try Game()
    let kept = game.folder.path("kept")
    _ = game.pack("-q", "--cache", kept)
    let packFolder = try #require(
      FileManager.default.contentsOfDirectory(atPath: kept).first { $0.count == 2 })
    try FileManager.default.removeItem(atPath: kept + "/" + packFolder)
    try game.folder.makeFile("kept/" + packFolder, "in the way")
    let run = game.pack("-q", "--cache", kept, "--threads", "2")
    #expect(run.ending == .status(.done))
    #expect(
      run.messages == """
        Warning: the cache failed for some blocks: cannot open '\(kept)/\(packFolder)': \
        Not a directory

        """)
  }

  @Test(arguments: ["1", "1023k", "-1", "2000t", "G", "much", "9999999999999999"])
  func `a limit is a size`(word: String) throws {
    let game = try Game()
    let run = game.pack("--cache", game.folder.path("kept"), "--cache-limit=\(word)")
    #expect(run.ending == .status(.usage))
    #expect(run.messages.contains("expected a size from 1M to 1024T"))
  }

  @Test
  func `a dry run does not use the cache`() throws {
    let game = try Game()
    _ = game.pack("--dry-run", "--cache", game.folder.path("kept"))
    #expect(!FileManager.default.fileExists(atPath: game.folder.path("kept")))
  }
}

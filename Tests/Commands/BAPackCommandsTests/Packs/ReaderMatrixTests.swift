import Arguments
import Foundation
import TestSupport
import Testing

@testable import BAPackCommands

/// Every command that reads packs, with every codec and several numbers of threads: the output
/// equals the input, for all files or one path, in a new or an existing folder.
@Suite("Readers with all codecs and thread counts") struct ReaderMatrixTests {
  private static let codecs = ["lzfse", "zlib", "lzma", "lz4", "none"]

  /// Creates a source whose files span, fill and share blocks of 16 KiB, and its pack.
  private static func prepare(_ folder: borrowing TemporaryFolder, _ codec: String) throws
    -> [String: [UInt8]]
  {
    var seeded = Seeded(seed: 17)
    var files: [String: [UInt8]] = [:]
    let sizes = [0, 1, 700, 16_000, 16_384, 32_768, 90_000, 5, 3000, 70_000]
    for (index, size) in sizes.enumerated() {
      let name = "\(index % 3)/\(index).bin"
      files[name] = index % 4 == 3 ? seeded.noise(size) : seeded.text(size)
      try folder.makeFile("in/" + name, files[name] ?? [])
    }
    try folder.makeFile("m.json", PackBytes.manifest(selecting: [#"{"directory": "."}"#]))
    // Files without compression have no blocks.
    let blocks = codec == "none" ? [] : ["--block-size", "16K"]
    let run = Captured(
      [
        "pack", folder.path("m.json"), "--source-root", folder.path("in"), "-o",
        folder.path("a.aar"), "--compression", codec,
      ] + blocks)
    #expect(run.ending == .status(.done), "\(run.messages)")
    return files
  }

  private func expect(
    _ arguments: [String], _ comment: String
  ) -> Captured {
    let run = Captured(arguments)
    #expect(run.ending == .status(.done), "\(comment): \(run.messages)")
    return run
  }

  @Test(arguments: codecs, [1, 2, 3, 8].sampled(every: 3))
  func `extract and verify read the output of every codec and thread count`(
    codec: String, threads: Int
  ) throws {
    let folder = try TemporaryFolder()
    let files = try Self.prepare(folder, codec)
    let pack = folder.path("a.aar")
    let common = ["--threads", "\(threads)"]
    _ = expect(["verify", pack] + common, "verify")
    _ = expect(
      ["verify", pack, "--against", folder.path("m.json"), "--source-root", folder.path("in")]
        + common, "verify --against")
    _ = expect(["extract", pack, "-o", folder.path("whole")] + common, "whole")
    // Into an existing folder: all files are read once, and then again from the start.
    try folder.makeFile("over/0/0.bin", "old")
    try folder.makeFile("over/mine", "mine")
    _ = expect(["extract", pack, "--force", "-o", folder.path("over")] + common, "--force")
    _ = expect(["extract", pack, "--all", "-o", folder.path("all")] + common, "--all")
    _ = expect(["extract", pack, "-o", folder.path("x.tar")] + common, "export")
    for (name, contents) in files {
      #expect(try folder.contents("whole/" + name) == contents, "\(name)")
      #expect(try folder.contents("over/" + name) == contents, "\(name) over")
      #expect(try folder.contents("all/Contents/" + name) == contents, "\(name) of all")
    }
    // An empty one, one in a shared block, one of exactly one block, one of several blocks.
    for name in ["0/0.bin", "2/2.bin", "1/4.bin", "0/6.bin"] {
      let contents = files[name]
      _ = expect(["extract", pack, name, "-o", folder.path("one")] + common, name)
      #expect(try folder.contents("one/" + name) == contents, "\(name) alone")
      try folder.remove("one")
      try folder.makeFile("one/" + name, "old")
      _ = expect(["extract", pack, name, "-f", "-o", folder.path("one")] + common, name)
      #expect(try folder.contents("one/" + name) == contents, "\(name) alone, --force")
      try folder.remove("one")
    }
    #expect(try folder.contents("over/mine") == Array("mine".utf8))
  }

  @Test(arguments: codecs)
  func `list and info read the output of every codec`(codec: String) throws {
    let folder = try TemporaryFolder()
    let files = try Self.prepare(folder, codec)
    let list = expect(["list", folder.path("a.aar")], "list").output
    #expect(list.split(separator: "\n").map(String.init) == files.keys.sorted())
    let info = expect(["info", folder.path("a.aar"), "--format", "json"], "info").output
    let total = files.values.reduce(0) { $0 + $1.count }
    #expect(info.contains("\"size\": \(total)"))
  }
}

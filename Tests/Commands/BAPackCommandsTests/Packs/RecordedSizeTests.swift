import Foundation
import TestSupport
import Testing

/// The recorded sizes of packs of generated assets: a codec with worse compression fails the test.
///
/// If the compression of a codec improves, its size is recorded again.
@Suite("Recorded sizes of packs")
struct RecordedSizeTests {
  struct Recorded: Sendable, CustomTestStringConvertible {
    var compression: String
    var level: String
    var size: Int

    var testDescription: String { "\(compression) \(level)" }
  }

  static func makeAssets(_ folder: borrowing TemporaryFolder) throws -> String {
    var seeded = Seeded(seed: 7)
    let manifest = try LargePackTests.makeManifest(folder)
    try folder.makeFile("in/script.txt", seeded.text(1_500_000))
    try folder.makeFile("in/model.mesh", seeded.vertices(1_500_000))
    try folder.makeFile("in/sound.ogg", seeded.noise(2_500_000))
    for number in 0..<500 {
      try folder.makeFile("in/small/\(number).json", seeded.text(100 + 7 * number % 1_900))
    }
    return manifest
  }

  /// Returns the size of a pack in bytes.
  static func size(_ compression: String, _ level: String) throws -> Int {
    let folder = try TemporaryFolder()
    let manifest = try makeAssets(folder)
    let run = try BuiltProgram.run(
      [
        "pack", manifest, "-o", folder.path("x.aar"), "--compression", compression, "--threads",
        "2",
        // Without compression there is no level.
      ] + (compression == "none" ? [] : ["--level", level]))
    #expect(run.status == 0, "\(run.messages)")
    return try folder.contents("x.aar").count
  }

  @Test(
    .heavy,
    arguments: [
      Recorded(compression: "none", level: "default", size: 6_036_657),
      Recorded(compression: "lzfse", level: "fast", size: 3_982_730),
      Recorded(compression: "lzfse", level: "default", size: 3_928_926),
      Recorded(compression: "lzfse", level: "better", size: 3_605_788),
      Recorded(compression: "lzfse", level: "best", size: 3_575_359),
    ])
  func `packs of LZFSE have the recorded sizes, to the byte`(recorded: Recorded) throws {
    let size = try Self.size(recorded.compression, recorded.level)
    #expect(size == recorded.size)
  }

  @Test(
    .heavy,
    arguments: [
      Recorded(compression: "zlib", level: "fast", size: 3_949_657),
      Recorded(compression: "zlib", level: "default", size: 3_949_360),
      Recorded(compression: "zlib", level: "better", size: 3_918_683),
      Recorded(compression: "zlib", level: "best", size: 3_892_076),
      Recorded(compression: "lzma", level: "fast", size: 3_676_625),
      Recorded(compression: "lzma", level: "default", size: 3_494_021),
      Recorded(compression: "lzma", level: "better", size: 3_494_169),
      Recorded(compression: "lzma", level: "best", size: 3_494_613),
      Recorded(compression: "lz4", level: "fast", size: 5_044_225),
      Recorded(compression: "lz4", level: "default", size: 4_625_961),
      Recorded(compression: "lz4", level: "better", size: 4_429_367),
      Recorded(compression: "lz4", level: "best", size: 4_421_695),
    ])
  func `packs of other codecs have the recorded sizes within half a percent`(recorded: Recorded)
    throws
  {
    let size = try Self.size(recorded.compression, recorded.level)
    #expect(size <= recorded.size * 1_005 / 1_000)
    #expect(size >= recorded.size * 995 / 1_000, "record it anew")
  }
}

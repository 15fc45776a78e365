import Foundation
import KitProperties
import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

/// Tests of walks over packs that read, skip and partly read entries, and restart.
@Suite("Walks over packs") struct PackWalkTests {
  /// Returns a pack whose files span, fill and share blocks of 4 KiB.
  static func pack(_ compression: PackSettings.Compression, seed: UInt64) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    var seeded = Seeded(seed: seed)
    for index in 0..<24 {
      let size = [0, 1, 100, 3800, 4096, 8192, 20_000][seeded.next(below: 7)]
      let bytes = index % 3 == 0 ? seeded.noise(size) : seeded.text(size)
      try folder.makeFile("in/\(index % 5)/\(index)", bytes)
    }
    let document = ManifestDocument(
      parsing: PackBytes.manifest(selecting: [#"{"directory": "."}"#]), named: "m")
    let root = try SourceRoot(opening: folder.path("in"), .unstoppable)
    let plan = try PackPlan(
      try #require(document.manifest),
      try Selection.resolve(document, in: root, .unstoppable).selection,
      from: root, settings: PackSettings(compression: compression, effort: .fast, blockSize: 4096))
    _ = try PackSeries.Job(plan, to: folder.path("a.aar")).pack(.unstoppable)
    return try folder.contents("a.aar")
  }

  @Test(arguments: PackSettings.Compression.allCases, [1, 2, 3] as [UInt64])
  func `every walk, with any number of threads, has the result of reading the whole pack`(
    compression: PackSettings.Compression, seed: UInt64
  ) throws {
    let pack = try Self.pack(compression, seed: seed)
    var seeded = Seeded(seed: seed)
    for _ in 0..<3 {
      let script = seeded.noise(60)
      #expect(PackWalkProperty.violation(in: pack, walkedBy: script) == nil, "\(script)")
    }
  }

  @Test(arguments: PackSettings.Compression.allCases)
  func `every walk over a damaged pack has the result of reading the whole pack`(
    compression: PackSettings.Compression
  ) throws {
    let whole = try Self.pack(compression, seed: 4)
    var seeded = Seeded(seed: 9)
    for _ in 0..<12 {
      var pack = whole
      let place = seeded.next(below: pack.count)
      pack[place] ^= UInt8(1 << (seeded.next() % 8))
      let script = seeded.noise(40)
      #expect(
        PackWalkProperty.violation(in: pack, walkedBy: script) == nil, "\(place) \(script)")
    }
  }

  @Test
  func `the corpus of the fuzz target holds the property`() throws {
    let folder = Checkout.file("Tests/Corpus/pack-walk")
    let inputs = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    #expect(inputs.count >= 5)
    for input in inputs {
      let bytes = [UInt8](try Data(contentsOf: input))
      let violation = PackWalkProperty.violation(
        in: Array(bytes.dropFirst(32)), walkedBy: Array(bytes.prefix(32)))
      #expect(violation == nil, "\(input.lastPathComponent)")
    }
  }
}

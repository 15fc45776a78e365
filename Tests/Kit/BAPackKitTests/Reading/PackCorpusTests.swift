import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

/// Replays Tests/Corpus: the seeds of the fuzz targets for packs, and their findings.
@Suite struct PackCorpusTests {
  private static func inputs(_ target: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = Checkout.file("Tests/Corpus/\(target)")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .map { ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0))) }
  }

  /// Returns the entries, or the entries before an error and its message.
  private static func read(_ bytes: [UInt8], threads: Int) -> [String] {
    var read: [String] = []
    do throws(PackError) {
      var reader = try PackReader(bytes, named: "pack", threads: threads)
      while let entry = try reader.nextEntry() {
        let contents = try reader.contents(of: entry, atMost: 1 << 20) ?? []
        read.append("\(entry.archivePath) \(entry.kind) \(contents)")
      }
    } catch {
      read.append(error.message)
    }
    return read
  }

  @Test
  func `packs of the corpus are read equally with one thread and two`() throws {
    let inputs = try Self.inputs("pack-read")
    #expect(inputs.count >= 8)
    for input in inputs {
      let one = Self.read(input.bytes, threads: 1)
      #expect(one == Self.read(input.bytes, threads: 2), "\(input.name)")
      if input.name.hasPrefix("seed") { #expect(one.last?.hasPrefix("Manifest.json file") == true) }
    }
  }

  @Test
  func `packs of the corpus are extracted completely or rejected`() throws {
    let folder = try TemporaryFolder()
    for target in ["pack-extract", "pack-read"] {
      for input in try Self.inputs(target) {
        try folder.makeFile("a.aar", input.bytes)
        try folder.makeFolder("inner")
        let summary = try? Extraction().extract(
          folder.path("a.aar"), into: folder.path("inner/out"), .unstoppable)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("inner"))
        #expect(left == (summary == nil ? [] : ["out"]), "\(input.name)")
        try folder.remove("inner")
      }
    }
  }
}

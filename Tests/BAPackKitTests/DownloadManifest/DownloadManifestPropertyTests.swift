import Foundation
import Testing

@Suite("Download manifests, whatever the bytes")
struct DownloadManifestPropertyTests {
  /// What the fuzz targets start from, and whatever they found.
  private static func corpus(_ target: String) throws -> [[UInt8]] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Corpus/\(target)").standardizedFileURL
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .sorted { $0.path < $1.path }
      .map { [UInt8](try Data(contentsOf: $0)) }
  }

  private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  /// Inputs with a few bytes taken out, doubled or changed.
  private static func mutations(of inputs: [[UInt8]], count: Int) -> [[UInt8]] {
    var random = Seeded(state: 8)
    let signs = Array(#"{}[]":,0-9.e\u/"#.utf8) + [0, 0x80, 0xFF]
    return (0..<count).map { _ in
      var bytes = inputs[Int.random(in: inputs.indices, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: index)
        case 1: bytes[index] = signs[Int.random(in: signs.indices, using: &random)]
        case 2: bytes.insert(signs[Int.random(in: signs.indices, using: &random)], at: index)
        default:
          let end = min(bytes.count, index + Int.random(in: 1...80, using: &random))
          bytes.insert(contentsOf: bytes[index..<end], at: index)
        }
      }
      return bytes
    }
  }

  @Test("manifests hold their properties")
  func manifests() throws {
    let inputs = try Self.corpus("download-manifests")
    #expect(inputs.count >= 3)
    for bytes in inputs + Self.mutations(of: inputs, count: 400) {
      let violation = DownloadManifestProperties.violation(inManifest: bytes)
      #expect(violation == nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test("records hold their properties")
  func records() throws {
    let inputs = try Self.corpus("publication-records")
    #expect(!inputs.isEmpty)
    for bytes in inputs + Self.mutations(of: inputs, count: 400) {
      let violation = DownloadManifestProperties.violation(inRecord: bytes)
      #expect(violation == nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}

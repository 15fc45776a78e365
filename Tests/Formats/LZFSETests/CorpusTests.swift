import Foundation
import LZFSE
import TestSupport
import Testing

/// Replays Tests/Corpus: the seeds of the fuzz targets, and the inputs that they found.
@Suite struct CorpusTests {
  private static func inputs(_ target: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = Checkout.file("Tests/Corpus/\(target)")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .map { ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0))) }
  }

  @Test func `hostile streams are decoded twice with the same result or rejected`() throws {
    let inputs = try Self.inputs("lzfse-decode")
    #expect(!inputs.isEmpty)
    var decoder = Decoder()
    for input in inputs {
      let first = try? decode(input.bytes, with: &decoder, capacity: 100_000)
      let second = try? decode(input.bytes, with: &decoder, capacity: 100_000)
      #expect(first == second, "\(input.name)")
    }
  }

  @Test func `inputs are restored with every effort`() throws {
    let inputs = try Self.inputs("lzfse-round-trip")
    #expect(!inputs.isEmpty)
    for input in inputs {
      let unit = [UInt8](input.bytes.dropFirst())
      let times = Int(input.bytes.first ?? 0)
      let bytes = times < 200 ? unit : (200..<times).flatMap { _ in unit }
      for effort in Effort.allCases {
        let back = try decode(encode(bytes, effort), capacity: bytes.count)
        #expect(back == bytes, "\(input.name)")
      }
    }
  }
}

import Foundation

/// The inputs of a fuzz target: its seeds, its findings, and similar inputs.
package enum FuzzCorpus {
  /// Returns the inputs in the folder of a target, in the order of their names.
  package static func inputs(_ target: String) throws -> [[UInt8]] {
    let folder = Checkout.file("Tests/Corpus/\(target)")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .sorted { $0.path < $1.path }
      .map { [UInt8](try Data(contentsOf: $0)) }
  }

  /// Inputs with a few bytes removed, doubled or changed, some to characters with a meaning.
  package static func mutations(
    of inputs: [[UInt8]], count: Int, signs: String = #"{}[]":,0-9.e\u/"#
  ) -> [[UInt8]] {
    var random = Seeded(seed: 8)
    let signs = Array(signs.utf8) + [0, 0x80, 0xFF]
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
}

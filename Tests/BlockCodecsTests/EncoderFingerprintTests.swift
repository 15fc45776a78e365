import BlockCodecs
import LZFSE
import Testing

@Suite("Fingerprints of encoders")
struct FingerprintTests {
  @Test("each codec, effort and block size has its own, the same every time")
  func distinct() throws {
    var seen: Set<[UInt8]> = []
    var count = 0
    for algorithm in BlockAlgorithm.allCases where algorithm.isWritable {
      for effort in Effort.allCases {
        for blockSize in [1 << 15, 1 << 20] {
          let fingerprint = try BlockEncoder.fingerprint(
            of: algorithm, effort: effort, blockSize: blockSize)
          #expect(fingerprint.count == 32)
          seen.insert(fingerprint)
          count += 1
        }
      }
    }
    #expect(seen.count == count)
    #expect(
      try seen.contains(
        BlockEncoder.fingerprint(of: .lzfse, effort: .default, blockSize: 1 << 20)))
  }
}

import BlockCodecs
import Foundation
import LZFSE
import TestSupport
import Testing

@Suite("Judging blocks before encoding them")
struct BlockJudgeTests {
  static let size = 1 << 20

  static func isWorth(_ block: [UInt8], _ algorithm: BlockAlgorithm = .lzfse) -> Bool {
    var judge = BlockJudge(for: algorithm)
    return unsafe judge.isWorthEncoding(block.span.bytes)
  }

  static let noise: [UInt8] = {
    var seeded = Seeded(seed: 11)
    return seeded.noise(size)
  }()

  @Test(arguments: [BlockAlgorithm.lzfse, .zlib, .lzma])
  func `noise is not worth encoding`(algorithm: BlockAlgorithm) {
    #expect(!Self.isWorth(Self.noise, algorithm))
    #expect(!Self.isWorth(Array(Self.noise.prefix(100_000)), algorithm))
    #expect(!Self.isWorth(Array(Self.noise.prefix(32 << 10)), algorithm))
  }

  /// Noise in which a byte predicts the next one, without other redundancy.
  static let chained: [UInt8] = {
    var seeded = Seeded(seed: 14)
    var chained = seeded.noise(size)
    for index in 1..<size {
      let high = chained[index - 1] & 0xE0
      // Every second byte has three permuted bits of the byte before.
      if seeded.next() & 1 == 0 { chained[index] = chained[index] & 0x1F | (high ^ 0xA0) }
    }
    return chained
  }()

  @Test
  func `a byte that predicts the next one matters if literals are coded in context`() throws {
    #expect(Self.isWorth(Self.chained, .lzma))
    #expect(!Self.isWorth(Self.chained, .lzfse))
    // The codecs confirm the judge's result.
    let lzma = try #require(try encoded(Self.chained, .lzma))
    #expect(lzma.count < Self.size * 95 / 100)
    #expect(try encoded(Self.chained, .lzfse, room: Self.size - 1) == nil)
  }

  @Test
  func `LZ4 stops on noise as fast as the judge does, and is not judged`() {
    #expect(Self.isWorth(Self.noise, .lz4))
  }

  @Test
  func `repetition is worth encoding, also with noise, and so is a skew`() {
    var seeded = Seeded(seed: 12)
    #expect(Self.isWorth([UInt8](repeating: 0, count: Self.size)))
    #expect(Self.isWorth(seeded.text(Self.size)))
    // The same 128 KiB twice in a block, at a distance that no sample is a multiple of.
    let twice = Array(Self.noise.prefix(700_001)) + Self.noise.prefix(Self.size - 700_001)
    #expect(Self.isWorth(twice))
    // Seven bits a byte; and one stretch of text in noise.
    #expect(Self.isWorth(Self.noise.map { $0 & 0x7F }))
    var mixed = Self.noise
    mixed.replaceSubrange(300_000..<400_000, with: seeded.text(100_000))
    #expect(Self.isWorth(mixed))
  }

  @Test
  func `a small block is always encoded`() {
    #expect(Self.isWorth(Array(Self.noise.prefix(10_000))))
    #expect(Self.isWorth([]))
  }

  @Test(arguments: [BlockAlgorithm.lzfse, .lzma])
  func `earlier blocks have no influence on the judge`(algorithm: BlockAlgorithm) {
    var seeded = Seeded(seed: 13)
    let blocks = [
      Self.noise, seeded.text(Self.size), Self.noise, Self.chained, seeded.noise(Self.size),
    ]
    var judge = BlockJudge(for: algorithm)
    for block in blocks {
      #expect(unsafe judge.isWorthEncoding(block.span.bytes) == Self.isWorth(block, algorithm))
    }
  }
}

@Suite("Logarithms of our own")
struct FixedLogarithmTests {
  @Test
  func `logarithms are exact, rounded down, for every count of a judge`() {
    let bits = 20
    for number in 1...4096 {
      let result = FixedLogarithm.log2(number, fractionBits: bits)
      let exact = Foundation.log2(Double(number)) * Double(1 << bits)
      #expect(Double(result) <= exact + 0.01)
      #expect(Double(result) > exact - 1.01)
    }
    for exponent in 0..<31 {
      #expect(FixedLogarithm.log2(1 << exponent, fractionBits: bits) == exponent << bits)
      #expect(FixedLogarithm.log2(1 << exponent, fractionBits: 8) == exponent << 8)
    }
  }
}

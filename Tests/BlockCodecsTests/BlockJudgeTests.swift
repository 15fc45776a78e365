import BlockCodecs
import Testing

@Suite("Judging blocks before encoding them")
struct BlockJudgeTests {
  static let size = 1 << 20

  static func isWorth(_ block: [UInt8]) -> Bool {
    var judge = BlockJudge()
    return unsafe judge.isWorthEncoding(block.span.bytes)
  }

  static let noise: [UInt8] = {
    var noise = Noise(seed: 11)
    return noise.bytes(size)
  }()

  @Test("noise is not worth it")
  func noise() {
    #expect(!Self.isWorth(Self.noise))
    #expect(!Self.isWorth(Array(Self.noise.prefix(100_000))))
  }

  @Test("what repeats is, however noisy, and so is what has a skew")
  func worthy() {
    var noise = Noise(seed: 12)
    #expect(Self.isWorth([UInt8](repeating: 0, count: Self.size)))
    #expect(Self.isWorth(noise.text(Self.size)))
    // The same 128 KiB twice in a block, at a distance that no sample is a multiple of.
    let twice = Array(Self.noise.prefix(700_001)) + Self.noise.prefix(Self.size - 700_001)
    #expect(Self.isWorth(twice))
    // Seven bits a byte; and one stretch of text in noise.
    #expect(Self.isWorth(Self.noise.map { $0 & 0x7F }))
    var mixed = Self.noise
    mixed.replaceSubrange(300_000..<400_000, with: noise.text(100_000))
    #expect(Self.isWorth(mixed))
  }

  @Test("a small block is always encoded")
  func small() {
    #expect(Self.isWorth(Array(Self.noise.prefix(10_000))))
    #expect(Self.isWorth([]))
  }

  @Test("what came before does not steer the judge")
  func independence() {
    var noise = Noise(seed: 13)
    let blocks = [Self.noise, noise.text(Self.size), Self.noise, noise.bytes(Self.size)]
    var judge = BlockJudge()
    for block in blocks {
      #expect(unsafe judge.isWorthEncoding(block.span.bytes) == Self.isWorth(block))
    }
  }
}

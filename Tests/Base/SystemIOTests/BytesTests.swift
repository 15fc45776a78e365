import SystemIO
import TestSupport
import Testing

/// Tests of searching bytes.
@Suite struct BytesTests {
  @Test
  func `a pair of bytes is found at the index that a plain loop finds`() {
    var random = Seeded(seed: 1)
    for _ in 0..<300 {
      let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        UInt8.random(in: 0...2, using: &random)
      }
      let start = Int.random(in: 0...bytes.count, using: &random)
      for distance in [1, 2, 5] {
        let right = bytes.indices.first {
          $0 >= start && $0 + distance < bytes.count && bytes[$0] == 1 && bytes[$0 + distance] == 2
        }
        #expect(
          bytes.withRawSpan { $0.firstIndex(of: 1, and: 2, distance, from: start) } == right)
      }
    }
  }

  private static let sizes: [(UInt64, String)] = [
    (0, "1M"), (1, "1M"), (1_048_576, "1M"), (1_048_577, "2M"), (17_179_869_184, "16384M"),
    (17_179_869_185, "17G"), (UInt64.max, "16777216T"),
  ]

  @Test(arguments: sizes)
  func `a size is rounded up to whole units, and can be read again`(count: UInt64, text: String) {
    #expect(ByteCount.roundedUp(count) == text)
    #expect(ByteCount.read(text).map { $0 >= count } ?? (count == .max))
  }

  private static let exactSizes: [(UInt64, String)] = [
    (0, "0"), (1, "1"), (1000, "1000"), (1024, "1K"), (1536 << 10, "1536K"), (10 << 30, "10G"),
    (1 << 40, "1T"), (1 << 40 + 1024, "1073741825K"), (UInt64.max, "18446744073709551615"),
  ]

  @Test(arguments: exactSizes)
  func `a size in the largest exact unit is read as the same size`(count: UInt64, text: String) {
    #expect(ByteCount.exact(count) == text)
    #expect(ByteCount.read(text) == count)
  }

  @Test(arguments: ["", "s", "secres", "secre", "secret ", "Secret", "\0"])
  func `only equal bytes are a secret`(given: String) {
    let secret = Array("secret".utf8)
    #expect(isSameSecret(secret, secret))
    #expect(isSameSecret([], []))
    #expect(!isSameSecret(Array(given.utf8), secret))
    #expect(!isSameSecret(secret, Array(given.utf8)))
  }
}

import SystemIO
import TestSupport
import Testing

/// Looking for bytes.
@Suite struct BytesTests {
  @Test
  func `a pair of bytes is found where a plain loop finds it`() {
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
}

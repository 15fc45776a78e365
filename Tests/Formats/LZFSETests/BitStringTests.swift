@testable import LZFSE
import TestSupport
import Testing

@Suite("Bit strings")
struct BitStringTests {
  /// Writes numbers of which only the lowest bits belong to the string, as states of the entropy
  /// coder do, and compares the string with a list of its bits.
  @Test(arguments: 0..<20)
  func `a push adds the lowest bits and returns the others`(seed: Int) {
    var seeded = Seeded(seed: UInt64(seed))
    let room = 64 << 10
    let memory = Storage<UInt8>(count: room, filledWith: 0xFF)
    var bits = unsafe ForwardBits(memory.base, room: room)
    var expected: [Bool] = []
    for _ in 0..<2000 {
      var pending = expected.count % 8
      for _ in 0..<1 + seeded.next(below: 6) {
        let width = min(32, 64 - pending)
        let value = UInt64(seeded.next(below: 1 << seeded.next(below: width + 1)))
        let bitCount = UInt64(seeded.next(below: min(20, 63 - pending) + 1))
        let rest = unsafe bits.push(value, bitCount)
        #expect(rest == UInt32(truncatingIfNeeded: value >> bitCount))
        expected += (0..<bitCount).map { value >> $0 & 1 == 1 }
        pending += Int(bitCount)
      }
      unsafe bits.flush()
    }
    let end = unsafe bits.finish()
    #expect(end.byteCount * 8 + end.spare == expected.count)
    let written = (0..<expected.count).map { memory[$0 / 8] >> UInt8($0 % 8) & 1 == 1 }
    #expect(written == expected)
  }

  /// The encoder writes no extra bits for values below this one, and looks up no symbol.
  @Test
  func `only symbols from 16 on have extra bits, and each other one is its value`() {
    let codes = SymbolCodes()
    for value in 0..<SymbolCodes.firstWithExtraBits {
      #expect(codes.literalRun(value) == value && codes.match(value) == value)
    }
    for alphabet in [Alphabet.literalRun, .match] {
      let longer = (0..<alphabet.symbolCount).filter { alphabet.extraBits($0) > 0 }
      #expect(longer == Array(SymbolCodes.firstWithExtraBits..<alphabet.symbolCount))
      #expect(alphabet.base(SymbolCodes.firstWithExtraBits) == SymbolCodes.firstWithExtraBits)
    }
  }
}

@testable import LZFSE
import TestSupport
import Testing

@Suite("The cheapest path")
struct OptimalParserTests {
  /// The end of the input repeats both words of its start, with another byte between them.
  ///
  /// Eight bytes of the first word also occur near the end, and there the byte before them is also
  /// equal, so the path to the end of the word is cheaper with that distance.
  private static let input: [UInt8] = {
    let words = Samples.random(18, seed: 1)
    let near = words[..<9] + Samples.random(24, seed: 3)
    return words[1..<10] + [1] + words[10...] + Samples.random(20_000, seed: 2) + near
      + words[..<10] + [2] + words[10...]
  }()

  /// Returns the distances of the last two matches.
  private static func distances(_ pass: OptimalParser.Pass) -> [Int] {
    let state = OptimalState.best()
    let count = input.count
    let steps = unsafe input.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Int in
      guard let source = bytes.baseAddress else { return 0 }
      unsafe state.parser.findMatches(with: state.finder, source, from: 0, to: count, count: count)
      unsafe state.assume(source, to: count)
      state.parser.begin(count, run: 0, distance: 0)
      _ = unsafe state.parser.advance(
        source, from: 0, to: count, at: 0, to: count, state.prices, pass)
      return state.parser.finish(count)
    }
    guard steps >= 2 else { return [] }
    return [Int(state.parser.steps[1].distance), Int(state.parser.steps[0].distance)]
  }

  @Test func `a refining pass repeats the distance of a match before a literal`() {
    let far = Self.input.count - 18
    #expect(Self.distances(.only) == [33, far])
    #expect(Self.distances(.refining) == [far, far])
  }
}

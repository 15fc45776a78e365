@testable import LZFSE
import TestSupport
import Testing

@Suite("The cheapest path")
struct OptimalParserTests {
  /// The end of the input repeats both words of its start, with other bytes between them.
  ///
  /// Eight bytes of the first word also occur near the end, and there the byte before them is also
  /// equal, so the path to the end of the word is cheaper with that distance.
  private static func input(between count: Int) -> [UInt8] {
    let words = Samples.random(18, seed: 1)
    let between = (1...count).map { UInt8($0) }
    var bytes = words[1..<10] + between + words[10...]
    bytes += Samples.random(20_000, seed: 2)
    bytes += words[..<9]
    bytes += Samples.random(24, seed: 3)
    bytes += words[..<10] + between.map { $0 + 100 } + words[10...]
    return Array(bytes)
  }

  /// Returns the distances of the last two matches.
  private static func distances(_ input: [UInt8], _ pass: OptimalParser.Pass) -> [Int] {
    let state = OptimalState.best()
    let count = input.count
    var starts = LongMatchStarts()
    let steps = unsafe input.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Int in
      guard let source = bytes.baseAddress else { return 0 }
      unsafe state.parser.findMatches(
        with: state.finder, &starts, source, from: 0, to: count, count: count)
      unsafe state.assume(source, to: count)
      state.parser.begin(count, run: 0, distance: 0)
      _ = unsafe state.parser.advance(
        source, from: 0, to: count, at: 0, to: count, state.prices, pass)
      return state.parser.finish(count)
    }
    guard steps >= 2 else { return [] }
    return [Int(state.parser.steps[1].distance), Int(state.parser.steps[0].distance)]
  }

  @Test(arguments: 1...3)
  func `a refining pass repeats the distance of a match before some literals`(literals: Int) {
    let input = Self.input(between: literals)
    let far = input.count - 17 - literals
    #expect(Self.distances(input, .only) == [33, far])
    #expect(Self.distances(input, .refining) == [far, far])
  }

  @Test func `a path with more literals between the matches is not offered`() {
    let input = Self.input(between: 4)
    #expect(Self.distances(input, .refining) == [33, input.count - 21])
  }
}

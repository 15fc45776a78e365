import LZFSE
import TestSupport
import Testing

/// Encodes and decodes many inputs of every kind.
@Suite struct GeneratedDataTests {
  @Test(arguments: Effort.allCases)
  func `periods of every length up to 70 are restored`(effort: Effort) throws {
    var encoder = Encoder(effort: effort)
    var decoder = Decoder()
    for period in 1...70 {
      let unit = Samples.random(period, seed: UInt64(period))
      let bytes = (0..<6000).map { unit[$0 % period] }
      let stream = try encode(bytes, with: &encoder)
      #expect(stream.count < 600)
      let back = try decode(stream, with: &decoder, capacity: bytes.count)
      #expect(back == bytes, "period \(period)")
    }
  }

  @Test(arguments: Effort.allCases)
  func `random cases are restored`(effort: Effort) throws {
    try roundTrip(cases: 40, effort)
  }

  @Test(.heavy, arguments: Effort.allCases)
  func `four thousand random cases are restored`(effort: Effort) throws {
    try roundTrip(cases: 4_000, effort)
  }

  @Test(.heavy, arguments: Effort.allCases)
  func `a long repeat after much noise is found at every distance`(effort: Effort) throws {
    var encoder = Encoder(effort: effort)
    for size in 40_001...40_004 {
      let repeated = Samples.random(size, seed: UInt64(size))
      let bytes = Samples.random(20_000, seed: 1) + repeated + repeated
      let stream = try encode(bytes, with: &encoder)
      #expect(stream.count < 20_000 + size + size / 50, "distance \(size)")
    }
  }

  /// The second copy is found in the window only inside of the first match.
  @Test(.heavy, arguments: Effort.allCases)
  func `a repeat of a long match is found`(effort: Effort) throws {
    let repeated = Samples.random(150_000, seed: 1)
    let bytes =
      repeated + repeated + Samples.random(60_000, seed: 2) + repeated[20_000..<120_000]
    let stream = try encode(bytes, effort)
    #expect(stream.count < 210_000 + 5_000)
  }

  /// The nearest record is often shorter than an earlier one.
  @Test(.heavy, arguments: [Effort.default, .better, .best])
  func `the longest of several earlier repeats is found`(effort: Effort) throws {
    var numbers = Seeded(seed: 7)
    let unit = Samples.random(2000, seed: 8)
    var literals = unit.count
    let bytes = (0..<200).flatMap { number in
      let noise = Samples.random(numbers.next(below: 41), seed: UInt64(100 + number))
      literals += noise.count
      return noise + unit.prefix(4 + numbers.next(below: 1997))
    }
    let stream = try encode(bytes, effort)
    #expect(stream.count - literals < 1300)
    #expect(try decode(stream, capacity: bytes.count) == bytes)
  }

  @Test(.heavy)
  func `a higher effort never writes more`() throws {
    var inputs = (0..<40).map { Samples.mixture(seed: $0) }
    inputs.append(Array((1...20_000).map { "\($0)\n" }.joined().utf8))
    inputs.append(
      Array((1...1_500).map { "Assets/level_\($0 / 100)/tile_\($0).png\n" }.joined().utf8))
    inputs.append((0..<40_000).flatMap { [UInt8(truncatingIfNeeded: $0 * 3), UInt8($0 >> 8), 0] })
    // Lines that only begin after the first blocks.
    let numbered = Array((0..<40_000).map { "tile\(1_000_000 + $0 * 63)," }.joined().utf8)
    inputs.append(Samples.text(200_000, seed: 3) + numbered)
    for (number, bytes) in inputs.enumerated() {
      var most = Int.max
      for effort in Effort.allCases {
        let stream = try encode(bytes, effort)
        #expect(stream.count <= most, "input \(number), \(effort)")
        #expect(try decode(stream, capacity: bytes.count) == bytes, "input \(number), \(effort)")
        most = stream.count
      }
    }
  }

  @Test(.heavy, arguments: Effort.allCases)
  func `several megabytes are restored`(effort: Effort) throws {
    let bytes =
      Samples.text(3_000_000, seed: 1) + Samples.random(1_000_000, seed: 2)
      + Samples.text(3_000_000, seed: 3)
    #expect(try decode(encode(bytes, effort), capacity: bytes.count) == bytes)
  }

  @Test(.heavy, arguments: Effort.allCases)
  func `more noise than any list of triplets contains is restored`(effort: Effort) throws {
    let noise = Samples.random(30_000_000, seed: 4)
    let bytes = noise + noise.suffix(200_000)
    let stream = try encode(bytes, effort)
    #expect(stream.count < noise.count + 20_000)
    #expect(try decode(stream, capacity: bytes.count) == bytes)
  }

  @Test(.heavy)
  func `fifty thousand damaged streams are rejected or decoded`() throws {
    var numbers = Seeded(seed: 99)
    var decoder = Decoder()
    let streams = try [
      encode(Samples.text(3000, seed: 1), .default), encode(Samples.text(20_000, seed: 1), .fast),
      encode(Samples.shortMatches(30_000), .best), encode(Samples.text(9000, seed: 2), .best),
      encode(Samples.text(9000, seed: 3), .better),
    ]
    for _ in 0..<50_000 {
      var stream = streams[numbers.next(below: streams.count)]
      for _ in 0...numbers.next(below: 4) {
        // Mostly headers and tables.
        let bound = numbers.next(below: 2) == 0 ? min(600, stream.count) : stream.count
        stream[numbers.next(below: bound)] = UInt8(truncatingIfNeeded: numbers.next())
      }
      let result = try? decode(stream, with: &decoder, capacity: 40_000)
      // After damaged streams, a decoder must continue like a new one.
      var fresh = Decoder()
      #expect(result == (try? decode(stream, with: &fresh, capacity: 40_000)))
    }
  }

  /// Cases of mixed pieces: noise of some alphabet, repetitions from near and far, runs.
  private func roundTrip(cases: Int, _ effort: Effort) throws {
    var encoder = Encoder(effort: effort)
    var decoder = Decoder()
    for seed in 0..<cases {
      let bytes = Samples.mixture(seed: UInt64(seed))
      let stream = try encode(bytes, with: &encoder)
      let back = try decode(stream, with: &decoder, capacity: bytes.count)
      #expect(back == bytes, "seed \(seed)")
    }
  }
}

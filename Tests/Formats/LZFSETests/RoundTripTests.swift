import LZFSE
import TestSupport
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: Effort.allCases)
  func `every short input is restored`(effort: Effort) throws {
    for count in 0...40 {
      let bytes = (0..<count).map { UInt8($0 % 7) }
      #expect(try decode(encode(bytes, effort), capacity: count) == bytes)
    }
  }

  @Test(arguments: Effort.allCases, Samples.all)
  func `generated data is restored`(effort: Effort, sample: Samples.Sample) throws {
    let bytes = sample.bytes
    let stream = try encode(bytes, effort)
    #expect(stream.count <= Encoder.maximumEncodedByteCount(of: bytes.count))
    #expect(try decode(stream, capacity: bytes.count) == bytes)
  }

  @Test(arguments: [Effort.fast, .default])
  func `matches of every length near the start and the end are restored`(effort: Effort) throws {
    var encoder = Encoder(effort: effort)
    var numbers = Seeded(seed: 11)
    for length in 3..<36 {
      for outside in [0, 1, 7, 8, 9, 15, 16, 31, 32, 33, 40] {
        let part = numbers.noise(length)
        let bytes =
          numbers.noise(outside) + part + numbers.noise(4200) + part + numbers.noise(outside)
        let stream = try encode(bytes, with: &encoder)
        #expect(try decode(stream, capacity: bytes.count) == bytes)
      }
    }
  }
}

import LZFSE
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
}

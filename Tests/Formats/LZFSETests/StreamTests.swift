import LZFSE
import TestSupport
import Testing

/// Tests of the structure of the encoder's streams.
@Suite struct StreamTests {
  @Test func `small inputs become LZVN blocks and tiny ones are stored`() throws {
    let text = Samples.text(3000, seed: 1)
    #expect(try encode(text, .default).starts(with: [UInt8]("bvxn".utf8)))
    #expect(
      try encode([1, 2, 3], .default) == [UInt8]("bvx-".utf8) + [3, 0, 0, 0, 1, 2, 3]
        + [UInt8]("bvx$".utf8))
  }

  @Test(arguments: Effort.allCases)
  func `data that does not become smaller is stored unchanged`(effort: Effort) throws {
    let bytes = Samples.random(20_000, seed: 1)
    #expect(
      try encode(bytes, effort) == [UInt8]("bvx-".utf8) + [0x20, 0x4e, 0, 0] + bytes
        + [UInt8]("bvx$".utf8))
  }

  @Test(arguments: Effort.allCases)
  func `only the part that does not become smaller is stored`(effort: Effort) throws {
    let noise = Samples.random(100_000, seed: 2)
    let text = Samples.text(100_000, seed: 3)
    let stream = try encode(text + noise + text, effort)
    let alone = try encode(text, effort).count
    #expect(stream.count < noise.count + 2 * alone + 9000)
  }

  @Test(arguments: [Effort.fast, .default])
  func `matches are found after a long stretch without any`(effort: Effort) throws {
    let noise = Samples.random(400_000, seed: 8)
    let stream = try encode(noise + noise.suffix(150_000), effort)
    #expect(stream.count < noise.count + 2000)
  }

  @Test(.heavy, arguments: Effort.allCases, Samples.all)
  func `no block is larger than those of the reference encoder`(
    effort: Effort, sample: Samples.Sample
  ) throws {
    for block in try Blocks(encode(sample.bytes, effort)).entropy {
      #expect(block.literals <= 39_984)
      #expect(block.triplets <= 9_992)
      #expect(block.literals % 4 == 0)
      #expect(block.literalPayload >= 8, "some readers load a whole word")
      #expect(block.tripletPadding == [UInt8](repeating: 0, count: 8))
    }
  }

  @Test(arguments: Effort.allCases)
  func `an output that is too small is an error and is unchanged`(effort: Effort) throws {
    for bytes in [Samples.text(3000, seed: 4), Samples.text(60_000, seed: 4)] {
      var encoder = Encoder(effort: effort)
      let size = try encode(bytes, with: &encoder).count
      #expect(try encode(bytes, with: &encoder, capacity: size).count == size)
      for capacity in [0, 3, 11, 100, size / 2, size - 5, size - 1] {
        #expect(throws: LZFSEError.outputTooSmall) {
          try encode(bytes, with: &encoder, capacity: capacity)
        }
      }
    }
  }

  @Test(arguments: Effort.allCases)
  func `a stream does not depend on earlier input`(effort: Effort) throws {
    let text = Samples.text(50_000, seed: 5)
    let fresh = try encode(text, effort)
    var encoder = Encoder(effort: effort)
    for other in [Samples.random(70_000, seed: 6), text, Samples.text(2000, seed: 5), []] {
      _ = try encode(other, with: &encoder)
      #expect(try encode(text, with: &encoder) == fresh)
    }
  }

  /// Noise with a repetition of `repeated` bytes.
  private func noise(repeating repeated: Int) -> [UInt8] {
    let noise = Samples.random(200_000, seed: 8)
    return noise + noise[100_000..<100_000 + repeated]
  }

  @Test(arguments: [Effort.better, .best])
  func `input that default shortens by less than 2.5 % is encoded with default`(effort: Effort)
    throws
  {
    let bytes = noise(repeating: 300)
    #expect(try encode(bytes, effort) == encode(bytes, .default))
    #expect(try encode(bytes, effort).count < bytes.count)
    let others = noise(repeating: 2000) + Samples.text(20_000, seed: 9)
    #expect(try encode(others, effort).count < encode(others, .default).count)
  }

  @Test(arguments: [Effort.better, .best])
  func `the room of the output does not change a stream`(effort: Effort) throws {
    for bytes in [noise(repeating: 300), noise(repeating: 1000), Samples.text(50_000, seed: 10)] {
      let stream = try encode(bytes, effort)
      var encoder = Encoder(effort: effort)
      for room in [stream.count, stream.count + 1, stream.count + 70_000] {
        #expect(try encode(bytes, with: &encoder, capacity: room) == stream)
      }
      #expect(throws: LZFSEError.outputTooSmall) {
        try encode(bytes, with: &encoder, capacity: stream.count - 1)
      }
    }
  }

  @Test func `more effort gives fewer bytes`() throws {
    let text = Samples.text(100_000, seed: 7)
    let sizes = try Effort.allCases.map { try encode(text, $0).count }
    #expect(sizes[0] > sizes[1])
    #expect(sizes[1] > sizes[2])
    #expect(sizes[2] > sizes[3])
  }
}

/// Returns the blocks of a stream, read by the description of the format and not with the decoder's
/// code.
struct Blocks {
  struct Entropy {
    let literals: Int
    let triplets: Int
    let literalPayload: Int
    let tripletPadding: [UInt8]
  }

  var entropy: [Entropy] = []

  init(_ stream: [UInt8]) throws {
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(stream[offset + $1]) << (8 * $1) }
    }
    var place = 0
    while true {
      switch String(decoding: stream[place..<place + 4], as: UTF8.self) {
      case "bvx$":
        return
      case "bvx-":
        place += 8 + number(place + 4, 4)
      case "bvxn":
        place += 12 + number(place + 8, 4)
      case "bvx2":
        let payload = number(place + 8, 5) >> 20
        let header = number(place + 24, 4)
        let triplets = place + header + payload
        entropy.append(
          Entropy(
            literals: number(place + 8, 3) & 0xfffff,
            triplets: number(place + 13, 3) & 0xfffff, literalPayload: payload,
            tripletPadding: [UInt8](stream[triplets..<triplets + 8])))
        place = triplets + number(place + 21, 3) & 0xfffff
      case let other:
        Issue.record("unknown block \(other)")
        return
      }
    }
  }
}

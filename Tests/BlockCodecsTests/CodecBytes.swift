import BlockCodecs
import LZFSE
import SystemIO

/// What a codec makes of bytes that are in arrays, as they are easiest to compare.
func encoded(
  _ input: [UInt8], _ algorithm: BlockAlgorithm, _ effort: Effort = .default, room: Int? = nil
) throws -> [UInt8]? {
  let encoder = try algorithm.makeEncoder(effort: effort, blockSize: max(1, input.count))
  return try encode(input, with: encoder, room: room ?? 2 * input.count + 1024)
}

func encode(_ input: [UInt8], with encoder: any BlockEncoder, room: Int) throws -> [UInt8]? {
  var buffer = try ByteBuffer(capacity: max(1, room))
  let fits = try buffer.append(upTo: room) { output in
    try unsafe encoder.encode(input.span.bytes, into: &output)
  }
  return fits ? copy(of: buffer) : nil
}

func decoded(
  _ input: [UInt8], _ algorithm: BlockAlgorithm, size: Int
) throws(Failure) -> [UInt8] {
  let decoder = try algorithm.makeDecoder()
  return try decode(input, with: decoder, size: size)
}

func decode(
  _ input: [UInt8], with decoder: any BlockDecoder, size: Int
) throws(Failure) -> [UInt8] {
  guard var buffer = try? ByteBuffer(capacity: max(1, size)) else { throw Failure(.outOfMemory) }
  try buffer.append(upTo: size) { output throws(Failure) in
    try unsafe decoder.decode(input.span.bytes, into: &output)
  }
  return copy(of: buffer)
}

func copy(of buffer: borrowing ByteBuffer) -> [UInt8] {
  buffer.withBytes { bytes in
    var copy: [UInt8] = []
    copy.append(copying: bytes)
    return copy
  }
}

/// Numbers that look random and are the same every time.
struct Noise: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed &* 2 &+ 1 }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let mixed = (state ^ state >> 33) &* 0xFF51_AFD7_ED55_8CCD
    return mixed ^ mixed >> 29
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(next() >> 56) } }

  /// Words from a small set: compressible, and not trivially so.
  mutating func text(_ count: Int) -> [UInt8] {
    let words = ["texture", "mesh", "level", "the", "of", "a", "{\"name\":", "0.125,", "\n"]
    var text: [UInt8] = []
    while text.count < count {
      text += Array(words[Int(next() % UInt64(words.count))].utf8) + [UInt8(ascii: " ")]
    }
    return Array(text.prefix(count))
  }
}

import BlockCodecs
import LZFSE
import SystemIO

/// Returns the result of a codec for bytes in arrays, which are easy to compare.
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

extension BlockAlgorithm {
  /// The algorithms with an encoder.
  static let writable = allCases.filter { $0 != .lzbitmap && $0 != .stored }
}

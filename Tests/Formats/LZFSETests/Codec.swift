import LZFSE

/// Encodes into a buffer of exactly the size that always suffices.
func encode(_ bytes: [UInt8], _ effort: Effort) throws(LZFSEError) -> [UInt8] {
  var encoder = Encoder(effort: effort)
  return try encode(bytes, with: &encoder)
}

func encode(
  _ bytes: [UInt8], with encoder: inout Encoder, capacity: Int? = nil
) throws(LZFSEError) -> [UInt8] {
  let capacity = capacity ?? Encoder.maximumEncodedByteCount(of: bytes.count)
  return try filled(capacity) { (output: inout OutputRawSpan) throws(LZFSEError) in
    try unsafe encoder.encode(bytes.span.bytes, into: &output)
  }
}

/// Decodes into a buffer of exactly `capacity` bytes.
func decode(_ stream: [UInt8], capacity: Int) throws(LZFSEError) -> [UInt8] {
  var decoder = Decoder()
  return try decode(stream, with: &decoder, capacity: capacity)
}

func decode(
  _ stream: [UInt8], with decoder: inout Decoder, capacity: Int
) throws(LZFSEError) -> [UInt8] {
  try filled(capacity) { (output: inout OutputRawSpan) throws(LZFSEError) in
    try unsafe decoder.decode(stream.span.bytes, into: &output)
  }
}

/// Returns the bytes that `fill` writes into a separate buffer of exactly the capacity, so that the
/// address sanitizer detects every byte beyond it.
private func filled(
  _ capacity: Int, _ fill: (inout OutputRawSpan) throws(LZFSEError) -> Void
) throws(LZFSEError) -> [UInt8] {
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
  defer { unsafe buffer.deallocate() }
  var output = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
  try fill(&output)
  let count = unsafe output.finalize(for: buffer)
  return unsafe [UInt8](buffer.prefix(count))
}

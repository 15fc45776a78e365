import LZFSE

// The codec as C functions, so that a script can call it and the reference codec alternately, with
// the same memory (see lzfse.py).

private final class Codec {
  var encoder: Encoder
  var decoder = Decoder()

  init(effort: Effort) { encoder = Encoder(effort: effort) }
}

/// Creates a codec with the effort 0 (fast), 1 (default), 2 (better) or 3 (best).
@_cdecl("ba_lzfse_new")
public func makeCodec(_ effort: Int32) -> UnsafeMutableRawPointer {
  let efforts: [Effort] = [.fast, .default, .better, .best]
  return Unmanaged.passRetained(Codec(effort: efforts[Int(effort)])).toOpaque()
}

/// Releases a codec.
@_cdecl("ba_lzfse_free")
public func freeCodec(_ codec: UnsafeMutableRawPointer) {
  Unmanaged<Codec>.fromOpaque(codec).release()
}

/// Returns the number of bytes written, or 0 if the result does not fit.
@_cdecl("ba_lzfse_encode")
public func encode(
  _ codec: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer, _ capacity: Int,
  _ source: UnsafeRawPointer, _ count: Int
) -> Int {
  let codec = Unmanaged<Codec>.fromOpaque(codec).takeUnretainedValue()
  let buffer = UnsafeMutableRawBufferPointer(start: target, count: capacity)
  var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
  let input = UnsafeRawBufferPointer(start: source, count: count)
  guard (try? codec.encoder.encode(input.bytes, into: &output)) != nil else { return 0 }
  return output.finalize(for: buffer)
}

/// Returns the number of bytes written, or -1 if the stream is damaged or does not fit.
@_cdecl("ba_lzfse_decode")
public func decode(
  _ codec: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer, _ capacity: Int,
  _ source: UnsafeRawPointer, _ count: Int
) -> Int {
  let codec = Unmanaged<Codec>.fromOpaque(codec).takeUnretainedValue()
  let buffer = UnsafeMutableRawBufferPointer(start: target, count: capacity)
  var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
  let input = UnsafeRawBufferPointer(start: source, count: count)
  guard (try? codec.decoder.decode(input.bytes, into: &output)) != nil else { return -1 }
  return output.finalize(for: buffer)
}

import LZFSE

/// Properties of the codec for arbitrary bytes.
package enum LZFSEProperties {
  /// Decoding returns bytes or an error, reads only the input, and is deterministic.
  package static func violation(inStream bytes: [UInt8]) -> String? {
    let capacity = 100_000
    var decoder = Decoder()
    var count = 0
    let first = filled(capacity) { output throws(LZFSEError) in
      count = try unsafe decoder.decode(bytes.span.bytes, into: &output)
    }
    if count > bytes.count { return "no more is read than the input" }
    let second = filled(capacity) { output throws(LZFSEError) in
      _ = try unsafe decoder.decode(bytes.span.bytes, into: &output)
    }
    return first == second ? nil : "a decoder keeps no state between streams"
  }

  /// Decoding restores the encoded bytes for every effort, within the promised size.
  ///
  /// No effort writes more bytes than a lower one. The first byte is the number of repetitions of
  /// the others, so that large blocks occur.
  package static func violation(inRoundTripOf bytes: [UInt8]) -> String? {
    let unit = bytes.dropFirst()
    let times = Int(bytes.first ?? 0)
    let input = times < 200 ? [UInt8](unit) : (200..<times).reduce([]) { all, _ in all + unit }
    var most = Int.max
    for (index, effort) in Effort.allCases.enumerated() {
      let bound = Encoder.maximumEncodedByteCount(of: input.count)
      let stream = filled(bound) { output throws(LZFSEError) in
        try unsafe encoders[index].encoder.encode(input.span.bytes, into: &output)
      }
      guard let stream else { return "\(effort) stays within the promised size" }
      var decoder = Decoder()
      let back = filled(input.count) { output throws(LZFSEError) in
        _ = try unsafe decoder.decode(stream.span.bytes, into: &output)
      }
      if back != input { return "\(effort) restores the bytes" }
      if stream.count > most { return "\(effort) writes no more than a lower effort" }
      most = stream.count
    }
    return nil
  }

  /// Created once: the output of an encoder does not depend on its earlier input.
  private static let encoders = Effort.allCases.map { OneEncoder($0) }

  /// `@unchecked`: libFuzzer calls from one thread.
  private final class OneEncoder: @unchecked Sendable {
    var encoder: Encoder

    init(_ effort: Effort) { encoder = Encoder(effort: effort) }
  }

  /// Returns the bytes that `body` writes into a separate buffer, in which the address sanitizer
  /// detects every write after the end; nil after an error.
  private static func filled(
    _ capacity: Int, _ body: (inout OutputRawSpan) throws(LZFSEError) -> Void
  ) -> [UInt8]? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
    defer { unsafe buffer.deallocate() }
    var output = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
    guard (try? body(&output)) != nil else { return nil }
    let count = unsafe output.finalize(for: buffer)
    return unsafe [UInt8](buffer.prefix(count))
  }
}

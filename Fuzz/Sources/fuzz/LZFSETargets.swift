import LZFSE

extension FuzzTarget {
  /// Hostile bytes: a result of the right size or an error, and the same again.
  static let lzfseDecode = FuzzTarget(name: "lzfse-decode") { bytes in
    let capacity = 100_000
    var decoder = Decoder()
    let first = filled(capacity) { output throws(LZFSEError) in
      let read = try unsafe decoder.decode(bytes.span.bytes, into: &output)
      require(read <= bytes.count, "no more is read than there is")
    }
    let second = filled(capacity) { output throws(LZFSEError) in
      try unsafe decoder.decode(bytes.span.bytes, into: &output)
    }
    require(first == second, "a decoder keeps nothing from one stream to the next")
  }

  /// What is encoded comes back, with every effort, and never gets longer than promised.
  static let lzfseRoundTrip = FuzzTarget(name: "lzfse-round-trip") { bytes in
    // The first byte says how often the others are repeated, so that large blocks occur.
    let unit = bytes.dropFirst()
    let times = Int(bytes.first ?? 0)
    let input = times < 200 ? [UInt8](unit) : (200..<times).reduce([]) { all, _ in all + unit }
    for (index, effort) in Effort.allCases.enumerated() {
      let bound = Encoder.maximumEncodedByteCount(of: input.count)
      let stream = filled(bound) { output throws(LZFSEError) in
        try unsafe encoders[index].encoder.encode(input.span.bytes, into: &output)
      }
      guard let stream else { fatalError("\(effort) does not fit the promised bound") }
      var decoder = Decoder()
      let back = filled(input.count) { output throws(LZFSEError) in
        try unsafe decoder.decode(stream.span.bytes, into: &output)
      }
      require(back == input, "\(effort) comes back")
    }
  }

  /// Made once: what an encoder writes does not depend on what it wrote before.
  private static let encoders = Effort.allCases.map { OneEncoder($0) }

  /// libFuzzer calls from one thread.
  private final class OneEncoder: @unchecked Sendable {
    var encoder: Encoder

    init(_ effort: Effort) { encoder = Encoder(effort: effort) }
  }

  /// The bytes in a buffer of its own, so that the address sanitizer sees every byte too many.
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

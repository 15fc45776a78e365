extension [UInt8] {
  /// Lends the bytes of the array.
  package func withRawSpan<Success, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Success
  ) throws(Failure) -> Success {
    try unsafe body(span.bytes)
  }

  /// Appends a copy of `bytes`.
  package mutating func append(copying bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}

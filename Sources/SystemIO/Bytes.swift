import CSystem
import Glibc

extension [UInt8] {
  /// Lends the bytes of the array.
  package func withRawSpan<Success, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Success
  ) throws(Failure) -> Success {
    try unsafe body(span.bytes)
  }

  /// Whether `word` stands somewhere in the bytes.
  package func holds(_ word: StaticString) -> Bool {
    unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      return unsafe memmem(base, bytes.count, word.utf8Start, word.utf8CodeUnitCount) != nil
    }
  }

  /// Appends a copy of `bytes`.
  package mutating func append(copying bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}

extension RawSpan {
  /// Where two spans begin to differ; nil when they are equal, and as long as each other.
  package func firstDifference(from other: RawSpan) -> Int? {
    let common = Swift.min(byteCount, other.byteCount)
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        if let left = left.baseAddress, let right = right.baseAddress,
          unsafe memcmp(left, right, common) != 0
        {
          return (0..<common).first {
            unsafe left.load(fromByteOffset: $0, as: UInt8.self)
              != right.load(fromByteOffset: $0, as: UInt8.self)
          }
        }
        return left.count == right.count ? nil : common
      }
    }
  }
}

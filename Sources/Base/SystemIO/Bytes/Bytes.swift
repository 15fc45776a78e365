import CSystem
import Glibc

extension [UInt8] {
  /// Calls a function with the bytes of the array.
  package func withRawSpan<Success, Thrown: Error>(
    _ body: (RawSpan) throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    try unsafe body(span.bytes)
  }

  /// Returns whether `word` occurs in the bytes.
  package func holds(_ word: StaticString) -> Bool {
    unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      return unsafe memmem(base, bytes.count, word.utf8Start, word.utf8CodeUnitCount) != nil
    }
  }

  /// Returns whether `word` occurs in the bytes.
  package func holds(_ word: [UInt8]) -> Bool {
    unsafe withUnsafeBytes { bytes in
      unsafe word.withUnsafeBytes { word in
        guard let base = bytes.baseAddress, let start = word.baseAddress else { return false }
        return unsafe memmem(base, bytes.count, start, word.count) != nil
      }
    }
  }

  /// Appends a copy of `bytes`.
  package mutating func append(copying bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}

/// Returns whether the given bytes are equal to a secret.
///
/// The time of the comparison depends only on the number of bytes, not on the number of equal ones.
package func isSameSecret(_ given: [UInt8], _ secret: [UInt8]) -> Bool {
  var difference = UInt8(given.count == secret.count ? 0 : 1)
  for (index, byte) in given.enumerated() {
    difference |= byte ^ (index < secret.count ? secret[index] : 0)
  }
  return difference == 0
}

extension Sequence<UInt8> {
  /// Whether all bytes are zero.
  package var isZero: Bool { allSatisfy { $0 == 0 } }
}

extension RawSpan {
  /// Whether all bytes are zero.
  package var isZero: Bool {
    unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let first = unsafe bytes.first else { return true }
      // Each byte is compared with the next one.
      return unsafe first == 0 && memcmp(base, base + 1, bytes.count - 1) == 0
    }
  }

  /// Returns the index of the first difference between the two spans; nil if they are equal.
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

  /// Returns the first index from `start` on that has the byte `first`, and the byte `second` at
  /// `distance` bytes after it; nil if there is none.
  ///
  /// Eight positions are compared at a time, in one 64-bit number.
  package func firstIndex(
    of first: UInt8, and second: UInt8, _ distance: Int, from start: Int
  ) -> Int? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let left = ones &* UInt64(first)
    let right = ones &* UInt64(second)
    let end = byteCount - distance
    return unsafe withUnsafeBytes { bytes in
      // Not zero if one of the eight places has both bytes: `difference` has a zero byte there.
      func matches(_ index: Int) -> UInt64 {
        let near = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let far = unsafe bytes.loadUnaligned(fromByteOffset: index &+ distance, as: UInt64.self)
        let difference = (near ^ left) | (far ^ right)
        return (difference &- ones) & ~difference & (ones << 7)
      }
      var index = start
      while index &+ 32 <= end {
        let all =
          matches(index) | matches(index &+ 8) | matches(index &+ 16) | matches(index &+ 24)
        if all != 0 { break }
        index &+= 32
      }
      while index < end {
        if unsafe bytes[index] == first, unsafe bytes[index + distance] == second { return index }
        index += 1
      }
      return nil
    }
  }
}

extension String {
  /// Returns whether a byte occurs in the text as UTF-8 (`memchr`).
  package func holds(_ byte: UInt8) -> Bool {
    let found = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe memchr(start, Int32(byte), bytes.count) != nil
    }
    return found ?? utf8.contains(byte)
  }
}

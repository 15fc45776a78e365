import Glibc
import TerminalText

/// One component of a path: any bytes except NUL and `/`, as the file system stores them.
package struct FileName: Sendable, Hashable {
  /// The bytes, without the NUL that C expects after them.
  package let bytes: [UInt8]

  /// Creates a name from these bytes, unchanged; the system rejects invalid names.
  package init(_ bytes: some Collection<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// Creates a name from a slice; not generic, so that it is fast.
  package init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

  package init(_ name: some StringProtocol) {
    bytes = Array(name.utf8)
  }

  /// The name as a message shows it: bytes that are not UTF-8, or would move the cursor, are
  /// escaped.
  package var shown: String { shownBytes(bytes) }

  func withCString<Result: FixedWidthInteger & SignedInteger>(
    _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    // With a slash, the name would refer to a file in another folder.
    unsafe Self.withCString(of: bytes, refusing: { $0 == 0 || $0 == slash }, body)
  }

  /// Calls a function with the bytes as a C string; if there are no bytes, or one of them is
  /// invalid, the call fails as for a missing file.
  ///
  /// A NUL in the bytes would truncate the name, which would then refer to another file.
  static func withCString<Result: FixedWidthInteger & SignedInteger>(
    of bytes: [UInt8], refusing isRefused: (UInt8) -> Bool,
    _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    if bytes.isEmpty || bytes.contains(where: isRefused) {
      errno = ENOENT
      return -1
    }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) {
      buffer in
      guard let base = buffer.baseAddress else { return -1 }
      for index in bytes.indices { unsafe base[index] = CChar(bitPattern: bytes[index]) }
      unsafe base[bytes.count] = 0
      return unsafe body(base)
    }
  }
}

extension FileName: ExpressibleByStringLiteral {
  package init(stringLiteral name: String) { self.init(name) }
}

/// The bytes of a path as a key: two keys are equal only if all their bytes are equal.
package struct PathBytes: Sendable, Hashable {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes[...]) }
}

extension Hasher {
  /// Adds all bytes in one step; the hash functions of arrays and slices add them one by one.
  package mutating func combine(bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBytes { unsafe combine(bytes: $0) }
  }
}

/// Returns the bytes of a path for a message: invisible characters and bytes that are not UTF-8 are
/// escaped.
package func shownBytes(_ bytes: some Sequence<UInt8>) -> String { shown(bytes: bytes) }

/// Returns the escaped bytes of a slice; not generic, so that it is fast.
package func shownBytes(_ bytes: ArraySlice<UInt8>) -> String { shown(bytes: bytes) }

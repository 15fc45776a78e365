import Glibc
import TerminalText

/// One component of a path: any bytes but NUL and `/`, as the file system has them.
package struct FileName: Sendable, Hashable {
  /// The bytes, without the NUL that C wants behind them.
  package let bytes: [UInt8]

  /// Takes the bytes as they are; what no file can be called is refused by the system.
  package init(_ bytes: some Collection<UInt8>) {
    self.bytes = Array(bytes)
  }

  package init(_ name: some StringProtocol) {
    bytes = Array(name.utf8)
  }

  /// The name as a message shows it: what is no UTF-8, or would move a cursor, is escaped.
  package var shown: String { shownBytes(bytes) }

  func withCString<Result: FixedWidthInteger & SignedInteger>(
    _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    // A slash inside would silently name a file in another folder.
    unsafe Self.withCString(of: bytes, refusing: { $0 == 0 || $0 == UInt8(ascii: "/") }, body)
  }

  /// Lends bytes as C takes them; what is empty, or holds what it must not, names nothing.
  ///
  /// A NUL inside would silently name another file.
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

/// The bytes of a path as a key: what differs by a byte is another path.
package struct PathBytes: Sendable, Hashable {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  // An array would feed the hash byte by byte.
  package func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}

/// Bytes of a path as a message shows them: what is no UTF-8, or nothing to look at, is escaped.
package func shownBytes(_ bytes: some Sequence<UInt8>) -> String { shown(bytes: bytes) }

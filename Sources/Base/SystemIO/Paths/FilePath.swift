import Glibc
import TerminalText

/// A path in the form of system calls: bytes, split only at the byte `/`.
///
/// A Swift character can be a `/` with a combining mark, and the bytes of a name can be invalid
/// UTF-8. So paths must not be split or joined as strings.
public struct FilePath: Sendable, Hashable {
  /// The bytes, without the NUL that C expects after them.
  public let bytes: [UInt8]

  /// Creates a path of the bytes, unchanged.
  public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Creates a path from a text made by ``text``; any other text represents its UTF-8 bytes.
  public init(_ text: String) {
    let utf8 = text.utf8
    guard let first = utf8.firstIndex(of: StandIn.leadByte) else {
      bytes = Array(utf8)
      return
    }
    var bytes = Array(utf8[..<first])
    for scalar in text.unicodeScalars[first...] {
      if let byte = StandIn.byte(of: scalar) {
        bytes.append(byte)
      } else {
        UTF8.encode(scalar).map { bytes += $0 }
      }
    }
    self.bytes = bytes
  }

  /// The path as a string from which ``init(_:)-(String)`` restores the same path.
  ///
  /// A byte that is not UTF-8 becomes one of the last characters of Unicode, which are reserved for
  /// private use. So paths that are not UTF-8 can be stored in strings without loss. Messages show
  /// ``description``.
  public var text: String {
    if let text = String(validating: bytes, as: UTF8.self), !StandIn.occurs(in: text) {
      return text
    }
    var text = ""
    eachScalar { scalar, bytes in
      if let scalar, StandIn.byte(of: scalar) == nil {
        text.unicodeScalars.append(scalar)
      } else {
        for byte in bytes { text.unicodeScalars.append(StandIn.scalar(of: byte)) }
      }
    }
    return text
  }

  /// The path as a message shows it: bytes that are not UTF-8, or would move the cursor, are
  /// escaped.
  package var shown: String { shownBytes(bytes) }
}

extension FilePath: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates the path of a string literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The path as a message shows it: bytes that are not UTF-8, or would move the cursor, are
  /// escaped.
  public var description: String { shown }
}

// MARK: - Splitting and joining

extension FilePath {
  /// The names between the slashes, without `.`, which has no effect.
  package var components: [FileName] {
    bytes.split(separator: slash).filter { !$0.elementsEqual([dot]) }.map { FileName($0) }
  }

  /// The path without doubled slashes, `.` and slashes at its ends.
  package var normalized: FilePath { FilePath(joining: components) }

  /// The path without slashes at its end, such as those that a shell adds to a folder.
  package var trimmed: FilePath {
    let path = withoutTrailingSlashes
    return path.isEmpty ? self : FilePath(path)
  }

  /// Creates a relative path from names.
  package init(joining components: some Sequence<FileName>) {
    self.init(components.lazy.map(\.bytes).joined(separator: [slash]))
  }

  /// Whether the path starts at the root of the file system.
  package var isAbsolute: Bool { bytes.first == slash }

  /// The path of the folder: all bytes before the name; `.` if there are none.
  package var folder: FilePath {
    let path = withoutTrailingSlashes
    if path.isEmpty && isAbsolute { return FilePath(CollectionOfOne(slash)) }
    guard let end = path.lastIndex(of: slash) else { return FilePath(CollectionOfOne(dot)) }
    let folder = path[..<end].droppingLast(while: { $0 == slash })
    return folder.isEmpty ? FilePath(CollectionOfOne(slash)) : FilePath(folder)
  }

  /// The last name in the path; empty for the root of the file system.
  package var name: FileName {
    let path = withoutTrailingSlashes
    return FileName(path[(path.lastIndex(of: slash).map { $0 + 1 } ?? path.startIndex)...])
  }

  /// Returns the path of an entry of this folder.
  public func appending(_ other: FilePath) -> FilePath {
    if bytes.isEmpty || bytes == [dot] { return other }
    return FilePath(bytes.last == slash ? bytes + other.bytes : bytes + [slash] + other.bytes)
  }

  package func appending(_ name: FileName) -> FilePath { appending(FilePath(name.bytes)) }

  /// Returns whether the name ends in `suffix`, ignoring the case of Latin letters.
  package func hasSuffix(_ suffix: String) -> Bool {
    bytes.count >= suffix.utf8.count
      && zip(bytes.suffix(suffix.utf8.count), suffix.utf8).allSatisfy {
        $0.lowercased == $1.lowercased
      }
  }

  private var withoutTrailingSlashes: ArraySlice<UInt8> {
    bytes[...].droppingLast(while: { $0 == slash })
  }
}

// MARK: - For calls into C

extension FilePath {
  /// Calls a function with the path as a C string.
  func withCString<Result: FixedWidthInteger & SignedInteger>(
    _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    unsafe FileName.withCString(of: bytes, refusing: { $0 == 0 }, body)
  }
}

extension FilePath {
  /// Calls back with each character, and with each byte that is not part of one.
  private func eachScalar(_ body: (Unicode.Scalar?, ArraySlice<UInt8>) -> Void) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let scalar = rest.firstScalar
      let length = scalar.map(UTF8.width) ?? 1
      body(scalar, rest.prefix(length))
      rest = rest.dropFirst(length)
    }
  }

  /// The characters that represent bytes that are not UTF-8: U+10FF80 for 0x80 up to U+10FFFF for
  /// 0xFF.
  private enum StandIn {
    private static let base: UInt32 = 0x10_FF00
    /// The first byte of all of them in UTF-8.
    static let leadByte: UInt8 = 0xF4

    static func byte(of scalar: Unicode.Scalar) -> UInt8? {
      scalar.value >= base + 0x80 ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }

    static func scalar(of byte: UInt8) -> Unicode.Scalar {
      Unicode.Scalar(base + UInt32(byte)) ?? Unicode.Scalar(byte)
    }

    static func occurs(in text: String) -> Bool {
      text.utf8.contains(leadByte) && text.unicodeScalars.contains { byte(of: $0) != nil }
    }
  }
}

extension ArraySlice<UInt8> {
  /// The character at the start of these UTF-8 bytes.
  var firstScalar: Unicode.Scalar? {
    var decoder = UTF8()
    var bytes = prefix(4).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return nil }
    return scalar
  }

  fileprivate func droppingLast(while isDropped: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    self[..<((lastIndex { !isDropped($0) }).map { $0 + 1 } ?? startIndex)]
  }
}

// Inlinable, because other modules compare each byte of a path with these constants.
@inlinable package var dot: UInt8 { UInt8(ascii: ".") }
@inlinable package var slash: UInt8 { UInt8(ascii: "/") }

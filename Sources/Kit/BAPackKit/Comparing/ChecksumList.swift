package import SystemIO
import TerminalText

/// A list of SHA-256 digests of files in the format of `sha256sum`.
package struct ChecksumList: Sendable {
  private struct Line {
    var path: ListedPath
    var digest: [UInt8]
  }

  /// A line of the list: the bytes of a path, and a digest.
  package struct WrittenLine: Sendable, Equatable {
    package var path: [UInt8]
    package var digest: [UInt8]
  }

  /// A path without empty components and components `.`.
  private struct ListedPath: Equatable {
    let isAbsolute: Bool
    let names: [ArraySlice<UInt8>]

    init(_ path: some Sequence<UInt8>) {
      let bytes = Array(path)
      isAbsolute = bytes.first == slash
      names = bytes.split(separator: slash).filter { !$0.elementsEqual([UInt8(ascii: ".")]) }
    }
  }

  /// The maximum size of a list in bytes.
  private static let largest = 64 << 20

  private let name: String
  private var lines: [Line] = []

  /// Reads a list from a file.
  package init(reading path: String, _ work: Work) throws(PackError) {
    let bytes = try mapFailure(.reading) { () throws(Failure) in
      try FileDescriptor.open(path, for: .waiting(work)).readToEnd(atMost: Self.largest + 1)
    }
    guard bytes.count <= Self.largest else {
      throw PackError(.limit, "the list of checksums '\(path)' is larger than 64 MiB")
    }
    try self.init(parsing: bytes, named: path)
  }

  /// Reads the text of a list, with a name for messages.
  package init(parsing bytes: [UInt8], named name: String) throws(PackError) {
    self.name = name
    var number = 0
    for text in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let text = text.last == UInt8(ascii: "\r") ? text.dropLast() : text
      if text.isEmpty || text.first == UInt8(ascii: "#") { continue }
      guard let line = Self.line(text) else {
        throw PackError(
          .malformed(offset: nil), "line \(number) of '\(name)' is not in the format of sha256sum",
          remedy: "create the list with 'sha256sum packs/*.aar > SHA256SUMS'")
      }
      lines.append(Line(path: ListedPath(line.path), digest: line.digest))
    }
  }

  /// Reads a line in either format; returns nil if it is malformed.
  package static func line(_ text: ArraySlice<UInt8>) -> WrittenLine? {
    plainLine(text) ?? taggedLine(text)
  }

  /// Reads `digest  path` or `digest *path`; a leading backslash means that the path is escaped.
  private static func plainLine(_ text: ArraySlice<UInt8>) -> WrittenLine? {
    let isEscaped = text.first == UInt8(ascii: "\\")
    let text = isEscaped ? text.dropFirst() : text
    guard let digest = digest(text.prefix(64)), text.dropFirst(64).first == UInt8(ascii: " ") else {
      return nil
    }
    let rest = text.dropFirst(65)
    let path =
      rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "*")
      ? rest.dropFirst() : rest
    guard !path.isEmpty else { return nil }
    return WrittenLine(path: isEscaped ? unescaped(path) : Array(path), digest: digest)
  }

  /// Reads `SHA256 (path) = digest`, the format of BSD systems and `sha256sum --tag`.
  private static func taggedLine(_ text: ArraySlice<UInt8>) -> WrittenLine? {
    let isEscaped = text.first == UInt8(ascii: "\\")
    let text = isEscaped ? text.dropFirst() : text
    guard let start = ["SHA256 (", "SHA256("].first(where: { text.starts(with: $0.utf8) }),
      let digest = digest(text.suffix(64))
    else { return nil }
    let middle = text.dropFirst(start.utf8.count).dropLast(64)
    guard
      let end = [") = ", ")= "].first(where: { middle.suffix($0.utf8.count).elementsEqual($0.utf8) }
      )
    else { return nil }
    let path = middle.dropLast(end.utf8.count)
    return WrittenLine(path: isEscaped ? unescaped(path) : Array(path), digest: digest)
  }

  private static func digest(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    [UInt8](hexadecimal: String(decoding: digits, as: UTF8.self), count: 32)
  }

  private static func unescaped(_ path: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = path
    while let byte = rest.popFirst() {
      switch (byte, rest.first) {
      case (UInt8(ascii: "\\"), UInt8(ascii: "n")): bytes.append(UInt8(ascii: "\n"))
      case (UInt8(ascii: "\\"), UInt8(ascii: "r")): bytes.append(UInt8(ascii: "\r"))
      case (UInt8(ascii: "\\"), UInt8(ascii: "\\")): bytes.append(byte)
      default:
        bytes.append(byte)
        continue
      }
      rest.removeFirst()
    }
    return bytes
  }

  /// Returns the expected digest of a file.
  ///
  /// This is the digest of its path, as in `sha256sum -c`, or else of the only file in the list
  /// with the same name.
  package func digest(of path: String) throws(PackError) -> [UInt8] {
    let listed = ListedPath(path.utf8)
    var found = lines.filter { $0.path == listed }
    if found.isEmpty { found = lines.filter { $0.path.names.last == listed.names.last } }
    guard let first = found.first else {
      throw PackError(.missing, "'\(name)' has no line for '\(path)'")
    }
    guard found.allSatisfy({ $0.digest == first.digest }) else {
      throw PackError(
        .ambiguous, "'\(name)' has several lines for '\(path)', with different digests",
        remedy: "specify the pack by its path in the list")
    }
    return first.digest
  }
}

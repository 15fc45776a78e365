import AppSide
package import BAPackKit
import Glibc
import SourceDiagnostics
package import SystemIO

package enum InputKind: String, Sendable, CaseIterable {
  /// Build scripts of Steam's depots and apps.
  case steam
  /// On-Demand Resources: an Xcode project, or a product of Xcode.
  case odr
}

/// The contents of an input.
///
/// They are read once, because a pipe cannot be read again.
package enum ConversionInput: Sendable {
  case text(FilePath, [UInt8])
  /// A zip archive, which is never loaded as a whole.
  case archive(FilePath)
  case folder(FilePath)

  /// Reads the input at a path; throws if the system call fails.
  package init(at path: FilePath, _ work: Work) throws(PackError) {
    self = try mapFailure(.reading) { () throws(Failure) in
      let file = try FileDescriptor.open(path.text, for: .waiting(work))
      let kind = try file.status().kind
      if kind == .directory { return .folder(path) }
      var bytes = try file.readToEnd(atMost: Self.zip.count)
      if bytes == Self.zip, kind == .file { return .archive(path) }
      bytes += try file.readToEnd(atMost: Self.largestText + 1 - bytes.count)
      return .text(path, bytes)
    }
  }

  /// The path that the user named.
  var path: FilePath {
    switch self {
    case .text(let path, _), .archive(let path), .folder(let path): path
    }
  }

  /// The first bytes of a zip archive.
  private static let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
  /// The maximum size of a text in bytes; one more byte is read to detect a larger text.
  package static let largestText = ReadingLimits.bytes
  /// The number of bytes of a text that are read to detect its kind.
  static let startSize = 64 << 10
}

extension ConversionInput {
  /// Returns a text in UTF-8 or UTF-16 as UTF-8, and whether all of it is text.
  static func decoded(_ bytes: [UInt8]) -> (text: [UInt8], isUTF8: Bool) {
    func sixteen(_ order: (UInt8, UInt8) -> UInt16, from start: Int) -> ([UInt8], Bool) {
      let units = stride(from: start, to: bytes.count - 1, by: 2).map {
        order(bytes[$0], bytes[$0 + 1])
      }
      let isWhole = (bytes.count - start) % 2 == 0
      let text = String(validating: units, as: UTF16.self)
      return (Array((text ?? String(decoding: units, as: UTF16.self)).utf8), isWhole && text != nil)
    }
    func little(_ first: UInt8, _ second: UInt8) -> UInt16 { UInt16(second) << 8 | UInt16(first) }
    func big(_ first: UInt8, _ second: UInt8) -> UInt16 { UInt16(first) << 8 | UInt16(second) }
    switch (bytes.first, bytes.dropFirst().first) {
    case (0xFF, 0xFE): return sixteen(little, from: 2)
    case (0xFE, 0xFF): return sixteen(big, from: 2)
    // Without a byte order mark: the first character of a script is ASCII.
    case (let first?, 0) where first != 0: return sixteen(little, from: 0)
    case (0, let second?) where second != 0: return sixteen(big, from: 0)
    default: return (bytes, String(validating: bytes, as: UTF8.self) != nil)
    }
  }
}

/// Limits of inputs: far above real projects, and far below the memory of a computer.
enum ReadingLimits {
  /// The maximum size of a text in bytes.
  static let bytes = PropertyListText.largest
}

/// Returns the bytes of a text: at most one more than `limit`, to detect a larger text.
func readText(
  _ path: FilePath, atMost limit: Int, _ work: Work
) throws(PackError) -> [UInt8] {
  try mapFailure(.reading) { () throws(Failure) in
    try FileDescriptor.open(path.text, for: .waiting(work)).readToEnd(atMost: limit + 1)
  }
}

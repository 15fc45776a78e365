import Glibc
import SystemIO
import TerminalText

/// A folder in which a search inspects a few fixed places; links are followed.
struct InspectedFolder {
  let path: FilePath
  /// The names in the folder.
  private let listing: DirectoryListing

  /// The maximum size of the read part of a file.
  static let largestText = 1 << 20
  /// The maximum number of paths that match a pattern.
  private static let mostMatches = 64

  init(_ path: FilePath, _ listing: DirectoryListing) {
    self.path = path
    self.listing = listing
  }

  /// Returns the kind of the file at a path below the folder; nil if there is none.
  func kind(of place: FilePath) -> FileKind? {
    if place.bytes.isEmpty { return .directory }
    return try? FileStatus(ofFileAt: path.appending(place).text).kind
  }

  /// Returns the text at the start of a regular file; nil if it cannot be read.
  ///
  /// Bytes that are not UTF-8 are replaced. UTF-16 with a byte order mark is supported, because
  /// the editor of Unreal Engine writes it.
  func text(of place: FilePath) -> String? {
    do throws(Failure) {
      guard kind(of: place) == .file else { return nil }
      let file = try FileDescriptor.open(path.appending(place).text, for: .reading)
      guard try file.status().kind == .file else { return nil }
      let bytes = try file.readToEnd(atMost: Self.largestText)
      guard bytes.starts(with: [0xFF, 0xFE]) else { return String(decoding: bytes, as: UTF8.self) }
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
      }
      return String(decoding: units, as: UTF16.self)
    } catch {
      return nil
    }
  }

  /// Returns the existing paths that match a pattern, in the order of their bytes.
  ///
  /// A component can contain one `*` for any characters; names that begin with a dot do not match
  /// it. The case of ASCII letters is ignored, because the disks of most developers ignore it.
  func matches(of pattern: String) -> [FilePath] {
    var found: [FilePath] = [""]
    for component in pattern.split(separator: "/") {
      var next: [FilePath] = []
      for base in found {
        let exact = base.appending(FileName(component))
        if !component.contains("*"), kind(of: exact) != nil {
          next.append(exact)
        } else {
          next += names(in: base) { Self.matches($0, component) }.map { base.appending($0) }
        }
      }
      found = Array(next.prefix(Self.mostMatches))
    }
    return found
  }

  /// Returns the names in a subfolder for which a condition is true, at most 64, in the order of
  /// their bytes; none if there is no such folder.
  func names(
    in place: FilePath, where isIncluded: (ArraySlice<UInt8>) -> Bool
  ) -> [FileName] {
    guard let listing = names(of: place) else { return [] }
    var names: [FileName] = []
    for item in listing.items where isIncluded(listing.name(of: item)) {
      names.append(listing.fileName(of: item))
      if names.count == Self.mostMatches { break }
    }
    return names
  }

  private func names(of place: FilePath) -> DirectoryListing? {
    if place.bytes.isEmpty { return listing }
    guard let folder = try? FileDescriptor.open(path.appending(place).text, for: .directory)
    else { return nil }
    return try? folder.list()
  }

  private static func matches(_ name: ArraySlice<UInt8>, _ pattern: Substring) -> Bool {
    let parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
    guard let start = parts.first, let end = parts.last else { return false }
    if parts.count == 1 { return isEqual(name, start) }
    return name.first != dot && name.count >= start.count + end.count
      && isEqual(name.prefix(start.count), start) && isEqual(name.suffix(end.count), end)
  }

  private static func isEqual(_ name: ArraySlice<UInt8>, _ text: Substring.UTF8View.SubSequence)
    -> Bool
  {
    name.count == text.count && zip(name, text).allSatisfy { $0.lowercased == $1.lowercased }
  }
}

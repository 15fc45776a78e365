package import SystemIO

/// The path of an entry of a pack: bytes that were checked when the value was created.
///
/// It is a view: of the header that it was read from, or of the one buffer in which a
/// ``PackPathBuffer`` stores many. Apps see the contents of the folder `Contents`, by their paths
/// in it.
package struct PackPath: Sendable, Hashable {
  /// The path in the archive; empty for the root.
  package let bytes: ArraySlice<UInt8>

  /// Creates a path from the bytes of an archive if they do not lead out of the pack.
  package init(_ bytes: ArraySlice<UInt8>) throws(PathFault) {
    if let fault = Self.fault(in: bytes) { throw fault }
    self.bytes = bytes
  }

  fileprivate init(checked bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// The root of an archive.
  package static let root = PackPath(checked: [])
  /// The folder that apps see.
  package static let contents = PackPath(checked: Array("Contents".utf8)[...])
  /// The manifest, next to that folder.
  package static let manifest = PackPath(checked: Array("Manifest.json".utf8)[...])

  /// The prefix in the archive of every path that an app sees.
  fileprivate static let contentsPrefix = contents.bytes + [slash]

  /// The path that an app sees, which is also a valid path; nil outside `Contents`.
  package var inContents: PackPath? { bytes.belowContents.map(PackPath.init(checked:)) }

  /// The parent folder; nil at the top level.
  package var parent: PackPath? {
    bytes.lastIndex(of: slash).map { PackPath(checked: bytes[..<$0]) }
  }

  /// The last of its names.
  package var name: FileName {
    FileName(bytes[(bytes.lastIndex(of: slash).map { $0 + 1 } ?? bytes.startIndex)...])
  }

  /// The parent folders, the outermost first, and the path itself; empty for the root.
  package var steps: [PackPath] {
    if bytes.isEmpty { return [] }
    var steps: [PackPath] = []
    for index in bytes.indices where bytes[index] == slash {
      steps.append(PackPath(checked: bytes[..<index]))
    }
    steps.append(self)
    return steps
  }

  /// The path for a message: control characters and bytes that are not UTF-8 are escaped.
  package var shown: String { shownBytes(bytes) }
}

/// The path in the header of an entry: a valid path, or invalid bytes.
package struct StoredPath: Sendable, Hashable {
  package let bytes: ArraySlice<UInt8>
  /// The reason why the bytes are not a valid path.
  package let fault: PathFault?

  package init(_ path: PackPath) {
    bytes = path.bytes
    fault = nil
  }

  /// Creates a value from the bytes of a header, unchanged.
  package init(reading bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    do throws(PathFault) {
      _ = try PackPath(bytes)
      fault = nil
    } catch {
      fault = error
    }
  }

  /// The path, if it is one.
  package var path: PackPath? { fault == nil ? PackPath(checked: bytes) : nil }

  /// The path that an app would see, valid or invalid; nil outside `Contents`.
  package var bytesInContents: ArraySlice<UInt8>? { bytes.belowContents }

  /// Whether the entry is the folder that an app sees, or is in it.
  package var isInContents: Bool { bytes.belowContents != nil || bytes == PackPath.contents.bytes }

  package static func == (left: StoredPath, right: PackPath) -> Bool { left.bytes == right.bytes }
}

extension ArraySlice<UInt8> {
  fileprivate var belowContents: ArraySlice<UInt8>? {
    starts(with: PackPath.contentsPrefix) ? dropFirst(PackPath.contentsPrefix.count) : nil
  }
}

// MARK: - Validity

/// An error in a path: readers reject these, and so a writer never creates them.
package enum PathFault: Error, Sendable, Hashable {
  /// The length in bytes, with the folder `Contents`.
  case tooLong(Int)
  case nul, absolute, trailingSlash, emptyComponent, parentComponent, dotComponent
  /// The length in bytes of the longest name.
  case longComponent(Int)
  // Errors that this writer does not create, but others may.
  case empty, notUTF8, controlCharacter
}

extension PathFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong: "is longer than \(PackPath.longest) bytes"
    case .nul: "contains a NUL character"
    case .absolute: "is absolute"
    case .trailingSlash: "ends in a slash"
    case .emptyComponent: "has an empty component"
    case .parentComponent: "has a '..' component"
    case .dotComponent: "has a '.' component"
    case .longComponent: "has a name of more than \(PackPath.longestName) bytes"
    case .empty: "is empty"
    case .notUTF8: "is not UTF-8"
    case .controlCharacter: "contains a control character"
    }
  }
}

extension PackPath {
  /// The maximum length of a path in an archive in bytes.
  package static let longest = 1023
  /// The maximum length of one name in bytes, as in the file systems of devices.
  package static let longestName = 255
  /// A path of more names than this is too long in any case.
  package static let mostNames = longest / 2

  /// Returns the error in the path of an entry; the root's empty path is valid.
  private static func fault(in path: ArraySlice<UInt8>) -> PathFault? {
    if path.isEmpty { return nil }
    if path.count > longest { return .tooLong(path.count) }
    return inspect(path).isRight ? nil : faultOfForm(path)
  }

  /// Returns the error in a path that an app requests; a valid one is valid on every file system.
  package static func fault(inContents path: ArraySlice<UInt8>) -> PathFault? {
    if path.isEmpty { return .empty }
    let size = contentsPrefix.count + path.count
    if size > longest { return .tooLong(size) }
    let checked = inspect(path)
    if checked.isRight && checked.isPlain { return nil }
    let longest = path.split(separator: slash).lazy.map(\.count).max() ?? 0
    if longest > longestName { return .longComponent(longest) }
    if !checked.isPlain {
      if String(validating: path, as: UTF8.self) == nil { return .notUTF8 }
      if holdsControlCharacter(path) { return .controlCharacter }
    }
    return checked.isRight ? nil : faultOfForm(path)
  }

  /// Checks the bytes in one pass up to the first error; returns whether every name is valid, and
  /// whether all characters are printable ASCII.
  private static func inspect(_ path: ArraySlice<UInt8>) -> (isRight: Bool, isPlain: Bool) {
    var (isRight, isPlain) = (true, true)
    var (length, dots) = (0, 0)
    for byte in path {
      if byte == slash {
        if length == dots && length <= 2 || length > longestName { isRight = false }
        (length, dots) = (0, 0)
        continue
      }
      length += 1
      if byte == dot { dots += 1 }
      if byte == 0 { isRight = false }
      if byte < 0x20 || byte >= 0x7F { isPlain = false }
    }
    return (isRight && !(length == dots && length <= 2 || length > longestName), isPlain)
  }

  private static func faultOfForm(_ path: ArraySlice<UInt8>) -> PathFault? {
    if path.contains(0) { return .nul }
    if path.first == slash { return .absolute }
    if path.last == slash { return .trailingSlash }
    for name in path.split(separator: slash, omittingEmptySubsequences: false) {
      if name.count > longestName { return .longComponent(name.count) }
      if name.isEmpty { return .emptyComponent }
      if name.elementsEqual([dot]) { return .dotComponent }
      if name.elementsEqual([dot, dot]) { return .parentComponent }
    }
    return nil
  }

  /// Returns whether bytes contain a control character of a terminal; bytes that are not UTF-8
  /// contain none.
  package static func holdsControlCharacter(_ path: ArraySlice<UInt8>) -> Bool {
    var before: UInt8 = 0
    for byte in path {
      // U+0080 to U+009F are C2 80 to C2 9F in UTF-8.
      if byte < 0x20 || byte == 0x7F || (before == 0xC2 && (0x80...0x9F).contains(byte)) {
        return true
      }
      before = byte
    }
    return false
  }
}

// MARK: - Many in one buffer

/// The paths of many entries in one piece of memory, with the paths of their source files.
///
/// A path is checked when it is added, and is returned as a view, which costs no separate memory.
package struct PackPathBuffer: Sendable {
  /// The position of a path in the buffer that returned it, and valid only there.
  package struct Place: Sendable {
    /// The start of the path that an app sees.
    package let start: UInt64
    /// The length of that path in bytes.
    package let count: UInt16

    fileprivate init(_ path: Range<Int>) {
      start = UInt64(path.lowerBound)
      count = UInt16(path.count)
    }
  }

  /// All bytes, one path after the other.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Reserves address space for this many paths with these bytes in total.
  package mutating func reserve(_ count: Int, pathBytes: Int) {
    bytes.reserveCapacity(pathBytes + count * PackPath.contentsPrefix.count)
  }

  /// Adds a path that an app will see.
  package mutating func append(inContents path: [UInt8]) throws(PathFault) -> Place {
    if let fault = PackPath.fault(inContents: path[...]) { throw fault }
    bytes += PackPath.contentsPrefix
    let start = bytes.count
    bytes += path
    return Place(start..<bytes.count)
  }

  /// Adds the path of a source, which may be any bytes.
  package mutating func append(source path: [UInt8]) -> Range<Int> {
    let start = bytes.count
    bytes += path
    return start..<bytes.count
  }

  /// Removes the paths that were added last, from a path on.
  package mutating func remove(from place: Place) {
    bytes.removeSubrange((Int(place.start) - PackPath.contentsPrefix.count)...)
  }

  package subscript(place: Place) -> PackPath {
    let start = Int(place.start)
    return PackPath(
      checked: bytes[start - PackPath.contentsPrefix.count..<start + Int(place.count)])
  }

  /// Returns the place of a parent folder: of the bytes up to the slash at `end`.
  package func folder(around place: Place, upTo end: Int) -> Place? {
    let path = Int(place.start)..<Int(place.start) + Int(place.count)
    guard path.contains(end), end > path.lowerBound, bytes[end] == slash else { return nil }
    return Place(path.lowerBound..<end)
  }
}

package import SystemIO

/// The path of an entry of a pack: bytes that were checked when the value was made.
///
/// It is a view: of the header that it was read from, or of the one buffer in which a
/// ``PackPathBuffer`` keeps many. Apps see what lies in the folder `Contents`, by its path from
/// there.
package struct PackPath: Sendable, Hashable {
  /// What stands in the archive; empty for the root.
  package let bytes: ArraySlice<UInt8>

  /// Takes what somebody wrote into an archive, where it leads nowhere but into the pack.
  package init(_ bytes: ArraySlice<UInt8>) throws(PathFault) {
    if let fault = Self.fault(in: bytes) { throw fault }
    self.bytes = bytes
  }

  fileprivate init(checked bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// The root of an archive.
  package static let root = PackPath(checked: [])
  /// The folder that apps see.
  package static let contents = PackPath(checked: Array("Contents".utf8)[...])
  /// The manifest, beside that folder.
  package static let manifest = PackPath(checked: Array("Manifest.json".utf8)[...])

  /// What the archive puts before every path that an app sees.
  fileprivate static let contentsPrefix = contents.bytes + [slash]

  /// The path as an app sees it, which is a path as well; nil for what lies outside `Contents`.
  package var inContents: PackPath? { bytes.belowContents.map(PackPath.init(checked:)) }

  /// The folder that it lies in; nil for what lies in none.
  package var parent: PackPath? {
    bytes.lastIndex(of: slash).map { PackPath(checked: bytes[..<$0]) }
  }

  /// The last of its names.
  package var name: FileName {
    FileName(bytes[(bytes.lastIndex(of: slash).map { $0 + 1 } ?? bytes.startIndex)...])
  }

  /// The folders on the way to it, the outermost first, and the path itself; none for the root.
  package var steps: [PackPath] {
    if bytes.isEmpty { return [] }
    var steps: [PackPath] = []
    for index in bytes.indices where bytes[index] == slash {
      steps.append(PackPath(checked: bytes[..<index]))
    }
    steps.append(self)
    return steps
  }

  /// The path as a message shows it: what is no UTF-8, or would move a cursor, is escaped.
  package var shown: String { shownBytes(bytes) }
}

/// What the header of an entry has as its path: a path, or bytes that can be none.
package struct StoredPath: Sendable, Hashable {
  package let bytes: ArraySlice<UInt8>
  /// What keeps the bytes from being a path.
  package let fault: PathFault?

  package init(_ path: PackPath) {
    bytes = path.bytes
    fault = nil
  }

  /// Takes the bytes of a header as they are.
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

  /// What an app would see, right or wrong; nil for what lies outside `Contents`.
  package var bytesInContents: ArraySlice<UInt8>? { bytes.belowContents }

  /// Whether it says that the entry is the folder that an app sees, or lies in it.
  package var isInContents: Bool { bytes.belowContents != nil || bytes == PackPath.contents.bytes }

  package static func == (left: StoredPath, right: PackPath) -> Bool { left.bytes == right.bytes }
}

extension ArraySlice<UInt8> {
  fileprivate var belowContents: ArraySlice<UInt8>? {
    starts(with: PackPath.contentsPrefix) ? dropFirst(PackPath.contentsPrefix.count) : nil
  }
}

// MARK: - What is right

/// What is wrong with a path: readers refuse these, and so a writer never makes them.
package enum PathFault: Error, Sendable, Hashable {
  /// How many bytes it has, with the folder `Contents`.
  case tooLong(Int)
  case nul, absolute, trailingSlash, emptyComponent, parentComponent, dotComponent
  /// How many bytes the longest name has.
  case longComponent(Int)
  // What we do not write, and others may have written.
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
  /// The most bytes that a path may have in an archive.
  package static let longest = 1023
  /// The most bytes of one name: what the file systems of devices allow.
  package static let longestName = 255
  /// A path of more names than this is too long in any case.
  package static let mostNames = longest / 2

  /// What is wrong with the path of an entry; the root's empty path is right.
  private static func fault(in path: ArraySlice<UInt8>) -> PathFault? {
    if path.isEmpty { return nil }
    if path.count > longest { return .tooLong(path.count) }
    return inspect(path).isRight ? nil : faultOfForm(path)
  }

  /// What is wrong with a path that an app is to ask for: one that survives on every file system.
  package static func fault(inContents path: ArraySlice<UInt8>) -> PathFault? {
    if path.isEmpty { return .empty }
    let size = contentsPrefix.count + path.count
    if size > longest { return .tooLong(size) }
    let look = inspect(path)
    if look.isRight && look.isPlain { return nil }
    let longest = path.split(separator: slash).lazy.map(\.count).max() ?? 0
    if longest > longestName { return .longComponent(longest) }
    if !look.isPlain {
      if String(validating: path, as: UTF8.self) == nil { return .notUTF8 }
      if holdsControlCharacter(path) { return .controlCharacter }
    }
    return look.isRight ? nil : faultOfForm(path)
  }

  /// One walk over the bytes, as long as nothing is wrong: whether every name is right, and whether
  /// all characters are ASCII that shows.
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

  /// Whether bytes have a character in them that controls a terminal; what is no UTF-8 is none.
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

/// The paths of many entries in one piece of memory, with those of the files that they are made
/// from.
///
/// A path is checked when it goes in, and comes out as a view, which costs no memory of its own.
package struct PackPathBuffer: Sendable {
  /// Where a path is: in the buffer that gave the place, and in none but that.
  package struct Place: Sendable {
    /// Where the path begins that an app sees.
    package let start: UInt64
    /// How many bytes that path has.
    package let count: UInt16

    fileprivate init(_ path: Range<Int>) {
      start = UInt64(path.lowerBound)
      count = UInt16(path.count)
    }
  }

  /// All bytes, one path behind the other.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Adds a path by which an app is to see something.
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

  /// Takes back what was added last, from a path on.
  package mutating func remove(from place: Place) {
    bytes.removeSubrange((Int(place.start) - PackPath.contentsPrefix.count)...)
  }

  /// The path at a place.
  package subscript(place: Place) -> PackPath {
    let start = Int(place.start)
    return PackPath(
      checked: bytes[start - PackPath.contentsPrefix.count..<start + Int(place.count)])
  }

  /// The place of a folder on the way to another one: of the bytes up to the slash at `end`.
  package func folder(around place: Place, upTo end: Int) -> Place? {
    let path = Int(place.start)..<Int(place.start) + Int(place.count)
    guard path.contains(end), end > path.lowerBound, bytes[end] == slash else { return nil }
    return Place(path.lowerBound..<end)
  }
}

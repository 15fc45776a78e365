import SystemIO
import TerminalText

/// The folders that a user named: that of the input, the current one, and whatever was named
/// besides.
///
/// What an input names is opened only if it is in one of them, whatever `..` and links it takes to
/// get there: inputs are often written by others.
struct NamedFolders: Sendable {
  private let folders: [FilePath]

  /// The folders around an input.
  init(of input: FilePath, and others: [FilePath] = []) {
    // Standing at the top of the file system names nothing.
    folders = ([input.folder, FilePath(".")] + others).compactMap { folder in
      (try? realPath(of: folder.text)).map { FilePath($0) }
    }.filter { $0 != FilePath("/") }
  }

  /// Whether the target of a path, with links followed, is in one of the folders.
  ///
  /// A missing target counts by its path.
  func hold(_ path: FilePath) -> Bool {
    let names = path.withLinksFollowed.components
    return folders.contains { names.starts(with: $0.components) }
  }

  /// Whether there is something at a path, which may be anywhere.
  static func isThere(_ path: FilePath) -> Bool { (try? FileStatus(ofFileAt: path.text)) != nil }

  /// A path whose names may be written in another case than they have on disk; nil if there is
  /// nothing.
  ///
  /// Folders are listed only where they are held.
  func find(_ names: [FileName], from start: FilePath) -> FilePath? {
    var path = start
    for name in names {
      let next = path.appending(name)
      if name == ".." {
        path = Self.above(path)
        continue
      }
      if Self.isThere(next) {
        path = next
        continue
      }
      guard hold(path), let folder = try? FileDescriptor.open(path.text, for: .directory),
        let listing = try? folder.list()
      else { return nil }
      let wanted = foldedCase(name.bytes)
      guard let found = listing.items.first(where: { foldedCase(listing.name(of: $0)) == wanted })
      else { return nil }
      path = path.appending(listing.fileName(of: found))
    }
    return Self.isThere(path) ? path : nil
  }
}

extension NamedFolders {
  /// The folder above one, without a `..` where that means the same.
  private static func above(_ path: FilePath) -> FilePath {
    let long = path.appending(FileName(".."))
    guard !path.name.bytes.isEmpty, path.name != "..", path.name != ".",
      let real = try? realPath(of: long.text), real == (try? realPath(of: path.folder.text))
    else { return long }
    return path.folder
  }
}

extension FilePath {
  /// The path from the top of the file system, with links followed and without `..`.
  ///
  /// Missing components are kept.
  var withLinksFollowed: FilePath {
    if let real = try? realPath(of: text) { return FilePath(real) }
    let outer = folder
    guard outer != self else { return self }
    let real = outer.withLinksFollowed
    if name == ".." { return real.folder }
    return name == "." ? real : real.appending(name)
  }
}

/// A name, or a path, as systems see it for which case does not count.
func foldedCase(_ bytes: some Collection<UInt8>) -> [UInt8] {
  if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.map(\.lowercased) }
  guard let text = String(validating: bytes, as: UTF8.self) else { return Array(bytes) }
  return Array(text.lowercased().utf8)
}

/// Paths by their form in lower case.
struct CasePaths {
  private var spellings: [[UInt8]: FilePath] = [:]

  /// Adds a path and its folders; returns the first of them that differs only in case from one that
  /// is there, and that one.
  mutating func insert(_ path: FilePath) -> (path: FilePath, other: FilePath)? {
    let names = path.components
    for count in names.indices.map({ $0 + 1 }) {
      let part = FilePath(joining: names.prefix(count))
      let other = spellings[foldedCase(part.bytes)]
      if let other, other != part { return (part, other) }
      if other == nil { spellings[foldedCase(part.bytes)] = part }
    }
    return nil
  }
}

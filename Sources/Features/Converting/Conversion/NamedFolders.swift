import SystemIO
import TerminalText

/// The folders that the user named: the input's folder, the current folder, and further ones.
///
/// A path in an input is opened only if its target is in one of them, with `..` and links resolved,
/// because inputs are often written by other authors.
struct NamedFolders: Sendable {
  private let folders: [FilePath]

  init(of input: FilePath, and others: [FilePath] = []) {
    // A path at the root of the file system names no folder.
    folders = ([input.folder, FilePath(".")] + others).compactMap { folder in
      (try? realPath(of: folder.text)).map { FilePath($0) }
    }.filter { $0 != FilePath("/") }
  }

  /// Whether the target of a path, with links resolved, is in one of the folders.
  ///
  /// If the target does not exist, its path is compared.
  func contain(_ path: FilePath) -> Bool {
    let names = path.withLinksFollowed.components
    return folders.contains { names.starts(with: $0.components) }
  }

  /// Whether a file exists at a path, which may be in any folder.
  static func isPresent(_ path: FilePath) -> Bool { (try? FileStatus(ofFileAt: path.text)) != nil }

  /// Returns the path on disk of names whose case may differ; nil if there is no such file.
  ///
  /// Only the named folders are listed.
  func find(_ names: [FileName], from start: FilePath) -> FilePath? {
    var path = start
    for name in names {
      let next = path.appending(name)
      if name == ".." {
        path = Self.above(path)
        continue
      }
      if Self.isPresent(next) {
        path = next
        continue
      }
      guard contain(path), let folder = try? FileDescriptor.open(path.text, for: .directory),
        let listing = try? folder.list()
      else { return nil }
      let wanted = foldedCase(name.bytes)
      guard let found = listing.items.first(where: { foldedCase(listing.name(of: $0)) == wanted })
      else { return nil }
      path = path.appending(listing.fileName(of: found))
    }
    return Self.isPresent(path) ? path : nil
  }
}

extension NamedFolders {
  /// Returns the parent folder, without a `..` where possible.
  private static func above(_ path: FilePath) -> FilePath {
    let long = path.appending(FileName(".."))
    guard !path.name.bytes.isEmpty, path.name != "..", path.name != ".",
      let real = try? realPath(of: long.text), real == (try? realPath(of: path.folder.text))
    else { return long }
    return path.folder
  }
}

extension FilePath {
  /// The absolute path, with links resolved and without `..`.
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

/// Returns a name or path in the form that file systems without case sensitivity compare.
func foldedCase(_ bytes: some Collection<UInt8>) -> [UInt8] {
  if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.map(\.lowercased) }
  guard let text = String(validating: bytes, as: UTF8.self) else { return Array(bytes) }
  return Array(text.lowercased().utf8)
}

/// A set of paths by their lowercase form.
struct CasePaths {
  private var spellings: [[UInt8]: FilePath] = [:]

  /// Adds a path and its folders; returns the first of them that differs only in case from an
  /// existing path, and that path.
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

import BAPackKit
import SystemIO

/// The contents of a depot, read from its script file by file.
///
/// `--compare` compares manifests with this. It shares only the parsed script and the file paths
/// with the code that creates selectors, so that an error in one of them appears as a difference.
struct SteamReading: Sendable {
  private typealias MeantFile = ConvertedManifest.MeantFile

  private let depot: SteamScript.Depot
  /// The content root as the script writes it.
  private let root: String?
  /// The folders between the source root and the content root.
  private let above: [String]
  private let files: [File]

  /// A file below the source root.
  private struct File: Sendable {
    var path: FilePath
    /// The path as characters, with its case folded.
    var folded: [Unicode.Scalar]
    /// The names of the folded path.
    var names: [ArraySlice<Unicode.Scalar>]
    /// The end offsets of its enclosing folders and of the path itself.
    var ends: [Int]
    var sketch: ByteSketch

    init(_ path: FilePath) {
      self.path = path
      let bytes = foldedCase(path.bytes)
      sketch = ByteSketch(bytes)
      let folded = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
      ends = folded.indices.filter { folded[$0] == "/" } + [folded.count]
      names = folded.split(separator: "/")
      self.folded = folded
    }

  }

  init(_ depot: SteamScript.Depot, root: String?, above: [String], _ paths: [FilePath]) {
    self.depot = depot
    self.root = root
    self.above = above
    files = paths.map { File($0) }
  }

  /// Returns the files of the depot at their paths: later mappings override earlier ones, and
  /// exclusions apply to all.
  func meantFiles() -> [ConvertedManifest.MeantFile] {
    var sources: [FilePath: FilePath] = [:]
    for case .mapping(let mapping) in depot.items { read(mapping, &sources) }
    var dropped: Set<FilePath> = []
    for case .exclusion(let word) in depot.items {
      let first = Self.parts(word.text).first { $0 != "." }
      guard let names = names(word.text, startsAnywhere: first?.hasPrefix("*") ?? false) else {
        continue
      }
      let text = names.joined(separator: "/")
      let pattern = Wildcards(text)
      for file in files where file.sketch.has(pattern.needed) {
        if file.ends.contains(where: { pattern.match(file.folded[..<$0]) }) {
          dropped.insert(file.path)
        }
      }
    }
    return sources.filter { !dropped.contains($0.value) }
      .map { MeantFile(source: $0.value, destination: $0.key) }
  }

  /// Adds the files of a mapping.
  private func read(_ mapping: SteamScript.Mapping, _ sources: inout [FilePath: FilePath]) {
    let goal = mapping.depotPath?.text ?? "."
    guard var names = names(mapping.localPath.text, startsAnywhere: false),
      let folder = Self.resolved(goal, from: [])
    else { return }
    let text = names.joined(separator: "/")
    if !text.contains(where: { $0 == "*" || $0 == "?" }), let last = names.last {
      let own = FilePath(joining: names.map { FileName($0) })
      let wanted = File(own).folded
      let matches = files.filter { $0.folded == wanted }
      if let file = matches.first(where: { $0.path == own }) ?? matches.first {
        let name = Self.meansFolder(goal) ? nil : folder.last
        let isName = name.map {
          foldedCase($0.utf8) == foldedCase(last.utf8) || $0.dropFirst().contains(".")
        }
        let place = FilePath(joining: folder.map { FileName($0) })
        sources[isName == true ? place : place.appending(file.path.name)] = file.path
        return
      }
      // No file has this path, so it is a folder.
      names.append("*")
    }
    guard let last = names.popLast() else { return }
    let folders = names.map { Wildcards($0) }
    let pattern = Wildcards(last)
    let needed = (folders + [pattern]).reduce(into: ByteSketch()) { $0.formUnion($1.needed) }
    for file in files where file.sketch.has(needed) {
      let own = file.names
      guard mapping.isRecursive ? own.count > names.count : own.count == names.count + 1,
        zip(folders, own).allSatisfy({ $0.match($1) }), let name = own.last, pattern.match(name)
      else { continue }
      let rest = file.path.components.dropFirst(names.count)
      sources[FilePath(joining: folder.map { FileName($0) } + rest)] = file.path
    }
  }

  // MARK: Paths

  /// Returns the names of a path relative to the source root; nil if it leads elsewhere.
  private func names(_ text: String, startsAnywhere: Bool) -> [String]? {
    var rest = text
    var start = startsAnywhere ? [] : above
    if Self.isWhole(text) {
      guard let root, Self.isWhole(root), let outer = Self.resolved(root, from: []),
        let inner = Self.resolved(text, from: []), inner.count >= outer.count,
        zip(outer, inner).allSatisfy({ foldedCase($0.utf8) == foldedCase($1.utf8) })
      else { return nil }
      rest = inner.dropFirst(outer.count).joined(separator: "/")
      start = []
    }
    guard let names = Self.resolved(rest, from: start) else { return nil }
    return Self.meansFolder(text) ? names + ["*"] : names
  }

  private static func parts(_ text: String) -> [Substring] {
    text.replacing("\\", with: "/").split(separator: "/")
  }

  /// Whether a path starts at a drive, or at the root of a file system.
  private static func isWhole(_ text: String) -> Bool {
    text.first == "/" || text.first == "\\" || text.dropFirst().first == ":"
  }

  private static func meansFolder(_ text: String) -> Bool {
    text.last == "/" || text.last == "\\"
      || parts(text).last.map { $0 == "." || $0 == ".." } ?? true
  }

  /// Returns the names of a path with `.` and `..` resolved; nil if it leads out.
  private static func resolved(_ text: String, from start: [String]) -> [String]? {
    var names = start
    for part in parts(text) {
      if part == ".." {
        guard names.popLast() != nil else { return nil }
      } else if part != "." {
        names.append(String(part))
      }
    }
    return names
  }
}

/// A pattern as the texts between its wildcards; each is searched after the previous one.
private struct Wildcards {
  private let pieces: [[Unicode.Scalar]]
  /// The bytes that every matching text contains.
  let needed: ByteSketch

  init(_ text: String) {
    let folded = String(decoding: foldedCase(text.utf8), as: UTF8.self)
    // On Windows, this pattern matches every name.
    let pattern = folded == "*.*" ? "*" : folded
    let pieces = pattern.unicodeScalars.split(separator: "*", omittingEmptySubsequences: false)
    self.pieces = pieces.map { Array($0) }
    var needed = ByteSketch()
    for piece in pieces.flatMap({ $0.split(separator: "?") }) { needed.add(String(piece).utf8) }
    self.needed = needed
  }

  func match(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = pieces.first, let last = pieces.last else { return false }
    guard pieces.count > 1 else { return text.count == first.count && Self.fits(first, text) }
    guard text.count >= first.count + last.count, Self.fits(first, text),
      Self.fits(last, text.suffix(last.count))
    else { return false }
    var rest = text.dropFirst(first.count).dropLast(last.count)
    for piece in pieces.dropFirst().dropLast() {
      while !Self.fits(piece, rest) {
        if rest.count <= piece.count { return false }
        rest = rest.dropFirst()
      }
      rest = rest.dropFirst(piece.count)
    }
    return true
  }

  /// Whether a text begins with a piece, in which `?` matches any character.
  private static func fits(_ piece: [Unicode.Scalar], _ text: ArraySlice<Unicode.Scalar>) -> Bool {
    guard text.count >= piece.count else { return false }
    return zip(piece, text).allSatisfy { $0 == $1 || $0 == "?" }
  }
}

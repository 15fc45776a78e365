package import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// The IDs and paths of packs, for comparison with the texts of an app.
package struct PackPaths: Sendable {
  private let packs: [PackContents]
  /// The IDs of the packs.
  package let ids: [String]
  /// The file name extensions and top folders of packed files.
  private var suffixes: Set<[UInt8]> = []
  private var folders: Set<[UInt8]> = []
  /// The paths by their lowercase file names, which are needed only for suggestions.
  private lazy var byName = named()
  /// The first paths, for a comparison of all letters.
  private lazy var compared = packs.flatMap { contents in
    (0..<min(contents.count, Self.mostCompared)).map { contents[$0].text }
  }.prefix(Self.mostCompared).map(\.self)

  /// The maximum number of paths that are compared for a suggestion.
  private static let mostCompared = 20_000

  /// Collects the paths of packs.
  package init(_ packs: [(id: String, contents: PackContents)]) {
    self.packs = packs.map(\.contents)
    ids = packs.map(\.id)
    for (_, contents) in packs {
      for index in 0..<contents.count {
        let path = contents[index]
        if let suffix = Self.suffix(of: path) { suffixes.insert(suffix) }
        if let end = path.bytes.firstIndex(of: slash) { folders.insert(Array(path.bytes[..<end])) }
      }
    }
  }

  /// Whether a pack has a file or a folder at a path.
  func has(_ path: AssetPath) -> Bool {
    packs.contains { $0.index(of: path) != nil || $0.hasFolder(path) }
  }

  /// Whether the first folder of a path is one of the packs' folders.
  func isInKnownFolder(_ path: AssetPath) -> Bool {
    path.bytes.firstIndex(of: slash).map { folders.contains(Array(path.bytes[..<$0])) } ?? false
  }

  /// Returns the path in a text; nil if the text is not a path.
  func path(in literal: ArraySlice<UInt8>) -> AssetPath? {
    var text = literal
    let scheme = Array("res://".utf8)
    if text.starts(with: scheme) { text = text.dropFirst(scheme.count) }
    if text.starts(with: Array("./".utf8)) { text = text.dropFirst(2) }
    guard (3...512).contains(text.count), text.first != slash, text.last != slash else {
      return nil
    }
    guard !text.contains(where: Self.excluded.contains) else { return nil }
    let path = AssetPath(unchecked: text)
    let hasKnownEnd = Self.suffix(of: path).map(suffixes.contains) ?? false
    guard hasKnownEnd || isInKnownFolder(path) else { return nil }
    return path
  }

  /// Characters of interpolated texts, of addresses, and of other texts that are not paths.
  private static let excluded = Array("\\{}%<>|*?\"'\n\r\t:;".utf8)

  /// Returns the lowercase file name extension; nil if there is none, or if it is long.
  private static func suffix(of path: AssetPath) -> [UInt8]? {
    let name = path.parts.name
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    let end = name[(dot + 1)...]
    guard (1...8).contains(end.count), end.allSatisfy(\.isLetterOrDigit) else { return nil }
    return end.map(\.lowercased)
  }

  // MARK: Suggestions

  /// Returns the path that is most similar to a missing one: one with the same file name, or with
  /// few different letters.
  mutating func nearest(to path: AssetPath) -> String? {
    let same = byName[path.name.shown.lowercased()] ?? []
    if same.count == 1 { return same[0] }
    return Spelling.nearest(to: path.text, among: same.isEmpty ? compared : same) ?? same.first
  }

  private func named() -> [String: [String]] {
    var result: [String: [String]] = [:]
    for contents in packs {
      for index in 0..<contents.count {
        let path = contents[index]
        result[path.name.shown.lowercased(), default: []].append(path.text)
      }
    }
    return result
  }
}

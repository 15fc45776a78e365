import BAPackKit
import SystemIO

/// Creates selectors from the text of a mapping or an exclusion.
enum SteamSelectors {
  /// Returns the selectors of a pattern whose files are placed in a folder; nil if no selectors are
  /// equivalent.
  static func of(
    _ names: [String], isRecursive: Bool, to folder: [String], withDots: Bool = false
  ) -> [FileSelector]? {
    guard let name = names.last else { return nil }
    let base = Array(names.dropLast())
    guard !base.contains(where: { SteamPattern($0).hasWildcards }) else { return nil }
    let matchesAll = SteamPattern(name).matchesAll
    if isRecursive, matchesAll {
      return base == folder
        ? [.directory(path(base))]
        : [.renamedDirectory(source: path(base), destination: path(folder))]
    }
    guard base == folder else { return nil }
    let pattern = matchesAll ? "*" : escaped(name, keeping: "*?")
    let patterns = withDots && pattern.hasPrefix("*") ? [pattern, "." + pattern] : [pattern]
    return patterns.map { pattern in
      .filePattern(
        joined(base.map { escaped($0) } + (isRecursive ? ["**"] : []) + [pattern]))
    }
  }

  static func of(file source: FilePath, to destination: FilePath) -> FileSelector {
    source == destination
      ? .file(source.text) : .renamedFile(source: source.text, destination: destination.text)
  }

  /// Returns the exclusions that together drop the files of a Steam exclusion; nil if they would be
  /// too many.
  ///
  /// The `*` of Steam also matches separators. An excluded folder includes all its contents, so
  /// only a `*` in the middle of a name requires two exclusions.
  static func ofExclusion(_ names: [String]) -> [FileSelector]? {
    let path = joined(names)
    let all = SteamPattern(path).matchesAll ? "*" : path
    var pieces: [String] = []
    var piece = ""
    for character in all.unicodeScalars {
      if character == "*" {
        if !(pieces.count > 0 && piece.isEmpty) { pieces.append(piece) }
        piece = ""
      } else {
        piece.unicodeScalars.append(character)
      }
    }
    pieces.append(piece)
    guard pieces.count > 1 else { return [.exclusion("./" + escaped(all, keeping: "?"))] }
    var patterns = [escaped(pieces[0], keeping: "?")]
    for index in 1..<pieces.count {
      let before = pieces[index - 1]
      let next = escaped(pieces[index], keeping: "?")
      let startsFolder = before.isEmpty ? index == 1 : endsInSlash(before)
      let ways: [String]
      if index == pieces.count - 1, next.isEmpty {
        ways = [startsFolder ? "**" : "*"]
      } else if beginsWithSlash(next) {
        ways = ["*/**"]
      } else if startsFolder {
        ways = ["**/*"]
      } else {
        ways = ["*", "*/**/*"]
      }
      patterns = patterns.flatMap { pattern in ways.map { pattern + $0 + next } }
      guard patterns.count <= mostPatterns else { return nil }
    }
    return patterns.map { $0.replacing("**/**/", with: "**/") }.map { pattern in
      // Without a slash, an exclusion matches at any depth.
      if let rest = pattern.removingPrefix("**/"), !hasSlash(rest) { return .exclusion(rest) }
      return .exclusion(hasSlash(pattern) || pattern == "**" ? pattern : "./" + pattern)
    }
  }

  private static let mostPatterns = 8

  /// Returns a path in the form of a selector; the source root, or the top of the pack, is `.`.
  private static func path(_ names: [String]) -> String { names.isEmpty ? "." : joined(names) }

  private static func joined(_ names: [String]) -> String { names.joined(separator: "/") }

  private static func escaped(_ text: String, keeping kept: String = "") -> String {
    FileSelector.patternText(text, keeping: kept)
  }

  private static func hasSlash(_ text: String) -> Bool { text.utf8.contains(slash) }
  private static func endsInSlash(_ text: String) -> Bool { text.utf8.last == slash }
  private static func beginsWithSlash(_ text: String) -> Bool { text.utf8.first == slash }
}

extension String {
  /// Returns the text after a prefix, compared by bytes.
  fileprivate func removingPrefix(_ prefix: String) -> String? {
    utf8.starts(with: prefix.utf8)
      ? String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
  }
}

import SourceDiagnostics
import SystemIO

/// The paths that selectors are written with.
enum SelectorPath {
  /// What makes a text no path of a selector: the first thing that is wrong.
  static func fault(in path: String, of key: SelectorKey, at span: SourceSpan) -> Finding? {
    ManifestRules.placeholder(path, at: span) ?? SelectorRules.emptyPath(path, of: key, at: span)
      ?? SelectorRules.nulCharacter(path, at: span)
      ?? SelectorRules.absolute(path, of: key, at: span)
      ?? SelectorRules.parent(path, of: key, at: span)
      ?? SelectorRules.trailingSlash(path, of: key, at: span)
  }

  /// The path without what means nothing.
  ///
  /// That is a leading `./`, a doubled `/`, an inner `.`, and, for a folder, a trailing `/`. The
  /// source root itself is `.`.
  static func normalized(_ path: String, isFolder: Bool) -> String {
    if isNormal(path) { return path }
    let normal = FilePath(path.utf8).normalized
    guard !normal.bytes.isEmpty else { return "." }
    let endsWithSlash = path.utf8.last == UInt8(ascii: "/") && !isFolder
    return String(decoding: normal.bytes, as: UTF8.self) + (endsWithSlash ? "/" : "")
  }

  /// The pattern of an exclusion without what means nothing.
  ///
  /// There a leading `./` means something: it holds a pattern of one name at the source root, which
  /// would match at any depth.
  static func normalized(exclusion pattern: String) -> String {
    let normal = normalized(pattern, isFolder: true)
    guard isAnchored(pattern), normal != ".", !normal.utf8.contains(UInt8(ascii: "/")) else {
      return normal
    }
    return "./" + normal
  }

  /// Whether a pattern begins with `./`.
  static func isAnchored(_ pattern: String) -> Bool { pattern.utf8.starts(with: "./".utf8) }

  /// Whether there is nothing to take away, found out without making anything.
  private static func isNormal(_ path: String) -> Bool {
    var previous = UInt8(ascii: "/")
    for byte in path.utf8 {
      // A component that is empty or begins with a dot wants a closer look.
      if previous == UInt8(ascii: "/"), byte == previous || byte == UInt8(ascii: ".") {
        return false
      }
      previous = byte
    }
    return previous != UInt8(ascii: "/")
  }
}

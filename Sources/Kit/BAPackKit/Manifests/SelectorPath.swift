import SourceDiagnostics
import SystemIO

enum SelectorPath {
  /// Returns a finding for the first error in the path of a selector; nil if it is valid.
  static func fault(in path: String, of key: SelectorKey, at span: SourceSpan) -> Finding? {
    ManifestRules.placeholder(path, at: span) ?? SelectorRules.emptyPath(path, of: key, at: span)
      ?? SelectorRules.nulCharacter(path, at: span)
      ?? SelectorRules.absolute(path, of: key, at: span)
      ?? SelectorRules.parent(path, of: key, at: span)
      ?? SelectorRules.trailingSlash(path, of: key, at: span)
  }

  /// Returns the normalized path.
  ///
  /// Removes a leading `./`, repeated slashes, components `.`, and a `/` at the end of a folder's
  /// path. The source root itself is `.`.
  static func normalized(_ path: String, isFolder: Bool) -> String {
    if isNormal(path) { return path }
    let normal = FilePath(path.utf8).normalized
    guard !normal.bytes.isEmpty else { return "." }
    let endsWithSlash = path.utf8.last == slash && !isFolder
    return String(decoding: normal.bytes, as: UTF8.self) + (endsWithSlash ? "/" : "")
  }

  /// Returns the normalized pattern of an exclusion.
  ///
  /// A leading `./` is kept for a pattern of one component, because without it the pattern matches
  /// at any depth.
  static func normalized(exclusion pattern: String) -> String {
    let normal = normalized(pattern, isFolder: true)
    guard isAnchored(pattern), normal != ".", !normal.holds(slash) else {
      return normal
    }
    return "./" + normal
  }

  /// Returns whether a pattern begins with `./`.
  static func isAnchored(_ pattern: String) -> Bool { pattern.utf8.starts(with: "./".utf8) }

  /// Returns whether a path is normalized, without creating a new string.
  private static func isNormal(_ path: String) -> Bool {
    var previous = slash
    for byte in path.utf8 {
      // An empty component, or one with a leading dot, may have to be removed.
      if previous == slash, byte == previous || byte == UInt8(ascii: ".") {
        return false
      }
      previous = byte
    }
    return previous != slash
  }
}

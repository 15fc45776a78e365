import SourceDiagnostics
import SystemIO

/// Paths in selectors.
enum SelectorPath {
  /// The first reason why a text cannot be the path of a selector; nil if it can.
  static func fault(in path: String, of key: SelectorKey, at span: SourceSpan) -> Finding? {
    ManifestRules.placeholder(path, at: span) ?? SelectorRules.emptyPath(path, of: key, at: span)
      ?? SelectorRules.nulCharacter(path, at: span)
      ?? SelectorRules.absolute(path, of: key, at: span)
      ?? SelectorRules.parent(path, of: key, at: span)
      ?? SelectorRules.trailingSlash(path, of: key, at: span)
  }

  /// The path without the parts that mean nothing.
  ///
  /// These are a leading `./`, a doubled `/`, an inner `.`, and a `/` at the end of a folder's
  /// path. The source root itself is `.`.
  static func normalized(_ path: String, isFolder: Bool) -> String {
    if isNormal(path) { return path }
    let normal = FilePath(path.utf8).normalized
    guard !normal.bytes.isEmpty else { return "." }
    let endsWithSlash = path.utf8.last == slash && !isFolder
    return String(decoding: normal.bytes, as: UTF8.self) + (endsWithSlash ? "/" : "")
  }

  /// The pattern of an exclusion without the parts that mean nothing.
  ///
  /// A leading `./` does mean something there: it ties a pattern of a single name to the source
  /// root; otherwise the pattern would match at any depth.
  static func normalized(exclusion pattern: String) -> String {
    let normal = normalized(pattern, isFolder: true)
    guard isAnchored(pattern), normal != ".", !normal.holds(slash) else {
      return normal
    }
    return "./" + normal
  }

  /// Whether a pattern begins with `./`.
  static func isAnchored(_ pattern: String) -> Bool { pattern.utf8.starts(with: "./".utf8) }

  /// Whether nothing has to be removed; found out without making a new string.
  private static func isNormal(_ path: String) -> Bool {
    var previous = slash
    for byte in path.utf8 {
      // A component that is empty or begins with a dot needs a closer look.
      if previous == slash, byte == previous || byte == UInt8(ascii: ".") {
        return false
      }
      previous = byte
    }
    return previous != slash
  }
}

/// The text of paths in patterns.
package enum SelectorText {
  /// Whether a path contains characters of patterns, which a pattern must escape.
  package static func hasWildcards(_ path: String) -> Bool { path.utf8.contains(where: isWildcard) }

  /// Returns a pattern that matches only this path.
  package static func escaped(_ path: String) -> String {
    guard hasWildcards(path) else { return path }
    var result: [UInt8] = []
    for byte in path.utf8 {
      if isWildcard(byte) { result.append(UInt8(ascii: "\\")) }
      result.append(byte)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isWildcard(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "\\"): true
    default: false
    }
  }
}

/// The paths that selectors are written with.
enum SelectorPath {
  /// The path without what means nothing.
  ///
  /// That is a leading `./`, a doubled `/`, an inner `.`, and, for a folder, a trailing `/`. The
  /// source root itself is `.`.
  static func normalized(_ path: String, isFolder: Bool) -> String {
    if isNormal(path) { return path }
    let components = path.split(separator: "/").filter { $0 != "." }
    guard !components.isEmpty else { return "." }
    let endsWithSlash = path.utf8.last == UInt8(ascii: "/") && !isFolder
    return components.joined(separator: "/") + (endsWithSlash ? "/" : "")
  }

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

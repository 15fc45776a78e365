import SystemIO

/// The name of an entry in normal form: without `./` at the start, doubled slashes and slashes at
/// the end.
struct ForeignPath {
  /// No path on Linux is longer than this.
  static let longest = 4096

  /// `/`-separated and relative; empty for the root, which `tar -C folder .` stores as `./`.
  let bytes: [UInt8]
  /// The reason why no file below a root can have such a path; in a message it follows the path.
  let flaw: String?

  init(_ stored: [UInt8]) {
    var bytes: [UInt8] = []
    var leavesFolder = false
    for component in stored.split(separator: slash) where !component.elementsEqual(".".utf8) {
      if component.elementsEqual("..".utf8) { leavesFolder = true }
      if !bytes.isEmpty { bytes.append(slash) }
      bytes += component
    }
    self.bytes = bytes
    flaw =
      if leavesFolder {
        "has a '..' in its path"
      } else if bytes.count > Self.longest {
        "has a path of \(bytes.count) bytes; the maximum is \(Self.longest)"
      } else if stored.first == slash, !bytes.isEmpty {
        "is stored as '\(shownBytes(stored))', an absolute path"
      } else {
        nil
      }
  }
}

/// The name of an entry as we use it: `./` prefixes, doubled and trailing slashes taken away.
struct ForeignPath {
  /// What no path on Linux is longer than.
  static let longest = 4096

  /// `/`-separated and relative; empty for the root, which `tar -C folder .` stores as `./`.
  let bytes: [UInt8]
  /// Why nothing can be at such a path below a root, in words that follow it.
  let flaw: String?

  init(_ stored: [UInt8]) {
    let slash = UInt8(ascii: "/")
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
        "has a path of \(bytes.count) bytes, and \(Self.longest) is what a system takes"
      } else if stored.first == slash, !bytes.isEmpty {
        "has an absolute path"
      } else {
        nil
      }
  }
}

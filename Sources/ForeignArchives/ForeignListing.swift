package import SystemIO

/// Everything in an archive, as the first pass finds it.
///
/// The entries are in the order of the archive; an entry's index is what the second pass asks for.
package struct ForeignListing: Sendable {
  package private(set) var entries: [ForeignEntry]

  /// Reads the whole list and measures files whose size the archive does not say beforehand.
  ///
  /// Two entries of one path, and a file that has something below it, are errors.
  package init(
    _ file: borrowing FileDescriptor, name: String
  ) throws(ForeignArchiveError) {
    var reader = try ForeignArchiveReader(file, name: name)
    entries = []
    var kinds: [String: Bool] = [:]  // path to "is a directory"
    while var entry = try reader.next() {
      let isDirectory = entry.kind == .directory
      if let other = kinds.updateValue(isDirectory, forKey: entry.path) {
        guard other && isDirectory else {
          throw ForeignArchiveError(name, reason: "entry '\(entry.path)' is there twice")
        }
        continue
      }
      if entry.kind == .file && !entry.isEncrypted && entry.size == nil {
        entry.size = try reader.measure()
      }
      entries.append(entry)
    }
    for entry in entries {
      var parent = Substring(entry.path)
      while let slash = parent.utf8.lastIndex(of: UInt8(ascii: "/")) {
        parent = parent[..<slash]
        guard kinds[String(parent)] == false else { continue }
        throw ForeignArchiveError(
          name, reason: "entry '\(entry.path)' lies below '\(parent)', which is no folder")
      }
    }
  }
}

extension ForeignArchiveReader {
  /// Reads the current entry to its end and says how long it is.
  fileprivate mutating func measure() throws(ForeignArchiveError) -> UInt64 {
    var total: UInt64 = 0
    var scratch = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try read(into: &scratch)
      if count == 0 { return total }
      total += UInt64(count)
    }
  }

  /// Fills the start of `bytes`; 0 at the end of the entry.
  mutating func read(into bytes: inout [UInt8]) throws(ForeignArchiveError) -> Int {
    try bytes.fill { (output) throws(ForeignArchiveError) in try read(into: &output) }
  }
}

extension [UInt8] {
  /// Lends the array as an output and says how much of it was written.
  mutating func fill(
    _ body: (inout OutputRawSpan) throws(ForeignArchiveError) -> Void
  ) throws(ForeignArchiveError) -> Int {
    try unsafe withUnsafeMutableBufferPointer { (bytes) throws(ForeignArchiveError) in
      let buffer = UnsafeMutableRawBufferPointer(bytes)
      var output = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
      try body(&output)
      return unsafe output.finalize(for: buffer)
    }
  }
}

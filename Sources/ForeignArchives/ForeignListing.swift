package import SystemIO

/// Everything in an archive, as the first pass finds it.
///
/// The entries are in the order of the archive; an entry's index is what the second pass asks for.
package struct ForeignListing: Sendable {
  package private(set) var entries: [ForeignEntry]

  /// Looks into files while they are listed.
  ///
  /// Gets a file and its first bytes, as many as were read so far (none at first), and says how many
  /// it needs. It is called again until it has so many, or the file has no more.
  package typealias Look = (ForeignEntry, [UInt8]) -> Int

  /// Reads the whole list and measures files whose size the archive does not say beforehand.
  ///
  /// Two entries of one path, and a file that has something below it, are errors.
  package init(
    _ file: borrowing FileDescriptor, name: String, lookingInto look: Look = { _, _ in 0 }
  ) throws(ForeignArchiveError) {
    var reader = try ForeignArchiveReader(file, name: name)
    entries = []
    // From path to "is a directory"; by bytes, because strings are equal when they look equal.
    var kinds: [[UInt8]: Bool] = [:]
    while var entry = try reader.next() {
      let isDirectory = entry.kind == .directory
      if let other = kinds.updateValue(isDirectory, forKey: Array(entry.path.utf8)) {
        guard other && isDirectory else {
          throw ForeignArchiveError(name, reason: "entry '\(entry.path)' is there twice")
        }
        continue
      }
      if entry.kind == .file && !entry.isEncrypted {
        let seen = try reader.show(entry, to: look)
        if entry.size == nil { entry.size = try reader.measure() + UInt64(seen) }
      }
      entries.append(entry)
    }
    for entry in entries {
      var parent = Array(entry.path.utf8)
      while let slash = parent.lastIndex(of: UInt8(ascii: "/")) {
        parent.removeSubrange(slash...)
        guard kinds[parent] == false else { continue }
        let shown = String(decoding: parent, as: UTF8.self)
        throw ForeignArchiveError(
          name, reason: "entry '\(entry.path)' lies below '\(shown)', which is no folder")
      }
    }
  }
}

extension ForeignArchiveReader {
  /// Shows the start of the current entry to whoever wants to see it, and says how much was read.
  fileprivate mutating func show(
    _ entry: ForeignEntry, to look: ForeignListing.Look
  ) throws(ForeignArchiveError) -> Int {
    var start: [UInt8] = []
    while true {
      let missing = look(entry, start) - start.count
      guard missing > 0 else { return start.count }
      var piece = [UInt8](repeating: 0, count: missing)
      let count = try read(into: &piece)
      start += piece.prefix(count)
      if count < missing {
        _ = look(entry, start)
        return start.count
      }
    }
  }

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

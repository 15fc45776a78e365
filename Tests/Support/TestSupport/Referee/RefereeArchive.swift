/// The error that the referee found.
package struct RefereeComplaint: Error, Equatable, CustomStringConvertible {
  package var description: String
}

/// A second reader of Apple Archives, for tests: simple, slow, strict, and all in memory.
///
/// It is written from the format description, without `AssetArchive`. It accounts for every byte of
/// the input: bytes that are left, missing or out of range are errors, and so is a header that
/// differs from the encoding of its fields.
package struct RefereeArchive {
  /// The container, unless the archive is bare.
  package var container: RefereeContainer?
  package var entries: [RefereeEntry] = []

  package init(_ bytes: [UInt8]) throws {
    var stream = bytes
    if bytes.starts(with: "pbz".utf8) {
      let container = try RefereeContainer(bytes)
      stream = container.contents
      self.container = container
    }
    var seen: Set<[UInt8]> = []
    var at = 0
    while at < stream.count {
      let entry = try RefereeEntry(stream, at: at)
      if entry.type != "M" && !seen.insert(entry.path).inserted {
        throw RefereeComplaint(description: "@\(at): \(entry.name) twice")
      }
      entries.append(entry)
      at = entry.end
    }
  }

  package subscript(path: String) -> RefereeEntry? {
    entries.first { $0.path == Array(path.utf8) }
  }
}

/// The `pbz` container, whose blocks are decoded one by one.
package struct RefereeContainer {
  package struct Block: Equatable {
    package var offset: Int
    package var rawSize: Int
    package var storedSize: Int
    package var isStored: Bool { rawSize == storedSize }
  }

  package var letter: Character
  package var blockSize: Int
  package var blocks: [Block] = []
  package var contents: [UInt8] = []

  init(_ bytes: [UInt8]) throws {
    try require(bytes.count >= 12, "the container is shorter than its header")
    letter = Character(Unicode.Scalar(bytes[3]))
    try require("-e4zxb".contains(letter), "container letter \(letter)")
    blockSize = bigEndian(bytes[4..<12])
    try require(blockSize > 0 && blockSize < 1 << 32, "block size \(blockSize)")
    var at = 12
    while at < bytes.count {
      try require(at + 16 <= bytes.count, "@\(at): block header cut off")
      let raw = bigEndian(bytes[at..<at + 8])
      let stored = bigEndian(bytes[at + 8..<at + 16])
      try require(raw > 0 && raw <= blockSize && stored <= raw, "@\(at): sizes \(raw), \(stored)")
      try require(
        contents.count == blocks.count * blockSize, "@\(at): the block before is not full")
      try require(at + 16 + stored <= bytes.count, "@\(at): block cut off")
      let payload = Array(bytes[at + 16..<at + 16 + stored])
      blocks.append(Block(offset: at, rawSize: raw, storedSize: stored))
      contents += stored == raw ? payload : try refereeDecode(letter, payload, size: raw)
      try require(contents.count == (blocks.count - 1) * blockSize + raw, "@\(at): decoded size")
      at += 16 + stored
    }
  }
}

func require(_ condition: Bool, _ complaint: @autoclosure () -> String) throws {
  if !condition { throw RefereeComplaint(description: complaint()) }
}

func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int {
  Int(truncatingIfNeeded: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
}

func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int {
  Int(truncatingIfNeeded: bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
}

package import SystemIO

/// Everything in an archive, as the first pass finds it.
///
/// The entries are in the order of the archive, those of one path too: what that means is for whoever
/// unpacks them. A second name of a file is that file: its contents are where the group keeps them.
package struct ForeignListing: Sendable {
  package private(set) var entries: [ForeignEntry]

  /// Looks into files while they are listed.
  ///
  /// Gets a file and its first bytes, as many as were read so far (none at first), and says how many
  /// it needs. It is called again until it has so many, or the file has no more.
  package typealias Look = (ForeignEntry, [UInt8]) -> Int

  /// Reads the whole list and measures files whose size the archive does not say beforehand.
  package init(
    _ file: borrowing FileDescriptor, name: String, lookingInto look: Look = { _, _ in 0 }
  ) throws(Failure) {
    var reader = try ForeignArchiveReader(file, name: name)
    var entries: [ForeignEntry] = []
    var groups = NameGroups()
    while var entry = try reader.next() {
      if (entry.kind == .file || entry.holdsData) && !entry.isEncrypted && entry.flaw == nil {
        let seen = try reader.show(entry, to: look)
        if entry.size == nil { entry.size = try reader.measure() + UInt64(seen) }
      }
      groups.add(entry, at: entries.count)
      entries.append(entry)
    }
    try reader.finish()
    groups.resolve(&entries)
    self.entries = entries
  }
}

/// Finds the file that each second name in an archive is a name of.
private struct NameGroups {
  /// The newest entry of each path, by its place in the list.
  private var newest: [PathBytes: Int] = [:]
  /// The second names, and the entry that had the other name when they came, if there was one.
  private var seconds: [(place: Int, other: Int?)] = []

  /// Takes the next entry of the list.
  mutating func add(_ entry: ForeignEntry, at place: Int) {
    if entry.pathFlaw != nil { return }
    if case .hardLink(let target) = entry.kind {
      seconds.append((place, newest[PathBytes(target)]))
    }
    newest[PathBytes(entry.path)] = place
  }

  /// Makes every second name the file that it is a name of.
  func resolve(_ entries: inout [ForeignEntry]) {
    var others: [Int: Int] = [:]
    for second in seconds {
      guard case .hardLink(let target) = entries[second.place].kind else { continue }
      others[second.place] = second.other ?? newest[PathBytes(target)]
    }
    var leaders: [Int: Int?] = [:]
    for second in seconds {
      let leader = leader(of: second.place, others, &leaders, entries)
      guard let leader, entries[second.place].holdsData, entries[leader].size ?? 0 == 0 else {
        continue
      }
      // A cpio gives the contents of several names with the last of them.
      entries[leader].contents = entries[second.place].index
      entries[leader].size = entries[second.place].size
      entries[leader].flaw = entries[second.place].flaw
    }
    for second in seconds { join(second.place, to: leaders[second.place] ?? nil, &entries) }
  }

  /// Follows other names to one that is none; what was found on the way is not sought again.
  private func leader(
    of place: Int, _ others: [Int: Int], _ leaders: inout [Int: Int?], _ entries: [ForeignEntry]
  ) -> Int? {
    var passed: [Int] = []
    var next: Int? = place
    while let at = next, case .hardLink = entries[at].kind {
      if let known = leaders[at] {
        next = known
        break
      }
      // Names that lead to each other lead nowhere: that is what is known of them meanwhile.
      leaders[at] = .some(nil)
      passed.append(at)
      next = others[at]
    }
    for at in passed { leaders[at] = .some(next) }
    return next
  }

  private func join(_ place: Int, to leader: Int?, _ entries: inout [ForeignEntry]) {
    guard case .hardLink(let target) = entries[place].kind else { return }
    var entry = entries[place]
    if let leader, entries[leader].kind != .directory {
      let (index, path) = (entry.index, entry.path)
      entry = entries[leader]
      (entry.index, entry.path) = (index, path)
    } else {
      entry.kind = .file
      entry.size = 0
      entry.flaw = "is another name of '\(shownBytes(target.prefix(200)))', which is no file in it"
    }
    entries[place] = entry
  }
}

extension ForeignArchiveReader {
  /// Shows the start of the current entry to whoever wants to see it, and says how much was read.
  fileprivate mutating func show(
    _ entry: ForeignEntry, to look: ForeignListing.Look
  ) throws(Failure) -> Int {
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
  fileprivate mutating func measure() throws(Failure) -> UInt64 {
    var total: UInt64 = 0
    var scratch = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try read(into: &scratch)
      if count == 0 { return total }
      total += UInt64(count)
    }
  }

  /// Fills the start of `bytes`; 0 at the end of the entry.
  mutating func read(into bytes: inout [UInt8]) throws(Failure) -> Int {
    try bytes.fill { (output) throws(Failure) in try read(into: &output) }
  }
}

extension [UInt8] {
  /// Lends the array as an output and says how much of it was written.
  mutating func fill(
    _ body: (inout OutputRawSpan) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    try unsafe withUnsafeMutableBufferPointer { (bytes) throws(Failure) in
      let buffer = UnsafeMutableRawBufferPointer(bytes)
      var output = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
      try body(&output)
      return unsafe output.finalize(for: buffer)
    }
  }
}

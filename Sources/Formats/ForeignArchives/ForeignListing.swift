package import SystemIO

/// All entries of an archive, from the first pass.
///
/// The entries are in the order of the archive; several may have the same path, which the caller
/// interprets. A second name of a file refers to the entry with the contents.
package struct ForeignListing: Sendable {
  package let entries: ForeignEntries

  /// Examines files while they are listed.
  ///
  /// It gets a file and its first bytes (none at first) and returns the number of bytes that it
  /// needs. It is called again when it has them, or at the end of the file.
  package typealias Look = (ForeignEntry, [UInt8]) -> Int

  /// Reads the whole list; files whose size is not in their headers are measured.
  package init(
    _ file: borrowing FileDescriptor, name: String, _ work: Work,
    lookingInto look: Look = { _, _ in 0 }
  ) throws(Failure) {
    var reader = try ForeignArchiveReader(file, name: name, work)
    var entries = ForeignEntries()
    var hasSecondNames = false
    while var entry = try reader.next() {
      if entry.kind == .file && !entry.isEncrypted && entry.flaw == nil {
        let seen = try reader.show(entry, to: look)
        if entry.size == nil { entry.size = try reader.measure() + UInt64(seen) }
      }
      if case .hardLink = entry.kind { hasSecondNames = true }
      entries.append(entry)
    }
    try reader.finish()
    if hasSecondNames {
      var groups = NameGroups()
      for (place, entry) in entries.enumerated() { groups.add(entry, at: place) }
      groups.resolve(&entries)
    }
    self.entries = entries
  }
}

/// Finds, for each second name in an archive, the file that it names.
private struct NameGroups {
  /// The latest entry of each path, by its index in the list.
  private var newest: [PathBytes: Int] = [:]
  /// The second names, each with the entry that had the other name at that point, if there was one.
  private var seconds: [(place: Int, other: Int?)] = []

  /// Adds the next entry of the list.
  mutating func add(_ entry: ForeignEntry, at place: Int) {
    if entry.pathFlaw != nil { return }
    if case .hardLink(let target) = entry.kind {
      seconds.append((place, newest[PathBytes(target)]))
    }
    newest[PathBytes(entry.path)] = place
  }

  /// Makes every second name refer to the contents of its file.
  func resolve(_ entries: inout ForeignEntries) {
    var others: [Int: Int] = [:]
    for second in seconds {
      guard case .hardLink(let target) = entries[second.place].kind else { continue }
      others[second.place] = second.other ?? newest[PathBytes(target)]
    }
    var leaders: [Int: Int?] = [:]
    for second in seconds { _ = leader(of: second.place, others, &leaders, entries) }
    for second in seconds { join(second.place, to: leaders[second.place] ?? nil, &entries) }
  }

  /// Follows a chain of second names to a file; the result is stored for all names of the chain.
  private func leader(
    of place: Int, _ others: [Int: Int], _ leaders: inout [Int: Int?], _ entries: ForeignEntries
  ) -> Int? {
    var passed: [Int] = []
    var next: Int? = place
    while let at = next, case .hardLink = entries[at].kind {
      if let known = leaders[at] {
        next = known
        break
      }
      // Until the end of the chain is found, assume that it leads to no file: this stops the loop
      // if the names form a cycle.
      leaders[at] = .some(nil)
      passed.append(at)
      next = others[at]
    }
    for at in passed { leaders[at] = .some(next) }
    return next
  }

  private func join(_ place: Int, to leader: Int?, _ entries: inout ForeignEntries) {
    guard case .hardLink(let target) = entries[place].kind else { return }
    var entry = entries[place]
    if let leader, entries[leader].kind != .directory {
      let (index, path) = (entry.index, entry.path)
      entry = entries[leader]
      (entry.index, entry.path) = (index, path)
    } else {
      entry.kind = .file
      entry.size = 0
      let name = shownBytes(target.prefix(200))
      entry.flaw = "is another name of '\(name)', which is not a file in the archive"
    }
    entries[place] = entry
  }
}

extension ForeignArchiveReader {
  /// Passes the start of the current entry to `inspect`; returns the number of bytes that were
  /// read.
  fileprivate mutating func show(
    _ entry: ForeignEntry, to inspect: ForeignListing.Look
  ) throws(Failure) -> Int {
    var start: [UInt8] = []
    while true {
      let missing = inspect(entry, start) - start.count
      guard missing > 0 else { return start.count }
      var piece = [UInt8](repeating: 0, count: missing)
      let count = try read(into: &piece)
      start += piece.prefix(count)
      if count < missing {
        _ = inspect(entry, start)
        return start.count
      }
    }
  }

  /// Reads the current entry to its end and returns its length.
  fileprivate mutating func measure() throws(Failure) -> UInt64 {
    var total: UInt64 = 0
    var scratch = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try read(into: &scratch)
      if count == 0 { return total }
      total += UInt64(count)
    }
  }

  /// Fills the start of `bytes`; returns the number of bytes, 0 at the end of the entry.
  package mutating func read(into bytes: inout [UInt8]) throws(Failure) -> Int {
    try bytes.fill { (output) throws(Failure) in try read(into: &output) }
  }
}

extension [UInt8] {
  /// Calls a function that writes to the array; returns the number of bytes that it wrote.
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

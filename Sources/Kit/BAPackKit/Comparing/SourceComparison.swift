import SourceDiagnostics
import SystemIO

/// A comparison of the entries of a pack with the files that a manifest selects, byte for byte.
struct SourceComparison {
  private let source: Verification.Source
  private let work: Work
  /// The index of each destination in the selection.
  private var places: FirstOccurrences
  private var seen: [Bool]
  private var contents: (any SourceContents)?
  /// The last file that was opened; files can only be opened in ascending order.
  private var last = -1
  private var present: Present?
  /// Findings that apply only if the pack keeps the metadata of its sources.
  private var metadataFindings: Ledger
  /// The time of the first entry; in a pack without metadata, all entries have this time.
  private var fixedTime: Moment?
  private var keepsMetadata = false

  /// The file that is being compared.
  private struct Present {
    var path: AssetPath
    var offset: UInt64 = 0
    /// Whether the comparison has ended, because a difference was found.
    var isDone = false
  }

  init(_ source: Verification.Source, with pack: SourceText, _ work: Work) throws(PackError) {
    self.source = source
    self.work = work
    metadataFindings = Ledger(about: pack)
    let selection = source.selection
    places = FirstOccurrences(count: selection.count)
    for place in selection.indices {
      let path = selection.pathInContents(at: place)
      _ = places.firstOccurrence(of: place, hash: FirstOccurrences.hash(of: path.bytes)) {
        selection.pathInContents(at: $0) == path
      }
    }
    seen = Array(repeating: false, count: selection.count)
  }

  private func place(of path: AssetPath) -> Int? {
    places.find(hash: FirstOccurrences.hash(of: path.bytes)) {
      source.selection.pathInContents(at: $0) == path
    }
  }

  /// Starts the comparison of an entry.
  mutating func begin(
    _ path: AssetPath, _ entry: PackEntry, _ findings: inout Ledger
  ) throws(PackError) {
    present = nil
    guard let place = place(of: path) else {
      ComparisonRules.surplus(path, &findings)
      return
    }
    seen[place] = true
    let expected = source.selection[place]
    let isFile = entry.kind == .file
    guard isFile == (expected.kind == .file) else {
      ComparisonRules.differs(path, .kind(entry.kind), &findings)
      return
    }
    compareMetadata(path, entry, expected)
    guard isFile else { return }
    if let permissions = entry.permissions, permissions & 0o100 != 0, !expected.isExecutable {
      ComparisonRules.differs(path, .executable(true), &findings)
    } else if let permissions = entry.permissions, permissions & 0o100 == 0, expected.isExecutable {
      ComparisonRules.differs(path, .executable(false), &findings)
    }
    guard entry.size == expected.size else {
      ComparisonRules.differs(path, .size(entry.size ?? 0, of: expected.size), &findings)
      return
    }
    if contents == nil || place <= last {
      contents = try source.root.contents(of: source.selection, work)
    }
    last = place
    try contents?.open(place)
    present = Present(path: path)
  }

  /// Compares owner, mode and times, in case the pack keeps those of the sources.
  private mutating func compareMetadata(
    _ path: AssetPath, _ entry: PackEntry, _ expected: Selection.Entry
  ) {
    let times = [entry.modified, entry.created].compactMap { $0 }
    if fixedTime == nil { fixedTime = times.first }
    if !times.allSatisfy({ $0 == fixedTime }) || (entry.userID ?? 501) != 501
      || (entry.groupID ?? 20) != 20
      || !PackSettings.fixedModes(entry.kind == .file).contains(entry.permissions ?? 0o755)
    {
      keepsMetadata = true
    }
    guard let kept = expected.metadata else { return }
    var parts: [String] = []
    func compare<Value: Equatable>(_ name: String, _ own: Value?, _ source: Value) {
      if let own, own != source { parts.append("\(name) \(own) instead of \(source)") }
    }
    // The pack contains the fixed value if the source does not have one.
    compare("owner", entry.userID, UInt64(kept.userID ?? 501))
    compare("group", entry.groupID, UInt64(kept.groupID ?? 20))
    // The permission to execute has been compared already.
    let known: UInt16 = entry.kind == .file ? 0o100 : 0
    if let mode = entry.permissions, let permissions = kept.permissions,
      (mode ^ permissions) & ~known != 0
    {
      compare("mode", String(mode, radix: 8), String(permissions, radix: 8))
    }
    if let time = kept.modified {
      compare("modification time", entry.modified, time)
      compare("creation time", entry.created, time)
    }
    if !parts.isEmpty {
      ComparisonRules.differs(path, .metadata(parts), &metadataFindings)
    }
  }

  /// Compares the next bytes of the entry.
  mutating func compare(_ bytes: RawSpan, _ findings: inout Ledger) throws(PackError) {
    guard var now = present, !now.isDone, let contents else { return }
    var done = 0
    while done < bytes.byteCount, !now.isDone {
      let step = min(bytes.byteCount - done, 256 << 10)
      var buffer = try mapFailure(.reading) { () throws(Failure) in try ByteBuffer(capacity: step) }
      let count = try buffer.append(upTo: step) { output throws(PackError) in
        try contents.readFully(into: &output)
      }
      let piece = bytes.extracting(done..<done + count)
      if let index = buffer.withBytes({ piece.firstDifference(from: $0) }) {
        ComparisonRules.differs(now.path, .bytes(from: now.offset + UInt64(index)), &findings)
        now.isDone = true
      }
      guard count > 0 else { break }
      done += count
      now.offset += UInt64(count)
    }
    present = now
  }

  /// Ends the comparison of the current entry.
  mutating func end() { present = nil }

  /// Adds findings about missing entries, and about differences of the manifest.
  mutating func finish(_ manifest: Manifest?, _ findings: inout Ledger) {
    end()
    for place in seen.indices where !seen[place] {
      ComparisonRules.missing(
        ofSource: source.selection.pathInContents(at: place), &findings)
    }
    // If no entry has other values than the fixed ones, the pack has no metadata.
    if keepsMetadata { findings.add(contentsOf: metadataFindings) }
    let keys = manifest?.differingKeys(from: source.manifest) ?? []
    findings.add(ComparisonRules.manifestDiffers(in: keys))
  }
}

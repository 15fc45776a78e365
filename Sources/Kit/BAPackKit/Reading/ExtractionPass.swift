import AssetArchive
import SystemIO
import TerminalText

/// A target for extracted entries, whose paths in the scope are validated.
protocol ExtractionSink: ~Copyable {
  mutating func addFolder(_ path: PackPath, _ entry: PackEntry) throws(PackError)
  /// Begins a file, whose contents and end follow.
  mutating func beginFile(_ path: PackPath, _ entry: PackEntry) throws(PackError)
  mutating func write(_ bytes: RawSpan) throws(PackError)
  mutating func endFile(_ entry: PackEntry) throws(PackError)
}

/// A pass over a pack that writes the selected entries to a sink.
struct ExtractionPass: ~Copyable {
  private let scope: Extraction.Scope
  private var chosen: ChosenPaths
  private var reader: PackReader
  private let decodedSize: UInt64
  private let work: Work

  init(_ extraction: Extraction, _ pack: String, _ work: Work) throws(PackError) {
    let reader = try PackReader(
      opening: pack, threads: extraction.threads, memory: extraction.memory)
    // Reads all block headers, so that a truncated file is rejected before any entry is written.
    let decodedSize = try reader.decodedSize()
    scope = extraction.scope
    chosen = ChosenPaths(extraction.paths)
    self.decodedSize = decodedSize
    self.work = work
    self.reader = reader
  }

  /// Checks all headers without writing, and returns to the start.
  mutating func check(
    _ inspect: (PackPath, PackEntry) throws(PackError) -> Void
  ) throws(PackError) {
    try go { path, entry, _ throws(PackError) in try inspect(path, entry) }
    try reader.restart()
  }

  /// Writes the selected entries.
  mutating func run(
    into sink: inout some (ExtractionSink & ~Copyable)
  ) throws(PackError) -> ExtractionSummary {
    var summary = ExtractionSummary()
    let total = decodedSize
    let work = work
    try go { path, entry, reader throws(PackError) in
      var progress = Work.Progress(
        path: path.bytes, isBeginning: true, done: reader.streamOffset, total: total)
      work.report?(progress)
      guard entry.kind == .file else {
        summary.directoryCount += 1
        return try sink.addFolder(path, entry)
      }
      progress.isBeginning = false
      try sink.beginFile(path, entry)
      try reader.readContents { bytes throws(PackError) in
        try sink.write(bytes)
        progress.done += UInt64(bytes.byteCount)
        work.report?(progress)
        try work.checkCancellation()
      }
      try sink.endFile(entry)
      summary.fileCount += 1
      summary.byteCount += entry.size ?? 0
    }
    work.report?(Work.Progress(done: total, total: total))
    return summary
  }

  private mutating func go(
    _ visit: (PackPath, PackEntry, inout PackReader) throws(PackError) -> Void
  ) throws(PackError) {
    var validator = EntryValidator(decodedSize: decodedSize, allowsOthers: scope == .everything)
    var refused = RefusedEntries()
    var count = 0
    var hasContents = scope == .everything
    do throws(PackError) {
      while let entry = try reader.nextEntry() {
        try work.checkCancellation()
        count += 1
        hasContents = hasContents || entry.isInContents
        // Checked even if it is not selected, because selected entries may be below it.
        let fault = validator.faults(of: entry).first
        let named = bytes(of: entry)
        guard chosen.areAll || named.map({ chosen.markRequested($0) }) ?? false else { continue }
        if let fault { refused.add(fault, of: entry) }
        // After the first invalid entry no more entries are written, but all invalid entries are
        // reported.
        guard let path = place(of: entry), refused.isEmpty else { continue }
        try visit(path, entry, &reader)
      }
    } catch {
      guard !refused.isEmpty, error.kind != .interrupted else { throw error }
    }
    if !hasContents, chosen.areAll {
      throw PackError.notAnAssetPack(reader.name, entries: count)
    }
    if let error = refused.error(in: reader.name) { throw error }
    guard chosen.missing.isEmpty else {
      throw PackError.missing(chosen, in: [reader.name])
    }
  }

  /// Returns the path of an entry in the scope, even if it is invalid; nil if it is outside the
  /// scope.
  private func bytes(of entry: PackEntry) -> ArraySlice<UInt8>? {
    switch scope {
    case .everything: entry.storedPath == .root ? nil : entry.storedPath.bytes
    case .contents: entry.pathInContents?.bytes
    }
  }

  /// Returns the validated path of an entry; nil if it has none.
  private func place(of entry: PackEntry) -> PackPath? {
    guard let path = entry.storedPath.path, path != .root else { return nil }
    return scope == .everything ? path : path.inContents
  }
}

/// The selected entries that cannot be extracted, for a single message.
private struct RefusedEntries {
  /// The maximum number of names in the message; an invalid archive could have millions.
  private static let mostNamed = 100

  private var named: [(fault: EntryFault, entry: PackEntry)] = []
  private var paths: Set<PackPath> = []
  private var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func add(_ fault: EntryFault, of entry: PackEntry) {
    // An entry below an invalid entry has no other fault.
    if case .belowFile(let parent) = fault, paths.contains(parent) { return }
    count += 1
    guard named.count < Self.mostNamed else { return }
    named.append((fault, entry))
    if let path = entry.storedPath.path { paths.insert(path) }
  }

  func error(in archive: String) -> PackError? {
    guard let first = named.first else { return nil }
    guard count > 1 else { return PackError(first.fault, of: first.entry, archive: archive) }
    let phrase = named.map { fault, entry in "'\(entry.archivePath)' \(fault.phrase)" }
    let rest = count > named.count ? ", and \(count - named.count) more" : ""
    let areOthersSound = named.allSatisfy {
      if case .otherKind = $0.fault { true } else { false }
    }
    return PackError(
      .malformed(offset: first.entry.fileOffset),
      "cannot unpack '\(archive)': \(count) invalid entries: "
        + phrase.joined(separator: ", ") + rest,
      remedy: areOthersSound ? "specify the files and folders to extract" : nil)
  }
}

extension PackError {
  /// Returns an error for requested paths that no pack contains.
  package static func missing(
    _ chosen: ChosenPaths, in packs: [String], or other: Remedy? = nil
  ) -> PackError {
    let names = chosen.missing.map { "'\($0)'" }.joined(separator: ", ")
    let near = chosen.othersInCase.map { "'\($0)'" }.joined(separator: ", ")
    let remedy: Remedy? =
      near.isEmpty ? other : .advice("paths are case-sensitive: use \(near)")
    guard let pack = packs.first, packs.count == 1 else {
      return PackError(
        .missing, "none of the \(packs.count) packs contains \(names)", remedy: remedy)
    }
    return PackError(
      .missing, "'\(pack)' does not contain \(names)", remedy: remedy ?? .listPack(pack))
  }
}

/// The requested paths and patterns of paths, and those that were found.
package struct ChosenPaths {
  private struct Wanted {
    let path: [UInt8]
    /// Nil if the path has no wildcards.
    let pattern: PathPattern?
    var isFound = false
    /// A path that differs only in the case of ASCII letters.
    var otherInCase: [UInt8]?
  }

  private var wanted: [Wanted]

  package init(_ paths: [String]) {
    wanted = paths.map { path in
      let isPattern = path.utf8.contains { Array("*?[".utf8).contains($0) }
      return Wanted(
        path: FilePath(path).normalized.bytes,
        pattern: isPattern ? try? PathPattern(forPaths: path) : nil)
    }
  }

  /// Whether all paths are selected, because no path was requested.
  package var areAll: Bool { wanted.isEmpty }

  /// Marks the requested paths and patterns that match a path, or a folder of it, as found; returns
  /// whether there is one.
  package mutating func markRequested(_ path: ArraySlice<UInt8>) -> Bool {
    if areAll { return true }
    var isSelected = false
    for index in wanted.indices {
      let one = wanted[index].path
      let isWhole = path.count == one.count
      let isBelow = path.count > one.count && path[path.startIndex + one.count] == slash
      if one.isEmpty || (isWhole || isBelow) && path.starts(with: one)
        || wanted[index].pattern?.matchesPathOrFolder(path) ?? false
      {
        wanted[index].isFound = true
        isSelected = true
      } else if isWhole || isBelow, wanted[index].otherInCase == nil,
        path.starts(with: one, by: { $0.lowercased == $1.lowercased })
      {
        wanted[index].otherInCase = Array(path.prefix(one.count))
      }
    }
    return isSelected
  }

  /// The requested paths that were not found.
  package var missing: [String] { wanted.filter { !$0.isFound }.map { shownBytes($0.path) } }

  /// The paths that differ from the missing ones only in the case of letters.
  fileprivate var othersInCase: [String] {
    wanted.filter { !$0.isFound }.compactMap(\.otherInCase).map(shownBytes)
  }
}

import SystemIO

/// Where extracted entries go.
protocol ExtractionSink: ~Copyable {
  mutating func addFolder(_ path: [UInt8], _ entry: PackEntry) throws(PackError)
  /// Begins a file; its contents follow, and then its end.
  mutating func beginFile(_ path: [UInt8], _ entry: PackEntry) throws(PackError)
  mutating func write(_ bytes: RawSpan) throws(PackError)
  mutating func endFile() throws(PackError)
}

/// Goes through a pack and hands on what an extraction asks for.
struct ExtractionPass: ~Copyable {
  private let scope: Extraction.Scope
  private var chosen: ChosenPaths
  private var reader: PackReader
  private let decodedSize: UInt64
  private let isCancelled: @Sendable () -> Bool

  init(_ extraction: Extraction, _ pack: String) throws(PackError) {
    let reader = try PackReader(
      opening: pack, threads: extraction.threads, memory: extraction.memory)
    // Walks all block headers: a file that is cut off is refused before anything is written.
    let decodedSize = try reader.decodedSize()
    scope = extraction.scope
    chosen = ChosenPaths(extraction.paths)
    self.decodedSize = decodedSize
    isCancelled = extraction.isCancelled
    self.reader = reader
  }

  /// Goes through all headers without writing anything, and back to the start.
  mutating func check() throws(PackError) {
    try go { _, _, _ throws(PackError) in }
    try reader.restart()
  }

  /// Writes what was chosen.
  mutating func run(
    into sink: inout some (ExtractionSink & ~Copyable), _ report: (Extraction.Progress) -> Void
  ) throws(PackError) -> Extraction.Summary {
    var summary = Extraction.Summary()
    let total = decodedSize
    let isCancelled = isCancelled
    try go { path, entry, reader throws(PackError) in
      var progress = Extraction.Progress(
        path: shownBytes(path), isBeginning: true, done: reader.streamOffset, total: total)
      report(progress)
      guard entry.kind == .file else {
        summary.directoryCount += 1
        return try sink.addFolder(path, entry)
      }
      progress.isBeginning = false
      try sink.beginFile(path, entry)
      let fault = try reader.readContents(judging: entry) { bytes throws(PackError) in
        try sink.write(bytes)
        progress.done += UInt64(bytes.byteCount)
        report(progress)
        if isCancelled() { throw Self.interrupted }
      }
      if let fault { throw PackError(fault, of: entry, archive: reader.name) }
      try sink.endFile()
      summary.fileCount += 1
      summary.byteCount += entry.size ?? 0
    }
    return summary
  }

  private static let interrupted = PackError(.interrupted, "interrupted")

  private mutating func go(
    _ visit: ([UInt8], PackEntry, inout PackReader) throws(PackError) -> Void
  ) throws(PackError) {
    var judge = EntryJudge(decodedSize: decodedSize, allowsOthers: scope == .everything)
    while let entry = try reader.nextEntry() {
      if let fault = judge.faults(of: entry).first {
        throw PackError(fault, of: entry, archive: reader.name)
      }
      if isCancelled() { throw Self.interrupted }
      guard let path = place(of: entry), chosen.contains(path) else { continue }
      try visit(path, entry, &reader)
    }
    guard chosen.missing.isEmpty else {
      let names = chosen.missing.map { "'\($0)'" }.joined(separator: ", ")
      throw PackError(
        .unsupported, "'\(reader.name)' has no \(names)",
        remedy: "'ba-package list \(reader.name)' shows what it has")
    }
  }

  /// Where an entry goes; nil when it is not meant.
  private func place(of entry: PackEntry) -> [UInt8]? {
    switch scope {
    case .everything: return entry.pathBytes.isEmpty ? nil : entry.pathBytes
    case .contents:
      let prefix = PackEntry.contentsPrefix
      guard entry.pathBytes.starts(with: prefix) else { return nil }
      return Array(entry.pathBytes.dropFirst(prefix.count))
    }
  }
}

/// The paths that somebody asked for, and which of them were met.
struct ChosenPaths {
  private let wanted: [[UInt8]]
  private var met: Set<[UInt8]> = []

  init(_ paths: [String]) {
    wanted = paths.map { path in
      Array(path.split(separator: "/").filter { $0 != "." }.joined(separator: "/").utf8)
    }
  }

  /// Whether a path is one of them, or lies below one.
  mutating func contains(_ path: [UInt8]) -> Bool {
    if wanted.isEmpty { return true }
    var isWanted = false
    for one in wanted {
      let isBelow = path.count > one.count && path[one.count] == slash
      guard one.isEmpty || (path.starts(with: one) && (path.count == one.count || isBelow)) else {
        continue
      }
      met.insert(one)
      isWanted = true
    }
    return isWanted
  }

  /// Those that nothing was found for.
  var missing: [String] { wanted.filter { !met.contains($0) }.map(shownBytes) }
}

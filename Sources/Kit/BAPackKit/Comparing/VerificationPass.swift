import AssetArchive
import SourceDiagnostics
import SystemIO
import TerminalText

/// A pass over a pack that collects the findings.
///
/// It uses a few bytes of memory for each path.
struct VerificationPass: ~Copyable {
  private let pack: String
  private let hosting: Hosting?
  private let work: Work
  private var reader: PackReader?
  private var decodedSize: UInt64 = 0
  /// The size of the decoded pack; nil if the block headers are damaged.
  private var knownSize: UInt64? { decodedSize == .max ? nil : decodedSize }
  private var comparison: SourceComparison?
  private var findings: Ledger
  /// Damage of the block headers; reading the blocks detects it again.
  private var damage: PackError?
  private var manifest: ManifestDocument?
  private var hasContents = false
  /// The paths in `Contents`, for the check of the manifest, which is the last entry.
  private var contents = PathList()
  private var folded: Set<PathDigest> = []
  private var fileCount = 0
  private var byteCount: UInt64 = 0

  init(
    _ verification: Verification, _ pack: String, _ sources: [Verification.Source],
    _ work: Work
  ) throws(PackError) {
    self.pack = pack
    let page = SourceText([], named: pack)
    findings = Ledger(about: page)
    hosting = verification.hosting
    self.work = work
    // The file is opened once, because another process may replace it.
    let source = try ByteSource(opening: pack)
    comparison = try Self.choice(among: sources, for: source, verification.memory)
      .map { chosen throws(PackError) in try SourceComparison(chosen, with: page, work) }
    if let expected = verification.expectedSHA256 {
      let actual = try fileDigest(of: source, work)
      findings.add(ComparisonRules.digest(actual, expected: expected))
    }
    do throws(PackError) {
      reader = try PackReader(
        source, threads: verification.threads, memory: verification.memory)
      decodedSize = try reader?.decodedSize() ?? 0
    } catch {
      try addDamage(error)
      // Unknown, because the damage hides the rest of the headers.
      decodedSize = .max
    }
  }

  /// Returns the source with the ID of the pack, or the only source.
  private static func choice(
    among sources: [Verification.Source], for pack: borrowing ByteSource, _ memory: UInt64
  ) throws(PackError) -> Verification.Source? {
    if sources.count <= 1 { return sources.first }
    let copy = try mapFailure(.reading) { () throws(Failure) in try pack.duplicate() }
    let manifest = try PackInspection(of: copy, memory: memory).manifest?.manifest
    let id = manifest.map { PackID($0.assetPackID) }
    if let id, let source = sources.first(where: { PackID($0.manifest.assetPackID) == id }) {
      return source
    }
    throw PackError(
      id == nil ? .ambiguous : .missing,
      id.map { "no given manifest has the ID '\($0)' of the pack '\(pack.name)'" }
        ?? "'\(pack.name)' has no valid manifest, so its source is unknown")
  }

  // MARK: - Findings

  /// Adds a finding for wrong bytes; throws any other error.
  private mutating func addDamage(_ error: PackError) throws(PackError) {
    guard error != damage else { return }
    guard error.kind.isMalformed || error.kind == .unsupported else { throw error }
    damage = error
    findings.add(ArchiveRules.damaged(error, in: pack))
  }

  consuming func report() -> VerificationReport {
    var findings = findings
    if let manifest { findings.add(contentsOf: manifest.findings) }
    return VerificationReport(findings: findings, fileCount: fileCount, byteCount: byteCount)
  }

  // MARK: - Reading

  /// Reads all entries and checks them against the manifest among them.
  mutating func readEntries() throws(PackError) {
    guard var reader = reader.take() else { return }
    var isWhole = false
    do throws(PackError) {
      var validator = EntryValidator(decodedSize: decodedSize)
      while let entry = try reader.nextEntry() {
        try check(entry, &validator, &reader)
      }
      isWhole = true
      if let knownSize { work.report?(Work.Progress(done: knownSize, total: knownSize)) }
    } catch {
      try addDamage(error)
    }
    if let place = reader.shortInnerBlock { findings.add(ArchiveRules.shortBlock(at: place)) }
    // In a damaged archive, entries that seem to be missing may be unreadable.
    if isWhole { checkManifest() }
  }

  private mutating func check(
    _ entry: PackEntry, _ validator: inout EntryValidator, _ reader: inout PackReader
  ) throws(PackError) {
    let start = reader.streamOffset
    var progress = Work.Progress(
      path: entry.bytesInArchive, isBeginning: true, done: start, total: knownSize)
    work.report?(progress)
    progress.isBeginning = false
    checkHeader(entry, &validator)
    var text: [UInt8]? = entry.isManifest ? [] : nil
    let path = entry.pathInContents
    if let path {
      record(entry, at: path)
      try comparison?.begin(path, entry, &findings)
    }
    let found = try reader.readContents(judging: entry) { bytes throws(PackError) in
      try work.checkCancellation()
      if (text?.count ?? .max) < PackReader.largestManifest { text?.append(copying: bytes) }
      if path != nil { try comparison?.compare(bytes, &findings) }
      progress.done += UInt64(bytes.byteCount)
      work.report?(progress)
    }
    ArchiveRules.recorded(found.faults, of: entry, &findings)
    if let suspicion = found.suspicion {
      findings.add(ArchiveRules.length(suspicion, in: entry, contentsAt: start))
    }
    comparison?.end()
    if let text {
      manifest = ManifestDocument(inPack: pack, text, for: hosting)
    }
  }

  /// Checks an entry's header.
  private mutating func checkHeader(_ entry: PackEntry, _ validator: inout EntryValidator) {
    if entry.storedPath == .contents { hasContents = true }
    for fault in validator.faults(of: entry) { ArchiveRules.fault(fault, of: entry, &findings) }
    ArchiveRules.path(of: entry, &findings)
    ArchiveRules.field(of: entry, &findings)
  }

  /// Records the path of an entry in `Contents`.
  private mutating func record(_ entry: PackEntry, at path: AssetPath) {
    contents.append(path.bytes, isFile: entry.kind == .file)
    if entry.kind == .file {
      fileCount += 1
      byteCount = byteCount.addingSaturated(entry.size ?? 0)
    }
    let isPlain = path.bytes.allSatisfy { $0 < 0x80 }
    let key =
      isPlain ? PathDigest(path.bytes.map(\.lowercased)) : Self.foldedDigest(of: path)
    if !folded.insert(key).inserted {
      ArchiveRules.similarNames(entry, isPlain: isPlain, &findings)
    }
  }

  /// Returns the digest of a path that is not ASCII without the difference between upper and lower
  /// case.
  private static func foldedDigest(of path: AssetPath) -> PathDigest {
    let text = String(decoding: path.bytes, as: UTF8.self)
    // East Asian scripts have no case, so one folding is sufficient; others need both ('ß', 'SS').
    let isSimple = text.unicodeScalars.allSatisfy {
      $0.isASCII || (0x3040...0xD7FF).contains($0.value)
    }
    return PathDigest(
      characters: isSimple ? text.lowercased() : text.uppercased().lowercased())
  }

  private mutating func checkManifest() {
    findings.add(ArchiveRules.noContents(in: hasContents))
    findings.add(ArchiveRules.noManifest(manifest))
    guard let manifest = manifest?.manifest else {
      finishComparison(nil)
      return
    }
    var reach = SelectorReach(manifest.fileSelectors)
    for path in reach.unreachable(contents) { ComparisonRules.notSelected(path, &findings) }
    if comparison == nil {
      for path in reach.missing { ComparisonRules.missing(path, &findings) }
    }
    finishComparison(manifest)
  }

  private mutating func finishComparison(_ manifest: Manifest?) {
    comparison?.finish(manifest, &findings)
  }
}

import BlockCodecs
import SourceDiagnostics
import SystemIO

/// One reading of a pack, and what it finds.
struct VerificationPass: ~Copyable {
  /// More than anybody reads; a hostile pack could have millions.
  private static let mostFindings = 1000

  private let pack: String
  private let hosting: Hosting?
  private let isCancelled: @Sendable () -> Bool
  private var reader: PackReader?
  private var decodedSize: UInt64 = 0
  private var comparison: SourceComparison?
  private var findings: [Diagnostic] = []
  private var omitted = 0
  private var manifest: ManifestDocument?
  /// What lies below `Contents`, for the manifest that comes at the end.
  private var contents: [(path: [UInt8], isFile: Bool)] = []
  private var folded: Set<String> = []
  private var fileCount = 0
  private var byteCount: UInt64 = 0

  init(
    _ verification: Verification, _ pack: String, _ source: Verification.Source?
  ) throws(PackError) {
    self.pack = pack
    hosting = verification.hosting
    isCancelled = verification.isCancelled
    comparison = try source.map { source throws(PackError) in try SourceComparison(source) }
    // Opened once: digest, headers and contents are those of one file.
    let source = try ByteSource(opening: pack)
    if let expected = verification.expectedSHA256 {
      let actual = try fileDigest(of: source, isCancelled)
      if actual != expected {
        add(
          ArchiveRules.digest,
          "the SHA-256 is \(hexadecimal(actual)), not \(hexadecimal(expected))")
      }
    }
    do throws(PackError) {
      reader = try PackReader(
        source, threads: verification.threads, memory: verification.memory)
      decodedSize = try reader?.decodedSize() ?? 0
    } catch {
      try addDamage(error)
      // The headers of what can be read still bound what entries may claim.
      decodedSize = .max
    }
  }

  // MARK: - Findings

  private mutating func add(
    _ rule: Rule, _ message: String, as severity: Diagnostic.Severity = .error,
    remedy: String? = nil
  ) {
    guard findings.count < Self.mostFindings else {
      omitted += 1
      return
    }
    let fixes = remedy.map { [Fix(.init(whole: $0), .shownOnly)] } ?? []
    let finding = rule.finding(severity, .init(whole: message), at: nil, fixes: fixes)
    // Damage that the walk over all blocks found comes again when the reading gets there.
    if finding != findings.last { findings.append(finding) }
  }

  private mutating func add(_ fault: EntryFault, of entry: PackEntry) {
    add(fault.rule, "the entry '\(entry.path)' \(fault) (at byte \(entry.fileOffset) of the file)")
  }

  /// Adds what is wrong with the bytes; anything else is thrown on.
  private mutating func addDamage(_ error: PackError) throws(PackError) {
    switch error.kind {
    case .malformed, .unsupported:
      // The finding stands behind the name of the pack already.
      let prefix = "cannot read '\(pack)': "
      let message = error.message
      add(
        ArchiveRules.damaged,
        message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message,
        remedy: error.remedy)
    default: throw error
    }
  }

  /// Everything that was found.
  consuming func report() -> Verification.Report {
    if omitted > 0 {
      findings.append(
        ArchiveRules.damaged.finding(.note, "\(omitted) more problems are not listed", at: nil))
    }
    var groups = [Findings(SourceText([], named: pack), findings)]
    if let manifest, !manifest.diagnostics.isEmpty {
      groups.append(Findings(manifest.source, manifest.diagnostics))
    }
    return Verification.Report(findings: groups, fileCount: fileCount, byteCount: byteCount)
  }

  // MARK: - Reading

  /// Reads all entries and what the manifest among them says about the others.
  mutating func readEntries(_ progress: (Verification.Progress) -> Void) throws(PackError) {
    guard var reader = reader.take() else { return }
    var isWhole = false
    do throws(PackError) {
      var judge = EntryJudge(decodedSize: decodedSize)
      while let entry = try reader.nextEntry() {
        try check(entry, &judge, &reader, progress)
      }
      isWhole = true
    } catch {
      try addDamage(error)
    }
    if let place = reader.shortInnerBlock {
      add(
        ArchiveRules.shortBlock,
        "a block that is not full has others behind it (at byte \(place) of the file)")
    }
    // What a damaged archive does not have may have been lost.
    if isWhole { checkManifest() }
  }

  private mutating func check(
    _ entry: PackEntry, _ judge: inout EntryJudge, _ reader: inout PackReader,
    _ progress: (Verification.Progress) -> Void
  ) throws(PackError) {
    var state = Verification.Progress(
      path: entry.path, isBeginning: true, done: reader.streamOffset, total: decodedSize)
    progress(state)
    state.isBeginning = false
    for fault in judge.faults(of: entry) { add(fault, of: entry) }
    if !entry.otherFields.isEmpty {
      let fields = entry.otherFields.joined(separator: ", ")
      add(ArchiveRules.field, "the entry '\(entry.path)' has the field \(fields)", as: .warning)
    }
    let isManifest = entry.pathBytes == PackEntry.manifest && entry.kind == .file
    let isContent = entry.pathBytes.starts(with: PackEntry.contentsPrefix)
    if isContent { note(entry) }
    var text: [UInt8]? = isManifest ? [] : nil
    let path = entry.pathBytes.dropFirst(PackEntry.contentsPrefix.count)
    if isContent { try comparison?.begin(path, entry) }
    let fault = try reader.readContents(judging: entry) { bytes throws(PackError) in
      if isCancelled() { throw PackError(.interrupted, "interrupted") }
      if (text?.count ?? .max) < PackInspection.largestManifest { text?.append(copying: bytes) }
      if isContent { try comparison?.compare(bytes) }
      state.done += UInt64(bytes.byteCount)
      progress(state)
    }
    if let fault { add(fault, of: entry) }
    if isContent { for (rule, words) in comparison?.end() ?? [] { add(rule, words) } }
    if let text {
      manifest = ManifestDocument(
        parsing: text, named: "\(pack)/Manifest.json", for: hosting)
    }
  }

  /// Remembers what lies below `Contents`.
  private mutating func note(_ entry: PackEntry) {
    contents.append(
      (Array(entry.pathBytes.dropFirst(PackEntry.contentsPrefix.count)), entry.kind == .file))
    if entry.kind == .file {
      fileCount += 1
      byteCount = byteCount.addingSaturated(entry.size ?? 0)
    }
    // Strings are equal when they differ by normalisation alone.
    let key = String(decoding: entry.pathBytes, as: UTF8.self).uppercased().lowercased()
    if !folded.insert(key).inserted {
      add(
        ArchiveRules.similarNames,
        "'\(entry.path)' differs from another path only by case or Unicode normalisation",
        as: .warning)
    }
  }

  private mutating func checkManifest() {
    guard let document = manifest else {
      add(ArchiveRules.noManifest, "the pack has no 'Manifest.json'")
      finishComparison(nil)
      return
    }
    guard let manifest = document.manifest else {
      let count = document.diagnostics.count { $0.severity == .error }
      add(
        ArchiveRules.invalidManifest,
        "'Manifest.json' is invalid: \(count) \(count == 1 ? "error" : "errors")")
      finishComparison(nil)
      return
    }
    for path in SelectorReach(manifest.fileSelectors).unreachable(contents) {
      add(
        ArchiveRules.notSelected,
        "'\(shownBytes(path))' could not have been chosen by the manifest's selectors")
    }
    finishComparison(manifest)
  }

  private mutating func finishComparison(_ manifest: Manifest?) {
    for (rule, words) in comparison?.finish(manifest) ?? [] { add(rule, words) }
  }
}

extension EntryFault {
  /// The rule that `verify` reports it by.
  fileprivate var rule: Rule {
    switch self {
    case .unsupported, .folderWithContents, .fileWithoutContents, .tooMany: ArchiveRules.entry
    case .unsafePath, .notUTF8: ArchiveRules.path
    case .outsideContents: ArchiveRules.outside
    case .duplicate: ArchiveRules.duplicate
    case .noParent, .belowFile: ArchiveRules.misplaced
    case .swallows: ArchiveRules.length
    case .largerThanArchive: ArchiveRules.size
    }
  }
}

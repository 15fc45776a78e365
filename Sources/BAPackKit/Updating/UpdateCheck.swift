import BlockCodecs
package import SystemIO

/// How a run finds out which archives need not be made again.
package struct Updating: Sendable {
  /// The program and its version.
  package let program: String
  /// How archives are written.
  package let settings: PackSettings
  /// Where the archive of a pack is, by the pack's ID.
  package let archive: @Sendable (String) -> String

  package init(
    program: String, settings: PackSettings, archive: @escaping @Sendable (String) -> String
  ) {
    self.program = program
    self.settings = settings
    self.archive = archive
  }
}

/// An archive before a run: what it would be made of, and whether it is that already.
package struct UpdateCheck: Sendable {
  package let assetPackID: String
  /// Where the archive is, or will be.
  package let archive: String
  /// Why the archive has to be made; nil if it is as it would be made.
  package private(set) var reason: PackReason?
  /// What is known of the archive that is there, and is to be kept for the next run.
  package private(set) var record: ArchiveRecord?
  /// Whether the record says what the file beside the archive does not.
  package private(set) var isRenewed = false
  private let metadata: PackSettings.Metadata
  private let hosting: Hosting?
  private let manifest: String
  private let seen: Moment
  private var inputs: PackInputs

  /// Whether the archive is as it would be made.
  package var isUnchanged: Bool { reason == nil && record != nil }

  /// Whether the files were held against the rules that this run has.
  var isExamined: Bool { isUnchanged && wasExamined }
  private var wasExamined = false

  init(
    of manifest: Manifest, named name: String, _ updating: Updating, for hosting: Hosting?
  ) throws(PackError) {
    // Before any file is looked at: what is written to from now on may keep its time.
    seen = .now
    assetPackID = manifest.assetPackID
    archive = updating.archive(assetPackID)
    metadata = updating.settings.metadata
    self.hosting = hosting
    self.manifest = (try? realPath(of: name)) ?? ""
    inputs = try mapFailure(.reading) { () throws(Failure) in
      try PackInputs(manifest, updating.settings, packedBy: updating.program)
    }
    reason = .record
  }

  /// Whether the source root is an archive, as it was when the pack was made from it.
  mutating func isUnchanged(withArchiveAt path: String, _ work: Work) -> Bool {
    guard let status = try? FileStatus(ofFileAt: path), status.kind == .file,
      let record = ArchiveRecord(of: archive), record.hosting == hosting
    else { return false }
    inputs.archive = FileWitness(status)
    let seen = seen
    judge(record, work, isSettled: { _ in FileWitness(status).isSettled(at: seen) }) { content in
      content.index == ArchiveRecord.Content.archive
        && (try? fileDigest(ofFileAt: path, work)) == content.sha256 ? nil : .sourceRoot
    }
    return isUnchanged
  }

  /// Compares the files that selectors chose with those that the archive was made of.
  mutating func take(
    _ selection: Selection, from root: SourceRoot, _ work: Work
  ) throws(PackError) {
    inputs.archive = nil
    switch root.storage {
    case .archive(_, let file, _): inputs.archive = FileWitness(file.status)
    case .folder: inputs.take(selection, metadata)
    }
    try work.checkCancellation()
    let record = ArchiveRecord(of: archive)
    wasExamined = record?.hosting == hosting
    var contents: (any SourceContents)?
    let (inputs, seen) = (inputs, seen)
    judge(
      record, work,
      isSettled: { index in
        inputs.archive?.isSettled(at: seen)
          ?? FileWitness(selection.records[index]).isSettled(at: seen)
      },
      difference: { content in
        if inputs.archive != nil {
          return (try? fileDigest(ofFileAt: root.path, work)) == content.sha256
            ? nil : .sourceRoot
        }
        guard selection.indices.contains(content.index), selection.isFile(at: content.index) else {
          return .record
        }
        do throws(PackError) {
          if contents == nil {
            contents = try root.contents(of: selection, work)
          }
          var buffer = try mapFailure(.packing) { () throws(Failure) in
            try ByteBuffer(capacity: 256 << 10)
          }
          if try contents?.digest(at: content.index, through: &buffer) == content.sha256 {
            return nil
          }
        } catch {}
        return .written(selection.pathInContents(at: content.index))
      })
    // Only now: looking into files would have been given up without a trace.
    try work.checkCancellation()
  }

  private mutating func judge(
    _ former: ArchiveRecord?, _ work: Work, isSettled: (Int) -> Bool,
    difference: (ArchiveRecord.Content) -> PackReason?
  ) {
    let output = (try? FileStatus(ofFileAt: archive)).flatMap {
      $0.kind == .file ? FileWitness($0) : nil
    }
    reason = nil
    var examined: [ArchiveRecord.Content] = []
    let verdict = ArchiveRecord.verdict(on: former, inputs: inputs, output: output, now: seen)
    switch verdict {
    case .pack(let why): reason = why
    case .unchanged: break
    case .unchangedIf(let contents, let readsOutput):
      examined = contents
      for content in contents where reason == nil { reason = difference(content) }
      if reason == nil, readsOutput, (try? fileDigest(ofFileAt: archive, work)) != former?.sha256 {
        reason = .output
      }
    }
    guard reason == nil, var record = former, let output else { return }
    record.inputs = inputs
    record.contents = examined.filter { !isSettled($0.index) }
    record.output = output
    if case .unchangedIf(_, true) = verdict { record.seenOutput = seen }
    record.hosting = hosting
    record.manifest = self.manifest
    isRenewed = record != former
    if isRenewed { record.seen = seen }
    self.record = record
  }
}

// MARK: - After packing

extension UpdateCheck {
  /// When the files were looked at.
  package var whenSeen: Moment { seen }

  /// Keeps a record of the archive that was made; another process may have replaced it since.
  package func keep(_ summary: PackSummary, _ work: Work) throws(PackError) {
    try mapFailure(.writing) { () throws(Failure) in
      guard let written = summary.written, let sha256 = summary.sha256 else { return }
      let status = try FileStatus(ofFileAt: archive)
      guard status.identity == written.identity, status.size == written.size,
        status.modified == written.modified
      else { return }
      try waitForNextTick(after: status.changed, work)
      let record = ArchiveRecord(
        inputs: inputs, manifest: manifest, seen: seen, hosting: hosting,
        contents: summary.seen.contents,
        digests: summary.seen.digests,
        output: FileWitness(status), seenOutput: .now, sha256: sha256, fileCount: summary.fileCount,
        contentBytes: summary.contentBytes, blockCount: summary.blockCount,
        storedBlockCount: summary.storedBlockCount)
      try record.keep(beside: archive)
    }
  }

  /// Whatever changes the archive from now on gives it another time: until the clock has moved on,
  /// it would not.
  private func waitForNextTick(after moment: Moment, _ work: Work) throws(Failure) {
    let now = Moment.now
    let passed = now.milliseconds(since: moment)
    guard 0..<Self.longestTick ~= passed else { return }
    try work.pause(until: .now + .milliseconds(Self.longestTick - passed), "the clock")
  }

  /// The clock of a kernel moves every ten milliseconds or more often.
  private static var longestTick: Int64 { 20 }

  /// Keeps what was found out about an archive that stays as it is.
  package func keepRenewed() throws(PackError) {
    guard isRenewed, let record else { return }
    try mapFailure(.writing) { () throws(Failure) in try record.keep(beside: archive) }
  }
}

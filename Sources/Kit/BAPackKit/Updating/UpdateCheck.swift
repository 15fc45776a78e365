import BlockCodecs
package import SystemIO

/// The parameters for the search for unchanged archives.
package struct Updating: Sendable {
  /// The program and its version.
  package let program: String
  /// The settings for writing archives.
  package let settings: PackSettings
  /// The path of the archive of a pack, by the pack's ID.
  package let archive: @Sendable (String) -> String

  package init(
    program: String, settings: PackSettings, archive: @escaping @Sendable (String) -> String
  ) {
    self.program = program
    self.settings = settings
    self.archive = archive
  }
}

/// The comparison of an archive with its current input, before a run.
package struct UpdateCheck: Sendable {
  package let assetPackID: String
  /// The path of the existing or future archive.
  package let archive: String
  /// The reason for packing the archive; nil if it is up to date.
  package private(set) var reason: PackReason?
  /// The record of the existing archive, to be kept for the next run.
  package private(set) var record: ArchiveRecord?
  /// Whether the record differs from the file next to the archive.
  package private(set) var isRenewed = false
  private let metadata: PackSettings.Metadata
  private let hosting: Hosting?
  private let manifest: String
  private let examinedAt: Moment
  private var inputs: PackInputs

  /// Whether the archive is up to date.
  package var isUnchanged: Bool { reason == nil && record != nil }

  /// Whether the rules of this run were applied to the files.
  var isExamined: Bool { isUnchanged && wasExamined }
  private var wasExamined = false

  init(
    of manifest: Manifest, named name: String, _ updating: Updating, for hosting: Hosting?
  ) throws(PackError) {
    // Before files are examined: a file that is modified after this time may have the same
    // timestamp.
    examinedAt = .now
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

  /// Decides whether the pack is up to date if its source root is an archive, from the status of
  /// this archive; returns whether it is.
  mutating func decide(fromArchiveAt path: String, _ work: Work) -> Bool {
    guard let status = try? FileStatus(ofFileAt: path), status.kind == .file,
      let record = ArchiveRecord(of: archive), record.hosting == hosting
    else { return false }
    inputs.archive = FileWitness(status)
    let isSettled = FileWitness(status).isSettled(at: examinedAt)
    decide(record, work, isSettled: { _ in isSettled }) { content in
      content.index == ArchiveRecord.Content.archive
        && (try? fileDigest(ofFileAt: path, work)) == content.sha256 ? nil : .sourceRoot
    }
    return isUnchanged
  }

  /// Compares the selected files with the files in the archive.
  mutating func compare(
    _ selection: Selection, from root: SourceRoot, _ work: Work
  ) throws(PackError) {
    inputs.archive = nil
    switch root.storage {
    case .archive(_, let file, _): inputs.archive = FileWitness(file.status)
    case .folder, .list: inputs.add(selection, metadata)
    }
    try work.checkCancellation()
    let record = ArchiveRecord(of: archive)
    wasExamined = record?.hosting == hosting
    var contents: (any SourceContents)?
    let (inputs, examinedAt) = (inputs, examinedAt)
    decide(
      record, work,
      isSettled: { index in
        inputs.archive?.isSettled(at: examinedAt)
          ?? FileWitness(selection.records[index]).isSettled(at: examinedAt)
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
    // An interrupted read is not reported above, so cancellation is checked here.
    try work.checkCancellation()
  }

  private mutating func decide(
    _ former: ArchiveRecord?, _ work: Work, isSettled: (Int) -> Bool,
    difference: (ArchiveRecord.Content) -> PackReason?
  ) {
    let output = (try? FileStatus(ofFileAt: archive)).flatMap {
      $0.kind == .file ? FileWitness($0) : nil
    }
    reason = nil
    var examined: [ArchiveRecord.Content] = []
    let verdict = ArchiveRecord.verdict(on: former, inputs: inputs, output: output, now: examinedAt)
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
    if case .unchangedIf(_, true) = verdict { record.seenOutput = examinedAt }
    record.hosting = hosting
    record.manifest = self.manifest
    isRenewed = record != former
    if isRenewed { record.examinedAt = examinedAt }
    self.record = record
  }
}

// MARK: - After packing

extension UpdateCheck {
  /// The time at which the files were examined.
  package var whenExamined: Moment { examinedAt }

  /// Writes a record of the new archive, unless another process has replaced the archive.
  package func keep(_ summary: PackSummary, _ work: Work) throws(PackError) {
    try mapFailure(.writing) { () throws(Failure) in
      guard let written = summary.written, let sha256 = summary.sha256 else { return }
      let status = try FileStatus(ofFileAt: archive)
      guard status.identity == written.identity, status.size == written.size,
        status.modified == written.modified
      else { return }
      try waitForNextTick(after: status.changed, work)
      let record = ArchiveRecord(
        inputs: inputs, manifest: manifest, examinedAt: examinedAt, hosting: hosting,
        contents: summary.examined.contents,
        digests: summary.examined.digests,
        output: FileWitness(status), seenOutput: .now, sha256: sha256, fileCount: summary.fileCount,
        contentBytes: summary.contentBytes, blockCount: summary.blockCount,
        storedBlockCount: summary.storedBlockCount)
      try record.write(for: archive)
    }
  }

  /// Waits until the clock has advanced, so that every later change of the archive results in
  /// another timestamp.
  ///
  /// Always waits for the longest duration, so that archives that were written moments later need
  /// no separate wait.
  private func waitForNextTick(after moment: Moment, _ work: Work) throws(Failure) {
    let passed = Duration.milliseconds(Moment.now.milliseconds(since: moment))
    guard .zero..<Self.longestTick ~= passed else { return }
    try work.pause(until: .now + Self.longestTick, "the clock")
  }

  /// A duration in which the clock of files advances: in every kernel, at least every 10
  /// milliseconds.
  package static let longestTick = Duration.milliseconds(20)

  /// Writes the updated record of an unchanged archive.
  package func keepRenewed() throws(PackError) {
    guard isRenewed, let record else { return }
    try mapFailure(.writing) { () throws(Failure) in try record.write(for: archive) }
  }
}

// Long because each state of an upload is next to the step that follows it.

package import BAPackKit
package import SystemIO
import Transfers

/// The upload of one archive, after its manifest if requested, as a state machine: the input is the
/// result of a step, the output is the next step.
///
/// A step that creates a resource must not run twice. It runs only if it certainly did not run
/// before: directly after the previous step, or after a query. A run that was killed, or got no
/// response, leaves a journal with the step that may have run, and the next run starts with a
/// query.
package struct UploadCourse: Sendable {
  package typealias Archive = UploadJournal.Archive

  /// The next step.
  package enum Step: Sendable, Equatable {
    /// Find the highest version number.
    case findHighest
    /// Find versions above this number that wait for their upload and have no files.
    case findVersion(above: Int)
    case makeVersion
    case findFiles(VersionKey)
    case reserve(VersionKey)
    case readFile(VersionKey, file: ResourceID)
    /// Send these parts of the file.
    case sendParts(VersionKey, file: ResourceID, [FilePart])
    case complete(VersionKey, file: ResourceID)
    /// Wait until the service has validated the manifest.
    case validate(VersionKey, file: ResourceID)
    /// The upload is complete and is being processed.
    case done(VersionKey)
  }

  /// The result of a step.
  package enum StepResult: Sendable {
    case highest(Int)
    case waiting([VersionKey])
    case made(VersionKey)
    case files([FileRecord])
    case reserved(FileRecord)
    /// The service does not accept a file for this version.
    case notReservable
    /// A file, and whether its version waits for an upload; nil if that is unknown.
    case file(FileRecord, versionWaits: Bool?)
    /// The version or the file does not exist.
    case missing
    /// A part was received: the MD5 of the sent bytes, and the storage's tag.
    case sent(Range<UInt64>, md5: String, tag: String?)
    case sentAll
    /// The storage has other bytes for these parts than the archive.
    case partsDiffer([Range<UInt64>])
    /// The storage refuses parts, which also happens when their addresses have expired.
    case partsRefused(PartRefusal)
    case completed(FileRecord)
    /// The manifest after its validation, and the errors of its version, if it failed.
    case validated(FileRecord, failure: [StateDetail]?)
    /// The service reports that bytes are missing.
    case contentMissing
    /// The service reports that the file cannot be completed: it may already be complete.
    case notCompletable
    /// The file must be completed without its checksum.
    case withoutChecksum
    /// The outcome of the step is unknown.
    case lost
  }

  /// A hint for the user.
  package enum Remark: Sendable, Equatable {
    /// A version remains without an archive, without consequences.
    case abandoned(VersionKey)
    /// A version remains, because it has the manifest of another archive.
    case hasOtherManifest(VersionKey)
    /// The upload of an earlier run is resumed.
    case resumes(VersionKey, sent: UInt64)
  }

  package private(set) var journal: UploadJournal
  package private(set) var remarks: [Remark] = []
  private let archive: Archive
  /// The manifest, if it is uploaded before the archive.
  private let manifest: Archive?
  /// Whether the next change in the journal certainly did not happen.
  private var isSure = false
  /// The parts with their addresses, which are not in the journal.
  private(set) var parts: [FilePart] = []
  /// The parts that this run sent.
  private var sentNow: [Range<UInt64>] = []
  private var reached: VersionKey?
  /// The number of consecutive steps with an unknown outcome.
  private(set) var losses = 0
  private var abandonments = 0
  private var rereads = 0
  private var resends = 0
  private var damages = 0
  private var wasNotCompletable = false
  private var isResumed = false
  /// Whether the archive is sent again if it failed in an earlier run.
  private var sendsFailedAgain: Bool

  /// Resumes from a journal.
  package init(
    _ journal: UploadJournal, uploading archive: Archive, after manifest: Archive? = nil,
    retryingFailed: Bool = false
  ) {
    self.journal = journal
    self.archive = archive
    self.manifest = manifest
    sendsFailedAgain = retryingFailed && journal.current?.phase.version != nil
    guard let attempt = journal.current else { return }
    guard attempt.archive != archive else {
      isResumed = attempt.phase.version != nil
      // A manifest that was begun is completed, even without the request.
      if case .making = attempt.phase { self.journal.current?.manifest = manifest }
      return
    }
    switch attempt.phase {
    case .making:
      self.journal.current?.archive = archive
      self.journal.current?.manifest = manifest
    // No part of the other archive was sent, so its version can be used, unless it may have the
    // manifest of the other archive.
    case .reserving where attempt.manifest == nil || attempt.manifest == manifest:
      self.journal.current?.archive = archive
      self.journal.current?.manifest = manifest
    case .reserving(let version), .validating(let version, _):
      abandon(version, .hasOtherManifest(version))
    case .sending(let version, _): abandon(version)
    case .completing(let version, _) where attempt.kind == .manifest:
      abandon(version, .hasOtherManifest(version))
    // The archive may be complete; this is queried first.
    case .completing: break
    }
  }

  /// The number of received bytes.
  package var sent: UInt64 { journal.current?.sent.count ?? 0 }

  /// The file that is being uploaded.
  var kind: FileRecord.Kind { journal.current?.kind ?? .asset }

  // MARK: The next step

  package var next: Step {
    if let reached { return .done(reached) }
    guard let attempt = journal.current else { return .findHighest }
    switch attempt.phase {
    case .making(let number): return isSure ? .makeVersion : .findVersion(above: number)
    case .reserving(let version): return isSure ? .reserve(version) : .findFiles(version)
    case .sending(let version, let file):
      return isSure ? .sendParts(version, file: file, missing) : .readFile(version, file: file)
    case .completing(let version, let file):
      return isSure
        ? .complete(version, file: file) : .readFile(version, file: file)
    case .validating(let version, let file): return .validate(version, file: file)
    }
  }

  private var missing: [FilePart] {
    let sent = journal.current?.sent ?? SentParts()
    return parts.filter { sent[$0.range] == nil }
  }

  /// Returns the parts that were not received with these digests: an MD5 for each of ``parts``.
  ///
  /// A tag with the form of an MD5 that differs is a reason to send a part again. If no tag is a
  /// digest after that, the service can compare the file's checksum instead.
  func differing(from sums: [String], isChecksumSent: Bool) -> [Range<UInt64>] {
    let sent = journal.current?.sent ?? SentParts()
    let ignoresTags = isChecksumSent && damages > 0 && !sent.hasDigests
    return zip(parts, sums).filter { sent[$0.range] != $1 }.map(\.0.range)
      + (ignoresTags ? [] : sent.damaged)
  }

  /// Removes all parts that this run sent from the journal, because the file changed at an unknown
  /// time.
  mutating func discardSentParts() {
    for range in sentNow { journal.current?.sent.remove(range) }
    sentNow = []
    if case .completing(let version, let file)? = journal.current?.phase {
      journal.current?.phase = .sending(version, file: file)
    }
  }

  // MARK: Results of steps

  package mutating func apply(_ event: StepResult, at now: Moment) throws(PackError) {
    switch event {
    case .highest(let number):
      journal.current = UploadJournal.Attempt(
        archive: archive, manifest: manifest, began: now, phase: .making(above: number))
      isSure = true
    case .waiting(let versions):
      if let version = versions.max(by: { ($0.number ?? 0) < ($1.number ?? 0) }) {
        move(to: .reserving(version))
      } else if mayStillArrive(at: now) {
        return try lose()
      }
      allowChange(at: now)
    case .made(let version):
      move(to: .reserving(version))
      allowChange(at: now)
    case .files(let files): try apply(files, at: now)
    case .reserved(let file): try begin(file, at: now)
    case .notReservable:
      guard let version = journal.current?.phase.version else { return }
      try startAgain(without: version)
    case .file(let file, let versionWaits): try apply(file, versionWaits, at: now)
    case .missing:
      guard let version = journal.current?.phase.version else { return }
      try startAgain(without: version)
    case .sent(let range, let md5, let tag):
      journal.current?.sent.insert(range, md5: md5, tag: tag)
      sentNow.append(range)
      rereads = 0
    case .sentAll:
      guard case .sending(let version, let file)? = journal.current?.phase else { return }
      move(to: .completing(version, file: file))
    case .partsRefused(let refusal):
      guard case .sending(let version, _)? = journal.current?.phase else { return }
      try readAgain(version, after: refusal)
    case .partsDiffer(let ranges):
      guard case .completing(let version, let file)? = journal.current?.phase else { return }
      journal.current?.phase = .sending(version, file: file)
      try sendAgain(ranges, of: version)
    case .completed(let file):
      sendsFailedAgain = false
      try apply(file, nil, at: now)
    case .validated(let file, let failure): try validate(file, failure, at: now)
    case .contentMissing: try sendAgain()
    case .notCompletable:
      wasNotCompletable = true
      try lose()
    case .withoutChecksum: break
    case .lost: try lose()
    }
  }

  /// Reads the addresses of the parts again.
  ///
  /// New addresses may be valid. If they have expired, the response shows it. Until then, another
  /// version would be refused as well, and its number would be lost.
  private mutating func readAgain(
    _ version: VersionKey, after refusal: PartRefusal
  ) throws(PackError) {
    rereads += 1
    isSure = false
    guard rereads <= 1 else {
      throw PackError(
        .server(status: refusal.status),
        "\(refusal.host) refuses parts of \(version.phrase) (\(refusal.reason)), "
          + "although their addresses have not expired",
        remedies: [
          "check whether a proxy or a firewall blocks requests to \(refusal.host)",
          .advice(
            "run the command again later: it resumes, or restarts after the addresses of "
              + "\(version.phrase) have expired"),
        ])
    }
  }

  /// Sends parts again that have wrong bytes in the storage.
  private mutating func sendAgain(
    _ ranges: [Range<UInt64>], of version: VersionKey
  ) throws(PackError) {
    let hasDigests = journal.current?.sent.hasDigests == true
    for range in ranges { journal.current?.sent.remove(range) }
    isSure = false
    damages += 1
    guard damages > (hasDigests ? Self.mostDamages : 1) else { return }
    let place = "\(ranges.count) of \(parts.count) parts of \(version.phrase)"
    guard !hasDigests else {
      throw PackError(
        .transfer,
        "the storage of App Store Connect has wrong bytes in \(place); "
          + "the version was not completed",
        remedy: "run the command again later: it sends these parts again")
    }
    throw PackError(
      .transfer,
      "the storage of App Store Connect returned other digests than those of the sent bytes for "
        + "\(place), also after a second upload; the version was not completed",
      remedies: [
        "run the command again later: it sends these parts again", .sendChecksum,
      ])
  }

  private mutating func move(to phase: UploadJournal.Phase) {
    journal.current?.phase = phase
    isSure = true
    losses = 0
  }

  /// Allows the next change, which certainly did not happen.
  private mutating func allowChange(at now: Moment) {
    journal.current?.began = now
    isSure = true
  }

  /// Whether the service may still receive the change that an interrupted run requested.
  ///
  /// The change is queried again after a pause before it is requested a second time.
  private func mayStillArrive(at now: Moment) -> Bool {
    guard losses == 0, let attempt = journal.current else { return false }
    return (0..<Self.longestDelivery).contains(now.milliseconds(since: attempt.began))
  }

  private mutating func lose() throws(PackError) {
    isSure = false
    losses += 1
    guard losses <= Self.mostLosses else {
      throw PackError(
        .transfer,
        "no response from App Store Connect to \(losses) requests, whose outcome is unknown",
        remedy: "run the command again later: it queries the state first")
    }
  }

  /// The maximum time in milliseconds until a request of an interrupted run arrives.
  private static let longestDelivery: Int64 = 3000
  private static let mostLosses = 6
  private static let mostDamages = 2

  private mutating func abandon(_ version: VersionKey, _ remark: Remark? = nil) {
    remarks.append(remark ?? .abandoned(version))
    journal.current = nil
    parts = []
    sentNow = []
    isSure = false
    isResumed = false
  }

  private mutating func startAgain(
    without version: VersionKey, _ remark: Remark? = nil
  ) throws(PackError) {
    abandon(version, remark)
    abandonments += 1
    guard abandonments <= 1 else {
      throw PackError(
        .transfer,
        "App Store Connect accepts no file, neither for \(version.phrase) nor for the previous one",
        remedy: "check the pack in App Store Connect, and run the command again later")
    }
  }

  private mutating func apply(_ files: [FileRecord], at now: Moment) throws(PackError) {
    guard let attempt = journal.current, let version = attempt.phase.version else { return }
    let isManifest = attempt.kind == .manifest
    if attempt.manifest == nil, files.contains(where: { $0.kind == .manifest }) {
      return try startAgain(without: version, .hasOtherManifest(version))
    }
    let own = files.filter { ($0.kind == .manifest) == isManifest }
    guard let file = own.first else {
      if mayStillArrive(at: now) { return try lose() }
      return allowChange(at: now)
    }
    guard own.count == 1, file.isAwaitingUpload, file.size == attempt.content.size else {
      // The file is of another user or of another archive.
      return try startAgain(without: version, isManifest ? .hasOtherManifest(version) : nil)
    }
    move(to: .sending(version, file: file.id))
    isSure = false
  }

  /// Handles a file that was just reserved.
  private mutating func begin(_ file: FileRecord, at now: Moment) throws(PackError) {
    guard case .reserving(let version)? = journal.current?.phase else { return }
    guard file.state != "COMPLETE", file.state != "UPLOAD_COMPLETE" else {
      return try startAgain(without: version)
    }
    move(to: .sending(version, file: file.id))
    try apply(file, nil, at: now)
  }

  private mutating func apply(
    _ file: FileRecord, _ versionWaits: Bool?, at now: Moment
  ) throws(PackError) {
    guard let attempt = journal.current, let version = attempt.phase.version else { return }
    switch file.state {
    case "FAILED": return try fail(file.errors, of: version, attempt, at: now)
    case "COMPLETE": return reach(version, at: now)
    case "UPLOAD_COMPLETE":
      // A second completion shows whether the file is complete. A version that no longer waits for
      // its upload shows it, too.
      let isComplete =
        versionWaits == false || wasNotCompletable
        || (versionWaits == nil && isSure)
      if isComplete { return reach(version, at: now) }
      guard versionWaits == true else {
        isSure = false
        return
      }
      if attempt.archive != archive { return abandon(version) }
      move(to: .completing(version, file: file.id))
      return
    default: break
    }
    if versionWaits == false { return reach(version, at: now) }
    if attempt.archive != archive { return abandon(version) }
    if wasNotCompletable {
      wasNotCompletable = false
      return try sendAgain()
    }
    if case .completing = attempt.phase, isSure {
      // The file was completed and still waits: query it again after a pause.
      return try lose()
    }
    guard let parts = file.parts else {
      if case .completing = attempt.phase { return try lose() }
      return try startAgain(without: version)
    }
    try apply(parts, of: file, version, attempt, at: now)
  }

  /// Continues with the archive after the validation of its manifest.
  private mutating func validate(
    _ file: FileRecord, _ failure: [StateDetail]?, at now: Moment
  ) throws(PackError) {
    guard let attempt = journal.current, let version = attempt.phase.version else { return }
    if let failure { return try fail(failure, of: version, attempt, at: now) }
    journal.current?.isManifestChecked = true
    journal.current?.sent = SentParts()
    sentNow = []
    move(to: .reserving(version))
    allowChange(at: now)
  }

  /// Handles a file that the service rejected after its completion.
  private mutating func fail(
    _ errors: [StateDetail], of version: VersionKey, _ attempt: UploadJournal.Attempt,
    at now: Moment
  ) throws(PackError) {
    // The journal records it as delivered, so that no later run uploads it again.
    journal.deliver(version, at: now)
    parts = []
    isSure = false
    guard attempt.archive == archive, !sendsFailedAgain else {
      sendsFailedAgain = false
      return
    }
    throw PackError(
      .server(status: 200),
      "App Store Connect rejected the \(attempt.kind == .manifest ? "manifest" : "file") of "
        + "\(version.phrase): \(errors.phrase)",
      remedies: Processing.afterFailure)
  }

  /// Handles the parts of a file that waits for its upload.
  private mutating func apply(
    _ parts: [FilePart], of file: FileRecord, _ version: VersionKey,
    _ attempt: UploadJournal.Attempt, at now: Moment
  ) throws(PackError) {
    if let fault = parts.fault(ofFileOf: attempt.content.size) {
      throw PackError(
        .transfer, "App Store Connect requested invalid parts of \(version.phrase): \(fault)",
        remedy: "try again later, and report the error to Apple")
    }
    self.parts = parts
    journal.current?.sent.keep(only: parts.map(\.range))
    if case .completing = attempt.phase, missing.isEmpty {
      move(to: attempt.phase)
      return
    }
    move(to: .sending(version, file: file.id))
    if missing.contains(where: { ($0.end ?? attempt.usualEnd) <= now }) {
      try startAgain(without: version)
    } else if isResumed {
      isResumed = false
      if sent > 0, kind == .asset { remarks.append(.resumes(version, sent: sent)) }
    }
  }

  /// The service lacks bytes: unconfirmed parts are sent again, or all parts.
  private mutating func sendAgain() throws(PackError) {
    guard let attempt = journal.current, let version = attempt.phase.version,
      case .completing(_, let file) = attempt.phase
    else { return }
    resends += 1
    guard resends <= 1 else {
      throw PackError(
        .transfer,
        "App Store Connect reports missing bytes of \(version.phrase) after two complete uploads",
        remedy: "run the command again later")
    }
    if missing.isEmpty { journal.current?.sent = SentParts() }
    journal.current?.phase = .sending(version, file: file)
    isSure = false
  }

  private mutating func reach(_ version: VersionKey, at now: Moment) {
    if kind == .manifest, let file = journal.current?.phase.file {
      journal.current?.phase = .validating(version, file: file)
      wasNotCompletable = false
      parts = []
      isSure = false
      return
    }
    let isOurs = journal.current?.archive == archive
    journal.deliver(version, at: now)
    parts = []
    isSure = false
    if isOurs { reached = version }
  }
}

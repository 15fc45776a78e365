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
    case notFound
    /// A part was received: the MD5 of the sent bytes, and the storage's tag.
    case received(Range<UInt64>, md5: String, tag: String?)
    case receivedAll
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
  private var state = State.unknown()
  private var counts = Counts()
  /// Whether the archive is sent again if it failed in an earlier run.
  private var sendsFailedAgain: Bool

  /// The state of the change that the journal describes.
  private enum State {
    /// The change may have happened, so a query is next.
    ///
    /// A completion that the service refused shows that the file is complete, or lacks bytes.
    case unknown(isCompletionRefused: Bool = false)
    /// The change certainly did not happen, so it is next.
    case ready
    /// The file waits for these parts, whose addresses are not in the journal, or for its
    /// completion.
    case open([FilePart])
    /// The version has the archive.
    case done(VersionKey)
  }

  /// The number of repetitions, each of which has a limit.
  private struct Counts {
    /// The consecutive steps with an unknown outcome.
    var losses = 0
    var abandonments = 0
    var rereads = 0
    var resends = 0
    var damages = 0
  }

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

  /// The number of consecutive steps with an unknown outcome.
  var losses: Int { counts.losses }

  /// The file that is being uploaded.
  var kind: FileRecord.Kind { journal.current?.kind ?? .asset }

  /// The parts of the file; empty if their addresses are unknown.
  var parts: [FilePart] { if case .open(let parts) = state { parts } else { [] } }

  // MARK: The next step

  package var next: Step {
    if case .done(let version) = state { return .done(version) }
    guard let attempt = journal.current else { return .findHighest }
    switch (attempt.phase, state) {
    case (.making, .ready): return .makeVersion
    case (.making(let number), _): return .findVersion(above: number)
    case (.reserving(let version), .ready): return .reserve(version)
    case (.reserving(let version), _): return .findFiles(version)
    case (.sending(let version, let file), .open(let parts)):
      return .sendParts(version, file: file, unsent(of: parts))
    case (.completing(let version, let file), .open): return .complete(version, file: file)
    case (.sending(let version, let file), _), (.completing(let version, let file), _):
      return .readFile(version, file: file)
    case (.validating(let version, let file), _): return .validate(version, file: file)
    }
  }

  private func unsent(of parts: [FilePart]) -> [FilePart] {
    let received = journal.current?.received ?? ReceivedParts()
    return parts.filter { received[$0.range] == nil }
  }

  /// Returns the parts that were not received with these digests: an MD5 for each of ``parts``.
  ///
  /// A tag with the form of an MD5 that differs is a reason to send a part again. If no tag is a
  /// digest after that, the service can compare the file's checksum instead.
  func differing(from sums: [String], isChecksumSent: Bool) -> [Range<UInt64>] {
    let received = journal.current?.received ?? ReceivedParts()
    let ignoresTags = isChecksumSent && counts.damages > 0 && !received.hasDigests
    return zip(parts, sums).filter { received[$0.range] != $1 }.map(\.0.range)
      + (ignoresTags ? [] : received.damaged)
  }

  /// Removes all parts that this run sent from the journal, because the file changed at an unknown
  /// time.
  mutating func discardSentParts() {
    journal.current?.received.removeNew()
    state = .unknown()
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
      state = .ready
    case .waiting(let versions):
      if let version = versions.max(by: { ($0.number ?? 0) < ($1.number ?? 0) }) {
        move(to: .reserving(version), .ready)
      } else if mayStillArrive(at: now) {
        return try lose()
      }
      allowChange(at: now)
    case .made(let version):
      move(to: .reserving(version), .ready)
      allowChange(at: now)
    case .files(let files): try apply(files, at: now)
    case .reserved(let file): try begin(file, at: now)
    case .notReservable, .notFound:
      guard let version = journal.current?.phase.version else { return }
      try startAgain(without: version)
    case .file(let file, let versionWaits): try apply(file, versionWaits, at: now)
    case .received(let range, let md5, let tag):
      journal.current?.received.insert(range, md5: md5, tag: tag, isNew: true)
      counts.rereads = 0
    case .receivedAll:
      guard case .sending(let version, let file)? = journal.current?.phase else { return }
      move(to: .completing(version, file: file), .open(parts))
    case .partsRefused(let refusal):
      guard case .sending(let version, _)? = journal.current?.phase else { return }
      try readAgain(version, after: refusal)
    case .partsDiffer(let ranges):
      guard case .completing(let version, let file)? = journal.current?.phase else { return }
      journal.current?.phase = .sending(version, file: file)
      try sendAgain(ranges, of: version)
    case .completed(let file):
      sendsFailedAgain = false
      try finish(file, at: now)
    case .validated(let file, let failure): try validate(file, failure, at: now)
    case .contentMissing: try sendAgain()
    case .notCompletable:
      try lose()
      state = .unknown(isCompletionRefused: true)
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
    counts.rereads += 1
    state = .unknown()
    guard counts.rereads <= 1 else {
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
    let hasDigests = journal.current?.received.hasDigests == true
    let place = "\(ranges.count) of \(parts.count) parts of \(version.phrase)"
    for range in ranges { journal.current?.received.remove(range) }
    state = .unknown()
    counts.damages += 1
    guard counts.damages > (hasDigests ? Self.mostDamages : 1) else { return }
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

  private mutating func move(to phase: UploadJournal.Phase, _ state: State) {
    journal.current?.phase = phase
    self.state = state
    counts.losses = 0
  }

  /// Allows the next change, which certainly did not happen.
  private mutating func allowChange(at now: Moment) {
    journal.current?.began = now
    state = .ready
  }

  /// Whether the service may still receive the change that an interrupted run requested.
  ///
  /// The change is queried again after a pause before it is requested a second time.
  private func mayStillArrive(at now: Moment) -> Bool {
    guard counts.losses == 0, let attempt = journal.current else { return false }
    return (0..<Self.longestDelivery).contains(now.milliseconds(since: attempt.began))
  }

  private mutating func lose() throws(PackError) {
    state = .unknown()
    counts.losses += 1
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
    state = .unknown()
  }

  private mutating func startAgain(
    without version: VersionKey, _ remark: Remark? = nil
  ) throws(PackError) {
    abandon(version, remark)
    counts.abandonments += 1
    guard counts.abandonments <= 1 else {
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
    move(to: .sending(version, file: file.id), .unknown())
  }

  /// Handles a file that was just reserved.
  private mutating func begin(_ file: FileRecord, at now: Moment) throws(PackError) {
    guard case .reserving(let version)? = journal.current?.phase else { return }
    guard file.state != "COMPLETE", file.state != "UPLOAD_COMPLETE" else {
      return try startAgain(without: version)
    }
    move(to: .sending(version, file: file.id), .ready)
    try apply(file, nil, at: now)
  }

  /// Handles the response to a completion.
  private mutating func finish(_ file: FileRecord, at now: Moment) throws(PackError) {
    guard let attempt = journal.current, let version = attempt.phase.version else { return }
    switch file.state {
    case "FAILED": try fail(file.errors, of: version, attempt, at: now)
    case "COMPLETE", "UPLOAD_COMPLETE": reach(version, at: now)
    // The file still waits: query it again after a pause.
    default: try lose()
    }
  }

  /// Handles a file that was read, or just reserved.
  private mutating func apply(
    _ file: FileRecord, _ versionWaits: Bool?, at now: Moment
  ) throws(PackError) {
    guard let attempt = journal.current, let version = attempt.phase.version else { return }
    var isCompletionRefused = false
    if case .unknown(true) = state { isCompletionRefused = true }
    switch file.state {
    case "FAILED": return try fail(file.errors, of: version, attempt, at: now)
    case "COMPLETE": return reach(version, at: now)
    case "UPLOAD_COMPLETE":
      // A second completion shows whether the file is complete. A version that no longer waits for
      // its upload shows it, too.
      if versionWaits == false || isCompletionRefused { return reach(version, at: now) }
      guard versionWaits == true else { return }
      if attempt.archive != archive { return abandon(version) }
      return move(to: .completing(version, file: file.id), .open(file.parts ?? []))
    default: break
    }
    if versionWaits == false { return reach(version, at: now) }
    if attempt.archive != archive { return abandon(version) }
    if isCompletionRefused { return try sendAgain() }
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
    journal.current?.received = ReceivedParts()
    move(to: .reserving(version), .ready)
    allowChange(at: now)
  }

  /// Handles a file that the service rejected after its completion.
  private mutating func fail(
    _ errors: [StateDetail], of version: VersionKey, _ attempt: UploadJournal.Attempt,
    at now: Moment
  ) throws(PackError) {
    // The journal records it as delivered, so that no later run uploads it again.
    journal.deliver(version, at: now)
    state = .unknown()
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
    journal.current?.received.keep(only: parts.map(\.range))
    let unsent = unsent(of: parts)
    if case .completing = attempt.phase, unsent.isEmpty {
      return move(to: attempt.phase, .open(parts))
    }
    move(to: .sending(version, file: file.id), .open(parts))
    guard !unsent.contains(where: { ($0.end ?? attempt.usualEnd) <= now }) else {
      return try startAgain(without: version)
    }
    let received = journal.current?.received ?? ReceivedParts()
    let isReported = remarks.contains { if case .resumes = $0 { true } else { false } }
    if received.count > 0, !received.hasNew, kind == .asset, !isReported {
      remarks.append(.resumes(version, sent: received.count))
    }
  }

  /// The service lacks bytes: all parts are sent again.
  private mutating func sendAgain() throws(PackError) {
    guard case .completing(let version, let file)? = journal.current?.phase else { return }
    counts.resends += 1
    guard counts.resends <= 1 else {
      throw PackError(
        .transfer,
        "App Store Connect reports missing bytes of \(version.phrase) after two complete uploads",
        remedy: "run the command again later")
    }
    journal.current?.received = ReceivedParts()
    journal.current?.phase = .sending(version, file: file)
    state = .unknown()
  }

  private mutating func reach(_ version: VersionKey, at now: Moment) {
    state = .unknown()
    if kind == .manifest, let file = journal.current?.phase.file {
      journal.current?.phase = .validating(version, file: file)
      return
    }
    let isOurs = journal.current?.archive == archive
    journal.deliver(version, at: now)
    if isOurs { state = .done(version) }
  }
}

// Long because each state of an upload is next to the step that follows it.

package import BAPackKit
package import SystemIO

/// The upload of one archive as a state machine: the input is the result of a step, the output is
/// the next step.
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
    /// A version remains without a file, without consequences.
    case abandoned(VersionKey)
    /// The upload of an earlier run is resumed.
    case resumes(VersionKey, sent: UInt64)
  }

  package private(set) var journal: UploadJournal
  package private(set) var remarks: [Remark] = []
  private let archive: Archive
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
    _ journal: UploadJournal, uploading archive: Archive, retryingFailed: Bool = false
  ) {
    self.journal = journal
    self.archive = archive
    sendsFailedAgain = retryingFailed && journal.current?.phase.version != nil
    guard let attempt = journal.current else { return }
    guard attempt.archive != archive else {
      isResumed = attempt.phase.version != nil
      return
    }
    switch attempt.phase {
    // No part of the other archive was sent, so its version can be used.
    case .making, .reserving: self.journal.current?.archive = archive
    case .sending(let version, _): abandon(version)
    // The file may be complete; this is queried first.
    case .completing: break
    }
  }

  /// The number of received bytes.
  package var sent: UInt64 { journal.current?.sent.count ?? 0 }

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
    }
  }

  private var missing: [FilePart] {
    let sent = journal.current?.sent ?? SentParts()
    return parts.filter { sent[$0.range] == nil }
  }

  /// Returns the parts that were not received with these digests: an MD5 for each of ``parts``.
  func differing(from sums: [String]) -> [Range<UInt64>] {
    let sent = journal.current?.sent ?? SentParts()
    return zip(parts, sums).filter { sent[$0.range] != $1 }.map(\.0.range) + sent.damaged
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
        archive: archive, began: now, phase: .making(above: number))
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
    for range in ranges { journal.current?.sent.remove(range) }
    isSure = false
    damages += 1
    guard damages <= Self.mostDamages else {
      throw PackError(
        .transfer,
        "the storage of App Store Connect has wrong bytes in \(ranges.count) of \(parts.count) "
          + "parts of \(version.phrase); the version was not completed",
        remedy: "run the command again later: it sends these parts again")
    }
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

  private mutating func abandon(_ version: VersionKey) {
    remarks.append(.abandoned(version))
    journal.current = nil
    parts = []
    sentNow = []
    isSure = false
    isResumed = false
  }

  private mutating func startAgain(without version: VersionKey) throws(PackError) {
    abandon(version)
    abandonments += 1
    guard abandonments <= 1 else {
      throw PackError(
        .transfer,
        "App Store Connect accepts no file, neither for \(version.phrase) nor for the previous one",
        remedy: "check the pack in App Store Connect, and run the command again later")
    }
  }

  private mutating func apply(_ files: [FileRecord], at now: Moment) throws(PackError) {
    guard let version = journal.current?.phase.version else { return }
    let assets = files.filter { $0.kind != .manifest }
    guard let file = assets.first else {
      if mayStillArrive(at: now) { return try lose() }
      return allowChange(at: now)
    }
    guard assets.count == 1, file.isAwaitingUpload, file.size == archive.size else {
      // The file is of another user or of another archive.
      return try startAgain(without: version)
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
    case "FAILED": return try fail(file, of: version, attempt, at: now)
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

  /// Handles a file that the service rejected after its completion.
  private mutating func fail(
    _ file: FileRecord, of version: VersionKey, _ attempt: UploadJournal.Attempt, at now: Moment
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
      "App Store Connect rejected the file of \(version.phrase): \(file.errors.phrase)",
      remedies: Processing.afterFailure)
  }

  /// Handles the parts of a file that waits for its upload.
  private mutating func apply(
    _ parts: [FilePart], of file: FileRecord, _ version: VersionKey,
    _ attempt: UploadJournal.Attempt, at now: Moment
  ) throws(PackError) {
    if let fault = parts.fault(ofFileOf: archive.size) {
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
      if sent > 0 { remarks.append(.resumes(version, sent: sent)) }
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
    let isOurs = journal.current?.archive == archive
    journal.deliver(version, at: now)
    parts = []
    isSure = false
    if isOurs { reached = version }
  }
}

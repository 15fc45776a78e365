// Long because each state of an upload is beside the step that follows it.

package import BAPackKit
package import SystemIO

/// The way of one archive to the service, as a value: what is known goes in, the next step comes
/// out.
///
/// Only a step that makes something can do harm when it is taken twice, so each is taken only when
/// it is known that it was not taken: right after the step before it, or after looking. Whoever is
/// killed, or hears no answer, has a journal that says what may have been done, and the course
/// begins with the step that looks.
package struct UploadCourse: Sendable {
  package typealias Archive = UploadJournal.Archive

  /// What to do next.
  package enum Step: Sendable, Equatable {
    /// Find the highest number of all versions.
    case lookForHighest
    /// Find versions above this number that wait for their upload and have no files.
    case lookForVersion(above: Int)
    case makeVersion
    case lookForFiles(VersionKey)
    case reserve(VersionKey)
    case lookAtFile(VersionKey, file: ResourceID)
    /// Send these parts of the file.
    case bring(VersionKey, file: ResourceID, [FilePart])
    case complete(VersionKey, file: ResourceID)
    /// All of it arrived and is processed now.
    case done(VersionKey)
  }

  /// What became of a step.
  package enum StepResult: Sendable {
    case highest(Int)
    case waiting([VersionKey])
    case made(VersionKey)
    case files([FileRecord])
    case reserved(FileRecord)
    /// The service has a reason not to take a file for this version.
    case notReservable
    /// A file, and whether its version waits for an upload; nil where nobody asked.
    case file(FileRecord, versionWaits: Bool?)
    /// There is no such version or file.
    case gone
    /// A part was received: the MD5 of the sent bytes, and the storage's tag.
    case brought(Range<UInt64>, md5: String, tag: String?)
    case broughtAll
    /// The storage has other bytes for these parts than the archive.
    case partsDiffer([Range<UInt64>])
    /// The storage refuses parts, which also happens when their addresses have expired.
    case partsRefused(PartRefusal)
    case completed(FileRecord)
    /// The service says that bytes are missing.
    case contentMissing
    /// The service says that the file is not in a state to be completed: it may be complete
    /// already.
    case notCompletable
    /// The file is to be completed without its checksum.
    case withoutChecksum
    /// Nobody knows whether the step was taken.
    case lost
  }

  /// What a person should know.
  package enum Remark: Sendable, Equatable {
    /// A version stays behind without a file, for ever; it is in nobody's way.
    case abandoned(VersionKey)
    /// The upload of an earlier run goes on.
    case goesOn(VersionKey, sent: UInt64)
  }

  package private(set) var journal: UploadJournal
  package private(set) var remarks: [Remark] = []
  private let archive: Archive
  /// Whether what the journal names as the next change is known not to have been made.
  private var isSure = false
  /// The addresses of the parts, which are in no journal.
  private(set) var parts: [FilePart] = []
  /// The parts that this run sent.
  private var broughtNow: [Range<UInt64>] = []
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

  /// Goes on from what the journal says.
  package init(
    _ journal: UploadJournal, bringing archive: Archive, retryingFailed: Bool = false
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
    // Nothing of the other archive was sent: its version, if there is one, is as good for this one.
    case .making, .reserving: self.journal.current?.archive = archive
    case .sending(let version, _): abandon(version)
    // It may have arrived; that is found out first.
    case .completing: break
    }
  }

  /// How many bytes arrived.
  package var sent: UInt64 { journal.current?.sent.count ?? 0 }

  // MARK: The next step

  package var next: Step {
    if let reached { return .done(reached) }
    guard let attempt = journal.current else { return .lookForHighest }
    switch attempt.phase {
    case .making(let number): return isSure ? .makeVersion : .lookForVersion(above: number)
    case .reserving(let version): return isSure ? .reserve(version) : .lookForFiles(version)
    case .sending(let version, let file):
      return isSure ? .bring(version, file: file, missing) : .lookAtFile(version, file: file)
    case .completing(let version, let file):
      return isSure
        ? .complete(version, file: file) : .lookAtFile(version, file: file)
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

  /// Removes all parts that this run sent from the journal: the file changed at an unknown time.
  mutating func forgetBrought() {
    for range in broughtNow { journal.current?.sent.remove(range) }
    broughtNow = []
    if case .completing(let version, let file)? = journal.current?.phase {
      journal.current?.phase = .sending(version, file: file)
    }
  }

  // MARK: What became of it

  package mutating func take(_ event: StepResult, at now: Moment) throws(PackError) {
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
    case .files(let files): try take(files, at: now)
    case .reserved(let file): try begin(file, at: now)
    case .notReservable:
      guard let version = journal.current?.phase.version else { return }
      try startAgain(without: version)
    case .file(let file, let versionWaits): try take(file, versionWaits, at: now)
    case .gone:
      guard let version = journal.current?.phase.version else { return }
      try startAgain(without: version)
    case .brought(let range, let md5, let tag):
      journal.current?.sent.insert(range, md5: md5, tag: tag)
      broughtNow.append(range)
      rereads = 0
    case .broughtAll:
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
      try take(file, nil, at: now)
    case .contentMissing: try sendAgain()
    case .notCompletable:
      wasNotCompletable = true
      try lose()
    case .withoutChecksum: break
    case .lost: try lose()
    }
  }

  /// Reads the addresses of parts anew.
  ///
  /// New addresses may be valid. When their time is up, that shows in what is read; until then
  /// another version would be refused as well, and its number would be gone.
  private mutating func readAgain(
    _ version: VersionKey, after refusal: PartRefusal
  ) throws(PackError) {
    rereads += 1
    isSure = false
    guard rereads <= 1 else {
      throw PackError(
        .server(status: refusal.status),
        "\(refusal.host) refuses parts of \(version.phrase) (\(refusal.reason)), "
          + "although their time is not up",
        remedies: [
          "check whether a proxy or a firewall blocks requests to \(refusal.host)",
          .advice(
            "run this again later: it goes on where it was, or anew when the time of "
              + "\(version.phrase) is up"),
        ])
    }
  }

  /// Sends parts again whose bytes in the storage are wrong.
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
          + "parts of \(version.phrase); it was not completed",
        remedy: "run this again later: it sends these parts again")
    }
  }

  private mutating func move(to phase: UploadJournal.Phase) {
    journal.current?.phase = phase
    isSure = true
    losses = 0
  }

  /// Allows the next change: it is known that it was not made.
  private mutating func allowChange(at now: Moment) {
    journal.current?.began = now
    isSure = true
  }

  /// Whether the service may still receive the change that an interrupted run requested.
  ///
  /// The change is looked for again after a pause before it is requested a second time.
  private func mayStillArrive(at now: Moment) -> Bool {
    guard losses == 0, let attempt = journal.current else { return false }
    return (0..<Self.longestDelivery).contains(now.milliseconds(since: attempt.began))
  }

  private mutating func lose() throws(PackError) {
    isSure = false
    losses += 1
    guard losses <= Self.mostLosses else {
      throw PackError(
        .transfer, "App Store Connect did not answer \(losses) times, and nobody knows what it did",
        remedy: "run this again later: it looks before it goes on")
    }
  }

  /// How long a request of an interrupted run can be under way, in milliseconds.
  private static let longestDelivery: Int64 = 3000
  private static let mostLosses = 6
  private static let mostDamages = 2

  private mutating func abandon(_ version: VersionKey) {
    remarks.append(.abandoned(version))
    journal.current = nil
    parts = []
    broughtNow = []
    isSure = false
    isResumed = false
  }

  private mutating func startAgain(without version: VersionKey) throws(PackError) {
    abandon(version)
    abandonments += 1
    guard abandonments <= 1 else {
      throw PackError(
        .transfer,
        "App Store Connect takes no file for \(version.phrase), nor for the one before it",
        remedy: "look at the pack in App Store Connect, and run this again later")
    }
  }

  private mutating func take(_ files: [FileRecord], at now: Moment) throws(PackError) {
    guard let version = journal.current?.phase.version else { return }
    let assets = files.filter { $0.kind != .manifest }
    guard let file = assets.first else {
      if mayStillArrive(at: now) { return try lose() }
      return allowChange(at: now)
    }
    guard assets.count == 1, file.isAwaitingUpload, file.size == archive.size else {
      // Somebody else's, or of another archive.
      return try startAgain(without: version)
    }
    move(to: .sending(version, file: file.id))
    isSure = false
  }

  /// Takes a file that was announced just now.
  private mutating func begin(_ file: FileRecord, at now: Moment) throws(PackError) {
    guard case .reserving(let version)? = journal.current?.phase else { return }
    guard file.state != "COMPLETE", file.state != "UPLOAD_COMPLETE" else {
      return try startAgain(without: version)
    }
    move(to: .sending(version, file: file.id))
    try take(file, nil, at: now)
  }

  private mutating func take(
    _ file: FileRecord, _ versionWaits: Bool?, at now: Moment
  ) throws(PackError) {
    guard let attempt = journal.current, let version = attempt.phase.version else { return }
    switch file.state {
    case "FAILED": return try fail(file, of: version, attempt, at: now)
    case "COMPLETE": return reach(version, at: now)
    case "UPLOAD_COMPLETE":
      // What completing it once more says tells whether it was; a version that no longer waits
      // does, too.
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
      // It was completed, and still waits: let us see what it says in a moment.
      return try lose()
    }
    guard let parts = file.parts else {
      if case .completing = attempt.phase { return try lose() }
      return try startAgain(without: version)
    }
    try take(parts, of: file, version, attempt, at: now)
  }

  /// Takes a file that the service refused after its completion.
  private mutating func fail(
    _ file: FileRecord, of version: VersionKey, _ attempt: UploadJournal.Attempt, at now: Moment
  ) throws(PackError) {
    // The journal records it as sent, so that no later run sends it again under another number.
    journal.deliver(version, at: now)
    parts = []
    isSure = false
    guard attempt.archive == archive, !sendsFailedAgain else {
      sendsFailedAgain = false
      return
    }
    throw PackError(
      .server(status: 200),
      "App Store Connect does not take the file of \(version.phrase): \(file.errors.phrase)",
      remedies: Processing.afterFailure)
  }

  /// Takes the addresses of the parts of a file that waits for its upload.
  private mutating func take(
    _ parts: [FilePart], of file: FileRecord, _ version: VersionKey,
    _ attempt: UploadJournal.Attempt, at now: Moment
  ) throws(PackError) {
    if let fault = parts.fault(ofFileOf: archive.size) {
      throw PackError(
        .transfer, "App Store Connect wants \(version.phrase) in parts that do not fit: \(fault)",
        remedy: "try again later, and tell Apple")
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
      if sent > 0 { remarks.append(.goesOn(version, sent: sent)) }
    }
  }

  /// The service lacks bytes: those that it did not confirm are sent once more, or all.
  private mutating func sendAgain() throws(PackError) {
    guard let attempt = journal.current, let version = attempt.phase.version,
      case .completing(_, let file) = attempt.phase
    else { return }
    resends += 1
    guard resends <= 1 else {
      throw PackError(
        .transfer,
        "App Store Connect lacks bytes of \(version.phrase), although all were sent twice",
        remedy: "run this again later")
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

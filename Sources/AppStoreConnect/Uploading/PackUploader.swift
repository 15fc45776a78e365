package import BAPackKit
package import SystemIO
import Transfers

/// An archive that was checked, and is to be uploaded.
package struct UploadArchive: Sendable {
  package let path: String
  package let pack: PackID
  package let archive: UploadJournal.Archive
  /// The manifest in it, as it is.
  package let manifest: [UInt8]
  /// What the system knew about the file before anybody read it.
  let status: FileStatus

  /// Takes what was read of an archive between two looks at its file.
  package init(
    path: String, pack: PackID, archive: UploadJournal.Archive, manifest: [UInt8],
    status: FileStatus
  ) {
    self.path = path
    self.pack = pack
    self.archive = archive
    self.manifest = manifest
    self.status = status
  }

  /// The name under which the service gets it.
  var fileName: String { "\(pack).aar" }

  /// Opens the file; one that changed since it was read is refused.
  func open() throws(PackError) -> UploadFile {
    let file = try mapFailure(.reading) { () throws(Failure) in try UploadFile(path) }
    guard file.status.isSameFile(as: status), file.status.size == archive.size else {
      throw changed
    }
    return file
  }

  func check(_ file: UploadFile) throws(PackError) {
    let isSame = try mapFailure(.reading) { () throws(Failure) in try file.isUnchanged() }
    guard isSame else { throw changed }
  }

  var changed: PackError {
    PackError(
      .changed, "'\(path)' changed while it was uploaded; nothing of it was completed",
      remedy: "wait until whoever writes it has finished, and run this again")
  }
}

/// Brings archives to the service, step by step, and writes each step down before it is taken.
package final class PackUploader {
  package struct Options: Sendable {
    /// How many parts are sent at once.
    package var parallel = 4
    /// Whether the service is told the MD5 of the file; it may refuse to hear it.
    package var sendsMD5 = false
    /// Whether the manifest is sent and judged before the archive.
    package var checksManifest = false
    /// Whether an archive that failed in processing is sent again as a new version.
    package var retriesFailed = false

    package init() {}
  }

  /// What happens, for a person who waits.
  package enum Notice: Sendable, Equatable {
    case madeRecord
    case makes(VersionKey)
    /// Parts are sent from now on; the progress of the operation says how many bytes have arrived.
    case sending(VersionKey, done: UInt64)
    case remark(UploadCourse.Remark)
    /// The service did not want to hear the checksum.
    case withoutChecksum
    case manifestAccepted
    /// Nothing was said about the manifest in time.
    case manifestUnjudged
    /// Another run uploaded the same archive while this one waited for it.
    case broughtElsewhere
    /// The upload is not needed: another archive, whose upload was interrupted, did not replace
    /// this one.
    case notNeeded(UploadVerdict)
  }

  let service: AppStoreService
  private let app: ResourceID
  let journals: JournalStore
  let options: Options
  let work: Work
  let notify: (PackID, Notice) -> Void
  private var sendsMD5: Bool
  /// What was delivered of each pack when it was judged.
  var judged: [PackID: [UploadJournal.Delivered]] = [:]

  package init(
    _ service: AppStoreService, _ app: ResourceID, _ journals: JournalStore, _ options: Options,
    _ work: Work, notify: @escaping (PackID, Notice) -> Void = { _, _ in }
  ) {
    self.service = service
    self.app = app
    self.journals = journals
    self.options = options
    self.work = work
    self.notify = notify
    sendsMD5 = options.sendsMD5
  }

  // MARK: Uploading

  /// Brings an archive; gives the version that it became.
  package func upload(
    _ archive: UploadArchive, _ record: PackRecord?
  ) throws(PackError) -> VersionKey {
    let file = try archive.open()
    let journal = try journals.take(archive.pack)
    // Another run may have brought it while this one waited for the journal.
    if let judged = judged[archive.pack], journal.delivered != judged,
      let last = journal.delivered.last, last.archive == archive.archive
    {
      notify(archive.pack, .broughtElsewhere)
      return last.version
    }
    let record = if let record { record } else { try makeRecord(archive.pack) }
    guard !record.isArchived else { throw PackError.archived(archive.pack) }
    let begun = journal.current.flatMap { $0.archive == archive.archive ? nil : $0.phase.version }
    // The verdict is unknown until the interrupted upload of another archive is settled.
    var isUnjudged = begun != nil && journal.current?.phase.isCompleting == true
    let running = Running(
      UploadCourse(
        journal, bringing: archive.archive, retryingFailed: options.retriesFailed),
      kept: journal, tookOver: begun)
    var told = 0
    var lookups = AppStoreService.lookups
    while true {
      // What the next step may change is on the disk before the step.
      try keep(running)
      for remark in running.course.remarks.dropFirst(told) {
        notify(archive.pack, .remark(remark))
      }
      told = running.course.remarks.count
      let step = running.course.next
      if case .done(let version) = step { return version }
      if isUnjudged, step == .lookForHighest {
        isUnjudged = false
        if let version = try existingVersion(archive, record, running.course.journal) {
          return version
        }
      }
      let losses = running.course.losses
      do throws(PackError) {
        let event = try take(step, archive, file, record, running)
        try running.course.take(event, at: service.clock.now())
        if running.course.losses == 0 { lookups.succeed() }
        if running.course.losses > losses {
          try keep(running)
          try pause(before: &lookups, after: running.loss, archive)
        }
      } catch {
        // Parts may have been read from the changed file before the change was detected.
        if error.kind == .changed { running.course.forgetBrought() }
        // The next run begins with what this one learnt, such as a file that can never be used.
        try keep(running)
        throw error
      }
    }
  }

  /// Waits before the outcome of a step is queried.
  private func pause(
    before lookups: inout Backoff, after loss: PackError?, _ archive: UploadArchive
  ) throws(PackError) {
    let loss =
      loss
      ?? PackError(
        .transfer, "App Store Connect has not settled the upload of '\(archive.path)'",
        remedy: "run this again later: it queries the state first")
    do throws(ServiceTrouble) {
      try service.pausing(after: loss, &lookups)
    } catch {
      throw error.error("upload '\(archive.path)'")
    }
  }

  /// Writes the journal if it differs from the one on the disk.
  func keep(_ running: Running) throws(PackError) {
    guard running.course.journal != running.kept else { return }
    try journals.keep(running.course.journal)
    running.kept = running.course.journal
  }

  /// A course that parts move on as they arrive.
  final class Running {
    var course: UploadCourse
    /// The digests of the archive, divided into the parts that the service requests.
    var sums: ArchiveSums?
    /// The journal as it is on the disk.
    var kept: UploadJournal
    /// Why the outcome of the last change is unknown.
    var loss: PackError?
    /// The version that was begun for another archive.
    let tookOver: VersionKey?

    init(_ course: UploadCourse, kept: UploadJournal, tookOver: VersionKey?) {
      self.course = course
      self.kept = kept
      self.tookOver = tookOver
    }
  }

  /// Creates the record of a pack.
  ///
  /// If the outcome is unknown, or if another client created the record, queries the record.
  private func makeRecord(_ pack: PackID) throws(PackError) -> PackRecord {
    let task = "make a record of the pack '\(pack)'"
    do throws(ServiceTrouble) {
      return try service.settling { () throws(ServiceTrouble) in
        let made = try service.makePack(pack, of: app)
        notify(pack, .madeRecord)
        return made
      } unless: { () throws(ServiceTrouble) in
        try service.pack(pack, of: app)
      }
    } catch {
      guard case .refused(let refusal) = error, refusal.isDuplicate else {
        throw error.error(task)
      }
      let found = try plainly { () throws(ServiceTrouble) in try service.pack(pack, of: app) }
      guard let found else { throw refusal.error(task) }
      return found
    }
  }

  private func take(
    _ step: UploadCourse.Step, _ archive: UploadArchive, _ file: UploadFile, _ record: PackRecord,
    _ running: Running
  ) throws(PackError) -> UploadCourse.StepResult {
    do throws(ServiceTrouble) {
      switch step {
      case .lookForHighest:
        return .highest(try service.versions(of: record.id).compactMap(\.number).max() ?? 0)
      case .lookForVersion(let number):
        var found: [VersionKey] = []
        for version in try service.versions(of: record.id, in: "AWAITING_UPLOAD")
        where (version.number ?? 0) > number {
          if try service.files(of: version.id).isEmpty { found.append(version.key) }
        }
        return .waiting(found)
      case .makeVersion:
        let made = try service.makeVersion(of: record.id)
        notify(archive.pack, .makes(made.key))
        return .made(made.key)
      case .lookForFiles(let version): return .files(try service.files(of: version.id))
      case .reserve(let version):
        if options.checksManifest {
          let isUsable = try checkManifest(archive, version, ofAnother: running.tookOver == version)
          guard isUsable else { return .notReservable }
        }
        try refusing { () throws(PackError) in try archive.check(file) }
        return .reserved(
          try service.reserve(
            .asset, archive.fileName, size: archive.archive.size, in: version.id))
      case .lookAtFile(let version, let id):
        let found = try service.file(id)
        let isPlain = ["AWAITING_UPLOAD", "COMPLETE", "FAILED"].contains(found.state?.name)
        return .file(
          found, versionWaits: isPlain ? nil : try service.version(version.id).isAwaitingUpload)
      case .bring(let version, _, let parts):
        return try bring(parts, of: archive, file, version, running)
      case .complete(_, let id):
        try refusing { () throws(PackError) in try archive.check(file) }
        let sums = try sums(of: archive, file, running)
        let differing = running.course.differing(from: sums.parts)
        guard differing.isEmpty else { return .partsDiffer(differing) }
        return .completed(try service.commit(id, md5: sendsMD5 ? sums.md5 : nil))
      case .done(let version): return .made(version)
      }
    } catch {
      if case .lost(let trouble) = error { running.loss = trouble }
      return try event(of: error, in: step, archive)
    }
  }

  /// What it means for a step that it was refused.
  private func event(
    of trouble: ServiceTrouble, in step: UploadCourse.Step, _ archive: UploadArchive
  ) throws(PackError) -> UploadCourse.StepResult {
    switch (trouble, step) {
    case (.lost, .makeVersion), (.lost, .reserve), (.lost, .complete): return .lost
    case (.refused(let refusal), .reserve) where refusal.has("STATE_ERROR"): return .notReservable
    case (.refused(let refusal), .lookForFiles) where refusal.status == 404: return .gone
    case (.refused(let refusal), .lookAtFile) where refusal.status == 404: return .gone
    case (.refused(let refusal), .complete) where sendsMD5 && refusal.disputesChecksum:
      return .contentMissing
    case (.refused(let refusal), .complete) where sendsMD5 && refusal.isAboutChecksum:
      // The service refused the checksum before it checked anything else.
      sendsMD5 = false
      notify(archive.pack, .withoutChecksum)
      return .withoutChecksum
    case (.refused(let refusal), .complete(let version, let id)) where refusal.status == 409:
      if refusal.lacksContent { return .contentMissing }
      if refusal.has("STATE_ERROR") { return .notCompletable }
      throw trouble.error("complete \(version.phrase) with the file \(id)")
    default: throw trouble.error("upload '\(archive.path)'")
    }
  }

  // MARK: Errors

  func refusing(_ body: () throws(PackError) -> Void) throws(ServiceTrouble) {
    do throws(PackError) {
      try body()
    } catch {
      throw .failed(error)
    }
  }

  func plainly<Success>(
    _ body: () throws(ServiceTrouble) -> Success
  ) throws(PackError) -> Success {
    try AppStoreService.asking("look at the app's packs", body)
  }
}

package import BAPackKit
import BlockCodecs
package import SystemIO
import TerminalText
import Transfers

/// A verified archive to upload.
package struct UploadArchive: Sendable {
  package let path: String
  package let pack: PackID
  package let archive: UploadJournal.Archive
  /// The manifest in the archive, byte for byte.
  package let manifest: [UInt8]
  let manifestIdentity: UploadJournal.Archive
  /// The status of the file before it was read.
  let status: FileStatus

  /// Creates a value from an archive that was read between two checks of its file.
  package init(
    path: String, pack: PackID, archive: UploadJournal.Archive, manifest: [UInt8],
    status: FileStatus
  ) throws(PackError) {
    self.path = path
    self.pack = pack
    self.archive = archive
    self.manifest = manifest
    manifestIdentity = UploadJournal.Archive(
      sha256: hexadecimal(
        try mapFailure(.reading) { () throws(Failure) in
          try sha256(of: manifest)
        }), size: UInt64(manifest.count))
    self.status = status
  }

  /// The name of the file in the service.
  var fileName: String { "\(pack).aar" }

  /// Opens the file; throws if it has changed since it was read.
  func open() throws(PackError) -> UploadFile {
    let file = try mapFailure(.reading) { () throws(Failure) in try UploadFile(path) }
    guard file.isFile(with: status, size: archive.size) else { throw changed }
    return file
  }

  func check(_ file: UploadFile) throws(PackError) {
    let isSame = try mapFailure(.reading) { () throws(Failure) in try file.isUnchanged() }
    guard isSame else { throw changed }
  }

  func identity(of kind: FileRecord.Kind) -> UploadJournal.Archive {
    switch kind {
    case .asset: archive
    case .manifest: manifestIdentity
    }
  }

  var changed: PackError {
    PackError(
      .changed, "'\(path)' changed during the upload; the upload was not completed",
      remedy: "wait until the file is complete, and run the command again")
  }
}

/// Uploads archives to the service in steps, and records each step before it starts.
package final class PackUploader {
  package struct Options: Sendable {
    /// The maximum number of parts that are sent at the same time.
    package var parallel = 4
    /// Whether the MD5 digest of the file is sent; the service may refuse it.
    package var sendsMD5 = false
    /// Whether the manifest is uploaded and validated before the archive.
    package var checksManifest = false
    /// Whether an archive that failed in processing is uploaded again as a new version.
    package var retriesFailed = false

    package init() {}
  }

  /// An event for the user during an upload.
  package enum Notice: Sendable, Equatable {
    case madeRecord
    case makes(VersionKey)
    /// Parts are sent; the progress of the operation is the number of received bytes.
    case sending(VersionKey, done: UInt64)
    case remark(UploadCourse.Remark)
    /// The service refused the checksum.
    case withoutChecksum
    case manifestAccepted
    /// The manifest was not validated in time.
    case manifestUnjudged
  }

  /// The outcome of an upload, with the version of the archive.
  package enum Outcome: Sendable, Equatable {
    case uploaded(VersionKey)
    /// The version is complete: another archive, whose upload was interrupted, did not replace it.
    case unchanged(VersionKey)
    /// The same, and the version is still being processed.
    case notNeeded(VersionKey)
    /// Another run uploaded the same archive while this run waited for the lock.
    case uploadedElsewhere(VersionKey)

    package var version: VersionKey {
      switch self {
      case .uploaded(let version), .unchanged(let version), .notNeeded(let version),
        .uploadedElsewhere(let version):
        version
      }
    }
  }

  let service: AppStoreService
  private let app: ResourceID
  let journals: JournalStore
  let options: Options
  let work: Work
  let notify: (PackID, Notice) -> Void
  private var sendsMD5: Bool
  /// The deliveries of each pack at the time of its verdict.
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

  /// Uploads an archive, if that is still needed.
  package func upload(
    _ archive: UploadArchive, _ record: PackRecord?
  ) throws(PackError) -> Outcome {
    let file = try archive.open()
    let journal = try journals.lock(archive.pack)
    // Another run may have uploaded it while this run waited for the lock.
    if let judged = judged[archive.pack], journal.delivered != judged,
      let last = journal.delivered.last, last.archive == archive.archive
    {
      return .uploadedElsewhere(last.version)
    }
    let record = if let record { record } else { try makeRecord(archive.pack) }
    guard !record.isArchived else { throw PackError.archived(archive.pack) }
    let begun = journal.current.flatMap { $0.archive == archive.archive ? nil : $0.phase.version }
    // The verdict is unknown until the interrupted upload of another archive is settled.
    var isUnjudged = begun != nil && journal.current?.phase.isCompleting == true
    let running = Running(
      UploadCourse(
        journal, uploading: archive.archive,
        after: options.checksManifest ? archive.manifestIdentity : nil,
        retryingFailed: options.retriesFailed),
      kept: journal, archive: file,
      manifest: UploadFile(archive.manifest, named: "the manifest of '\(archive.path)'"))
    var reported = 0
    var queries = AppStoreService.queries
    while true {
      // The journal is on the disk before the step that it describes.
      try keep(running)
      for remark in running.course.remarks.dropFirst(reported) {
        notify(archive.pack, .remark(remark))
      }
      reported = running.course.remarks.count
      let step = running.course.next
      if case .done(let version) = step { return .uploaded(version) }
      if isUnjudged, step == .findHighest {
        isUnjudged = false
        if let found = try existingVersion(archive, record, running.course.journal) { return found }
      }
      let losses = running.course.losses
      do throws(PackError) {
        let event = try perform(step, archive, record, running)
        try running.course.apply(event, at: service.time)
        if running.course.losses == 0 { queries.succeed() }
        if running.course.losses > losses {
          try keep(running)
          try pause(before: &queries, after: running.loss, archive)
        }
      } catch {
        // Parts may have been read from the changed file before the change was detected.
        if error.kind == .changed { running.course.discardSentParts() }
        // The next run starts with the results of this one, such as a file that cannot be used.
        try keep(running)
        throw error
      }
    }
  }

  /// Waits before the outcome of a step is queried.
  private func pause(
    before queries: inout Backoff, after loss: PackError?, _ archive: UploadArchive
  ) throws(PackError) {
    let loss =
      loss
      ?? PackError(
        .transfer, "the state of the upload of '\(archive.path)' is unknown",
        remedy: "run the command again later: it queries the state first")
    do throws(ServiceError) {
      try service.wait(after: loss, &queries)
    } catch {
      throw error.error("upload '\(archive.path)'")
    }
  }

  /// Writes the journal if it differs from the one on the disk.
  func keep(_ running: Running) throws(PackError) {
    guard running.course.journal != running.kept else { return }
    try journals.save(running.course.journal)
    running.kept = running.course.journal
  }

  /// A course that is updated when parts arrive.
  final class Running {
    var course: UploadCourse
    /// The digests of the file that is being uploaded, divided into the parts that the service
    /// requests.
    var sums: FileSums?
    let archive: UploadFile
    let manifest: UploadFile
    /// The journal on the disk.
    var kept: UploadJournal
    /// The reason why the outcome of the last change is unknown.
    var loss: PackError?

    init(
      _ course: UploadCourse, kept: UploadJournal, archive: UploadFile, manifest: UploadFile
    ) {
      self.course = course
      self.kept = kept
      self.archive = archive
      self.manifest = manifest
    }

    /// The file that is being uploaded.
    var file: UploadFile { course.kind == .manifest ? manifest : archive }
  }

  /// Creates the record of a pack.
  ///
  /// If the outcome is unknown, or if another client created the record, queries the record.
  private func makeRecord(_ pack: PackID) throws(PackError) -> PackRecord {
    let task = "create the asset pack '\(pack)'"
    do throws(ServiceError) {
      return try service.settling { () throws(ServiceError) in
        let made = try service.makePack(pack, of: app)
        notify(pack, .madeRecord)
        return made
      } unless: { () throws(ServiceError) in
        try service.pack(pack, of: app)
      }
    } catch {
      guard case .refused(let refusal) = error, refusal.isDuplicate else {
        throw error.error(task)
      }
      let found = try plainly { () throws(ServiceError) in try service.pack(pack, of: app) }
      guard let found else { throw refusal.error(task) }
      return found
    }
  }

  private func perform(
    _ step: UploadCourse.Step, _ archive: UploadArchive, _ record: PackRecord, _ running: Running
  ) throws(PackError) -> UploadCourse.StepResult {
    do throws(ServiceError) {
      switch step {
      case .findHighest:
        return .highest(try service.versions(of: record.id).compactMap(\.number).max() ?? 0)
      case .findVersion(let number):
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
      case .findFiles(let version): return .files(try service.files(of: version.id))
      case .reserve(let version):
        try refusing { () throws(PackError) in try archive.check(running.archive) }
        let isManifest = running.course.kind == .manifest
        return .reserved(
          try service.reserve(
            running.course.kind, isManifest ? "Manifest.json" : archive.fileName,
            size: archive.identity(of: running.course.kind).size, in: version.id))
      case .readFile(let version, let id):
        let found = try service.file(id)
        let isPlain = ["AWAITING_UPLOAD", "COMPLETE", "FAILED"].contains(found.state?.name)
        return .file(
          found, versionWaits: isPlain ? nil : try service.version(version.id).isAwaitingUpload)
      case .sendParts(let version, _, let parts):
        return try sendParts(parts, of: archive, version, running)
      case .complete(_, let id):
        let sums = try sums(of: archive, running)
        let differing = running.course.differing(from: sums.parts, isChecksumSent: sendsMD5)
        guard differing.isEmpty else { return .partsDiffer(differing) }
        return .completed(try service.commit(id, md5: sendsMD5 ? sums.md5 : nil))
      case .validate(let version, let id): return try validate(archive, version, manifest: id)
      case .done(let version): return .made(version)
      }
    } catch {
      if case .lost(let failure) = error { running.loss = failure }
      return try event(of: error, in: step, archive)
    }
  }

  /// Returns the result of a step that failed.
  private func event(
    of failure: ServiceError, in step: UploadCourse.Step, _ archive: UploadArchive
  ) throws(PackError) -> UploadCourse.StepResult {
    switch (failure, step) {
    case (.lost, .makeVersion), (.lost, .reserve), (.lost, .complete): return .lost
    case (.refused(let refusal), .reserve) where refusal.has("STATE_ERROR"): return .notReservable
    case (.refused(let refusal), .findFiles) where refusal.status == 404: return .notFound
    case (.refused(let refusal), .readFile) where refusal.status == 404: return .notFound
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
      throw failure.error("complete \(version.phrase) with the file \(id)")
    default: throw failure.error("upload '\(archive.path)'")
    }
  }

  // MARK: Errors

  func refusing(_ body: () throws(PackError) -> Void) throws(ServiceError) {
    do throws(PackError) {
      try body()
    } catch {
      throw .failed(error)
    }
  }

  func plainly<Success>(
    _ body: () throws(ServiceError) -> Success
  ) throws(PackError) -> Success {
    try AppStoreService.perform("read the packs of the app", body)
  }
}

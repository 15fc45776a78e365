import AppStoreConnect
import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO

/// `upload`: uploads packs to App Store Connect.
struct UploadCommand: Subcommand {
  private static let packs = ArgumentList(
    "pack", .file("aar"), elsewhere: ProjectOptions.hint, triedAs: ManifestOptions.inputGuesses,
    "Packs, folders or IDs of packs (default: the packs of the project).")
  private static let wait = Flag(
    "wait", in: .waiting, "Wait until each version is ready for testing or failed.")
  private static let parallel = DefaultedOption(
    "parallel", .number(in: 1...16), called: "count", in: .performance, default: 4, shownAs: "4",
    "Send this many parts at the same time.")
  private static let dryRun = Flag(
    "dry-run", short: "n", in: .output, "Print the planned uploads, change nothing.",
    details: """
      With an API key, it reads the app and its versions. Without one, it sends no request.
      """)
  private static let manifestCheck = Flag(
    "manifest-check", in: .check, "Send each manifest first, and stop if it is rejected.",
    details: "App Store Connect checks the Manifest.json of each pack before the archive is sent.")
  private static let checksum = Option<Checksum>(
    "checksum", .choice, called: "kind", in: .check, "Send this checksum with each archive.",
    details: "If App Store Connect rejects it, the archive is sent without it.")
  private static let retryFailed = Flag(
    "retry-failed", in: .check, "Upload archives again that failed in processing.",
    details: "They become new versions.")
  private static let record = Option(
    "record", .file("json"), called: "path", in: .output, "Record uploads in this file.",
    details: "For machines without a permanent home folder; commit or cache the file.")

  private enum Checksum: String, Sendable, CaseIterable { case md5 }

  static let definition = Command(
    "upload", overview: "Upload packs to App Store Connect.",
    discussion: [
      """
      All packs are verified by the rules of Apple's hosting before the first request. The record \
      of a pack is found by its ID, or is created. Each archive becomes the next version, which \
      internal testers receive after processing. The command does not submit packs for review. \
      'ba-package app check' checks the app that reads them.
      """,
      """
      An archive that is already the newest complete version is skipped. An archive that failed in \
      processing is reported, and is sent again only with '--retry-failed'. An interrupted upload \
      can be resumed for seven days. A version number is never used for two archives. Uploads are \
      recorded in ~/.local/state/ba-package, or in the file of '--record'.
      """,
      """
      A version from another machine is recognized by its size and digest, if App Store Connect \
      returns them, or by a shared record. To send a version to external testers, press 'Set Up \
      External Testing' in App Store Connect.
      """,
      """
      Parts of App Store Connect are undocumented. The numbered list in the manual page contains \
      them and the behavior of this command.
      """,
      DocumentName.upload.described(
        "With '--format json', prints one object, also if the run fails after the first request"),
    ],
    notes: OpenQuestion.all.map(\.paragraph),
    [packs] + AppStoreOptions.all
      + [
        wait, WaitOptions.timeout, WaitOptions.strict, manifestCheck, checksum, retryFailed,
        dryRun, record, ReportFormat.option, parallel, PackInput.threads, MemoryOption.option,
      ],
    exclusive: [
      ProjectOptions.exclusive, [dryRun, wait], [dryRun, manifestCheck], [dryRun, checksum],
    ],
    dependent: [(WaitOptions.timeout, on: wait), (WaitOptions.strict, on: wait)],
    examples: [
      Term(
        "ba-package upload build/packs --app com.example.lantern --wait",
        "Upload changed packs and wait for processing."),
      Term("ba-package upload cave.aar --app 1234567890 --dry-run", "Show the planned upload."),
      Term(
        "ba-package upload *.aar --app 1234567890 --record uploads.json",
        "Upload in CI with a journal in the checkout."),
    ],
    topics: ["project-file"])

  private let packs: [String]
  private let input: ManifestOptions
  private let options: AppStoreOptions
  private let waits: Bool
  private let timeout: Duration
  private let isStrict: Bool
  private let isDryRun: Bool
  private let uploading: PackUploader.Options
  private let record: String?
  private let format: ReportFormat
  private let verification: Verification

  init(_ arguments: ParsedArguments) throws(UsageError) {
    packs = arguments[Self.packs]
    input = ManifestOptions(arguments, operands: packs)
    options = try AppStoreOptions(arguments)
    waits = arguments[Self.wait]
    timeout = arguments[WaitOptions.timeout]
    isStrict = arguments[WaitOptions.strict]
    isDryRun = arguments[Self.dryRun]
    var uploading = PackUploader.Options()
    uploading.parallel = arguments[Self.parallel]
    uploading.checksManifest = arguments[Self.manifestCheck]
    uploading.retriesFailed = arguments[Self.retryFailed]
    uploading.sendsMD5 = arguments[Self.checksum] != nil
    self.uploading = uploading
    record = arguments[Self.record]
    format = arguments[ReportFormat.option]
    var verification = Verification()
    verification.hosting = .apple
    verification.threads = arguments[PackInput.threads] ?? ProcessState.processorCount
    verification.memory = UInt64(arguments[MemoryOption.option])
    self.verification = verification
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    let outcome = "No packs were uploaded"
    guard packs.isEmpty else {
      guard let known = try PackOperands(input, console, otherwise: outcome) else {
        return .failed
      }
      return try upload(try named(packs, known), console)
    }
    guard let input = try input.opened(console, otherwise: outcome),
      let outputs = try ProjectOutputs(input, console, otherwise: outcome)
    else { return .failed }
    try outputs.checkMade()
    return try upload(outputs.paths, console)
  }

  private func upload(
    _ packs: [String], _ console: Console
  ) throws(PackError) -> ExitStatus {
    guard let service = try service(console) else { return try planOffline(packs, console) }
    guard let archives = try checked(packs, console) else { return .failed }
    let app = try options.app(service, console)
    var records: [PackID: PackRecord] = [:]
    for record in try console.packs(of: app, service) { records[record.pack] = record }
    let run = UploadRun(
      console, service, app, try store(service, app, console), uploading,
      archives.map { UploadItem($0, strict: isStrict) })
    var failure: PackError?
    do throws(PackError) {
      try upload(records, run)
    } catch {
      if error.kind != .interrupted { console.error(error) }
      failure = error
    }
    let isInterrupted = failure?.kind == .interrupted
    let results = UploadResults(
      app: app.id.text, items: run.items, isDryRun: isDryRun,
      use: isInterrupted ? nil : use(of: app, run, records, service, console), failure: failure)
    let status = results.conclude(console, as: format)
    if let failure, isInterrupted { throw failure }
    return status
  }

  private func upload(
    _ records: [PackID: PackRecord], _ run: UploadRun
  ) throws(PackError) {
    try run.decide(records)
    run.checkLimit(records)
    if isDryRun { return run.plan() }
    guard !run.isRefused else { return }
    try run.upload(records)
    if waits, !run.wasStopped { try run.wait(timeout) }
  }

  /// Returns the space that the app uses after the run; nil, with a warning, if the listing fails.
  private func use(
    of app: AppRecord, _ run: UploadRun, _ records: [PackID: PackRecord],
    _ service: AppStoreService, _ console: Console
  ) -> HostedUse? {
    if run.uploadedCount == 0 { return HostedUse(Array(records.values)) }
    do throws(PackError) {
      return HostedUse(try console.packs(of: app, service))
    } catch {
      console.warning("the space that the app uses is unknown: \(error.message)")
      return nil
    }
  }

  /// Returns the service; nil for a dry run without a key.
  private func service(_ console: Console) throws(PackError) -> AppStoreService? {
    do throws(PackError) {
      return try options.service(console)
    } catch {
      guard isDryRun, error.kind == .missing, !options.namesKey else { throw error }
      console.warning("No request was sent to App Store Connect: \(error.message)")
      return nil
    }
  }

  /// Prints the plan of a dry run without a service: all archives would be uploaded.
  private func planOffline(
    _ packs: [String], _ console: Console
  ) throws(PackError) -> ExitStatus {
    guard let archives = try checked(packs, console) else { return .failed }
    let app = try options.app(console)
    let lines = UploadLines(console, archives)
    for archive in archives { lines.plan(archive) }
    let items = archives.map { UploadItem($0, strict: isStrict) }
    return UploadResults(app: app, items: items, isDryRun: true, hasSentRequests: false)
      .conclude(console, as: format)
  }

  private func store(
    _ service: AppStoreService, _ app: AppRecord, _ console: Console
  ) throws(PackError) -> JournalStore {
    let owner = JournalStore.Owner(service: try service.recordName(), app.id)
    let waiting = { console.summary("Waiting: another run uploads this pack.") }
    if let record {
      return JournalStore(inRecord: record, of: owner, console.work, waiting: waiting)
    }
    do throws(PackError) {
      return JournalStore(
        inFolder: try UserFolders.state(console), of: owner, console.work, waiting: waiting)
    } catch {
      throw PackError(
        error.kind, error.message,
        remedies: error.remedies + [.keepUploadsElsewhere])
    }
  }

  // MARK: Checks before uploads

  /// Reads and verifies all packs; nil after errors, which have been reported.
  private func checked(
    _ packs: [String], _ console: Console
  ) throws(PackError) -> [UploadArchive]? {
    var findings = Ledger()
    var archives: [UploadArchive] = []
    var hasFailed = false
    var unreadable = 0
    for path in packs {
      do throws(PackError) {
        let status = try mapFailure(.reading) { () throws(Failure) in try FileStatus(ofFileAt: path)
        }
        let report = try verify(path, console)
        findings.add(contentsOf: report.findings)
        if report.hasErrors {
          hasFailed = true
          continue
        }
        let read = try PublishedArchive(
          reading: path, memory: verification.memory, console.work)
        archives.append(
          try UploadArchive(
            path: path, pack: read.id, archive: .init(sha256: read.sha256, size: read.size),
            manifest: try manifest(inPack: path), status: status))
      } catch {
        if error.kind == .interrupted { throw error }
        console.error(error)
        unreadable += 1
        hasFailed = true
      }
    }
    console.report(findings, as: .text, of: RuleCatalogue.rules(of: .packs), for: .apple)
    var paths: [String: String] = [:]
    for archive in archives {
      // Whether App Store Connect distinguishes IDs by case is undocumented.
      if let other = paths.updateValue(archive.path, forKey: archive.pack.text.lowercased()) {
        console.error(
          "'\(other)' and '\(archive.path)' have the same ID '\(archive.pack)' (case is ignored)",
          remedy: "upload one of them")
        hasFailed = true
      }
    }
    guard !hasFailed else {
      let reasons = [findings.isEmpty ? nil : findings.tally, unread(unreadable)].compactMap { $0 }
      let phrase = reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; ")
      console.finding(text: "No packs were uploaded\(phrase)\n")
      return nil
    }
    return archives
  }

  /// Returns the given packs, without duplicates.
  private func named(
    _ packs: [String], _ known: PackOperands
  ) throws(PackError) -> [String] {
    var seen: Set<FileIdentity> = []
    var named: [String] = []
    for path in packs {
      // A missing pack is reported when it is read.
      for found in try known.archives(path) {
        let identity = (try? FileStatus(ofFileAt: found))?.identity
        if identity.map({ seen.insert($0).inserted }) ?? true { named.append(found) }
      }
    }
    return named
  }

  /// Returns the manifest in a pack; empty without `--manifest-check`.
  private func manifest(inPack path: String) throws(PackError) -> [UInt8] {
    guard uploading.checksManifest else { return [] }
    let inspection = try PackInspection(of: path, memory: verification.memory)
    return inspection.manifest?.source.bytes ?? []
  }

  private func verify(
    _ path: String, _ console: Console
  ) throws(PackError) -> VerificationReport {
    let line = ProgressLine(console, title: "Verifying")
    defer { line.finish() }
    return try verification.verify(path, console.work.reporting { line.update($0) })
  }
}

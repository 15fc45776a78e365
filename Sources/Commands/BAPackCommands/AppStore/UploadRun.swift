import AppStoreConnect
import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText
import Transfers

/// One run of `upload`: the decisions about each pack, and the results.
final class UploadRun {
  private let console: Console
  private let service: AppStoreService
  private let app: AppRecord
  private let uploader: PackUploader
  private let lines: UploadLines
  private(set) var items: [UploadItem]
  private(set) var wasStopped = false

  init(
    _ console: Console, _ service: AppStoreService, _ app: AppRecord, _ journals: JournalStore,
    _ options: PackUploader.Options, _ items: [UploadItem]
  ) {
    self.console = console
    self.service = service
    self.app = app
    self.items = items
    let lines = UploadLines(console, items.map(\.archive))
    self.lines = lines
    uploader = PackUploader(service, app.id, journals, options, lines.work) { pack, notice in
      lines.report(pack, notice)
    }
  }

  var uploadedCount: Int { items.count { $0.outcome == .uploaded } }
  /// Whether one pack cannot be sent, so that no pack is sent.
  var isRefused: Bool { items.contains { $0.failure?.kind == .conflict } }

  /// Decides for each archive whether it must be sent; after an error, the other archives remain
  /// planned.
  func decide(_ records: [PackID: PackRecord]) throws(PackError) {
    for index in items.indices {
      let archive = items[index].archive
      settle(index, try uploader.verdict(archive, records[archive.pack]))
    }
  }

  /// Records and prints the result for an archive that is not uploaded.
  private func settle(_ index: Int, _ verdict: UploadVerdict) {
    let pack = items[index].archive.pack
    switch verdict {
    case .archived: fail(index, PackError.archived(pack))
    case .needed, .perhapsFailed: break
    case .failed(let version):
      items[index].version = version.key
      items[index].record = version
      fail(index, Processing.failure(of: pack, as: version))
    case .unchanged(let version), .unchangedUnless(let version, _):
      note(index, .unchanged, version, "unchanged since \(version.phrase), skipped")
    case .perhapsProcessing(let version):
      note(
        index, .processing, version,
        "\(version.phrase) was uploaded before and is being processed")
    }
  }

  /// Records and prints the outcome of an archive that has a version.
  private func note(
    _ index: Int, _ outcome: UploadItem.Outcome, _ version: VersionKey, _ phrase: String
  ) {
    items[index].outcome = outcome
    items[index].version = version
    lines.report(items[index].archive.pack, phrase)
  }

  private func fail(_ index: Int, _ error: PackError) {
    console.error(error)
    items[index].outcome = .failed
    items[index].failure = error
  }

  /// Warns if the number of packs will exceed Apple's limit for an app.
  func checkLimit(_ records: [PackID: PackRecord]) {
    let new = items.count { $0.outcome == .planned && records[$0.archive.pack] == nil }
    let limits = DeliveryLimits.current
    let count = records.values.count { !$0.isArchived } + new
    guard new > 0, limits.number.level(UInt64(count)) == .over else { return }
    console.warning(
      "the app will have \(count) packs; the limit is \(limits.packs) (as of \(limits.date)): "
        + "'ba-package app-store archive' permanently removes a pack")
  }

  func plan() {
    for item in items where item.outcome == .planned { lines.plan(item.archive) }
  }

  func upload(_ records: [PackID: PackRecord]) throws(PackError) {
    for index in items.indices where items[index].outcome == .planned {
      let archive = items[index].archive
      do throws(PackError) {
        defer { lines.finish() }
        let outcome = try uploader.upload(archive, records[archive.pack])
        let version = outcome.version
        lines.finish()
        switch outcome {
        case .unchanged: settle(index, .unchanged(version))
        case .notNeeded: settle(index, .perhapsProcessing(version))
        case .uploadedElsewhere:
          note(index, .processing, version, "\(version.phrase) was uploaded by another run")
        case .uploaded:
          note(
            index, .uploaded, version,
            "\(version.phrase)   \(Quantity.bytes(archive.archive.size))   uploaded")
        }
      } catch {
        if error.kind == .interrupted { throw error }
        fail(index, error)
        // An error of the key or of the network affects all packs.
        guard Self.isOfOnePack(error) else {
          wasStopped = true
          return
        }
      }
    }
  }

  private static func isOfOnePack(_ error: PackError) -> Bool {
    let kinds: Set<PackError.Kind> = [
      .changed, .conflict, .missing, .server(status: 200), .server(status: 409),
      .server(status: 422),
    ]
    return error.kind.isMalformed || kinds.contains(error.kind)
  }

  /// Waits for the sent versions; stores their last known states, and throws an error that ended
  /// the wait.
  func wait(_ time: Duration) throws(PackError) {
    let awaited = items.compactMap { item in
      item.outcome == .uploaded || item.outcome == .processing
        ? item.version.map { Processing.Awaited(item.archive.pack, $0) } : nil
    }
    let ending = Processing(service, of: app.id).wait(for: awaited, atMost: time) { notice in
      console.report(notice) { lines.report($0, $1) }
    }
    for index in items.indices {
      guard let version = items[index].version else { continue }
      let item = Processing.Awaited(items[index].archive.pack, version)
      items[index].wasAwaited = awaited.contains(item)
      items[index].record = ending.seen[item] ?? items[index].record
    }
    if let trouble = ending.failure { throw trouble }
  }
}

/// The progress of uploads: a line for each pack, its ID in a column.
final class UploadLines {
  private let console: Console
  private let width: Int
  private let sizes: [PackID: UInt64]
  /// The line of the archive that is being sent.
  private let line = Guarded<ProgressLine?>(nil)

  init(_ console: Console, _ archives: [UploadArchive]) {
    self.console = console
    width = archives.map { ColumnCount($0.pack.text).columns }.max() ?? 0
    sizes = Dictionary(archives.map { ($0.pack, $0.archive.size) }) { first, _ in first }
  }

  func report(_ pack: PackID, _ phrase: String) {
    console.summary("\(pack.text.padded(to: width))  \(phrase)")
  }

  func plan(_ archive: UploadArchive) {
    report(
      archive.pack,
      "would be uploaded: \(Quantity.bytes(archive.archive.size)) from '\(archive.path)'")
  }

  func finish() {
    line.with { line in
      defer { line = nil }
      return line
    }?.finish()
  }

  /// The work of uploads, whose progress is shown.
  var work: Work {
    console.work.reporting { [line] progress in line.with { $0 }?.update(progress) }
  }

  func report(_ pack: PackID, _ notice: PackUploader.Notice) {
    switch notice {
    case .sending(let version, let done):
      let new = ProgressLine(console, title: "\(pack)  \(version.phrase)")
      let current = line.with { line in
        if line == nil { line = new }
        return line
      }
      current?.update(Work.Progress(done: done, total: sizes[pack]))
    case .madeRecord: console.detail("\(pack): created the asset pack in App Store Connect")
    case .makes(let version): console.detail("\(pack): created \(version.phrase)")
    case .withoutChecksum:
      report(pack, "the checksum was refused; continuing without it")
    case .manifestAccepted: report(pack, "its manifest was accepted")
    case .manifestUnjudged: report(pack, "timed out waiting for the check of its manifest")
    case .remark(.abandoned(let version)):
      report(pack, "\(version.phrase) has no file and is not used")
    case .remark(.hasOtherManifest(let version)):
      report(pack, "\(version.phrase) has the manifest of another archive and is not used")
    case .remark(.resumes(let version, let sent)):
      report(pack, "resuming \(version.phrase), \(Quantity.bytes(sent)) already uploaded")
    }
  }
}

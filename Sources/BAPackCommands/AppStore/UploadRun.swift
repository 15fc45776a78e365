import AppStoreConnect
import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// One run of `upload`: what is decided for each pack, and what became of it.
final class UploadRun {
  /// What becomes of a pack.
  private struct Item {
    let archive: UploadArchive
    var outcome: Outcome
    var version: VersionKey?
    var record: PackVersion?
    var trouble: PackError?
  }

  private enum Outcome: String { case planned, uploaded, unchanged, processing, failed }

  private let console: Console
  private let service: AppStoreService
  private let journals: JournalStore
  private let uploader: PackUploader
  private let voice: UploadVoice
  private var items: [Item] = []
  private(set) var wasStopped = false

  init(
    _ console: Console, _ service: AppStoreService, _ app: AppRecord, _ journals: JournalStore,
    _ options: PackUploader.Options, columns archives: [UploadArchive]
  ) {
    self.console = console
    self.service = service
    self.journals = journals
    let voice = UploadVoice(console, archives)
    self.voice = voice
    uploader = PackUploader(service, app.id, journals, options) { pack, notice in
      voice.say(pack, notice)
    }
  }

  var uploadedCount: Int { items.count { $0.outcome == .uploaded } }

  func decide(_ archives: [UploadArchive], _ records: [PackID: PackRecord]) throws(PackError) {
    for archive in archives {
      switch try uploader.verdict(archive, records[archive.pack]) {
      case .archived: throw PackUploader.archived(archive.pack)
      case .needed: items.append(Item(archive: archive, outcome: .planned))
      case .unchanged(let version), .unchangedUnless(let version, _):
        items.append(Item(archive: archive, outcome: .unchanged, version: version))
        voice.say(archive.pack, "unchanged since \(version.words), skipped")
      case .perhapsProcessing(let version):
        items.append(Item(archive: archive, outcome: .processing, version: version))
        voice.say(archive.pack, "\(version.words) was uploaded before and is being processed")
      }
    }
  }

  /// Says when there will be more packs than an app may have, as far as Apple's number still holds.
  func checkLimit(_ records: [PackID: PackRecord]) {
    let new = items.count { $0.outcome == .planned && records[$0.archive.pack] == nil }
    let limits = DeliveryLimits.current
    let count = records.values.count { !$0.isArchived } + new
    guard new > 0, limits.number.level(UInt64(count)) == .over else { return }
    console.warning(
      "the app will have \(count) packs, and \(limits.packs) are the most (as of \(limits.date)): "
        + "'ba-package app-store archive' removes one for ever")
  }

  func plan() {
    for item in items where item.outcome == .planned {
      voice.say(
        item.archive.pack,
        "would be uploaded: \(Quantity.bytes(item.archive.archive.size)) from '\(item.archive.path)'"
      )
    }
  }

  func bring(_ records: [PackID: PackRecord]) throws(PackError) {
    for index in items.indices where items[index].outcome == .planned {
      let archive = items[index].archive
      do throws(PackError) {
        defer { voice.finish() }
        let version = try uploader.upload(archive, records[archive.pack])
        items[index].version = version
        voice.finish()
        guard !voice.broughtElsewhere.contains(archive.pack) else {
          items[index].outcome = .processing
          voice.say(archive.pack, "\(version.words) was uploaded by another run meanwhile")
          continue
        }
        items[index].outcome = .uploaded
        voice.say(
          archive.pack, "\(version.words)   \(Quantity.bytes(archive.archive.size))   uploaded")
      } catch {
        if error.kind == .interrupted { throw error }
        console.error(error)
        items[index].outcome = .failed
        items[index].trouble = error
        // A key that is refused, or a network that is down, are so for the next pack, too.
        guard Self.isOfOnePack(error) else {
          wasStopped = true
          return
        }
      }
    }
  }

  private static func isOfOnePack(_ error: PackError) -> Bool {
    switch error.kind {
    case .changed, .conflict, .missing, .malformed, .server(status: 200),
      .server(status: 409), .server(status: 422):
      true
    default: false
    }
  }

  func wait(_ time: Duration) throws(PackError) {
    let awaited = items.compactMap { item in
      item.outcome == .uploaded || item.outcome == .processing
        ? item.version.map { Processing.Awaited(item.archive.pack, $0) } : nil
    }
    let seen = try Processing(service).wait(for: awaited, atMost: time) { item, version in
      voice.say(item.pack, "\(item.version.words)   \(version.stateInWords)")
    }
    for index in items.indices {
      guard let version = items[index].version,
        let found = seen[.init(items[index].archive.pack, version)]
      else { continue }
      items[index].record = found
    }
  }

  func conclude(
    _ app: AppRecord, _ use: HostedUse, as format: ReportFormat, strict isStrict: Bool,
    waited: Bool, isDryRun: Bool
  ) -> ExitStatus {
    var hasFailed = items.contains { $0.outcome == .failed }
    var isUnfinished = false
    for item in items {
      guard let record = item.record else { continue }
      for finding in record.findingsInWords {
        let text = "\(item.archive.pack): \(finding.text)"
        if finding.isError { console.error(text) } else { console.warning(text) }
      }
      switch Processing.Outcome(record) {
      case .failed:
        hasFailed = true
        if record.errors.isEmpty {
          console.error(
            "\(item.archive.pack): processing failed, and no reason was given",
            remedy: "look at the pack in App Store Connect")
        }
      case .unfinished: isUnfinished = true
      case .testable: break
      }
      if isStrict, !record.warnings.isEmpty { hasFailed = true }
    }
    if format == .json {
      console.result(
        JSONWriter.string(
          .object(
            [
              .init("app", .string(app.id.text)),
              .init("packs", .array(items.map { report($0, isStrict) })),
            ]
              + use.members.map {
                $0.key == "packs" ? JSONValue.Member("packCount", $0.value) : $0
              }), .readable))
    }
    let skipped = items.count { $0.outcome == .unchanged }
    let planned = items.count { $0.outcome == .planned }
    let uploaded = items.count { $0.outcome == .uploaded && !Self.hasFailed($0) }
    let done = isDryRun ? "\(planned) would be uploaded" : "\(uploaded) uploaded"
    let failed = items.count(where: Self.hasFailed)
    let left = wasStopped ? planned : 0
    let words =
      "\(done), \(skipped) skipped\(failed > 0 ? ", \(failed) failed" : "")"
      + "\(left > 0 ? ", \(left) not tried" : ""); \(use.words)"
    console.summary(words)
    StepSummary.add(
      isDryRun ? "Asset packs (dry run)" : "Asset packs",
      ["Pack", "Version", "Size", "State"],
      items.map { item in
        [
          item.archive.pack.text, item.version?.number.map { "\($0)" } ?? "",
          Quantity.bytes(item.archive.archive.size), state(of: item),
        ]
      }, words, console)
    if hasFailed { return .failed }
    guard isUnfinished else { return .done }
    console.error(
      "still processing when the time was up",
      remedy: "run 'ba-package app-store wait' to wait on")
    return .unfinished
  }

  /// Whether a pack did not get there, or was not taken when it was processed.
  private static func hasFailed(_ item: Item) -> Bool {
    item.outcome == .failed || item.record.map { Processing.Outcome($0) == .failed } ?? false
  }

  private func state(of item: Item) -> String {
    if let trouble = item.trouble { return "failed: \(trouble.message)" }
    return item.record?.stateInWords ?? item.outcome.rawValue
  }

  private func report(_ item: Item, _ isStrict: Bool) -> JSONValue {
    let hasFailed =
      item.record.map {
        Processing.Outcome($0) == .failed || (isStrict && !$0.warnings.isEmpty)
      } ?? false
    return .object([
      .init("id", .string(item.archive.pack.text)), .init("path", .string(item.archive.path)),
      .init("sha256", .string(item.archive.archive.sha256)),
      .init("bytes", .integer(item.archive.archive.size)),
      .init("version", item.version?.number.map { .integer($0) } ?? .null),
      .init("outcome", .string((hasFailed ? .failed : item.outcome).rawValue)),
      .init("state", item.record?.report ?? .null),
    ])
  }
}

/// What is said of an upload as it goes on: a line for each pack, its ID in a column.
private final class UploadVoice {
  private let console: Console
  private let width: Int
  private let sizes: [PackID: UInt64]
  private var line: ProgressLine?
  /// The packs that another run uploaded while this one waited.
  private(set) var broughtElsewhere: Set<PackID> = []

  init(_ console: Console, _ archives: [UploadArchive]) {
    self.console = console
    width = archives.map { $0.pack.text.utf8.count }.max() ?? 0
    sizes = Dictionary(archives.map { ($0.pack, $0.archive.size) }) { first, _ in first }
  }

  func say(_ pack: PackID, _ words: String) {
    let gap = String(repeating: " ", count: max(0, width - pack.text.utf8.count))
    console.summary("\(pack)\(gap)  \(words)")
  }

  func finish() {
    line?.finish()
    line = nil
  }

  func say(_ pack: PackID, _ notice: PackUploader.Notice) {
    switch notice {
    case .sending(let version, let done):
      if line == nil {
        line = ProgressLine(
          console, title: "\(pack)  \(version.words)", total: sizes[pack] ?? 0)
      }
      line?.update(done: done)
    case .madeRecord: console.detail("\(pack): its ID was taken")
    case .makes(let version): console.detail("\(pack): this becomes \(version.words)")
    case .withoutChecksum:
      say(pack, "the checksum was refused; it is left out")
    case .broughtElsewhere: broughtElsewhere.insert(pack)
    case .manifestAccepted: say(pack, "its manifest was accepted")
    case .manifestUnjudged: say(pack, "nothing was said about its manifest in time")
    case .remark(.abandoned(let version)):
      say(pack, "\(version.words) stays without a file; that does no harm")
    case .remark(.goesOn(let version, let sent)):
      say(pack, "\(version.words) goes on, \(Quantity.bytes(sent)) are there already")
    }
  }
}

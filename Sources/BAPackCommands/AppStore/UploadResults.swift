import AppStoreConnect
import Arguments
import BAPackKit
import SourceDiagnostics
import TerminalText

/// What became of one pack in a run of `upload`.
struct UploadItem {
  enum Outcome: String { case planned, uploaded, unchanged, processing, failed }

  let archive: UploadArchive
  /// Whether warnings of processing count as failures.
  let isStrict: Bool
  var outcome = Outcome.planned
  var version: VersionKey?
  /// The last known state of the version.
  var record: PackVersion?
  var trouble: PackError?
  var wasAwaited = false

  init(_ archive: UploadArchive, strict isStrict: Bool) {
    self.archive = archive
    self.isStrict = isStrict
  }

  /// Whether it did not get there, or was not accepted when it was processed.
  var hasFailed: Bool {
    outcome == .failed
      || record.map { record in
        Processing.Outcome(record) == .failed || (isStrict && !record.warnings.isEmpty)
      } ?? false
  }

  /// Whether it was waited for in vain.
  var isUnfinished: Bool {
    wasAwaited && (record.map { Processing.Outcome($0) == .unfinished } ?? true)
  }

  fileprivate var state: String {
    if let trouble { return "failed: \(trouble.message)" }
    guard let record else { return outcome.rawValue }
    return hasFailed && Processing.Outcome(record) != .failed
      ? "failed: warnings, with --strict" : record.stateInWords
  }

  fileprivate var report: JSONValue {
    .object([
      .init("id", .string(archive.pack.text)), .init("path", .string(archive.path)),
      .init("sha256", .string(archive.archive.sha256)),
      .init("bytes", .integer(archive.archive.size)),
      .init("version", version?.number.map { .integer($0) } ?? .null),
      .init("outcome", .string((hasFailed ? .failed : outcome).rawValue)),
      .init("error", trouble.map { .string($0.message) } ?? .null),
      .init("state", record?.report ?? .null),
    ])
  }
}

/// The results of `upload`, printed whatever ended the run.
struct UploadResults {
  /// The app's Apple ID, or its name as the user gave it where the service was not asked.
  let app: String
  let items: [UploadItem]
  let isDryRun: Bool
  /// Whether the service was asked what it has.
  var wasAsked = true
  /// The space that the app uses; nil where it is not known.
  var use: HostedUse?
  /// The error that ended the run, which was printed.
  var trouble: PackError?

  /// Prints them, also as the summary of a step, and returns the exit status.
  func conclude(_ console: Console, as format: ReportFormat) -> ExitStatus {
    for item in items where item.trouble == nil { findings(of: item, console) }
    if format == .json { console.result(JSONWriter.string(document, .readable)) }
    console.summary(words)
    StepSummary.add(
      isDryRun ? "Asset packs (dry run)" : "Asset packs",
      ["Pack", "Version", "Size", "State"],
      items.map { item in
        [
          item.archive.pack.text, item.version?.number.map { "\($0)" } ?? "",
          Quantity.bytes(item.archive.archive.size), item.state,
        ]
      }, words, console)
    if trouble != nil || items.contains(where: \.hasFailed) { return .failed }
    guard items.contains(where: \.isUnfinished) else { return .done }
    console.error(
      "still processing when the time was up",
      remedy: "run 'ba-package app-store wait' to wait on")
    return .unfinished
  }

  private func findings(of item: UploadItem, _ console: Console) {
    guard let record = item.record else { return }
    console.report(record.findingsInWords, of: item.archive.pack)
    if Processing.Outcome(record) == .failed, record.errors.isEmpty {
      console.error(
        "\(item.archive.pack): processing failed, and no reason was given",
        remedy: "look at the pack in App Store Connect")
    }
  }

  private var document: JSONValue {
    let limits = HostedUse([]).members
    let unknown = limits.map { member in
      member.key.hasPrefix("most") ? member : .init(member.key, .null)
    }
    return .object(
      [
        .init("app", .string(app)), .init("asked", .bool(wasAsked)),
        .init("packs", .array(items.map(\.report))),
      ]
        + (use?.members ?? unknown).map {
          $0.key == "packs" ? JSONValue.Member("packCount", $0.value) : $0
        } + [.init("error", trouble.map { .string($0.message) } ?? .null)])
  }

  private var words: String {
    let planned = items.count { $0.outcome == .planned }
    let uploaded = items.count { $0.outcome == .uploaded && !$0.hasFailed }
    let failed = items.count(where: \.hasFailed)
    var words = [
      isDryRun ? "\(planned) would be uploaded" : "\(uploaded) uploaded",
      "\(items.count { $0.outcome == .unchanged }) skipped",
    ]
    if failed > 0 { words.append("\(failed) failed") }
    if planned > 0, !isDryRun { words.append("\(planned) not tried") }
    guard wasAsked else {
      return "\(planned) would be uploaded; App Store Connect was not asked what it has"
    }
    return words.joined(separator: ", ") + (use.map { "; \($0.words)" } ?? "")
  }
}

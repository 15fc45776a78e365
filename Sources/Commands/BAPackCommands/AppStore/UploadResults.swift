import AppStoreConnect
import Arguments
import BAPackKit
import SourceDiagnostics
import TerminalText

/// The result of `upload` for one pack.
struct UploadItem: Described {
  enum Outcome: String, Sendable, CaseIterable {
    case planned, uploaded, unchanged, processing, failed
  }

  let archive: UploadArchive
  /// Whether warnings of processing count as failures.
  let isStrict: Bool
  var outcome = Outcome.planned
  var version: VersionKey?
  /// The last known state of the version.
  var record: PackVersion?
  var failure: PackError?
  var wasAwaited = false

  init(_ archive: UploadArchive, strict isStrict: Bool) {
    self.archive = archive
    self.isStrict = isStrict
  }

  /// Whether the upload or the processing failed.
  var hasFailed: Bool {
    outcome == .failed
      || record.map { record in
        Processing.Outcome(record) == .failed || (isStrict && !record.warnings.isEmpty)
      } ?? false
  }

  /// Whether processing did not end before the timeout of a wait.
  var isUnfinished: Bool {
    wasAwaited && (record.map { Processing.Outcome($0) == .unfinished } ?? true)
  }

  fileprivate var state: String {
    if let failure { return "failed: \(failure.message)" }
    guard let record else { return outcome.rawValue }
    return hasFailed && Processing.Outcome(record) != .failed
      ? "failed: warnings, with --strict" : record.stateText
  }

  static let table = Table<Self>(written: "an upload") {
    Key("id", written: \.archive.pack, .packID, "The ID of the pack.")
    Key("path", written: \.archive.path, .text, "The path of the archive.")
    Key("sha256", written: \.archive.archive.sha256, .text, "The SHA-256 digest of the archive.")
    Key("bytes", written: \.archive.archive.size, .bytes, "The size of the archive in bytes.")
    Key("version", written: \.version?.number, .nullable(.integer), "The version, if known.")
    Key("outcome", written: { $0.hasFailed ? .failed : $0.outcome }, .word, "The outcome.")
    Key("error", written: \.failure?.message, .nullable(.text), "The error of the upload, or null.")
    Key(
      "state", written: \.record, .nullable(.object(PackVersion.table)),
      "The last known state of the version, or null.")
  }
}

/// The results of `upload`, also of a run that failed.
struct UploadResults: Described {
  /// The app's Apple ID; the value of '--app' if no request was sent to the service.
  let app: String
  let items: [UploadItem]
  let isDryRun: Bool
  /// Whether requests were sent to the service.
  var hasSentRequests = true
  /// The space that the app uses; nil if it is unknown.
  var use: HostedUse?
  /// The error that ended the run; it was printed before.
  var failure: PackError?

  /// Prints the results, also as the summary of a CI step, and returns the exit status.
  func conclude(_ console: Console, as format: ReportFormat) -> ExitStatus {
    for item in items where item.failure == nil { findings(of: item, console) }
    if format == .json { console.result(json: self, .readable) }
    console.summary(phrase)
    StepSummary.add(
      isDryRun ? "Asset packs (dry run)" : "Asset packs",
      ["Pack", "Version", "Size", "State"],
      items.map { item in
        [
          item.archive.pack.text, item.version?.number.map { "\($0)" } ?? "",
          Quantity.bytes(item.archive.archive.size), item.state,
        ]
      }, phrase, console)
    if failure != nil || items.contains(where: \.hasFailed) { return .failed }
    guard items.contains(where: \.isUnfinished) else { return .done }
    console.error(
      "timed out: versions are still being processed",
      remedy: "run 'ba-package app-store wait' to continue to wait")
    return .unfinished
  }

  private func findings(of item: UploadItem, _ console: Console) {
    guard let record = item.record else { return }
    console.report(record.findingsText, of: item.archive.pack)
    if Processing.Outcome(record) == .failed, record.errors.isEmpty {
      console.error(
        "\(item.archive.pack): processing failed, no reason given",
        remedy: "check the pack in App Store Connect")
    }
  }

  static let table = Table<Self>(written: "the result of uploads") {
    Key("app", written: \.app, .text, "The app's Apple ID, or '--app' if no request was sent.")
    Key(
      "asked", written: \.hasSentRequests, .flag,
      "Whether requests were sent to App Store Connect.")
    Key("packs", written: \.items, .list(of: .object), "The packs.")
    Key(
      "usedBytes", written: \.use?.bytes, .nullable(.bytes),
      "The space that the app uses in bytes; null if it is unknown.")
    Key(
      "mostBytes", written: { _ in DeliveryLimits.current.hostedBytes }, .count,
      "The largest space in bytes.")
    Key(
      "packCount", written: \.use?.packs, .nullable(.count),
      "The number of packs of the app; null if it is unknown.")
    Key(
      "mostPacks", written: { _ in DeliveryLimits.current.packs }, .count,
      "The largest number of packs.")
    Key(
      "error", written: \.failure?.message, .nullable(.text),
      "The error that ended the run, or null.")
  }

  private var phrase: String {
    let planned = items.count { $0.outcome == .planned }
    let uploaded = items.count { $0.outcome == .uploaded && !$0.hasFailed }
    let failed = items.count(where: \.hasFailed)
    var parts = [
      isDryRun ? "\(planned) would be uploaded" : "\(uploaded) uploaded",
      "\(items.count { $0.outcome == .unchanged }) skipped",
    ]
    if failed > 0 { parts.append("\(failed) failed") }
    if planned > 0, !isDryRun { parts.append("\(planned) not attempted") }
    guard hasSentRequests else {
      return "\(planned) would be uploaded; no request was sent to App Store Connect"
    }
    return parts.joined(separator: ", ") + (use.map { "; \($0.phrase)" } ?? "")
  }
}

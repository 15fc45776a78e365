import Arguments
import BAPackKit
import SourceDiagnostics
import TerminalText

/// What `create` and `update` print about what they did, or why they did nothing.
struct PublicationReport {
  private let publication: Publication
  private let files: PublicationFiles?
  private let hadRecord: Bool
  private let findings: Ledger

  /// Reports a publication that was written; without files, to standard output.
  init(
    _ publication: Publication, _ files: PublicationFiles?, hadRecord: Bool, findings: Ledger
  ) {
    self.publication = publication
    self.files = files
    self.hadRecord = hadRecord
    self.findings = findings
  }

  func write(to console: Console, as format: ReportFormat) {
    if format == .json { console.result(JSONWriter.string(jsonValue, .compact)) }
    for change in publication.changes {
      if change.action == .kept {
        console.detail(line(change))
      } else {
        console.summary(line(change))
      }
    }
    for upload in publication.uploads {
      console.summary("Upload '\(upload.path)' as '\(upload.name)'.")
    }
    if let files, !hadRecord {
      console.summary(
        "'\(files.recordPath)' is new and remembers the packs given now; keep it with the manifest."
      )
    }
    console.summary("\(files?.path ?? "The manifest"): \(tally)")
  }

  /// `'tutorial': version 4 -> 5, its bytes differ from those of version 4`.
  private func line(_ change: PublishedChange) -> String {
    let outcome =
      switch change.action {
      case .added: "added as version \(change.version ?? 0)"
      case .raised: "version \(change.previousVersion ?? 0) -> \(change.version ?? 0)"
      case .unchanged: "unchanged, version \(change.version ?? 0)"
      case .kept: "kept, version \(change.version ?? 0)"
      case .removed: "removed, was version \(change.previousVersion ?? 0)"
      }
    return "'\(change.id)': \(outcome)" + (change.reason.map { ", \($0)" } ?? "")
  }

  /// `3 packs for iOS, 12.3 MB to download: 1 added, 2 kept`.
  private var tally: String {
    let packs = publication.manifest?.packs ?? []
    let size = publication.manifest?.downloadSize ?? 0
    let platform = publication.record.platform.map { " for \($0.rawValue)" } ?? ""
    let actions = PublishedChange.Action.allCases.compactMap { action in
      let count = publication.changes.count { $0.action == action }
      return count > 0 ? "\(count) \(action.rawValue)" : nil
    }
    return "\(Quantity.count(packs.count, "pack"))\(platform), \(Quantity.bytes(size)) to download"
      + (actions.isEmpty ? "" : ": " + actions.joined(separator: ", "))
  }

  private var jsonValue: JSONValue {
    let platform = publication.record.platform.map {
      JSONValue.Member("platform", .string($0.rawValue))
    }
    let packs = Dictionary(
      (publication.manifest?.packs ?? []).map { ($0.id, $0) },
      uniquingKeysWith: { first, _ in first })
    let uploads = Dictionary(
      publication.uploads.map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
    let members =
      Self.head(files, isWritten: true) + [
        platform,
        .init(
          "assetPacks",
          .array(publication.changes.map { jsonValue($0, packs[$0.id], uploads) })),
        .init("findings", .array(JSONLinesRenderer.values(findings))),
      ]
    return .object(members.compactMap(\.self))
  }

  private static func head(_ files: PublicationFiles?, isWritten: Bool) -> [JSONValue.Member?] {
    [
      files.map { JSONValue.Member("manifest", .string($0.path)) },
      files.map { .init("lock", .string($0.recordPath)) },
      .init("written", .bool(isWritten)),
    ]
  }

  private func jsonValue(
    _ change: PublishedChange, _ pack: PublishedPack?, _ uploads: [String: PackUpload]
  ) -> JSONValue {
    var members = [
      JSONValue.Member("id", .string(change.id.text)),
      .init("action", .string(change.action.rawValue)),
    ]
    func add(_ key: String, _ value: JSONValue?) {
      if let value { members.append(.init(key, value)) }
    }
    add("version", change.version.map { .number("\($0)") })
    add("previousVersion", change.previousVersion.map { .number("\($0)") })
    add("reason", change.reason.map { .string($0) })
    add("url", pack.map { .string($0.url) })
    add("downloadSize", pack.map { .number("\($0.downloadSize)") })
    let sha256 = pack.flatMap { publication.record.sha256(of: $0.id, version: $0.version) }
    add("sha256", sha256.map { .string($0) })
    add("uploadAs", pack.flatMap { uploads[$0.url] }.map { .string($0.name) })
    return .object(members)
  }

  /// Reports, in the requested format, why nothing was written.
  static func refuse(
    _ what: String, _ findings: Ledger, _ files: PublicationFiles?, to console: Console,
    as format: ReportFormat
  ) -> ExitStatus {
    console.report(findings, as: .text)
    if format == .json {
      let members =
        head(files, isWritten: false) + [
          .init("assetPacks", .array([])),
          .init("findings", .array(JSONLinesRenderer.values(findings))),
        ]
      console.result(JSONWriter.string(.object(members.compactMap(\.self)), .compact))
    }
    return console.nothingDone(what, findings)
  }

  /// Reports a refusal of the machine as JSON; the error is also printed as usual.
  static func refuse(
    _ error: PackError, _ files: PublicationFiles?, to console: Console, as format: ReportFormat
  ) {
    guard format == .json else { return }
    var refusal = [JSONValue.Member("message", .string(error.message))]
    if let remedy = error.remedyInWords { refusal.append(.init("remedy", .string(remedy))) }
    let members =
      head(files, isWritten: false) + [
        .init("assetPacks", .array([])), .init("findings", .array([])),
        .init("error", .object(refusal)),
      ]
    console.result(JSONWriter.string(.object(members.compactMap(\.self)), .compact))
  }
}

extension Console {
  /// Prints that errors stopped the work, and returns the exit status.
  func nothingDone(_ what: String, _ findings: Ledger) -> ExitStatus {
    finding(text: "\(what): \(findings.tally)\n")
    return .failed
  }
}

import Arguments
import BAPackKit
import SourceDiagnostics
import TerminalText

/// The output of `create` and `update`: the changes, or the reasons for a failure.
struct PublicationReport {
  private let publication: Publication
  private let files: PublicationFiles?
  private let hadRecord: Bool
  private let findings: Ledger

  /// Reports a publication that was written.
  ///
  /// Without files it was written to standard output.
  init(
    _ publication: Publication, _ files: PublicationFiles?, hadRecord: Bool, findings: Ledger
  ) {
    self.publication = publication
    self.files = files
    self.hadRecord = hadRecord
    self.findings = findings
  }

  func write(to console: Console, as format: ReportFormat) {
    if format == .json { result.write(to: console) }
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
        "Created '\(files.recordPath)', the version lock of these packs. Keep it with the manifest."
      )
    }
    console.summary("\(files?.path ?? "The manifest"): \(tally)")
  }

  /// Returns `'tutorial': version 4 -> 5, its bytes differ from those of version 4`.
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

  private var result: PublicationResult {
    let packs = Dictionary(
      (publication.manifest?.packs ?? []).map { ($0.id, $0) },
      uniquingKeysWith: { first, _ in first })
    let uploads = Dictionary(
      publication.uploads.map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
    return PublicationResult(
      files: files, isWritten: true, platform: publication.record.platform,
      packs: publication.changes.map { change in
        let pack = packs[change.id]
        return PublicationResult.Pack(
          change: change, published: pack,
          sha256: pack.flatMap { publication.record.sha256(of: $0.id, version: $0.version) },
          upload: pack.flatMap { uploads[$0.url] })
      },
      findings: findings)
  }

  /// Reports the findings that prevented the publication, in the requested format.
  static func refuse(
    _ what: String, _ findings: Ledger, _ files: PublicationFiles?, to console: Console,
    as format: ReportFormat
  ) -> ExitStatus {
    console.report(findings, as: .text)
    if format == .json { PublicationResult(files: files, findings: findings).write(to: console) }
    return console.reportFailure(what, findings)
  }

  /// Reports an error as JSON; it is also printed as usual.
  static func refuse(
    _ error: PackError, _ files: PublicationFiles?, to console: Console, as format: ReportFormat
  ) {
    guard format == .json else { return }
    PublicationResult(files: files, error: error).write(to: console)
  }
}

/// The result of `create` and `update` for programs.
struct PublicationResult: Described {
  /// The change of one pack.
  struct Pack: Described {
    let change: PublishedChange
    let published: PublishedPack?
    let sha256: String?
    let upload: PackUpload?

    static let table = Table<Self>(written: "a pack") {
      Key("id", written: \.change.id, .packID, "The ID of the pack.")
      Key("action", written: \.change.action, .word, "The action.")
      Key("version", written: \.change.version, .integer, "The version.")
      Key("previousVersion", written: \.change.previousVersion, .integer, "The previous version.")
      Key("reason", written: \.change.reason, .text, "The reason.")
      Key("url", written: \.published?.url, .text, "The address of the pack.")
      Key(
        "downloadSize", written: \.published?.downloadSize, .count,
        "The size of the archive in bytes.")
      Key("sha256", written: \.sha256, .text, "The SHA-256 digest of the archive.")
      Key(
        "uploadAs", written: \.upload?.name, .text,
        "The required name of the file on the server.")
    }
  }

  let files: PublicationFiles?
  var isWritten = false
  var platform: Platform?
  var packs: [Pack] = []
  var findings = Ledger()
  var error: PackError?

  static let table = Table<Self>(written: "a publication") {
    Key("manifest", written: \.files?.path, .text, "The path of the manifest.")
    Key("lock", written: \.files?.recordPath, .text, "The path of the version lock.")
    Key("written", written: \.isWritten, .flag, "Whether the files were written.")
    Key("platform", written: \.platform, .word, "The platform of the manifest.")
    Key("assetPacks", written: \.packs, .list(of: .object), "The action for each pack.")
    Key(
      "findings", written: { JSONLinesRenderer.values($0.findings) }, .list(of: .anything),
      "The findings about the packs.")
    Key("error", written: \.error, .object(refusal), "The error that ended the command.")
  }

  private static let refusal = Table<PackError>(written: "an error") {
    Key("message", written: \.message, .text, "The message.")
    Key("remedy", written: \.remedyText, .text, "The hint.")
  }

  func write(to console: Console) {
    console.result(json: self)
  }
}

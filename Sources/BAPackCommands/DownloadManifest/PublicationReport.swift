import Arguments
import BAPackKit
import SourceDiagnostics

/// What `create` and `update` say about what they did.
struct PublicationReport {
  private let publication: Publication
  private let files: PublicationFiles
  private let hadRecord: Bool

  init(_ publication: Publication, _ files: PublicationFiles, hadRecord: Bool) {
    self.publication = publication
    self.files = files
    self.hadRecord = hadRecord
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
    if !hadRecord {
      console.summary(
        "'\(files.recordPath)' is new and remembers the packs given now; keep it with the manifest."
      )
    }
    console.summary("\(files.path): \(tally)")
  }

  /// `'tutorial': version 4 -> 5, its bytes differ from those of version 4`.
  private func line(_ change: PackChange) -> String {
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
    let size = packs.reduce(0 as UInt64) { sum, pack in
      let (total, overflow) = sum.addingReportingOverflow(pack.downloadSize)
      return overflow ? .max : total
    }
    let platform = publication.record.platform.map { " for \($0.rawValue)" } ?? ""
    let actions = PackChange.Action.allCases.compactMap { action in
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
    let members = [
      JSONValue.Member("manifest", .string(files.path)),
      .init("lock", .string(files.recordPath)), platform,
      .init("assetPacks", .array(publication.changes.map(jsonValue))),
    ]
    return .object(members.compactMap(\.self))
  }

  private func jsonValue(_ change: PackChange) -> JSONValue {
    var members = [
      JSONValue.Member("id", .string(change.id)), .init("action", .string(change.action.rawValue)),
    ]
    func add(_ key: String, _ value: JSONValue?) {
      if let value { members.append(.init(key, value)) }
    }
    add("version", change.version.map { .number("\($0)") })
    add("previousVersion", change.previousVersion.map { .number("\($0)") })
    add("reason", change.reason.map { .string($0) })
    let pack = publication.manifest?.pack(change.id)
    add("url", pack.map { .string($0.url) })
    add("downloadSize", pack.map { .number("\($0.downloadSize)") })
    let sha256 = pack.flatMap { publication.record.sha256(of: $0.id, version: $0.version) }
    add("sha256", sha256.map { .string($0) })
    return .object(members)
  }
}

extension Console {
  /// Says that errors stopped the work, and gives the status for that.
  func nothingDone(_ what: String, _ findings: [Findings]) -> ExitStatus {
    finding(text: "\(what): \(findings.tally)\n")
    return .failed
  }
}

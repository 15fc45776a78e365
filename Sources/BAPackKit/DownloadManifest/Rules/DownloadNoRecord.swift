import SourceDiagnostics

/// Without a record nobody knows what was published.
enum DownloadNoRecord {
  static let rule = Rule(
    "download.no-record", .always(.warning),
    what: "Whether the bytes of a pack changed cannot be told.",
    why: """
      A download manifest names no digest. 'create' and 'update' keep the SHA-256 of what they \
      publish in '<manifest>.lock.json'; keep that file with the manifest. Without it an update \
      takes a given pack as changed, since an update that devices miss is worse than one too many.
      """,
    example: .init(
      wrong: "manifest.json without manifest.json.lock.json",
      right: "manifest.json and manifest.json.lock.json side by side"))

  static func taken(
    _ id: PackID, _ version: Int, hasRecord: Bool, manifest name: String
  ) -> Diagnostic {
    let path = PublicationRecord.path(besides: name)
    let lack: Diagnostic.Message =
      hasRecord
      ? "'\(path: path)' does not know version \(version)"
      : "there is no '\(path: path)'"
    return rule.finding(
      .warning, "'\(id)' is taken as changed, since \(lack)", at: nil,
      notes: ["from now on '\(path: path)' remembers what is published"])
  }

  static func missing(_ path: String) -> Diagnostic {
    rule.finding(
      .note, "there is no '\(path: path)', so that bytes are compared by their number only",
      at: nil)
  }

  static func unknown(_ pack: PublishedPack, at span: SourceSpan?) -> Diagnostic {
    rule.finding(
      .note, "whether '\(pack.id)' changed since the previous manifest is not known", at: span,
      notes: ["its size is the same, and its digests are on no record"])
  }
}

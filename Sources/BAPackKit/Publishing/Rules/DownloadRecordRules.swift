import SourceDiagnostics

/// What can be wrong with the record beside a download manifest.
enum DownloadRecordRules {
  static let all: [Rule] = [
    noRecord, record, newerFormat, twice,
  ]

  /// Without a record nobody knows what was published.
  static let noRecord = Rule(
    "download.no-record",
    .usually(.warning, .note, when: "nothing is published"),
    what: "Whether the bytes of a pack changed cannot be told.",
    why: """
      A download manifest names no digest. Publishing keeps the SHA-256 of what it \
      publishes in '<manifest>.lock.json'; keep that file with the manifest. Without it an update \
      takes a given pack as changed, since an update that devices miss is worse than one too many.
      """,
    example: .init(
      wrong: "manifest.json without manifest.json.lock.json",
      right: "manifest.json and manifest.json.lock.json side by side"))

  static func noRecord(
    _ id: PackID, _ version: Int, hasRecord: Bool, manifest name: String
  ) -> Finding {
    let path = PublicationRecord.path(besides: name)
    let lack: Finding.Message =
      hasRecord
      ? "'\(path: path)' does not know version \(version)"
      : "there is no '\(path: path)'"
    return noRecord.finding(
      "'\(id)' is taken as changed, since \(lack)", at: nil,
      notes: ["from now on '\(path: path)' remembers what is published"])
  }

  static func noRecord(at path: String) -> Finding {
    noRecord.exception(
      "there is no '\(path: path)', so that bytes are compared by their number only",
      at: nil)
  }

  static func noRecord(_ pack: PublishedPack, at span: SourceSpan?) -> Finding {
    noRecord.exception(
      "whether '\(pack.id)' changed since the previous manifest is not known", at: span,
      notes: ["its size is the same, and its digests are on no record"])
  }

  /// The record beside a download manifest is written by the program.
  static let record = Rule(
    "download.record",
    what: "The record '<manifest>.lock.json' is not as publishing writes it.",
    why: """
      The record says which bytes were published under which version. An update that trusts a \
      damaged one could give two archives one version.
      """,
    example: .init(
      wrong: #""published": [{"id": "tutorial", "version": 0, "sha256": "unknown"}]"#,
      right: #""published": [{"id": "tutorial", "version": 0}]"#))

  private static let fix = Fix(
    "restore the file, or delete it: packs that are given then count as changed", .shownOnly)

  static func record(versionAt span: SourceSpan) -> Finding {
    record.finding(
      "a version is a whole number of at least 0", at: span, fixes: [fix])
  }

  static func record(digestAt span: SourceSpan) -> Finding {
    record.finding(
      "a SHA-256 has 64 hexadecimal digits in lower case", at: span, fixes: [fix])
  }

  static func record(templateAt span: SourceSpan, _ error: PackError) -> Finding {
    record.finding(.init(whole: error.message), at: span, fixes: [fix])
  }

  static func record(platform node: JSONNode) -> Finding {
    record.finding(
      unknown: node, "there is no platform '\(node.string ?? "")'",
      known: Platform.allCases.map(\.rawValue))
  }

  /// What is wrong with the number of the format, if anything.
  static func record(format: JSONNode) -> Finding? {
    guard let number = format.number.flatMap(Int.init), number >= 1 else {
      return record.finding(
        "a format is a whole number of at least 1", at: format.span, fixes: [fix])
    }
    guard number > PublicationRecord.format else { return nil }
    return newerFormat(number, at: format.span)
  }

  /// A record is read by the program that wrote it, or a newer one.
  static let newerFormat = Rule(
    "download.record-format",
    what: "The record was written by a newer program.",
    why: """
      A newer form may say things that this program does not know and would lose. Versions that it \
      forgot could be given out twice.
      """,
    example: .init(
      wrong: #""format": 2"#, right: #""format": 1"#))

  static func newerFormat(_ format: Int, at span: SourceSpan) -> Finding {
    newerFormat.finding(
      "the record has format \(format); this program reads up to \(PublicationRecord.format)",
      at: span, fixes: [Fix("use the program that wrote it, or a newer one", .shownOnly)])
  }

  /// One version is one archive.
  static let twice = Rule(
    "download.record-twice",
    .usually(.error, .warning, when: "both entries say the same"),
    what: "The record has a version of a pack twice.",
    why: """
      That happens where two branches are merged. Equal entries do no harm; two digests for one \
      version mean that two archives were published under it.
      """,
    example: .init(
      wrong: #""published": [{"id": "tutorial", "version": 4}, {"id": "tutorial", "version": 4}]"#,
      right: #""published": [{"id": "tutorial", "version": 4}]"#))

  static func twice(
    _ entry: PublicationRecord.Entry, at span: SourceSpan, first: SourceSpan,
    _ other: PublicationRecord.Entry
  ) -> Finding {
    let name: Finding.Message = "version \(entry.version) of '\(entry.id)' is on record twice"
    let label = Finding.Label(first, "first written here")
    guard let one = entry.sha256, let two = other.sha256, one != two else {
      return twice.exception(
        name, at: span, labels: [label],
        fixes: [Fix("nothing is lost; the next update writes it once", .shownOnly)])
    }
    return twice.finding(
      name + " with two digests", at: span, labels: [label],
      fixes: [
        Fix(
          "keep the one that was served and publish the other archive again: it gets a new version",
          .shownOnly)
      ])
  }
}

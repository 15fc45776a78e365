import SourceDiagnostics

/// The rules for the version lock of a download manifest.
enum DownloadRecordRules {
  static let all: [Rule] = [
    noRecord, record, newerFormat, twice,
  ]

  static let noRecord = Rule(
    "download.no-record",
    .usually(.warning, .note, when: "the command does not publish"),
    what: "It is unknown whether the bytes of a pack changed.",
    why: """
      A download manifest contains no digests. ba-package records the SHA-256 of published \
      archives in '<manifest>.lock.json'. Keep that file together with the manifest. Without it, \
      an update treats each given pack as changed: an unnecessary update is better than a missing \
      one.
      """,
    example: .init(
      wrong: "manifest.json without manifest.json.lock.json",
      right: "manifest.json and manifest.json.lock.json"))

  static func noRecord(
    _ id: PackID, _ version: Int, hasRecord: Bool, manifest name: String
  ) -> Finding {
    let path = PublicationRecord.path(of: name)
    let lack: Finding.Message =
      hasRecord
      ? "'\(path: path)' does not contain version \(version)"
      : "there is no '\(path: path)'"
    return noRecord.finding(
      "'\(id)' is treated as changed: \(lack)", at: nil,
      notes: ["'\(path: path)' records published packs from this update on"])
  }

  static func noRecord(at path: String) -> Finding {
    noRecord.exception(
      "there is no '\(path: path)': only the sizes of packs are compared",
      at: nil)
  }

  static func noRecord(_ pack: PublishedPack, at span: SourceSpan?) -> Finding {
    noRecord.exception(
      "it is unknown whether '\(pack.id)' changed since the previous manifest", at: span,
      notes: ["its size is unchanged, and its digest is not recorded"])
  }

  static let record = Rule(
    "download.record",
    what: "The version lock '<manifest>.lock.json' is invalid.",
    why: """
      The version lock contains the digest of every published version. With a damaged version \
      lock, an update could assign one version to two archives.
      """,
    example: .init(
      wrong: #""published": [{"id": "tutorial", "version": 0, "sha256": "unknown"}]"#,
      right: #""published": [{"id": "tutorial", "version": 0}]"#))

  private static let fix = Fix(
    "restore the file; if you delete it, all given packs are treated as changed", .shownOnly)

  static func record(versionAt span: SourceSpan) -> Finding {
    record.finding(
      "a version must be a whole number of at least 0", at: span, fixes: [fix])
  }

  static func record(digestAt span: SourceSpan) -> Finding {
    record.finding(
      "a SHA-256 must have 64 lowercase hexadecimal digits", at: span, fixes: [fix])
  }

  static func record(templateAt span: SourceSpan, _ error: PackError) -> Finding {
    record.finding(.init(whole: error.message), at: span, fixes: [fix])
  }

  static func record(platform node: JSONNode) -> Finding {
    record.finding(
      unknown: node, "unknown platform '\(node.string ?? "")'",
      known: Platform.allCases.map(\.rawValue))
  }

  /// Returns a finding if the format number is invalid.
  static func record(format: JSONNode) -> Finding? {
    guard let number = format.number.flatMap(Int.init), number >= 1 else {
      return record.finding(
        "the format must be a whole number of at least 1", at: format.span, fixes: [fix])
    }
    guard number > PublicationRecord.format else { return nil }
    return newerFormat(number, at: format.span)
  }

  static let newerFormat = Rule(
    "download.record-format",
    what: "The version lock was written by a newer version of ba-package.",
    why: """
      This version of ba-package would lose the parts of a newer format that it does not support. \
      It could then assign a version twice.
      """,
    example: .init(
      wrong: #""format": 2"#, right: #""format": 1"#))

  static func newerFormat(_ format: Int, at span: SourceSpan) -> Finding {
    newerFormat.finding(
      "the version lock has format \(format); supported are formats up to "
        + "\(PublicationRecord.format)",
      at: span,
      fixes: [Fix("use the version of ba-package that wrote it, or a newer version", .shownOnly)])
  }

  static let twice = Rule(
    "download.record-twice",
    .usually(.error, .warning, when: "the two entries are equal"),
    what: "The version lock contains a version of a pack twice.",
    why: """
      This happens when two branches are merged. Equal entries are harmless. Two digests for one \
      version mean that two archives were published under that version.
      """,
    example: .init(
      wrong: #""published": [{"id": "tutorial", "version": 4}, {"id": "tutorial", "version": 4}]"#,
      right: #""published": [{"id": "tutorial", "version": 4}]"#))

  static func twice(
    _ entry: PublicationRecord.Entry, at span: SourceSpan, first: SourceSpan,
    _ other: PublicationRecord.Entry
  ) -> Finding {
    let name: Finding.Message = "version \(entry.version) of '\(entry.id)' is recorded twice"
    let label = Finding.Label(first, "first written here")
    guard let one = entry.sha256, let two = other.sha256, one != two else {
      return twice.exception(
        name, at: span, labels: [label],
        fixes: [Fix("no action is needed; the next update removes the duplicate", .shownOnly)])
    }
    return twice.finding(
      name + " with two digests", at: span, labels: [label],
      fixes: [
        Fix(
          "keep the digest of the served archive, and publish the other archive as a new version",
          .shownOnly)
      ])
  }
}

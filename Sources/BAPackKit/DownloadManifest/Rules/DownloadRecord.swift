import SourceDiagnostics

/// The record beside a download manifest is written by the program.
enum DownloadRecord {
  static let rule = Rule(
    "download.record",
    what: "The record '<manifest>.lock.json' is not as 'create' and 'update' write it.",
    why: """
      The record says which bytes were published under which version. An update that trusts a \
      damaged one could give two archives one version.
      """,
    example: .init(
      wrong: #"{"id": "tutorial", "version": 0, "sha256": "unknown"}"#,
      right: "a record as it was written, or none at all"))

  private static let fix = Fix(
    "restore the file, or delete it: packs that are given then count as changed", .shownOnly)

  static func version(_ node: JSONNode) -> Diagnostic {
    rule.finding(
      .error, "a version is a whole number of at least 0", at: node.span, fixes: [fix])
  }

  static func digest(_ node: JSONNode) -> Diagnostic {
    rule.finding(
      .error, "a SHA-256 has 64 hexadecimal digits in lower case", at: node.span, fixes: [fix])
  }

  static func template(_ node: JSONNode, _ error: PackError) -> Diagnostic {
    rule.finding(.error, .init(whole: error.message), at: node.span, fixes: [fix])
  }

  /// What is wrong with the number of the format, if anything.
  static func check(format: JSONNode) -> Diagnostic? {
    guard let number = format.number.flatMap(Int.init), number >= 1 else {
      return rule.finding(
        .error, "a format is a whole number of at least 1", at: format.span, fixes: [fix])
    }
    guard number > PublicationRecord.format else { return nil }
    return DownloadRecordFormat.finding(number, at: format.span)
  }
}

/// A record is read by the program that wrote it, or a newer one.
enum DownloadRecordFormat {
  static let rule = Rule(
    "download.record-format",
    what: "The record was written by a newer program.",
    why: """
      A newer form may say things that this program does not know and would lose. Versions that it \
      forgot could be given out twice.
      """,
    example: .init(wrong: #"{"format": 2, …}"#, right: #"{"format": 1, …}"#))

  static func finding(_ format: Int, at span: SourceSpan) -> Diagnostic {
    rule.finding(
      .error,
      "the record has format \(format); this program reads up to \(PublicationRecord.format)",
      at: span, fixes: [Fix("use the 'ba-package' that wrote it, or a newer one", .shownOnly)])
  }
}

/// One version is one archive.
enum DownloadRecordTwice {
  static let rule = Rule(
    "download.record-twice",
    what: "The record has a version of a pack twice.",
    why: """
      That happens where two branches are merged. Equal entries do no harm; two digests for one \
      version mean that two archives were published under it.
      """,
    example: .init(
      wrong: "version 4 of 'tutorial' with two different digests",
      right: "version 4 of 'tutorial' once"))

  static func finding(
    _ entry: PublicationRecord.Entry, at span: SourceSpan, first: SourceSpan,
    _ other: PublicationRecord.Entry
  ) -> Diagnostic {
    let name: Diagnostic.Message = "version \(entry.version) of '\(entry.id)' is on record twice"
    let label = Diagnostic.Label(first, "first written here")
    guard let one = entry.sha256, let two = other.sha256, one != two else {
      return rule.finding(
        .warning, name, at: span, labels: [label],
        fixes: [Fix("nothing is lost; the next update writes it once", .shownOnly)])
    }
    return rule.finding(
      .error, name + " with two digests", at: span, labels: [label],
      fixes: [
        Fix(
          "keep the one that was served and publish the other archive again: it gets a new version",
          .shownOnly)
      ])
  }
}

/// A manifest is never older than its record.
enum DownloadBehindRecord {
  static let rule = Rule(
    "download.behind-record",
    what: "A version in the manifest is lower than one that was published.",
    why: """
      The manifest came from an older copy, or the program was stopped between record and manifest. \
      Devices that have seen the higher version keep it until the new number has passed it.
      """,
    example: .init(
      wrong: "version 4 in the manifest, and 7 on record",
      right: "version 7 in the manifest, and 7 on record"))

  static func finding(
    _ severity: Diagnostic.Severity, _ pack: PublishedPack, latest: Int, at span: SourceSpan?
  ) -> Diagnostic {
    rule.finding(
      severity, "'\(pack.id)' is version \(pack.version), and version \(latest) is on record",
      at: span,
      fixes: [
        Fix(
          "restore the manifest, or give its archive to 'download-manifest update'", .shownOnly)
      ])
  }
}

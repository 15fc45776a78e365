import SourceDiagnostics

/// What can be wrong with the versions of packs.
enum DownloadVersionRules {
  static let all: [Rule] = [
    version, limit, notRaised, raised, lowered, behindRecord,
  ]

  /// A version is a whole number.
  static let version = Rule(
    "download.version",
    what: "The version of a pack is not a whole number of at least 0.",
    why: "Devices compare versions as whole numbers, and refuse a manifest that has anything else.",
    example: .init(
      wrong: #""version": 1.5"#, right: #""version": 2"#))

  static func version(_ number: String, of name: String, at span: SourceSpan) -> Finding {
    version.finding(
      "the version of \(name) is a whole number of at least 0, not '\(number)'", at: span,
      fixes: [
        Fix("write the number of the archive that is served; the record knows it", .shownOnly)
      ])
  }

  /// Some readers keep a version in 16 bits.
  static let limit = Rule(
    "download.version-limit",
    .usually(.warning, .error, when: "the version cannot rise any more"),
    what: "A version is higher than 65,535.",
    why: """
      Devices take larger numbers, but Apple's plug-in for Unity keeps versions in 16 bits and \
      crashes on a larger one. Dates and build numbers make poor versions: count by one.
      """,
    example: .init(
      wrong: #""version": 20261120"#, right: #""version": 12"#))

  static func limit(_ pack: PublishedPack, at span: SourceSpan?) -> Finding? {
    guard pack.version > PublishedPack.highestPortableVersion else { return nil }
    return limit.finding(
      "version \(pack.version) of '\(pack.id)' is higher than 65535", at: span,
      notes: ["Apple's plug-in for Unity crashes on such a version"],
      fixes: [Fix("count versions by one; a version that is out cannot be taken back", .shownOnly)])
  }

  static func limit(reachedBy id: PackID) -> Finding {
    limit.exception(
      "the version of '\(id)' cannot rise any more", at: nil,
      fixes: [Fix("publish the pack under another ID", .shownOnly)])
  }

  /// New bytes need a new version.
  static let notRaised = Rule(
    "download.version-not-raised",
    what: "The bytes of a pack changed and its version did not.",
    why: """
      Devices that have the pack do not look at it again, and those that are downloading it get a \
      file that is not the one the manifest describes.
      """,
    example: .init(
      wrong: #""version": 4 with other bytes than version 4 had"#,
      right: #""version": 5 with other bytes than version 4 had"#))

  static func notRaised(
    _ id: PackID, version: Int, because difference: Difference, at span: SourceSpan?
  ) -> Finding {
    notRaised.finding(
      "the bytes of '\(id)' changed and its version is still \(version)", at: span,
      notes: [.init(whole: difference.phrase)],
      fixes: [Fix(["raise the version", .publishArchive] as [Remedy])])
  }

  /// How an archive is known to be another one than a version was.
  enum Difference: Equatable {
    /// It is not the archive that was published under its version.
    case file(path: String, version: Int)
    /// The digest of a version is on record, and it is another one.
    case digest(version: Int)
    case bytes(version: Int)
    case size(UInt64, of: UInt64, in: String)
    case sizeOfVersion(UInt64, of: UInt64, version: Int)

    var phrase: String {
      switch self {
      case .file(let path, let version): "'\(path)' is not what was published as version \(version)"
      case .digest(let version):
        "its SHA-256 is not the one that is on record for version \(version)"
      case .bytes(let version): "its bytes differ from those of version \(version)"
      case .size(let now, let before, let manifest):
        "it has \(now) bytes, and \(before) in '\(manifest)'"
      case .sizeOfVersion(let now, let before, let version):
        "it has \(now) bytes, version \(version) has \(before)"
      }
    }
  }

  /// The same bytes need no new version.
  static let raised = Rule(
    "download.version-raised", .always(.warning),
    what: "The version of a pack rose and its bytes did not change.",
    why: "Every device downloads the whole pack again, and gets what it has.",
    example: .init(
      wrong: #""version": 5 with the bytes of version 4"#,
      right: #""version": 4 with the bytes of version 4"#))

  static func raised(
    _ id: PackID, from before: Int, to now: Int, at span: SourceSpan?
  ) -> Finding {
    raised.finding(
      "the version of '\(id)' rose from \(before) to \(now), its bytes are the same",
      at: span, notes: ["every device downloads the pack again"],
      fixes: [Fix("keep version \(before), unless \(now) is published already", .shownOnly)])
  }

  /// A version never falls.
  static let lowered = Rule(
    "download.version-lowered",
    what: "A version is lower than the one that was published before.",
    why: """
      Devices that have the higher version keep it until the new number has passed it, so that \
      they miss every update on the way. To take back a version, publish the old bytes under the \
      next number.
      """,
    example: .init(
      wrong: #""version": 3, and 4 was published before"#,
      right: #""version": 5, and 4 was published before"#))

  static func lowered(
    _ id: PackID, from before: Int, to now: Int,
    at span: SourceSpan?
  ) -> Finding {
    lowered.finding(
      "the version of '\(id)' falls from \(before) to \(now)", at: span,
      notes: ["devices that have version \(before) will not take version \(now)"],
      fixes: [Fix([Remedy.advice("publish it as a version above \(before)"), .publishArchive])])
  }

  /// A manifest is never older than its record.
  static let behindRecord = Rule(
    "download.behind-record",
    .usually(.error, .warning, when: "the manifest is updated and the pack is not given"),
    what: "A version in the manifest is lower than one that was published.",
    why: """
      The manifest came from an older copy, or the program was stopped between record and \
      manifest. Devices that have seen the higher version keep it until the new number has passed \
      it.
      """,
    example: .init(
      wrong: "version 4 in the manifest, and 7 on record",
      right: "version 7 in the manifest, and 7 on record"))

  static func behindRecord(
    _ pack: PublishedPack, in record: PublicationRecord, at span: SourceSpan? = nil,
    isUpdated: Bool = false
  ) -> Finding? {
    guard let latest = record.latest(of: pack.id)?.version, latest > pack.version else {
      return nil
    }
    let message: Finding.Message =
      "'\(pack.id)' is version \(pack.version), and version \(latest) is on record"
    let fixes = [
      Fix(["restore the manifest", .publishArchive] as [Remedy])
    ]
    return isUpdated
      ? behindRecord.exception(message, at: span, fixes: fixes)
      : behindRecord.finding(message, at: span, fixes: fixes)
  }
}

import SourceDiagnostics

/// The rules for the versions of packs.
enum DownloadVersionRules {
  static let all: [Rule] = [
    version, limit, notRaised, raised, lowered, behindRecord,
  ]

  static let version = Rule(
    "download.version",
    what: "The version of a pack is not a non-negative whole number.",
    why: "Devices compare versions as whole numbers, and reject a manifest with other values.",
    example: .init(
      wrong: #""version": 1.5"#, right: #""version": 2"#))

  static func version(_ number: String, of name: String, at span: SourceSpan) -> Finding {
    version.finding(
      "the version of \(name) must be a whole number of at least 0, not '\(number)'", at: span,
      fixes: [
        Fix("write the version of the served archive; the version lock contains it", .shownOnly)
      ])
  }

  static let limit = Rule(
    "download.version-limit",
    .usually(.warning, .error, when: "the version cannot be increased"),
    what: "A version is higher than 65,535.",
    why: """
      Devices support larger numbers, but Apple's plug-in for Unity stores versions in 16 bits and \
      crashes on larger ones. Do not use dates or build numbers as versions. Increase versions by \
      one.
      """,
    example: .init(
      wrong: #""version": 20261120"#, right: #""version": 12"#))

  static func limit(_ pack: PublishedPack, at span: SourceSpan?) -> Finding? {
    guard pack.version > PublishedPack.highestPortableVersion else { return nil }
    return limit.finding(
      "version \(pack.version) of '\(pack.id)' is higher than 65535", at: span,
      notes: ["Apple's plug-in for Unity crashes on such a version"],
      fixes: [Fix("increase versions by one; a published version cannot be withdrawn", .shownOnly)])
  }

  static func limit(reachedBy id: PackID) -> Finding {
    limit.exception(
      "the version of '\(id)' cannot be increased: it is the highest number", at: nil,
      fixes: [Fix("publish the pack under another ID", .shownOnly)])
  }

  static let notRaised = Rule(
    "download.version-not-raised",
    what: "The bytes of a pack changed, but its version did not.",
    why: """
      Devices with the pack do not download it again. Devices that are downloading the pack get a \
      file that does not match the manifest.
      """,
    example: .init(
      wrong: #""version": 4 with bytes that differ from version 4"#,
      right: #""version": 5 with bytes that differ from version 4"#))

  static func notRaised(
    _ id: PackID, version: Int, because difference: Difference, at span: SourceSpan?
  ) -> Finding {
    notRaised.finding(
      "the bytes of '\(id)' changed, but its version is still \(version)", at: span,
      notes: [.init(whole: difference.phrase)],
      fixes: [Fix(["increase the version", .publishArchive] as [Remedy])])
  }

  /// A difference between an archive and a published version.
  enum Difference: Equatable {
    /// The file differs from the archive that was published under its version.
    case file(path: String, version: Int)
    /// The digest differs from the recorded digest of the version.
    case digest(version: Int)
    case bytes(version: Int)
    case size(UInt64, of: UInt64, in: String)
    case sizeOfVersion(UInt64, of: UInt64, version: Int)

    var phrase: String {
      switch self {
      case .file(let path, let version):
        "'\(path)' differs from the archive published as version \(version)"
      case .digest(let version):
        "its SHA-256 differs from the recorded SHA-256 of version \(version)"
      case .bytes(let version): "its bytes differ from those of version \(version)"
      case .size(let now, let before, let manifest):
        "it has \(now) bytes, but \(before) in '\(manifest)'"
      case .sizeOfVersion(let now, let before, let version):
        "it has \(now) bytes, but version \(version) has \(before)"
      }
    }
  }

  static let raised = Rule(
    "download.version-raised", .always(.warning),
    what: "The version of a pack increased, but its bytes did not change.",
    why: "Every device downloads the whole pack again without any change.",
    example: .init(
      wrong: #""version": 5 with the bytes of version 4"#,
      right: #""version": 4 with the bytes of version 4"#))

  static func raised(
    _ id: PackID, from before: Int, to now: Int, at span: SourceSpan?
  ) -> Finding {
    raised.finding(
      "the version of '\(id)' increased from \(before) to \(now), but its bytes are the same",
      at: span, notes: ["every device downloads the pack again"],
      fixes: [Fix("keep version \(before), unless \(now) is published already", .shownOnly)])
  }

  static let lowered = Rule(
    "download.version-lowered",
    what: "A version is lower than the version that was published before.",
    why: """
      Devices with the higher version keep it until an even higher version is published, and miss \
      all updates before it. To revert to an earlier version, publish its bytes under the next \
      number.
      """,
    example: .init(
      wrong: #""version": 3, after version 4"#,
      right: #""version": 5, after version 4"#))

  static func lowered(
    _ id: PackID, from before: Int, to now: Int,
    at span: SourceSpan?
  ) -> Finding {
    lowered.finding(
      "the version of '\(id)' decreases from \(before) to \(now)", at: span,
      notes: ["devices with version \(before) do not download version \(now)"],
      fixes: [Fix([Remedy.advice("publish it as a version above \(before)"), .publishArchive])])
  }

  static let behindRecord = Rule(
    "download.behind-record",
    .usually(.error, .warning, when: "the manifest is updated without the pack"),
    what: "A version in the manifest is lower than a published version.",
    why: """
      The manifest is an older copy, or ba-package was interrupted after it wrote the version lock \
      and before it wrote the manifest. Devices with the higher version keep it until an even \
      higher version is published.
      """,
    example: .init(
      wrong: "version 4 in the manifest, version 7 in the version lock",
      right: "version 7 in the manifest, version 7 in the version lock"))

  static func behindRecord(
    _ pack: PublishedPack, in record: PublicationRecord, at span: SourceSpan? = nil,
    isUpdated: Bool = false
  ) -> Finding? {
    guard let latest = record.latest(of: pack.id)?.version, latest > pack.version else {
      return nil
    }
    let message: Finding.Message =
      "'\(pack.id)' has version \(pack.version), but version \(latest) is recorded"
    let fixes = [
      Fix(["restore the manifest", .publishArchive] as [Remedy])
    ]
    return isUpdated
      ? behindRecord.exception(message, at: span, fixes: fixes)
      : behindRecord.finding(message, at: span, fixes: fixes)
  }
}

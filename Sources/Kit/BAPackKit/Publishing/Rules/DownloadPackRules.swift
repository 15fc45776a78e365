import SourceDiagnostics

/// The rules for the IDs, platforms and hosts of the packs of a download manifest.
enum DownloadPackRules {
  static let all: [Rule] = [
    duplicateID, similarIDs, unknownPack, vanished, platform, host,
  ]

  static let duplicateID = Rule(
    "download.duplicate-id",
    what: "Two packs of a download manifest have the same ID.",
    why: "The app requests a pack by its ID. It is undefined which of the two a device uses.",
    example: .init(
      wrong: #""assetPacks": [{"id": "tutorial", …}, {"id": "tutorial", …}]"#,
      right: #""assetPacks": [{"id": "tutorial", …}, {"id": "level-1", …}]"#))

  static func duplicateID(_ id: PackID, at span: SourceSpan, first: SourceSpan) -> Finding {
    duplicateID.finding(
      "duplicate pack '\(id)'", at: span,
      labels: [.init(first, "first written here")],
      fixes: [Fix("remove one of them", .shownOnly)])
  }

  /// Returns a finding about several archives of one pack on the command line.
  static func duplicateID(
    given archive: PublishedArchive, first: PublishedArchive
  ) -> Finding {
    duplicateID.finding(
      "the pack '\(archive.id)' is given twice, first as '\(path: first.path)'", at: nil,
      fixes: [Fix("specify only one of the two archives", .shownOnly)])
  }

  static let similarIDs = Rule(
    "download.similar-ids", .always(.warning),
    what: "Two packs have IDs that look identical but have different bytes.", why: SimilarIDs.why,
    example: .init(
      wrong: #""assetPacks": [{"id": "café", …}, {"id": "cafe\u0301", …}]"#,
      right: #""assetPacks": [{"id": "cafe", …}]"#))

  static func similarIDs(_ id: PackID, _ other: PackID, at span: SourceSpan?) -> Finding {
    SimilarIDs.finding(similarIDs, id, other, at: span)
  }

  static let unknownPack = Rule(
    "download.unknown-pack",
    what: "A pack to remove is not in the download manifest.",
    why: "With a misspelled ID, the pack would remain on devices.",
    example: .init(
      wrong: "remove: tutorail", right: "remove: tutorial"))

  static func unknownPack(_ id: PackID, known ids: [PackID]) -> Finding {
    let known = ids.map(\.text)
    let near = Spelling.nearest(to: id.text, among: known)
    return unknownPack.finding(
      "cannot remove the pack '\(id)': it is not in the manifest", at: nil,
      notes: near == nil ? ["the manifest contains \(Finding.list(known, atMost: 8))"] : [],
      fixes: near.map { [Fix("write '\($0)'", .shownOnly)] }
        ?? [Fix("specify a pack of the manifest", .shownOnly)])
  }

  /// Returns a finding about a pack that is both published and removed.
  static func unknownPack(given id: PackID) -> Finding {
    unknownPack.finding(
      "the pack '\(id)' is both published and removed", at: nil,
      fixes: [Fix(["omit its archive", "do not remove it"] as [Remedy])])
  }

  static let vanished = Rule(
    "download.pack-vanished", .always(.warning),
    what: "A pack was removed from the download manifest.",
    why: """
      Devices delete a pack that is no longer in the manifest, and an app that requests it gets an \
      error. This is correct if no version of the app uses the pack any more.
      """,
    example: .init(
      wrong: #""assetPacks": []"#, right: #""assetPacks": [{"id": "tutorial", …}]"#))

  static func vanished(removed id: PackID) -> Finding {
    vanished.finding(
      "the pack '\(id)' is removed from the manifest: devices delete it", at: nil)
  }

  static func vanished(recorded id: PackID, version: Int) -> Finding {
    vanished.finding(
      "the pack '\(id)' is recorded with version \(version), but is not in the manifest: devices "
        + "delete it", at: nil,
      fixes: [
        Fix([Remedy.publishArchive, .removePack(id.text)])
      ])
  }

  static func vanished(_ id: PackID, previous name: String) -> Finding {
    vanished.finding(
      "the pack '\(id)' of '\(name)' is missing: devices delete it", at: nil,
      fixes: [Fix("restore it, unless no version of the app uses it", .shownOnly)])
  }

  static let platform = Rule(
    "download.platform",
    .usually(.error, .warning, when: "a new pack for another platform is omitted"),
    what: "A pack does not support the platform of the download manifest.",
    why: """
      Each platform has a separate manifest. If it lists a pack for another platform, devices \
      download the pack but cannot use it.
      """,
    example: .init(
      wrong: #"a manifest for iOS, and a pack with "platforms": ["tvOS"]"#,
      right: #"a manifest for iOS, and a pack with "platforms": ["iOS"]"#))

  static func platform(
    _ archive: PublishedArchive, for platform: Platform, at span: SourceSpan? = nil
  ) -> Finding? {
    guard !archive.isOffered(for: platform) else { return nil }
    let platforms = Finding.list(archive.manifest.platforms.map(\.rawValue))
    return Self.platform.finding(
      "the pack '\(archive.id)' supports \(platforms), not '\(platform.rawValue)'",
      at: span,
      fixes: [
        Fix(
          "omit it, or add '\(platform.rawValue)' to its platforms and pack it again",
          .shownOnly)
      ])
  }

  /// Returns a finding about a given pack that is omitted because it is for another platform.
  static func platform(
    leavingOut archive: PublishedArchive, for platform: Platform
  ) -> Finding {
    let platforms = Finding.list(archive.manifest.platforms.map(\.rawValue))
    return Self.platform.exception(
      "the pack '\(archive.id)' supports \(platforms) and is omitted from the manifest for "
        + "'\(platform.rawValue)'", at: nil,
      fixes: [
        Fix(
          "omit its archive, or add '\(platform.rawValue)' to its platforms and pack it again",
          .shownOnly)
      ])
  }

  /// Returns a finding if no pack supports the platform.
  static func platform(none platform: Platform) -> Finding {
    Self.platform.finding(
      "no pack supports '\(platform.rawValue)'", at: nil,
      fixes: [Fix("specify packs for that platform, or another platform", .shownOnly)])
  }

  static let host = Rule(
    "download.host", .always(.warning),
    what: "The 'host' of a pack is not '{\"thirdParty\": {}}'.",
    why: "It is the only documented value for self-hosted packs.",
    example: .init(
      wrong: #""host": {"firstParty": {}}"#, right: #""host": {"thirdParty": {}}"#))

  static func host(_ host: JSONNode, of id: String) -> Finding? {
    guard host.kind == .object, !host.isDamaged, host.value != .thirdParty else { return nil }
    return Self.host.finding(
      "the host of '\(id)' is not '{\"thirdParty\": {}}'", at: host.span,
      fixes: [
        Fix(
          "write '{\"thirdParty\": {}}'", .unsafe,
          edits: [.init(host.span, "{\"thirdParty\": {}}")])
      ])
  }
}

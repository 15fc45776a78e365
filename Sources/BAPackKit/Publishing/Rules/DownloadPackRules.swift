import SourceDiagnostics

/// What can be wrong with the packs of a download manifest: which they are, and for whom.
enum DownloadPackRules {
  static let all: [Rule] = [
    duplicateID, similarIDs, unknownPack, vanished, platform, host,
  ]

  /// A pack is in a download manifest once.
  static let duplicateID = Rule(
    "download.duplicate-id",
    what: "Two packs of a download manifest have one ID.",
    why: "The app asks for a pack by its ID; which of the two a device takes is not known.",
    example: .init(
      wrong: #""assetPacks": [{"id": "tutorial", …}, {"id": "tutorial", …}]"#,
      right: #""assetPacks": [{"id": "tutorial", …}, {"id": "level-1", …}]"#))

  static func duplicateID(_ id: PackID, at span: SourceSpan, first: SourceSpan) -> Finding {
    duplicateID.finding(
      "the pack '\(id)' is in the manifest twice", at: span,
      labels: [.init(first, "first written here")],
      fixes: [Fix("take one of them away", .shownOnly)])
  }

  /// Several archives of one pack on a command line.
  static func duplicateID(
    given archive: PublishedArchive, first: PublishedArchive
  ) -> Finding {
    duplicateID.finding(
      "the pack '\(archive.id)' is given twice, first as '\(path: first.path)'", at: nil,
      fixes: [Fix("give one of the two archives", .shownOnly)])
  }

  /// IDs that a person cannot tell apart are told apart by devices.
  static let similarIDs = Rule(
    "download.similar-ids", .always(.warning),
    what: "Two packs have IDs that look alike and have other bytes.", why: SimilarIDs.why,
    example: .init(
      wrong: #""assetPacks": [{"id": "café", …}, {"id": "cafe\u0301", …}]"#,
      right: #""assetPacks": [{"id": "cafe", …}]"#))

  static func similarIDs(_ id: PackID, _ other: PackID, at span: SourceSpan?) -> Finding {
    SimilarIDs.finding(similarIDs, id, other, at: span)
  }

  /// Only what is in a manifest can leave it.
  static let unknownPack = Rule(
    "download.unknown-pack",
    what: "A pack that is to be removed is not in the download manifest.",
    why: "An ID that is misspelt would leave a pack on devices that was meant to go.",
    example: .init(
      wrong: "to remove: tutorail", right: "to remove: tutorial"))

  static func unknownPack(_ id: PackID, known ids: [PackID]) -> Finding {
    let known = ids.map(\.text)
    let near = Spelling.nearest(to: id.text, among: known)
    return unknownPack.finding(
      "there is no pack '\(id)' to remove", at: nil,
      notes: near == nil ? ["there are \(Finding.list(known, atMost: 8))"] : [],
      fixes: near.map { [Fix("write '\($0)'", .shownOnly)] }
        ?? [Fix("name a pack of the manifest", .shownOnly)])
  }

  /// A pack that is to be published and to be removed at once.
  static func unknownPack(given id: PackID) -> Finding {
    unknownPack.finding(
      "the pack '\(id)' is given, and it is to be removed", at: nil,
      fixes: [Fix(["leave out its archive", "do not remove it"] as [Remedy])])
  }

  /// What leaves the manifest leaves the devices.
  static let vanished = Rule(
    "download.pack-vanished", .always(.warning),
    what: "A pack that was in the download manifest is not in it any more.",
    why: """
      To a device such a pack is obsolete: it deletes the pack, and an app that asks for it gets \
      an error. That may be what is wanted, when no version of the app uses it any more.
      """,
    example: .init(
      wrong: #""assetPacks": []"#, right: #""assetPacks": [{"id": "tutorial", …}]"#))

  static func vanished(removed id: PackID) -> Finding {
    vanished.finding(
      "devices delete the pack '\(id)', which leaves the manifest", at: nil)
  }

  static func vanished(recorded id: PackID, version: Int) -> Finding {
    vanished.finding(
      "the pack '\(id)' is on record as version \(version) and not in the manifest: devices "
        + "delete it", at: nil,
      fixes: [
        Fix([Remedy.publishArchive, .removePack(id.text)])
      ])
  }

  static func vanished(_ id: PackID, previous name: String) -> Finding {
    vanished.finding(
      "the pack '\(id)' of '\(name)' is missing: devices delete it", at: nil,
      fixes: [Fix("put it back unless no version of the app uses it", .shownOnly)])
  }

  /// There is one download manifest for each platform, with the packs that are meant for it.
  static let platform = Rule(
    "download.platform",
    .usually(.error, .warning, when: "a new pack of another platform is left out"),
    what: "A pack is not meant for the platform of the download manifest.",
    why: """
      Every platform has a manifest of its own. A pack that is listed for a platform it was not \
      made for is downloaded by devices that have no use for it.
      """,
    example: .init(
      wrong: #"a manifest for iOS, and a pack with "platforms": ["tvOS"]"#,
      right: #"a manifest for iOS, and a pack with "platforms": ["iOS"]"#))

  static func platform(
    _ archive: PublishedArchive, for platform: Platform, at span: SourceSpan? = nil
  ) -> Finding? {
    guard !archive.isMeant(for: platform) else { return nil }
    let platforms = Finding.list(archive.manifest.platforms.map(\.rawValue))
    return Self.platform.finding(
      "the pack '\(archive.id)' is meant for \(platforms), not for '\(platform.rawValue)'",
      at: span,
      fixes: [
        Fix(
          "leave it out, or pack it again with '\(platform.rawValue)' among its platforms",
          .shownOnly)
      ])
  }

  /// A pack of another platform among those that are given.
  static func platform(
    leavingOut archive: PublishedArchive, for platform: Platform
  ) -> Finding {
    let platforms = Finding.list(archive.manifest.platforms.map(\.rawValue))
    return Self.platform.exception(
      "the pack '\(archive.id)' is meant for \(platforms) and left out of the manifest for "
        + "'\(platform.rawValue)'", at: nil,
      fixes: [
        Fix(
          "do not give it, or pack it with '\(platform.rawValue)' among its platforms", .shownOnly)
      ])
  }

  /// Nothing is left.
  static func platform(none platform: Platform) -> Finding {
    Self.platform.finding(
      "none of the packs is meant for '\(platform.rawValue)'", at: nil,
      fixes: [Fix("give packs of that platform, or name another platform", .shownOnly)])
  }

  /// The host says who serves a pack.
  static let host = Rule(
    "download.host", .always(.warning),
    what: "The 'host' of a pack is something other than '{\"thirdParty\": {}}'.",
    why: "It is the only value that is known for packs on a server of one's own.",
    example: .init(
      wrong: #""host": {"firstParty": {}}"#, right: #""host": {"thirdParty": {}}"#))

  static func host(_ host: JSONNode, of id: String) -> Finding? {
    guard host.kind == .object, !host.isDamaged, host.value != .thirdParty else { return nil }
    return Self.host.finding(
      "the host of '\(id)' is usually '{\"thirdParty\": {}}'", at: host.span,
      fixes: [
        Fix(
          "write '{\"thirdParty\": {}}'", .unsafe,
          edits: [.init(host.span, "{\"thirdParty\": {}}")])
      ])
  }
}

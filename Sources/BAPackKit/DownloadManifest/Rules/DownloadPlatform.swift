import SourceDiagnostics

/// There is one download manifest for each platform, with the packs that are meant for it.
enum DownloadPlatform {
  static let rule = Rule(
    "download.platform",
    what: "A pack is not meant for the platform of the download manifest.",
    why: """
      Every platform has a manifest of its own. A pack that is listed for a platform it was not \
      made for is downloaded by devices that have no use for it.
      """,
    example: .init(
      wrong: #"download-manifest create --tvos … with "platforms": ["iOS"]"#,
      right: #"download-manifest create --ios … with "platforms": ["iOS"]"#))

  static func check(
    _ archive: PublishedArchive, for platform: Platform, at span: SourceSpan? = nil
  ) -> Diagnostic? {
    guard !archive.isMeant(for: platform) else { return nil }
    let platforms = Diagnostic.list(archive.manifest.platforms.map(\.rawValue))
    return rule.finding(
      .error, "the pack '\(archive.id)' is meant for \(platforms), not for '\(platform.rawValue)'",
      at: span,
      fixes: [
        Fix(
          "leave it out, or pack it again with '\(platform.rawValue)' among its platforms",
          .shownOnly)
      ])
  }

  /// A pack of another platform among those that are given.
  static func leftOut(_ archive: PublishedArchive, for platform: Platform) -> Diagnostic {
    let platforms = Diagnostic.list(archive.manifest.platforms.map(\.rawValue))
    return rule.finding(
      .warning,
      "the pack '\(archive.id)' is meant for \(platforms) and left out of the manifest for "
        + "'\(platform.rawValue)'", at: nil,
      fixes: [
        Fix(
          "do not give it, or pack it with '\(platform.rawValue)' among its platforms", .shownOnly)
      ])
  }

  /// Nothing is left.
  static func none(for platform: Platform) -> Diagnostic {
    rule.finding(
      .error, "none of the packs is meant for '\(platform.rawValue)'", at: nil,
      fixes: [Fix("give packs of that platform, or name another platform", .shownOnly)])
  }
}

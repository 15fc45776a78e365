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
}

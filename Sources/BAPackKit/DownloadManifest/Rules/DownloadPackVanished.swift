import SourceDiagnostics

/// What leaves the manifest leaves the devices.
enum DownloadPackVanished {
  static let rule = Rule(
    "download.pack-vanished", .always(.warning),
    what: "A pack that was in the download manifest is not in it any more.",
    why: """
      To a device such a pack is obsolete: it deletes the pack, and an app that asks for it gets \
      an error. That may be what is wanted, when no version of the app uses it any more.
      """,
    example: .init(
      wrong: #""assetPacks": []"#, right: #""assetPacks": [{"id": "tutorial", …}]"#))

  static func removed(_ id: PackID) -> Diagnostic {
    rule.finding(
      .warning, "devices delete the pack '\(id)', which leaves the manifest", at: nil)
  }

  static func recorded(_ id: PackID, version: Int) -> Diagnostic {
    rule.finding(
      .warning,
      "the pack '\(id)' is on record as version \(version) and not in the manifest: devices "
        + "delete it", at: nil,
      fixes: [
        Fix("put it back with 'download-manifest update', or say '--remove \(id)'", .shownOnly)
      ])
  }

  static func finding(_ id: PackID, previous name: String) -> Diagnostic {
    rule.finding(
      .warning, "the pack '\(id)' of '\(name)' is missing: devices delete it", at: nil,
      fixes: [Fix("put it back unless no version of the app uses it", .shownOnly)])
  }
}

import SourceDiagnostics

/// The information property list of an app with packs of its own has certain keys.
enum DownloadInfoPlist {
  static let rule = Rule(
    "download.info-plist",
    what: "A key of 'Info.plist' that a self-hosted app needs is missing or has a wrong value.",
    why: """
      Without BAInitialDownloadRestrictions the app crashes at its start, without BAManifestURL \
      nothing is downloaded, and BAUsesAppleHosting sends it to the App Store for its packs.
      """,
    example: .init(
      wrong: "<key>BAManifestURL</key><string>http://example.com/manifest.json</string>",
      right: "<key>BAManifestURL</key><string>https://example.com/manifest.json</string>"))

  static func missing(_ key: String, because reason: Diagnostic.Message, at span: SourceSpan? = nil)
    -> Diagnostic
  {
    rule.finding(
      .error, "the key '\(key)' is missing", at: span, notes: [reason],
      fixes: [Fix("'download-manifest info-plist' prints the keys that are needed", .shownOnly)])
  }

  static func wrongValue(
    _ key: String, _ expectation: Diagnostic.Message, at span: SourceSpan?
  ) -> Diagnostic {
    rule.finding(
      .error, "'\(key)' \(expectation)", at: span,
      fixes: [Fix("'download-manifest info-plist' prints the keys with their values", .shownOnly)])
  }

  static func unreadable(because reason: String? = nil) -> Diagnostic {
    rule.finding(
      .error, "this is not a property list with keys", at: nil,
      notes: reason.map { [.init(whole: $0)] } ?? [],
      fixes: [Fix("give the app's Info.plist, as XML or binary", .shownOnly)])
  }
}

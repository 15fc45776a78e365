import SourceDiagnostics

/// What is to be served is an asset pack.
enum DownloadArchiveUnreadable {
  static let rule = Rule(
    "download.archive-unreadable",
    what: "A file is not an asset pack, or its manifest is not valid.",
    why: """
      The ID, the policy and the platforms of a pack are read from the 'Manifest.json' inside its \
      archive. A file that has none, or a damaged one, fails on devices too.
      """,
    example: .init(
      wrong: "download-manifest create photo.zip …",
      right: "download-manifest create tutorial.aar …"))

  static func finding(_ error: PackError) -> Diagnostic {
    let remedy: Remedy =
      if case .system = error.kind {
        "name an asset pack that is there and may be read"
      } else {
        "give an asset pack (.aar); if it is one, pack it again"
      }
    return rule.finding(
      .error, .init(whole: error.message), at: nil,
      fixes: [Fix(error.remedies.isEmpty ? [remedy] : error.remedies)])
  }
}

import SourceDiagnostics

/// Every pack of a manifest has an archive.
enum DownloadArchiveMissing {
  static let rule = Rule(
    "download.archive-missing",
    what: "There is no archive of a pack in the folder, or more than one that it could be.",
    why: "What is not served cannot be downloaded; what cannot be found cannot be checked.",
    example: .init(
      wrong: "--archives Output, without an archive of 'tutorial' in it",
      right: "--archives Output, with Output/tutorial.aar"))

  static func finding(_ id: PackID, in folder: String, at span: SourceSpan?) -> Diagnostic {
    rule.finding(
      .error, "there is no archive of '\(id)' in '\(path: folder)'", at: span,
      fixes: [Fix("put it there, or take the pack out of the manifest", .shownOnly)])
  }

  static func ambiguous(
    _ id: PackID, _ archives: [PublishedArchive], at span: SourceSpan?
  ) -> Diagnostic {
    rule.finding(
      .error, "which of \(archives.count) archives '\(id)' is cannot be told", at: span,
      notes: ["there are \(Diagnostic.list(archives.map(\.path)))"],
      fixes: [Fix("leave one of them in the folder, or call it as its URL ends", .shownOnly)])
  }
}

import SourceDiagnostics

/// An update must know where a pack will be served.
enum DownloadAddress {
  static let rule = Rule(
    "download.address",
    what: "The address of a pack is not known, or not of the form that is on record.",
    why: """
      'create' and 'update' keep the form of addresses beside the versions, so that a new version \
      gets its own address. Without that form a pack keeps its address '…/<ID>', and any other \
      would be guessed.
      """,
    example: .init(
      wrong: "…/tutorial-3.aar for version 4 of packs at '…/{id}-{version}.aar'",
      right: "…/tutorial-4.aar for version 4 of packs at '…/{id}-{version}.aar'"))

  private static let fix = Fix("name it with --download-base-url or --url-template", .shownOnly)

  static func unknown(_ archive: PublishedArchive) -> Diagnostic {
    rule.finding(
      .error, "where the new pack '\(archive.id)' is served is not known", at: nil, fixes: [fix])
  }

  /// Whether the next version can be at the address of this one: only if that has nothing but the ID.
  static func checkKept(_ pack: PublishedPack) -> Diagnostic? {
    let path = WebAddress(pack.url)?.path ?? []
    let ownName = path.last.map { PackID($0) == pack.id } ?? false
    let version = String(pack.version)
    let namesVersion = path.dropLast().contains { folder in
      folder.split { !("0"..."9").contains($0) }.contains { $0 == version }
        || folder.utf8.count >= 64 && folder.allSatisfy(\.isHexDigit)
    }
    guard !ownName || namesVersion else { return nil }
    let why: Diagnostic.Message = ownName ? "may name the version" : "does not end in the ID"
    return rule.finding(
      .error, "where the new version of '\(pack.id)' is served is not known", at: nil,
      notes: ["version \(pack.version) is at '\(path: pack.url)', which \(why)"], fixes: [fix])
  }

  /// Holds the address of a pack against what is on record.
  static func check(
    _ pack: PublishedPack, in record: PublicationRecord, _ urls: PackURLs?, at span: SourceSpan?
  ) -> Diagnostic? {
    let entry = record.entry(of: pack.id, version: pack.version)
    let form: Diagnostic.Message
    if let url = entry?.url {
      guard url != pack.url else { return nil }
      form = "version \(pack.version) was published at '\(path: url)'"
    } else {
      guard let urls, !urls.fits(pack, entry) else { return nil }
      form = "the form on record is '\(path: urls.template)'"
    }
    return rule.finding(
      .error, "version \(pack.version) of '\(pack.id)' is not at the address on record", at: span,
      notes: [form],
      fixes: [
        Fix(
          "correct it, or give the archive and its address to 'download-manifest update'",
          .shownOnly)
      ])
  }
}

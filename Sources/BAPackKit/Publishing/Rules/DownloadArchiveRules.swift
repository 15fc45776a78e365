import SourceDiagnostics

/// Where a download manifest and the archives that are served do not go together.
enum DownloadArchiveRules {
  static let all: [Rule] = [
    size, sizeDiffers, packDiffers, missing, unlisted, unreadable,
  ]

  /// The size of an archive is a number of bytes.
  static let size = Rule(
    "download.size",
    what: "The download size of a pack is not a whole number of bytes above 0.",
    why: "Devices measure progress by it and reserve room for it; no archive is empty.",
    example: .init(
      wrong: #""downloadSize": -1"#, right: #""downloadSize": 596"#))

  static func size(_ number: String, of name: String, at span: SourceSpan) -> Finding {
    size.finding(
      "the download size of \(name) is a whole number of bytes above 0, not '\(number)'", at: span,
      fixes: [Fix("write how many bytes its archive has", .shownOnly)])
  }

  /// The download size is that of the file.
  static let sizeDiffers = Rule(
    "download.size-differs",
    what: "The download size of a pack is not the size of its archive.",
    why: """
      Devices measure progress by it and check the download with it: there is no digest in a \
      download manifest.
      """,
    example: .init(
      wrong: #""downloadSize": 595 for a file of 596 bytes"#,
      right: #""downloadSize": 596 for a file of 596 bytes"#))

  static func sizeDiffers(
    _ pack: PublishedPack, _ archive: PublishedArchive, at span: SourceSpan?
  ) -> Finding? {
    guard archive.size != pack.downloadSize else { return nil }
    return sizeDiffers.finding(
      "the download size of '\(pack.id)' is \(pack.downloadSize), '\(path: archive.path)' has "
        + "\(archive.size) bytes",
      at: span,
      fixes: [
        Fix([Remedy.publishArchive, "restore the archive"])
      ])
  }

  /// The manifest of a pack and the download manifest say the same.
  static let packDiffers = Rule(
    "download.pack-differs", .always(.warning),
    what: "The download manifest says something about a pack that its archive does not say.",
    why: """
      Devices go by the download manifest. A policy or a userInfo that was changed by hand there \
      is lost with the next version of the pack.
      """,
    example: .init(
      wrong: #""downloadPolicy": {"onDemand": {}} for a pack that was packed as essential"#,
      right: "the policy of the pack's own manifest"))

  static func packDiffers(
    _ pack: PublishedPack, _ archive: PublishedArchive,
    at place: DownloadManifestDocument.PackLocation, _ findings: inout Ledger
  ) {
    if archive.manifest.downloadPolicy != pack.downloadPolicy {
      findings.add(
        packDiffers("download policy", of: pack.id, archive, at: place.downloadPolicy))
    }
    if !JSONValue.meanSame(archive.manifest.userInfo, pack.userInfo) {
      findings.add(packDiffers("userInfo", of: pack.id, archive, at: place.userInfo ?? place.id))
    }
  }

  private static func packDiffers(
    _ part: String, of id: PackID, _ archive: PublishedArchive, at span: SourceSpan
  ) -> Finding {
    packDiffers.finding(
      "the \(part) of '\(id)' is not the one in '\(path: archive.path)'", at: span,
      fixes: [Fix("change the pack's manifest, pack it again and update", .shownOnly)])
  }

  /// Every pack of a manifest has an archive.
  static let missing = Rule(
    "download.archive-missing",
    what: "There is no archive of a pack in the folder, or more than one that it could be.",
    why: "What is not served cannot be downloaded; what cannot be found cannot be checked.",
    example: .init(
      wrong: "the folder Output, without an archive of 'tutorial' in it",
      right: "Output/tutorial.aar"))

  static func missing(_ id: PackID, in folder: String, at span: SourceSpan?) -> Finding {
    missing.finding(
      "there is no archive of '\(id)' in '\(path: folder)'", at: span,
      fixes: [Fix("put it there, or take the pack out of the manifest", .shownOnly)])
  }

  static func missing(
    _ id: PackID, among archives: [PublishedArchive], at span: SourceSpan?
  ) -> Finding {
    missing.finding(
      "which of \(archives.count) archives '\(id)' is cannot be told", at: span,
      notes: ["there are \(Finding.list(archives.map(\.path)))"],
      fixes: [Fix("leave one of them in the folder, or call it as its URL ends", .shownOnly)])
  }

  /// Every archive of a folder is in the manifest.
  static let unlisted = Rule(
    "download.archive-unlisted", .always(.warning),
    what: "An archive is in the folder and its pack is not in the download manifest.",
    why: "Devices know only what the manifest lists. The pack may have been forgotten.",
    example: .init(
      wrong: "Output/level-1.aar, and no pack 'level-1' in the manifest",
      right: #""assetPacks": [{"id": "level-1", …}]"#))

  static func unlisted(_ archive: PublishedArchive) -> Finding {
    unlisted.finding(
      "the pack '\(archive.id)' in '\(path: archive.path)' is not in the manifest",
      at: nil,
      fixes: [Fix([Remedy.publishArchive])])
  }

  /// What is to be served is an asset pack.
  static let unreadable = Rule(
    "download.archive-unreadable",
    what: "A file is not an asset pack, or its manifest is not valid.",
    why: """
      The ID, the policy and the platforms of a pack are read from the 'Manifest.json' inside its \
      archive. A file that has none, or a damaged one, fails on devices too.
      """,
    example: .init(
      wrong: "to publish: photo.zip",
      right: "to publish: tutorial.aar"))

  static func unreadable(_ error: PackError) -> Finding {
    let remedy: Remedy =
      if case .system = error.kind {
        "name an asset pack that is there and may be read"
      } else {
        "give an asset pack (.aar); if it is one, pack it again"
      }
    return unreadable.finding(
      .init(whole: error.message), at: nil,
      fixes: [Fix(error.remedies.isEmpty ? [remedy] : error.remedies)])
  }
}

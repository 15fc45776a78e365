import SourceDiagnostics

/// The rules for differences between a download manifest and the served archives.
enum DownloadArchiveRules {
  static let all: [Rule] = [
    size, sizeDiffers, packDiffers, missing, unlisted, unreadable,
  ]

  static let size = Rule(
    "download.size",
    what: "The download size of a pack is not a positive whole number of bytes.",
    why: "Devices show progress and reserve space by this size. No archive is empty.",
    example: .init(
      wrong: #""downloadSize": -1"#, right: #""downloadSize": 596"#))

  static func size(_ number: String, of name: String, at span: SourceSpan) -> Finding {
    size.finding(
      "the download size of \(name) must be a positive whole number, not '\(number)'", at: span,
      fixes: [Fix("write the size of the archive in bytes", .shownOnly)])
  }

  static let sizeDiffers = Rule(
    "download.size-differs",
    what: "The download size of a pack differs from the size of its archive.",
    why: """
      Devices use the size to show progress and to verify the download. A download manifest \
      contains no digests.
      """,
    example: .init(
      wrong: #""downloadSize": 595 for a file of 596 bytes"#,
      right: #""downloadSize": 596 for a file of 596 bytes"#))

  static func sizeDiffers(
    _ pack: PublishedPack, _ archive: PublishedArchive, at span: SourceSpan?
  ) -> Finding? {
    guard archive.size != pack.downloadSize else { return nil }
    return sizeDiffers.finding(
      "the download size of '\(pack.id)' is \(pack.downloadSize), but '\(path: archive.path)' has "
        + "\(archive.size) bytes",
      at: span,
      fixes: [
        Fix([Remedy.publishArchive, "restore the archive"])
      ])
  }

  static let packDiffers = Rule(
    "download.pack-differs", .always(.warning),
    what: "The download manifest and the archive have different settings for a pack.",
    why: """
      Devices use the settings in the download manifest. A policy or userInfo that was edited \
      there is lost when the next version of the pack is published.
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
      "the \(part) of '\(id)' differs from the one in '\(path: archive.path)'", at: span,
      fixes: [
        Fix(
          "change the pack's manifest, pack it again and update the download manifest", .shownOnly)
      ])
  }

  static let missing = Rule(
    "download.archive-missing",
    what: "The folder contains no archive of a pack, or several candidates for it.",
    why: "A pack without an archive cannot be downloaded or checked.",
    example: .init(
      wrong: "the folder Output without an archive of 'tutorial'",
      right: "Output/tutorial.aar"))

  static func missing(_ id: PackID, in folder: String, at span: SourceSpan?) -> Finding {
    missing.finding(
      "there is no archive of '\(id)' in '\(path: folder)'", at: span,
      fixes: [Fix("add the archive, or remove the pack from the manifest", .shownOnly)])
  }

  static func missing(
    _ id: PackID, among archives: [PublishedArchive], at span: SourceSpan?
  ) -> Finding {
    missing.finding(
      "\(archives.count) archives could be the pack '\(id)'", at: span,
      notes: ["found \(Finding.list(archives.map(\.path)))"],
      fixes: [Fix("keep one of them, or rename it to the last component of its URL", .shownOnly)])
  }

  static let unlisted = Rule(
    "download.archive-unlisted", .always(.warning),
    what: "The pack of an archive in the folder is not in the download manifest.",
    why: "Devices download only packs in the manifest. The pack may have been omitted by mistake.",
    example: .init(
      wrong: "Output/level-1.aar without a pack 'level-1' in the manifest",
      right: #""assetPacks": [{"id": "level-1", …}]"#))

  static func unlisted(_ archive: PublishedArchive) -> Finding {
    unlisted.finding(
      "the pack '\(archive.id)' in '\(path: archive.path)' is not in the manifest",
      at: nil,
      fixes: [Fix([Remedy.publishArchive])])
  }

  static let unreadable = Rule(
    "download.archive-unreadable",
    what: "A file is not an asset pack, or its manifest is not valid.",
    why: """
      The ID, the policy and the platforms of a pack are read from the 'Manifest.json' in its \
      archive. A file with a missing or damaged manifest fails on devices, too.
      """,
    example: .init(
      wrong: "photo.zip",
      right: "tutorial.aar"))

  static func unreadable(_ error: PackError) -> Finding {
    let remedy: Remedy =
      if error.kind.systemError != nil {
        "specify an existing, readable asset pack"
      } else {
        "specify an asset pack (.aar); pack a damaged one again"
      }
    return unreadable.finding(
      .init(whole: error.message), at: nil,
      fixes: [Fix(error.remedies.isEmpty ? [remedy] : error.remedies)])
  }
}

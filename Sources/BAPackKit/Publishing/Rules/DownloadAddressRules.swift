import SourceDiagnostics
import TerminalText

/// What can be wrong with the addresses of packs.
enum DownloadAddressRules {
  static let all: [Rule] = [
    url, notSecure, duplicateURL, address, domain, uploadName,
  ]

  /// The address of a pack is whole.
  static let url = Rule(
    "download.url",
    what: "The URL of a pack is not a whole address.",
    why: """
      Devices take the address as it is: it needs a scheme and a host, and signs that mean nothing \
      in an address must be percent-encoded.
      """,
    example: .init(
      wrong: #""url": "packs/tutorial""#,
      right: #""url": "https://downloads.example.com/packs/tutorial""#))

  static func url(_ url: String, of id: String, at span: SourceSpan) -> Finding {
    Self.url.finding(
      "the URL of '\(id)' is not a whole address: '\(url)'", at: span,
      fixes: [Fix("write it as https://downloads.example.com/packs/\(id)", .shownOnly)])
  }

  /// Packs come over https.
  static let notSecure = Rule(
    "download.not-https",
    what: "The URL of a pack is http.",
    why: """
      Background Assets downloads over https only, and there is no fallback.
      """,
    remedies: [.allowInsecureAddresses],
    example: .init(
      wrong: #""url": "http://downloads.example.com/packs/tutorial""#,
      right: #""url": "https://downloads.example.com/packs/tutorial""#))

  static func notSecure(_ id: String, at span: SourceSpan) -> Finding {
    notSecure.finding(
      "the URL of '\(id)' is http, and devices download over https only", at: span,
      fixes: [
        Fix(["serve it over https", .allowInsecureAddresses] as [Remedy])
      ])
  }

  /// Every pack has an address of its own.
  static let duplicateURL = Rule(
    "download.duplicate-url",
    what: "Two packs of a download manifest have one URL.",
    why: "At one address there is one archive, and it is one pack; the other download fails.",
    example: .init(
      wrong: """
        "assetPacks": [
          {"id": "a", "url": "https://downloads.example.com/packs.aar", …},
          {"id": "b", "url": "https://downloads.example.com/packs.aar", …}
        ]
        """,
      right: """
        "assetPacks": [
          {"id": "a", "url": "https://downloads.example.com/a.aar", …},
          {"id": "b", "url": "https://downloads.example.com/b.aar", …}
        ]
        """))

  static func duplicateURL(
    _ pack: PublishedPack, _ other: PublishedPack, at span: SourceSpan?
  ) -> Finding {
    duplicateURL.finding(
      "'\(other.id)' and '\(pack.id)' have one URL: '\(pack.url)'", at: span,
      fixes: [Fix("tell them apart, with {id} in the URL template", .shownOnly)])
  }

  /// An update must know where a pack will be served.
  static let address = Rule(
    "download.address",
    what: "The address of a pack is not known, or not of the form that is on record.",
    why: """
      Publishing keeps the form of addresses beside the versions, so that a new version \
      gets its own address. Without that form a pack keeps its address '…/<ID>', and any other \
      would be guessed.
      """,
    example: .init(
      wrong: "…/tutorial-3.aar for version 4 of packs at '…/{id}-{version}.aar'",
      right: "…/tutorial-4.aar for version 4 of packs at '…/{id}-{version}.aar'"))

  private static let fix = Fix([Remedy.nameAddresses])

  static func address(unknownOf archive: PublishedArchive) -> Finding {
    address.finding(
      "where the new pack '\(archive.id)' is served is not known", at: nil, fixes: [fix])
  }

  /// Whether the next version can be at the address of this one: only if that has nothing but the
  /// ID.
  static func address(keptBy pack: PublishedPack) -> Finding? {
    let path = WebAddress(pack.url)?.path ?? []
    let ownName = path.last.map { PackID($0) == pack.id } ?? false
    let version = String(pack.version)
    let namesVersion = path.dropLast().contains { folder in
      folder.split { !("0"..."9").contains($0) }.contains { $0 == version }
        || folder.utf8.count >= 64 && folder.utf8.allSatisfy { $0.hexadecimalDigitValue != nil }
    }
    guard !ownName || namesVersion else { return nil }
    let why: Finding.Message = ownName ? "may name the version" : "does not end in the ID"
    return address.finding(
      "where the new version of '\(pack.id)' is served is not known", at: nil,
      notes: ["version \(pack.version) is at '\(path: pack.url)', which \(why)"], fixes: [fix])
  }

  /// Holds the address of a pack against what is on record.
  static func address(
    _ pack: PublishedPack, in record: PublicationRecord, _ urls: PackURLs?, at span: SourceSpan?
  ) -> Finding? {
    let entry = record.entry(of: pack.id, version: pack.version)
    let form: Finding.Message
    if let url = entry?.url {
      guard url != pack.url else { return nil }
      form = "version \(pack.version) was published at '\(path: url)'"
    } else {
      guard let urls, !urls.fits(pack, entry) else { return nil }
      form = "the form on record is '\(path: urls.template)'"
    }
    return address.finding(
      "version \(pack.version) of '\(pack.id)' is not at the address on record", at: span,
      notes: [form],
      fixes: [
        Fix(["correct it", .publishArchive] as [Remedy])
      ])
  }

  /// An app downloads only from hosts that it names.
  static let domain = Rule(
    "download.domain",
    what: "The host of a pack is not covered by 'BADownloadDomainAllowList'.",
    why: """
      Before an app is opened for the first time, its packs come only from the hosts in that list. \
      '*.example.com' covers every host below example.com, but not example.com itself.
      """,
    example: .init(
      wrong: "BADownloadDomainAllowList = [example.com] and https://downloads.example.com/tutorial",
      right:
        "BADownloadDomainAllowList = [*.example.com] and https://downloads.example.com/tutorial"))

  static func domain(
    _ id: PackID, and others: [PackID], host: String, list: DomainAllowList, at span: SourceSpan?
  ) -> Finding {
    let patterns: Finding.Message =
      list.patterns.isEmpty
      ? "the list is empty" : "the list has \(Finding.list(list.patterns, atMost: 8))"
    let malformed: [Finding.Message] = list.malformed.prefix(8).map {
      "'\($0)' is no name of a host, so it covers nothing"
    }
    let packs: [Finding.Message] =
      others.isEmpty ? [] : ["\(Finding.list(others.map(\.text), atMost: 8)) have the same host"]
    return domain.finding(
      "BADownloadDomainAllowList does not cover '\(host)', where '\(id)' is", at: span,
      notes: packs + [patterns] + malformed,
      fixes: [Fix("add '\(host)' to the list in Info.plist", .shownOnly)])
  }

  /// A file is served under the name that its address ends in.
  static let uploadName = Rule(
    "download.upload-name", .always(.note),
    what: "Files are called otherwise than the addresses of their packs end.",
    why: """
      A pack is written as '<ID>.aar', and its usual address ends in its ID. Whoever uploads the \
      files has to give them the names of the addresses, or the template of the addresses is \
      '{base}/{id}.aar'.
      """,
    remedies: [.publishToFolder],
    example: .init(
      wrong: "Packs/level-1.aar for https://downloads.example.com/packs/level-1",
      right: "Packs/level-1.aar for https://downloads.example.com/packs/level-1.aar"))

  static func uploadName(_ uploads: [PackUpload]) -> Finding? {
    guard let first = uploads.first else { return nil }
    let others = uploads.count - 1
    let more: Finding.Message =
      others == 0 ? "" : others == 1 ? ", and 1 more file" : ", and \(others) more files"
    return uploadName.finding(
      "upload '\(path: first.path)' as '\(first.name)'" + more, at: nil,
      notes: uploads.dropFirst().prefix(100).map { "upload '\(path: $0.path)' as '\($0.name)'" },
      fixes: [
        Fix([Remedy.publishToFolder])
      ])
  }
}

import SourceDiagnostics
import TerminalText

/// The rules for the addresses of packs.
enum DownloadAddressRules {
  static let all: [Rule] = [
    url, notSecure, duplicateURL, address, domain, uploadName,
  ]

  static let url = Rule(
    "download.url",
    what: "The URL of a pack is not a complete address.",
    why: """
      Devices use the address unchanged. It needs a scheme and a host. Characters that are not \
      allowed in addresses must be percent-encoded.
      """,
    example: .init(
      wrong: #""url": "packs/tutorial""#,
      right: #""url": "https://downloads.example.com/packs/tutorial""#))

  static func url(_ url: String, of id: String, at span: SourceSpan) -> Finding {
    Self.url.finding(
      "the URL of '\(id)' is not a complete address: '\(publicAddress(url))'", at: span,
      fixes: [Fix("write it as https://downloads.example.com/packs/\(id)", .shownOnly)])
  }

  static let notSecure = Rule(
    "download.not-https",
    what: "The URL of a pack has the scheme http.",
    why: """
      Background Assets downloads over https only, without a fallback.
      """,
    remedies: [.allowInsecureAddresses],
    example: .init(
      wrong: #""url": "http://downloads.example.com/packs/tutorial""#,
      right: #""url": "https://downloads.example.com/packs/tutorial""#))

  static func notSecure(_ id: String, at span: SourceSpan) -> Finding {
    notSecure.finding(
      "the URL of '\(id)' has the scheme http; devices download over https only", at: span,
      fixes: [
        Fix(["serve it over https", .allowInsecureAddresses] as [Remedy])
      ])
  }

  static let duplicateURL = Rule(
    "download.duplicate-url",
    what: "Two packs of a download manifest have the same URL.",
    why: """
      An address serves one archive, and an archive contains one pack. The other pack cannot be \
      downloaded.
      """,
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
      "'\(other.id)' and '\(pack.id)' have the same URL: '\(publicAddress(pack.url))'", at: span,
      fixes: [Fix("use {id} in the URL template to make them different", .shownOnly)])
  }

  static let address = Rule(
    "download.address",
    what: "The address of a pack is unknown, or differs from the recorded address or template.",
    why: """
      ba-package records the template of the addresses together with the versions, so that a new \
      version gets a new address. Without a template, a pack keeps its address only if that ends \
      in '…/<ID>'. ba-package does not guess other addresses.
      """,
    example: .init(
      wrong: "…/tutorial-3.aar for version 4 of packs at '…/{id}-{version}.aar'",
      right: "…/tutorial-4.aar for version 4 of packs at '…/{id}-{version}.aar'"))

  private static let fix = Fix([Remedy.specifyAddresses])

  static func address(unknownOf archive: PublishedArchive) -> Finding {
    address.finding(
      "the address of the new pack '\(archive.id)' is unknown", at: nil, fixes: [fix])
  }

  /// Returns a finding unless the next version can have the address of this one.
  ///
  /// Only an address without the version can be kept.
  static func address(keptBy pack: PublishedPack) -> Finding? {
    let path = WebAddress(pack.url)?.path ?? []
    let ownName = path.last.map { PackID($0) == pack.id } ?? false
    let version = String(pack.version)
    let namesVersion = path.dropLast().contains { folder in
      folder.split { !("0"..."9").contains($0) }.contains { $0 == version }
        || folder.utf8.count >= 64 && folder.utf8.allSatisfy { $0.hexadecimalDigitValue != nil }
    }
    guard !ownName || namesVersion else { return nil }
    let why: Finding.Message = ownName ? "may contain the version" : "does not end in the ID"
    return address.finding(
      "the address of the new version of '\(pack.id)' is unknown", at: nil,
      notes: ["version \(pack.version) is at '\(path: publicAddress(pack.url))', which \(why)"],
      fixes: [fix])
  }

  /// Compares the address of a pack with the record.
  static func address(
    _ pack: PublishedPack, in record: PublicationRecord, _ urls: PackURLs?, at span: SourceSpan?
  ) -> Finding? {
    let entry = record.entry(of: pack.id, version: pack.version)
    let form: Finding.Message
    if let url = entry?.url {
      guard url != pack.url else { return nil }
      form = "version \(pack.version) was published at '\(path: publicAddress(url))'"
    } else {
      guard let urls, !urls.fits(pack, entry) else { return nil }
      form = "the recorded template is '\(path: publicAddress(urls.template))'"
    }
    return address.finding(
      "version \(pack.version) of '\(pack.id)' is not at the recorded address", at: span,
      notes: [form],
      fixes: [
        Fix(["correct it", .publishArchive] as [Remedy])
      ])
  }

  static let domain = Rule(
    "download.domain",
    what: "The host of a pack is not covered by 'BADownloadDomainAllowList'.",
    why: """
      Before the first launch, an app downloads packs only from the hosts in this list. \
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
      "'\($0)' is not a host name and is ignored"
    }
    let packs: [Finding.Message] =
      others.isEmpty ? [] : ["\(Finding.list(others.map(\.text), atMost: 8)) have the same host"]
    return domain.finding(
      "BADownloadDomainAllowList does not cover '\(host)', the host of '\(id)'", at: span,
      notes: packs + [patterns] + malformed,
      fixes: [Fix("add '\(host)' to the list in Info.plist", .shownOnly)])
  }

  static let uploadName = Rule(
    "download.upload-name", .always(.note),
    what: "The names of archives differ from the last components of their addresses.",
    why: """
      A pack is written as '<ID>.aar', and its default address ends in its ID. Either upload the \
      files with the names in their addresses, or use the address template '{base}/{id}.aar'.
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

import SourceDiagnostics
import TestSupport
import Testing

@testable import BAPackKit

@Suite("Reading a download manifest")
struct DownloadManifestDocumentTests {
  private func diagnose(
    _ marked: String, allowingHTTP: Bool = false, _ expected: Expected...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = MarkedText(marked)
    let document = DownloadManifestDocument(
      parsing: text.bytes, named: "t", allowingHTTP: allowingHTTP)
    expect(document.findings, in: text, are: expected, sourceLocation: sourceLocation)
    let isValid = !expected.contains { $0.severity == .error }
    #expect((document.manifest != nil) == isValid, sourceLocation: sourceLocation)
    #expect(document.packs.count == document.locations.count, sourceLocation: sourceLocation)
  }

  /// Returns a complete pack with one member replaced.
  private func pack(_ member: String = "", id: String = "a") -> String {
    var members = [
      ("id", #""id": "\#(id)""#), ("url", #""url": "https://d.example.com/\#(id)""#),
      ("version", #""version": 0"#), ("downloadSize", #""downloadSize": 596"#),
      ("downloadPolicy", #""downloadPolicy": {"onDemand": {}}"#),
      ("host", #""host": {"thirdParty": {}}"#),
    ].filter { !member.contains("\"\($0.0)\"") }.map(\.1)
    if !member.isEmpty { members.append(member) }
    return "{\(members.joined(separator: ", "))}"
  }

  private func list(_ packs: String...) -> String {
    #"{"assetPacks": [\#(packs.joined(separator: ", "))]}"#
  }

  @Test
  func `a manifest from Apple's tool is read with any layout`() throws {
    let text = """
      { "assetPacks": [ { "id": "tutorial", "url": "https://example.com/tutorial", "version": 0,
                          "downloadSize": 596,
                          "downloadPolicy": {"prefetch":{"installationEventTypes":
                             ["firstInstallation"]}},
                          "host": { "thirdParty": {} }, "userInfo": {"payloadSHA256": "00"} } ] }
      """
    let document = DownloadManifestDocument(parsing: Array(text.utf8), named: "m.json")
    #expect(document.findings.all == [])
    let pack = try #require(document.manifest?.packs.first)
    #expect(pack.downloadPolicy == .prefetch([.firstInstallation]))
    #expect(pack.userInfo == .object([.init("payloadSHA256", .string("00"))]))
    #expect(pack.host == .thirdParty)
  }

  @Test
  func `comments and trailing commas are accepted, as on devices`() {
    diagnose(
      """
      // Served since May.
      {"assetPacks": [\(pack()),],}
      """)
  }

  @Test
  func `a duplicate ID is an error`() {
    diagnose(
      list(pack(#""id": ⟦first:"a"⟧"#), pack(#""id": ⟦second:"a"⟧"#)),
      .error("download.duplicate-id", at: "second", "duplicate pack 'a'"))
  }

  @Test
  func `an empty ID and characters that are invalid in addresses are errors`() {
    diagnose(list(pack(#""id": ⟦id:""⟧"#)), .error("id.empty", at: "id"))
    diagnose(list(pack(#""id": ⟦id:"a/b"⟧"#)), .error("id.characters", at: "id"))
    diagnose(list(pack(#""id": ⟦id:"."⟧"#)), .error("id.characters", at: "id"))
    diagnose(list(pack(#""id": ⟦id:".."⟧"#)), .error("id.characters", at: "id"))
  }

  @Test
  func `an address must be complete, https, and unique`() {
    diagnose(
      list(pack(#""url": ⟦url:"packs/a"⟧"#)),
      .error(
        "download.url", at: "url", "the URL of 'a' is not a complete address: 'packs/a'"))
    for port in ["99999", "65536", "0"] {
      diagnose(
        list(pack(#""url": ⟦url:"https://d.example.com:\#(port)/a"⟧"#)),
        .error("download.url", at: "url"))
    }
    diagnose(list(pack(#""url": "https://d.example.com:65535/a""#)))
    let http = list(pack(#""url": ⟦url:"http://localhost/a"⟧"#))
    diagnose(
      http,
      .error(
        "download.not-https", at: "url",
        "the URL of 'a' has the scheme http; devices download over https only"))
    diagnose(http, allowingHTTP: true)
    diagnose(
      list(pack(), pack(#""url": ⟦url:"https://d.example.com/a"⟧"#, id: "b")),
      .error(
        "download.duplicate-url", at: "url",
        "'a' and 'b' have the same URL: 'https://d.example.com/a'"))
  }

  @Test(arguments: ["-1", "1.5", "1e3", "99999999999999999999"])
  func `an invalid version is an error`(number: String) {
    diagnose(
      list(pack(#""version": ⟦at:\#(number)⟧"#)),
      .error(
        "download.version", at: "at",
        "the version of the pack 'a' must be a whole number of at least 0, not '\(number)'"))
  }

  @Test
  func `a version above 65,535 is a warning`() {
    diagnose(list(pack(#""version": 65535"#)))
    diagnose(
      list(pack(#""version": ⟦at:65536⟧"#)), .warning("download.version-limit", at: "at"))
  }

  @Test(arguments: ["0", "-5", "0.5"])
  func `an invalid size is an error`(number: String) {
    diagnose(
      list(pack(#""downloadSize": ⟦at:\#(number)⟧"#)), .error("download.size", at: "at"))
  }

  @Test
  func `numbers in quotes have a wrong type`() {
    diagnose(
      list(pack(#""version": ⟦at:"1"⟧"#)),
      .error("json.wrong-type", at: "at", "'version' must be a whole number, not a string"))
    diagnose(list(pack(#""userInfo": ⟦at:[]⟧"#)), .error("json.wrong-type", at: "at"))
    diagnose(#"{"assetPacks": ⟦at:{}⟧}"#, .error("json.wrong-type", at: "at"))
    diagnose(#"{"assetPacks": [⟦at:1⟧]}"#, .error("json.wrong-type", at: "at"))
    diagnose("⟦at:[]⟧", .error("json.wrong-type", at: "at"))
  }

  @Test
  func `missing keys are named`() {
    diagnose("⟦at:{⟧}", .error("json.missing-key", at: "at"))
    let text = MarkedText(#"{"assetPacks": [{"id": "a"}]}"#)
    let document = DownloadManifestDocument(parsing: text.bytes, named: "t")
    #expect(document.findings.map(\.id.name) == Array(repeating: "json.missing-key", count: 4))
  }

  @Test
  func `policies follow the rules of manifests`() {
    diagnose(
      list(pack(#""downloadPolicy": ⟦at:{}⟧"#)), .error("policy.count", at: "at"))
    diagnose(
      list(pack(#""downloadPolicy": {"onDemand": ⟦at:null⟧}"#)),
      .error("policy.on-demand-value", at: "at"))
    diagnose(
      list(pack(#""downloadPolicy": {"essential": {"installationEventTypes": ⟦at:[]⟧}}"#)),
      .error("policy.no-events", at: "at"))
  }

  @Test
  func `an unknown host and unknown keys are warnings`() {
    diagnose(
      list(pack(#""host": ⟦at:{"firstParty": {}}⟧"#)), .warning("download.host", at: "at"))
    diagnose(
      list(pack(#"⟦at:"language"⟧: "de""#)),
      .warning("json.unknown-key", at: "at", "unknown key 'language' in the pack 'a'"))
    diagnose(#"{"assetPacks": [], "isFromAppReview": false}"#)
  }

  @Test
  func `every rule has an example with its finding`() {
    let members = ["download.version", "download.size", "download.url", "download.not-https"]
    for rule in RuleCatalogue.all where rule.id.name.hasPrefix("download.") {
      guard members.contains(rule.id.name) else { continue }
      func ids(_ example: String) -> [String] {
        let text = list(pack(example))
        return DownloadManifestDocument(parsing: Array(text.utf8), named: "t").findings
          .map(\.id.name)
      }
      #expect(ids(rule.example.wrong) == [rule.id.name])
      #expect(ids(rule.example.right) == [])
    }
  }
}

@Suite("Reading the version lock of a download manifest")
struct PublicationRecordDocumentTests {
  private func diagnose(
    _ marked: String, _ expected: Expected..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = MarkedText(marked)
    let document = PublicationRecordDocument(parsing: text.bytes, named: "t")
    expect(document.findings, in: text, are: expected, sourceLocation: sourceLocation)
    #expect((document.record == nil) == !expected.isEmpty, sourceLocation: sourceLocation)
  }

  private func entry(_ more: String, id: String = "a", version: String = "1") -> String {
    #"{"id": "\#(id)", "version": \#(version)\#(more)}"#
  }

  @Test func `every property of an entry is written and read`() throws {
    try expectRoundTrip(
      PublicationRecord.Entry(
        id: "a", version: 3, sha256: digest("a"), url: "https://b.com/a", size: 9, isRemoved: true))
  }

  @Test
  func `a damaged record is rejected with the position and a fix`() {
    diagnose(#"{"published": []}"#)
    diagnose(#"{"platform": ⟦at:"ios"⟧, "published": []}"#, .error("download.record", at: "at"))
    diagnose("⟦at:{⟧}", .error("json.missing-key", at: "at"))
    diagnose(
      #"{"published": [{"id": "a", "version": ⟦at:-1⟧, "sha256": "\#(digest("a"))"}]}"#,
      .error("download.record", at: "at"))
    diagnose(
      #"{"published": [{"id": "a", "version": 1, "sha256": ⟦at:"ABC"⟧}]}"#,
      .error(
        "download.record", at: "at", "a SHA-256 must have 64 lowercase hexadecimal digits"))
    diagnose(
      #"{"urlTemplate": ⟦at:"https://{id}.b.com/"⟧, "published": []}"#,
      .error("download.record", at: "at"))
  }

  @Test
  func `a record in a newer format is not checked by the current rules`() {
    diagnose(#"{"format": 1, "published": []}"#)
    diagnose(
      #"{"format": ⟦at:2⟧, "versions": {"a": [1, 2]}}"#,
      .error(
        "download.record-format", at: "at",
        "the version lock has format 2; supported are formats up to 1"))
    diagnose(#"{"format": ⟦at:"1"⟧, "published": []}"#, .error("download.record", at: "at"))
  }

  @Test
  func `a version with two digests is an error; equal entries are merged`() throws {
    let one = #", "sha256": "\#(digest("a"))""#
    let two = #", "sha256": "\#(digest("b"))""#
    diagnose(
      #"{"published": [⟦first:\#(entry(one))⟧, ⟦at:\#(entry(two))⟧]}"#,
      .error(
        "download.record-twice", at: "at", "version 1 of 'a' is recorded twice with two digests"))
    let merged = #"{"published": [\#(entry(one)), \#(entry("")), \#(entry(one))]}"#
    let document = PublicationRecordDocument(parsing: Array(merged.utf8), named: "t")
    #expect(
      document.findings.map(\.id.name) == Array(repeating: "download.record-twice", count: 2))
    #expect(document.findings.allSatisfy { $0.severity == .warning && !$0.fixes.isEmpty })
    #expect(document.record?.entries == [.init(id: "a", version: 1, sha256: digest("a"))])
  }

  @Test(arguments: ["\n", "\r\n"])
  func `conflict markers are one finding, in a record and in a manifest`(lineEnd: String) {
    let lines = [
      "{", "  \"published\": [", "<<<<<<< HEAD", entry(""), "=======", entry("", version: "2"),
      ">>>>>>> branch", "  ]", "}",
    ]
    let text = lines.joined(separator: lineEnd)
    let record = PublicationRecordDocument(parsing: Array(text.utf8), named: "t")
    #expect(record.findings.map(\.id.name) == ["download.conflict"])
    let manifest = text.replacing("published", with: "assetPacks")
    let document = DownloadManifestDocument(parsing: Array(manifest.utf8), named: "t")
    #expect(document.findings.map(\.id.name) == ["download.conflict"])
    #expect(document.findings.allSatisfy { !$0.fixes.isEmpty })
  }

  @Test
  func `other files are reported by their kind`() throws {
    let manifest =
      #"{"assetPackID": "a", "downloadPolicy": {"onDemand": {}}, "fileSelectors": [], "#
      + #""platforms": []}"#
    let list = #"{"assetPacks": []}"#
    let record = #"{"published": []}"#
    let others: [(text: String, kind: String)] = [
      (manifest, "the manifest of a pack"), ("pbze\0\0", "an asset pack"),
      ("PK\u{3}\u{4}", "a ZIP archive"), ("\u{7F}ELF\0", "a binary file"),
      ("<?xml version=\"1.0\"?><plist/>", "an XML text"),
    ]
    for (text, kind) in others + [(record, "the version lock of a manifest")] {
      let document = DownloadManifestDocument(parsing: Array(text.utf8), named: "t")
      #expect(document.manifest == nil)
      #expect(document.findings.map(\.message) == ["this is \(kind), not a download manifest"])
    }
    for (text, kind) in others + [(list, "a download manifest")] {
      let document = PublicationRecordDocument(parsing: Array(text.utf8), named: "t")
      #expect(document.record == nil)
      #expect(
        document.findings.map(\.message)
          == ["this is \(kind), not the version lock of a download manifest"])
    }
  }

  @Test(.heavy)
  func `a record larger than the limit of manifests is read, and a long history is shortened`()
    throws
  {
    let packs = (0..<3).map { PackID("pack-\($0)") }
    let template = try PackURLs(base: "https://d.example.com")
    var record = PublicationRecord(platform: .iOS)
    for id in packs {
      for version in 0..<60_000 { record.add(.init(id: id, version: version, sha256: digest("a"))) }
    }
    let text = record.json()
    #expect(text.count > JSONLimits().size)
    let read = PublicationRecordDocument(parsing: text, named: "t")
    #expect(read.findings.all == [])
    #expect(read.record == record)
    let manifest = DownloadManifest(packs: [
      PublishedPack(
        id: packs[0], url: "https://d.example.com/pack-0", version: 17, downloadSize: 1,
        downloadPolicy: .onDemand)
    ])
    let update = manifest.updated(
      with: [.sample("pack-1", content: "c")], for: .iOS, at: template, record: record, named: "t")
    #expect(update.record.json().count <= JSONLimits().size)
    for id in packs { #expect((update.record.latest(of: id)?.version ?? 0) >= 59_999) }
    #expect(update.record.latest(of: "pack-1")?.sha256 == digest("c"))
    #expect(update.record.sha256(of: packs[0], version: 17) == digest("a"))
  }
}

import BAPackKit
import SourceDiagnostics
import Testing

@Suite("Creating a download manifest")
struct DownloadManifestCreateTests {
  let urls: PackURLs

  init() throws { urls = try PackURLs(base: "https://downloads.example.com/packs/") }

  @Test
  func `the text is strict JSON in a fixed order`() throws {
    let info = JSONValue.object([.init("z", .number("1")), .init("a", .string("/"))])
    let publication = DownloadManifest.create(
      from: [
        (.sample("tutorial", policy: .essential), 0),
        (.sample("island", size: 70_000_000_000, userInfo: info), 12),
      ], for: .iOS, at: urls)
    let manifest = try #require(publication.manifest)
    #expect(
      String(decoding: manifest.json(), as: UTF8.self) == """
        {
          "assetPacks": [
            {
              "id": "tutorial",
              "url": "https://downloads.example.com/packs/tutorial",
              "version": 0,
              "downloadSize": 596,
              "downloadPolicy": {
                "essential": {
                  "installationEventTypes": [
                    "firstInstallation",
                    "subsequentUpdate"
                  ]
                }
              },
              "host": {
                "thirdParty": {}
              }
            },
            {
              "id": "island",
              "url": "https://downloads.example.com/packs/island",
              "version": 12,
              "downloadSize": 70000000000,
              "downloadPolicy": {
                "onDemand": {}
              },
              "host": {
                "thirdParty": {}
              },
              "userInfo": {
                "z": 1,
                "a": "/"
              }
            }
          ]
        }

        """)
    #expect(publication.findings.isEmpty)
    #expect(manifest.document.manifest == manifest)
    #expect(manifest.document.findings.isEmpty)
  }

  @Test
  func `the record contains digests by ID and version, in order`() throws {
    let publication = DownloadManifest.create(
      from: [(.sample("b", content: "b"), 3), (.sample("a"), 0)], for: .macOS, at: urls)
    let text = publication.record.json()
    #expect(
      String(decoding: text, as: UTF8.self) == """
        {
          "format": 1,
          "platform": "macOS",
          "urlTemplate": "https://downloads.example.com/packs/{id}",
          "published": [
            {"id":"a","version":0,"sha256":"\(digest("a"))"},
            {"id":"b","version":3,"sha256":"\(digest("b"))"}
          ]
        }

        """)
    let document = PublicationRecordDocument(parsing: text, named: "manifest.json.lock.json")
    #expect(document.record == publication.record)
    #expect(publication.changes.map(\.action) == [.added, .added])
  }

  @Test
  func `a pack that does not support the platform is omitted with a warning`() {
    let publication = DownloadManifest.create(
      from: [
        (.sample("everywhere"), 0), (.sample("phones", platforms: [.iOS]), 0),
        (.sample("desks", platforms: [.macOS, .tvOS]), 0),
      ], for: .iOS, at: urls)
    #expect(publication.manifest?.packs.map(\.id) == ["everywhere", "phones"])
    #expect(
      publication.findings.lines == [
        "Output/desks.aar: warning: the pack 'desks' supports 'macOS' and 'tvOS' and is omitted "
          + "from the manifest for 'iOS' [download.platform]"
      ])
  }

  @Test
  func `if no pack supports the platform, no manifest is created`() {
    let publication = DownloadManifest.create(
      from: [(.sample("desks", platforms: [.macOS]), 0)], for: .iOS, at: urls)
    #expect(publication.manifest == nil)
    #expect(publication.findings.ids == ["download.platform", "download.platform"])
    #expect(publication.findings.lines.last?.contains("no pack supports") == true)
  }

  @Test
  func `two archives of one pack are an error that names both`() {
    let publication = DownloadManifest.create(
      from: [(.sample("a"), 0), (.sample("a", content: "b", path: "Old/a.aar"), 1)],
      for: .iOS, at: urls)
    #expect(publication.manifest == nil)
    #expect(
      publication.findings.lines == [
        "Old/a.aar: error: the pack 'a' is given twice, first as 'Output/a.aar' "
          + "[download.duplicate-id]"
      ])
  }

  @Test
  func `a language is omitted with a warning`() throws {
    let publication = DownloadManifest.create(
      from: [(.sample("voices", language: LanguageTag(language: "es", region: "US")), 0)],
      for: .iOS, at: urls)
    let manifest = try #require(publication.manifest)
    #expect(!String(decoding: manifest.json(), as: UTF8.self).contains("language"))
    #expect(
      publication.findings.lines == [
        "Output/voices.aar: warning: the language 'es-US' of 'voices' is omitted "
          + "[language.self-hosted]"
      ])
  }

  @Test
  func `a template that results in equal addresses is an error`() throws {
    let urls = try PackURLs(base: nil, template: "https://d.example.com/v{version}.aar")
    let publication = DownloadManifest.create(
      from: [(.sample("a"), 0), (.sample("b"), 0)], for: .iOS, at: urls)
    #expect(publication.manifest == nil)
    #expect(publication.findings.ids == ["download.duplicate-url", "download.duplicate-url"])
  }

  @Test
  func `versions above 65,535 are a warning`() {
    let publication = DownloadManifest.create(
      from: [(.sample("a"), 65_535), (.sample("b"), 65_536)], for: .iOS, at: urls)
    #expect(publication.manifest?.packs.map(\.version) == [65_535, 65_536])
    #expect(
      publication.findings.lines == [
        "Output/b.aar: warning: version 65536 of 'b' is higher than 65535 [download.version-limit]"
      ])
  }

  /// Regenerates a manifest that has `a` with version 4 and `b` with version 0, from the remaining
  /// files.
  private func replace(
    _ packs: (PublishedArchive, Int?)..., manifest: Bool = true, record: Bool = true
  ) -> Publication {
    let old = DownloadManifest.create(
      from: [(.sample("a", content: "a"), 4), (.sample("b", content: "b"), 0)], for: .iOS, at: urls)
    return DownloadManifest.create(
      from: packs.map { (archive: $0.0, version: $0.1) }, for: .iOS, at: urls,
      replacing: manifest ? old.manifest : nil, record: record ? old.record : nil)
  }

  @Test(arguments: [(true, true), (false, true), (true, false)])
  func `a regenerated manifest continues the versions of the old one`(
    manifest: Bool, record: Bool
  ) {
    let publication = replace(
      (.sample("a", content: "a"), nil), (.sample("b", content: "c"), nil),
      (.sample("c", content: "c"), nil), manifest: manifest, record: record)
    // Without a record it is unknown whether the bytes of 'a' are the same.
    #expect(publication.manifest?.packs.map(\.version) == [record ? 4 : 5, 1, 0])
    #expect(publication.record.latest(of: "a")?.version == (record ? 4 : 5))
    if record { #expect(publication.record.sha256(of: "b", version: 0) == digest("b")) }
  }

  @Test
  func `a requested version below a published version is an error`() {
    let refused = replace((.sample("a", content: "a"), 0), (.sample("b", content: "b"), 0))
    #expect(refused.manifest == nil)
    #expect(
      refused.findings.lines == [
        "Output/a.aar: error: the version of 'a' decreases from 4 to 0 [download.version-lowered]"
      ])
    let other = replace((.sample("a", content: "c"), 4), (.sample("b", content: "b"), 0))
    #expect(other.findings.ids == ["download.version-not-raised"])
    #expect(replace((.sample("a", content: "c"), 9), (.sample("b"), nil)).manifest != nil)
  }

  @Test
  func `a pack that a new manifest omits is a warning and is recorded as removed`() {
    let publication = replace((.sample("a", content: "a"), nil))
    #expect(publication.changes.map(\.action) == [.unchanged, .removed])
    #expect(publication.findings.ids == ["download.pack-vanished"])
    #expect(publication.record.latest(of: "b")?.isRemoved == true)
  }
}

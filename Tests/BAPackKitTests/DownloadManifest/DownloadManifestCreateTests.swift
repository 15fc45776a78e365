import BAPackKit
import SourceDiagnostics
import Testing

@Suite("Creating a download manifest")
struct DownloadManifestCreateTests {
  let urls: PackURLs

  init() throws { urls = try PackURLs(base: "https://downloads.example.com/packs/") }

  @Test("the text is strict JSON in a fixed order")
  func text() throws {
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
    #expect(manifest.document.diagnostics.isEmpty)
  }

  @Test("the record remembers digests by ID and version, in order")
  func record() throws {
    let publication = DownloadManifest.create(
      from: [(.sample("b", content: "b"), 3), (.sample("a"), 0)], for: .macOS, at: urls)
    let text = publication.record.json()
    #expect(
      String(decoding: text, as: UTF8.self) == """
        {
          "platform": "macOS",
          "published": [
            {
              "id": "a",
              "version": 0,
              "sha256": "\(digest("a"))"
            },
            {
              "id": "b",
              "version": 3,
              "sha256": "\(digest("b"))"
            }
          ]
        }

        """)
    let document = PublicationRecordDocument(parsing: text, named: "manifest.json.lock.json")
    #expect(document.record == publication.record)
    #expect(publication.changes.map(\.action) == [.added, .added])
  }

  @Test("a pack that is not meant for the platform is refused by name")
  func platform() {
    let publication = DownloadManifest.create(
      from: [
        (.sample("everywhere"), 0), (.sample("phones", platforms: [.iOS]), 0),
        (.sample("desks", platforms: [.macOS, .tvOS]), 0),
      ], for: .iOS, at: urls)
    #expect(publication.manifest == nil)
    #expect(
      publication.findings.lines == [
        "Output/desks.aar: error: the pack 'desks' is meant for 'macOS' and 'tvOS', not for 'iOS' "
          + "[download.platform]"
      ])
    #expect(
      publication.findings.first?.diagnostics.first?.fixes.map(\.message) == [
        "leave it out, or pack it again with 'iOS' among its platforms"
      ])
  }

  @Test("two archives of one pack are refused, and both are named")
  func duplicate() {
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

  @Test("a language is not written, and that is said")
  func language() throws {
    let publication = DownloadManifest.create(
      from: [(.sample("voices", language: LanguageTag(language: "es", region: "US")), 0)],
      for: .iOS, at: urls)
    let manifest = try #require(publication.manifest)
    #expect(!String(decoding: manifest.json(), as: UTF8.self).contains("language"))
    #expect(
      publication.findings.lines == [
        "Output/voices.aar: warning: the language 'es-US' of 'voices' is not written "
          + "[language.self-hosted]"
      ])
  }

  @Test("a template that gives two packs one address is refused")
  func oneAddress() throws {
    let urls = try PackURLs(base: nil, template: "https://d.example.com/v{version}.aar")
    let publication = DownloadManifest.create(
      from: [(.sample("a"), 0), (.sample("b"), 0)], for: .iOS, at: urls)
    #expect(publication.manifest == nil)
    #expect(publication.findings.ids == ["download.duplicate-url", "download.duplicate-url"])
  }

  @Test("versions above 65,535 are warned of")
  func highVersion() {
    let publication = DownloadManifest.create(
      from: [(.sample("a"), 65_535), (.sample("b"), 65_536)], for: .iOS, at: urls)
    #expect(publication.manifest?.packs.map(\.version) == [65_535, 65_536])
    #expect(
      publication.findings.lines == [
        "Output/b.aar: warning: version 65536 of 'b' is higher than 65535 [download.version-limit]"
      ])
  }

  @Test("a manifest in the place of one with higher versions is warned of")
  func replacing() {
    let old = DownloadManifest.create(
      from: [(.sample("a"), 4), (.sample("b"), 0)], for: .iOS, at: urls
    ).manifest
    let publication = DownloadManifest.create(
      from: [(.sample("a"), 0), (.sample("b"), 0)], for: .iOS, at: urls, replacing: old)
    #expect(publication.manifest != nil)
    #expect(
      publication.findings.lines == [
        "Output/a.aar: warning: the version of 'a' falls from 4 to 0 [download.version-lowered]"
      ])
  }
}

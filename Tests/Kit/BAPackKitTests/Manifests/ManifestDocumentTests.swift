import BAPackKit
import SourceDiagnostics
import Testing

@Suite struct ManifestDocumentTests {
  /// The archived form of the complete manifest.
  private static let archived = """
    {
      "assetPackID": "Tutorial",
      "downloadPolicy": {
        "prefetch": {
          "installationEventTypes": [
            "subsequentUpdate"
          ]
        }
      },
      "fileSelectors": [
        {
          "file": "a/b.png"
        },
        {
          "directorySource": "Out",
          "directoryDestination": "In"
        }
      ],
      "platforms": [
        "iOS",
        "macOS"
      ],
      "language": "zh-Hant-TW",
      "userInfo": {
        "size": 1.50,
        "odd": 0.5
      }
    }

    """

  @Test func `a complete manifest is read with its places`() throws {
    let text = """
      {
        // The tutorial.
        assetPackID: 'Tutorial',
        "downloadPolicy": {"prefetch": {"installationEventTypes": ["subsequentUpdate"]}},
        "fileSelectors": [
          {"file": "./a//b.png"},
          {"directoryDestination": "In", "directorySource": "Out/"},
        ],
        "platforms": ["iOS", "macOS"],
        "language": "zh-Hant-TW",
        "userInfo": {"size": 1.50, "odd": .5},
        "sourceRoot": "..",
      }
      """
    let document = ManifestDocument(parsing: Array(text.utf8), named: "m.json")
    #expect(document.findings.all == [])
    let manifest = try #require(document.manifest)
    #expect(manifest.assetPackID == "Tutorial")
    #expect(manifest.downloadPolicy == .prefetch([.subsequentUpdate]))
    #expect(
      manifest.fileSelectors == [
        .file("a/b.png"), .renamedDirectory(source: "Out", destination: "In"),
      ])
    #expect(manifest.platforms == [.iOS, .macOS])
    #expect(manifest.language == LanguageTag(language: "zh", script: "Hant", region: "TW"))
    #expect(manifest.sourceRoot == "..")
    let place = document.locations.selectors[1]
    #expect(document.source.text(of: place.source) == "\"Out/\"")
    #expect(place.destination.map(document.source.text) == "\"In\"")
    #expect(String(decoding: manifest.archivedJSON(), as: UTF8.self) == Self.archived)
  }

  @Test func `every mistake is reported once in order`() {
    let text = """
      {
        "assetPackId": "Tutorial",
        "downloadPolicy": {"essential": {}},
        "fileSelectors": [{"folder": "a"} {"fileSource": "b"}],
        "platforms": "iOS"
      }
      """
    let document = ManifestDocument(parsing: Array(text.utf8), named: "m.json")
    #expect(document.manifest == nil)
    #expect(
      LineRenderer().render(document.findings) == """
        m.json:2:3: error: unknown key 'assetPackId' in a manifest [json.unknown-key]
        m.json:2:3: fix: write 'assetPackID'
        m.json:3:35: error: 'essential' must contain the key 'installationEventTypes' \
        [json.missing-key]
        m.json:3:35: fix: add the key, such as "installationEventTypes": \
        ["firstInstallation", "subsequentUpdate"]
        m.json:4:22: error: unknown key 'folder' in a selector [selector.unknown-kind]
        m.json:4:22: hint: valid keys: 'file', 'directory', 'filePattern', 'fileSource', \
        'fileDestination', 'directorySource', 'directoryDestination' and 'fileExclusion'
        m.json:4:22: fix: write 'directory'
        m.json:4:37: error: expected ',' or ']' [json.syntax]
        m.json:4:37: fix: insert ',' after the value
        m.json:4:38: error: 'fileSource' requires 'fileDestination' in the same selector \
        [selector.half-pair]
        m.json:4:37: hint: in this selector
        m.json:5:16: error: 'platforms' must be an array of strings, not a string [json.wrong-type]
        m.json:5:16: fix: write the value in brackets: [ ]

        """)
  }
}

import BAPackKit
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

/// Each key and each kind of selectors is an entry of a table; other code uses the tables.
@Suite struct ManifestKeyTests {
  /// All keys of a manifest at any depth, from the schema.
  private static let keys: Set<String> = {
    var names: Set<String> = []
    func collect(_ value: JSONValue) {
      switch value {
      case .object(let members):
        for member in members {
          if member.key == "properties", case .object(let properties) = member.value {
            names.formUnion(properties.map(\.key))
          }
          collect(member.value)
        }
      case .array(let elements): elements.forEach(collect)
      default: break
      }
    }
    collect(Manifest.jsonSchema)
    return names
  }()

  @Test func `only the tables contain the keys of a manifest`() throws {
    #expect(Self.keys.isSuperset(of: ["sourceRoot", "essential", "fileDestination", "$schema"]))
    let root = Checkout.file("Sources").path(percentEncoded: false)
    // The files with keys: the tables, the texts of rules, and the files of another format.
    let tables: Set = [
      "Keyed.swift", "ManifestKeys.swift", "DownloadPolicyKeys.swift", "SelectorKind.swift",
    ]
    var found: Set<String> = []
    var places: [String] = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    where path.hasSuffix(".swift") {
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      let isExempt =
        tables.contains(name) || name.hasSuffix("Rules.swift")
        || name.hasPrefix("DownloadManifest") || path.hasPrefix("Kit/BAPackKit/Unmanaged/")
      let text = try String(contentsOfFile: root + "/" + path, encoding: .utf8)
      for key in Self.keys where text.contains("\"\(key)\"") {
        if tables.contains(name) { found.insert(key) }
        // Other words are also names of options, and '$schema' is in every schema.
        let isPlain = key == key.lowercased()
        if !isExempt, path.hasPrefix("Kit/BAPackKit/") || !isPlain, key != "$schema" {
          places.append("\(path): \(key)")
        }
      }
    }
    #expect(places == [])
    #expect(found == Self.keys)
  }

  @Test func `only three files switch over the kinds of selectors`() throws {
    let root = Checkout.file("Sources").path(percentEncoded: false)
    var files: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: root)
    where path.hasSuffix(".swift") && !path.hasPrefix("Features/Converting/")
      && !path.hasPrefix("Features/Proposing/") && !path.hasPrefix("Features/Planning/")
    {
      // Conversions, proposals and plans create selectors.
      let text = try String(contentsOfFile: root + "/" + path, encoding: .utf8)
      if text.contains(#/case \.?renamed(File|Directory)\b|\.renamed(File|Directory)\(/#) {
        files.insert(path)
      }
    }
    #expect(
      files == [
        "Kit/BAPackKit/Model/Manifest.swift", "Kit/BAPackKit/Manifests/Keys/SelectorKind.swift",
        "Kit/BAPackKit/Selecting/Resolver+Selectors.swift",
      ])
  }

  @Test func `every property of a manifest has a key, in a fixed order`() {
    let manifest = Manifest(
      assetPackID: "A", downloadPolicy: .onDemand, fileSelectors: [], platforms: [],
      sourceRoot: "..", language: LanguageTag("en"), userInfo: .object([]))
    // The unparsed value has another name.
    let properties = Mirror(reflecting: manifest).children.compactMap(\.label).map {
      $0 == "writtenUserInfo" ? "userInfo" : $0
    }
    guard case .object(let members) = manifest.authoredValue() else { return }
    #expect(Set(members.map(\.key)) == Set(properties))
    #expect(Manifest.key(of: \.sourceRoot) == "sourceRoot")
  }

  @Test func `the place of each value has the name of its property`() throws {
    let text = """
      {"userInfo": {}, "language": "en", "assetPackID": "A", "sourceRoot": "..",
       "downloadPolicy": {"onDemand": {}}, "fileSelectors": [{"file": "a"}], "platforms": []}
      """
    let document = ManifestDocument(parsing: Array(text.utf8), named: "m")
    let places = document.locations
    func written(_ span: SourceSpan?) throws -> String {
      let span = try #require(span)
      return String(decoding: Array(text.utf8)[span.start..<span.end], as: UTF8.self)
    }
    #expect(try written(places.assetPackID) == "\"A\"")
    #expect(try written(places.downloadPolicy) == "{\"onDemand\": {}}")
    #expect(try written(places.fileSelectors) == "[{\"file\": \"a\"}]")
    #expect(try written(places.platforms) == "[]")
    #expect(try written(places.sourceRoot) == "\"..\"")
    #expect(try written(places.language) == "\"en\"")
    #expect(try written(places.userInfo) == "{}")
    #expect(ManifestDocument(parsing: [], named: "m").locations.assetPackID == nil)
  }

  // MARK: - Writing

  @Test func `a written manifest contains all keys in the order of the table`() {
    let manifest = Manifest(
      assetPackID: "Level-1", downloadPolicy: .prefetch([.subsequentUpdate]),
      fileSelectors: [.directory("Level 1"), .exclusion("./*.psd")], platforms: [.tvOS],
      sourceRoot: "..", language: LanguageTag("zh-Hant"),
      userInfo: .object([.init("edition", .number("1.0"))]))
    #expect(
      String(decoding: manifest.authoredJSON(schema: "manifest.schema.json"), as: UTF8.self) == """
        {
          "$schema": "manifest.schema.json",
          "assetPackID": "Level-1",
          "downloadPolicy": {
            "prefetch": {
              "installationEventTypes": [
                "subsequentUpdate"
              ]
            }
          },
          "fileSelectors": [
            {
              "directory": "Level 1"
            },
            {
              "fileExclusion": "./*.psd"
            }
          ],
          "platforms": [
            "tvOS"
          ],
          "sourceRoot": "..",
          "language": "zh-Hant",
          "userInfo": {
            "edition": 1.0
          }
        }

        """)
  }

  @Test func `reading a written manifest gives the same manifest`() {
    var random = Seeded(seed: 31)
    var kinds: Set<String> = []
    for _ in 0..<300 {
      let manifest = Self.manifest(&random)
      let document = ManifestDocument(parsing: manifest.authoredJSON(), named: "m.json")
      #expect(document.manifest == manifest)
      let wrong = document.findings.filter {
        $0.severity == .error || $0.id.name.hasPrefix("json.")
      }
      #expect(wrong == [])
      for selector in manifest.fileSelectors {
        if case .object(let members) = selector.jsonValue { kinds.formUnion(members.map(\.key)) }
      }
    }
    // All kinds occurred.
    #expect(
      kinds == [
        "file", "directory", "filePattern", "fileSource", "fileDestination", "directorySource",
        "directoryDestination", "fileExclusion",
      ])
    #expect(kinds.isSubset(of: Self.keys))
  }

  private static func manifest(_ random: inout Seeded) -> Manifest {
    func pick<Value>(_ values: [Value]) -> Value {
      values[Int(random.next() % UInt64(values.count))]
    }
    func path() -> String {
      let names = [
        "a", "b c", "é", "e\u{301}", "say \"hi\"", "日本", ".x", "a.png", "{}", "# c", "..a", "🐠",
      ]
      return (0...Int(random.next() % 3)).map { _ in pick(names) }.joined(separator: "/")
    }
    func events() -> Set<InstallationEvent> {
      pick([[.firstInstallation], [.subsequentUpdate], [.firstInstallation, .subsequentUpdate]])
    }
    func selector() -> FileSelector {
      switch random.next() % 6 {
      case 0: .file(path())
      case 1: .directory(pick([".", path()]))
      case 2: .filePattern(path() + pick(["/*", "/**/*.wav", "?", "[a-z]"]))
      case 3: .renamedFile(source: path(), destination: path())
      case 4: .renamedDirectory(source: pick([".", path()]), destination: pick([".", path()]))
      default: .exclusion(pick(["./a", "*.psd", "**/x", path()]))
      }
    }
    func value(_ depth: Int) -> JSONValue {
      switch random.next() % (depth > 3 ? 4 : 6) {
      case 0: pick([.null, .bool(true), .bool(false)])
      case 1: .number(pick(["0", "-2.5e3", "1.0", "123456789012345678901234567890"]))
      case 2, 3: .string(pick(["", "\u{1}\n\t\"\\", "é", "\u{2028}", "</script>"]))
      case 4: .array((0..<Int(random.next() % 4)).map { _ in value(depth + 1) })
      default:
        .object((0..<Int(random.next() % 4)).map { .init("k\($0)", value(depth + 1)) })
      }
    }
    return Manifest(
      assetPackID: pick(["A", "Level-1", "tutorial", "1"]),
      downloadPolicy: pick([.essential(events()), .prefetch(events()), .onDemand]),
      fileSelectors: (0...Int(random.next() % 8)).map { _ in selector() },
      platforms: Array(Platform.allCases.shuffled(using: &random).prefix(Int(random.next() % 5))),
      sourceRoot: pick([nil, "..", "src", "../a b", "."]),
      language: pick([nil, "en", "zh-Hant-TW", "es-419"]).flatMap { LanguageTag($0) },
      userInfo: pick([nil, .object([.init("a", value(0))]), .object([])]))
  }

  @Test func `options fill in the template`() {
    var template = ManifestTemplate()
    template.assetPackID = "Level-1"
    template.downloadPolicy = .essential([.firstInstallation])
    template.fileSelectors = [.renamedFile(source: "a", destination: "b"), .exclusion("*.psd")]
    template.platforms = [.iOS]
    template.schema = "s.json"
    let manifest = Manifest(
      assetPackID: "Level-1", downloadPolicy: .essential([.firstInstallation]),
      fileSelectors: template.fileSelectors, platforms: [.iOS])
    #expect(Array(template.strictJSON.utf8) == manifest.authoredJSON(schema: "s.json"))
    #expect(
      template.text == """
        {
          "$schema": "s.json",
          // The name by which the app requests the pack.
          "assetPackID": "Level-1",
          // The download policy: exactly one of three keys.
          "downloadPolicy": {
            "essential": {
              "installationEventTypes": ["firstInstallation"],
            },
          },
          // The selectors of the files in the pack.
          "fileSelectors": [
            {"fileSource": "a", "fileDestination": "b"},
            {"fileExclusion": "*.psd"},
          ],
          // The platforms that the pack is offered on. An empty list means all.
          "platforms": ["iOS"],
        }

        """)
    template.downloadPolicy = .onDemand
    #expect(template.text.contains("  \"downloadPolicy\": {\"onDemand\": {}},\n"))
  }

  // MARK: - Lines and comparison

  @Test func `the lines of a manifest contain its main properties`() {
    var manifest = Manifest(
      assetPackID: "A", downloadPolicy: .prefetch([.subsequentUpdate, .firstInstallation]),
      fileSelectors: [.file("a")], platforms: [])
    #expect(
      manifest.lines.map { "\($0.title): \($0.text)" } == [
        "Pack: A", "Policy: prefetch (firstInstallation, subsequentUpdate)", "Platforms: all",
      ])
    manifest.platforms = [.macOS, .tvOS]
    manifest.language = LanguageTag("en")
    manifest.downloadPolicy = .onDemand
    #expect(
      manifest.lines.map(\.text) == ["A", "on demand", "macOS, tvOS", "en"])
  }

  @Test func `selectors of different kinds are not equal`() {
    let all: [FileSelector] = [
      .file("a"), .directory("a"), .filePattern("a"), .renamedFile(source: "a", destination: "a"),
      .renamedDirectory(source: "a", destination: "a"), .exclusion("a"),
      .renamedFile(source: "a", destination: "b"), .file("\u{E9}"), .file("e\u{301}"),
    ]
    for (place, selector) in all.enumerated() {
      #expect(all.firstIndex(of: selector) == place)
    }
    #expect(Set(all).count == all.count)
  }
}

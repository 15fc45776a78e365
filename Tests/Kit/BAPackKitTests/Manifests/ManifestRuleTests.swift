import BAPackKit
import SourceDiagnostics
import TestSupport
import Testing

/// The severity and the place of each finding.
@Suite struct ManifestRuleTests {
  private struct Case: CustomTestStringConvertible {
    var text: String
    var hosting: Hosting?
    var expected: [Expected]

    init(_ text: String, for hosting: Hosting? = nil, _ expected: Expected...) {
      self.text = text
      self.hosting = hosting
      self.expected = expected
    }

    var testDescription: String { "\(hosting.map { "\($0): " } ?? "")\(text)" }
  }

  private static let others = [
    "assetPackID": #""assetPackID": "A""#,
    "downloadPolicy": #""downloadPolicy": {"onDemand": {}}"#,
    "fileSelectors": #""fileSelectors": [{"file": "a"}]"#, "platforms": #""platforms": []"#,
  ]

  private func check(_ test: Case) {
    let rest = Self.others.filter { !test.text.contains("\"\($0.key)\"") }.values.sorted()
    let marked = MarkedText("{\(([test.text] + rest).joined(separator: ", "))}")
    let document = ManifestDocument(parsing: marked.bytes, named: "m", for: test.hosting)
    expect(document.findings, in: marked, are: test.expected)
    let isValid = !test.expected.contains { $0.severity == .error }
    #expect(document.isValid == isValid)
  }

  @Test(arguments: [
    Case(#""assetPackID": ⟦1:""⟧"#, .error("id.empty", at: "1")),
    Case(#""assetPackID": ⟦1:"a/b.c"⟧"#, .error("id.characters", at: "1")),
    Case(#""assetPackID": ⟦1:"a\u0007"⟧"#, .error("id.characters", at: "1")),
    Case(#""assetPackID": ⟦1:"a.b"⟧"#, .warning("id.grammar", at: "1")),
    Case(#""assetPackID": ⟦1:"a.b"⟧"#, for: .apple, .error("id.grammar", at: "1")),
    Case(#""assetPackID": "a.b""#, for: .selfHosted),
    Case(#""assetPackID": ⟦1:"-a"⟧"#, for: .apple, .error("id.grammar", at: "1")),
    Case(#""assetPackID": ⟦1:"ä"⟧"#, .warning("id.grammar", at: "1")),
    Case(#""assetPackID": "a--b""#), Case(#""assetPackID": "a--b""#, for: .selfHosted),
    Case(#""assetPackID": ⟦1:"a--b"⟧"#, for: .apple, .warning("id.style", at: "1")),
    Case(
      "\"assetPackID\": ⟦1:\"\(String(repeating: "a", count: 65))\"⟧", for: .apple,
      .warning("id.style", at: "1")),
    Case("\"assetPackID\": \"\(String(repeating: "a", count: 64))\"", for: .apple),
    Case(#""assetPackID": ⟦1:"[Asset-Pack ID]"⟧"#, .error("manifest.placeholder", at: "1")),
    Case(#""assetPackID": ⟦1:5⟧"#, .error("json.wrong-type", at: "1")),
  ]) private func `mistakes in identifiers are reported at their place`(_ test: Case) {
    check(test)
  }

  @Test(arguments: [
    Case(#""downloadPolicy": ⟦1:{}⟧"#, .error("policy.count", at: "1")),
    Case(
      #""downloadPolicy": ⟦1:{"onDemand": {}, "prefetch": null}⟧"#, .error("policy.count", at: "1")
    ),
    Case(
      #""downloadPolicy": {⟦1:"onDemnad"⟧: {}}"#,
      .error("policy.unknown", at: "1", "there is no download policy 'onDemnad'")),
    Case(#""downloadPolicy": ⟦1:"onDemand"⟧"#, .error("json.wrong-type", at: "1")),
    Case(#""downloadPolicy": {"onDemand": ⟦1:null⟧}"#, .error("policy.on-demand-value", at: "1")),
    Case(
      #""downloadPolicy": {"onDemand": ⟦1:{"a": 1}⟧}"#, .error("policy.on-demand-value", at: "1")),
    Case(#""downloadPolicy": {"essential": ⟦1:{⟧}}"#, .error("json.missing-key", at: "1")),
    Case(#""downloadPolicy": {"essential": ⟦1:null⟧}"#, .error("json.wrong-type", at: "1")),
    Case(
      #""downloadPolicy": {"prefetch": {"installationEventTypes": ⟦1:[]⟧}}"#,
      .error("policy.no-events", at: "1")),
    Case(
      #""downloadPolicy": {"prefetch": {"installationEventTypes": [⟦1:"firstInstall"⟧, ⟦2:5⟧]}}"#,
      .error("policy.unknown-event", at: "1"), .error("json.wrong-type", at: "2")),
    Case(
      """
      "downloadPolicy": {"prefetch": {"installationEventTypes": \
      ["firstInstallation", ⟦1:"firstInstallation"⟧]}}
      """, .warning("policy.duplicate-event", at: "1")),
  ]) private func `mistakes in policies are reported at their place`(_ test: Case) { check(test) }

  @Test(arguments: [
    Case(#""fileSelectors": ⟦1:[]⟧"#, .error("selector.none", at: "1")),
    Case(#""fileSelectors": [⟦1:{}⟧]"#, .error("selector.unknown-kind", at: "1")),
    Case(#""fileSelectors": [⟦1:"a"⟧]"#, .error("json.wrong-type", at: "1")),
    Case(#""fileSelectors": [{⟦1:"File"⟧: "a"}]"#, .error("selector.unknown-kind", at: "1")),
    Case(
      #""fileSelectors": [{"file": "a", ⟦1:"comment"⟧: "#
        + #""b"}]"#, .error("json.unknown-key", at: "1")),
    Case(
      #""fileSelectors": [{⟦1:"fileDestination"⟧: "a"}]"#, .error("selector.half-pair", at: "1")),
    Case(
      #""fileSelectors": [{"fileSource": "a", ⟦1:"directoryDestination"⟧: "b"}]"#,
      .error("selector.two-kinds", at: "1")),
    Case(#""fileSelectors": [{"file": ⟦1:null⟧}]"#, .error("json.wrong-type", at: "1")),
    Case(#""fileSelectors": [{"file": ⟦1:""⟧}]"#, .error("selector.empty-path", at: "1")),
    Case(#""fileSelectors": [{"file": ⟦1:"/a"⟧}]"#, .error("selector.absolute", at: "1")),
    Case(#""fileSelectors": [{"file": ⟦1:"C:\\a"⟧}]"#, .error("selector.absolute", at: "1")),
    Case(#""fileSelectors": [{"file": ⟦1:"a/../b"⟧}]"#, .error("selector.parent", at: "1")),
    Case(#""fileSelectors": [{"filePattern": ⟦1:"../*"⟧}]"#, .error("selector.parent", at: "1")),
    Case(#""fileSelectors": [{"file": "a..b/..c/..."}]"#),
    Case(#""fileSelectors": [{"file": ⟦1:"a/"⟧}]"#, .error("selector.trailing-slash", at: "1")),
    Case(#""fileSelectors": [{"directory": "a/"}, {"directory": "."}]"#),
    Case(#""fileSelectors": [{"file": ⟦1:"a\u0000"⟧}]"#, .error("selector.nul-character", at: "1")),
    Case(#""fileSelectors": [{"file": ⟦1:"a\\b"⟧}]"#, .warning("selector.backslash", at: "1")),
    Case(#""fileSelectors": [{"filePattern": "a\\*b"}, {"fileExclusion": "\\!"}]"#),
    Case(#""fileSelectors": [{"file": ⟦1:"*.png"⟧}]"#, .warning("selector.glob-signs", at: "1")),
    Case(
      #""fileSelectors": [{"directory": ⟦1:"a[1]"⟧}]"#, .warning("selector.glob-signs", at: "1")),
    Case(
      #""fileSelectors": [{"file": "a/b"}, ⟦1:{"file": "./a//b"}⟧, {"filePattern": "a/b"}]"#,
      .warning("selector.duplicate", at: "1")),
    Case("\"fileSelectors\": [{\"file\": \"\u{E9}\"}, {\"file\": \"e\u{301}\"}]"),
    Case(
      """
      "fileSelectors": \
      [{"file": ⟦1:"[Path to File]"⟧}, {"directory": ⟦2:"[Path to Directory]"⟧}]
      """,
      .error("manifest.placeholder", at: "1"), .error("manifest.placeholder", at: "2")),
  ]) private func `mistakes in selectors are reported at their place`(_ test: Case) { check(test) }

  @Test(arguments: [
    Case(#""platforms": [⟦1:"ios"⟧, "macOS"]"#, .error("platform.unknown", at: "1")),
    Case(#""platforms": [⟦1:"iPadOS"⟧]"#, .error("platform.unknown", at: "1")),
    Case(#""platforms": [⟦1:"watchOS"⟧]"#, .error("platform.unknown", at: "1")),
    Case(#""platforms": ["iOS", ⟦1:"iOS"⟧]"#, .warning("platform.duplicate", at: "1")),
    Case(#""platforms": [⟦1:null⟧]"#, .error("json.wrong-type", at: "1")),
    Case(#""sourceRoot": ⟦1:"/a"⟧"#, .error("source-root.path", at: "1")),
    Case(#""sourceRoot": ⟦1:""⟧"#, .error("source-root.path", at: "1")),
    Case(#""sourceRoot": "../..""#),
    Case(#""userInfo": ⟦1:[]⟧"#, .error("json.wrong-type", at: "1")),
    Case(#""userInfo": {}"#), Case(#""userInfo": {}"#, for: .selfHosted),
    Case(#""userInfo": ⟦1:{}⟧"#, for: .apple, .error("user-info.apple-hosted", at: "1")),
    Case(#""toolsVersion": {"any": "thing"}"#),
    Case(#"⟦1:"sourceroot"⟧: ".""#, .error("json.unknown-key", at: "1")),
  ]) private func `mistakes in other keys are reported at their place`(_ test: Case) { check(test) }

  @Test(arguments: [
    Case(#""language": "ja""#), Case(#""language": "es-419""#), Case(#""language": "zh-Hans-VN""#),
    Case(#""language": "fil""#), Case(#""language": "sr-Latn""#), Case(#""language": "ar-001""#),
    Case(#""language": ⟦1:"ja"⟧"#, for: .selfHosted, .warning("language.self-hosted", at: "1")),
    Case(#""language": ⟦1:"english"⟧"#, .error("language.malformed", at: "1")),
    Case(#""language": ⟦1:""⟧"#, .error("language.malformed", at: "1")),
    Case(#""language": ⟦1:"en-"⟧"#, .error("language.malformed", at: "1")),
    Case(#""language": ⟦1:"en-US-Latn"⟧"#, .error("language.malformed", at: "1")),
    Case(#""language": ⟦1:"en_US.UTF-8"⟧"#, .error("language.malformed", at: "1")),
    Case(#""language": ⟦1:"de-1996"⟧"#, .error("language.subtag", at: "1")),
    Case(#""language": ⟦1:"zh-yue"⟧"#, .error("language.subtag", at: "1")),
    Case(#""language": ⟦1:"de-u-co-phonebk"⟧"#, .error("language.subtag", at: "1")),
    Case(#""language": ⟦1:"de-x-mine"⟧"#, .error("language.subtag", at: "1")),
    Case(#""language": ⟦1:"x-mine"⟧"#, .error("language.subtag", at: "1")),
    Case(#""language": ⟦1:"zh_hant"⟧"#, .error("language.separator", at: "1")),
    Case(#""language": ⟦1:"zh-hant"⟧"#, .warning("language.case", at: "1")),
    Case(#""language": "⟦1:qq⟧""#, .warning("language.unassigned", at: "1")),
    Case(#""language": "en-⟦1:UK⟧""#, .warning("language.unassigned", at: "1")),
    Case(#""language": "en-⟦1:ZZ⟧""#, .warning("language.unassigned", at: "1")),
    Case(#""language": "en-⟦1:XQ⟧""#, .warning("language.unassigned", at: "1")),
    Case(#""language": "en-⟦1:999⟧""#, .warning("language.unassigned", at: "1")),
    Case(#""language": "en-⟦1:840⟧""#, .warning("language.unassigned", at: "1")),
    Case(#""language": "en-⟦1:Abcd⟧-US""#, .warning("language.unassigned", at: "1")),
    Case(#""language": "⟦1:iw⟧-IL""#, .warning("language.deprecated", at: "1")),
    Case(#""language": "de-⟦1:DD⟧""#, .warning("language.deprecated", at: "1")),
    Case(#""language": "⟦1:deu⟧""#, .warning("language.three-letters", at: "1")),
    Case(#""language": "⟦1:ger⟧-AT""#, .warning("language.three-letters", at: "1")),
    Case(#""language": "tl""#), Case(#""language": "cmn""#), Case(#""language": "tgl""#),
    Case(#""language": "aaa""#), Case(#""language": "zza-Kitl""#), Case(#""language": "en-Zsym""#),
    Case(#""language": "⟦1:zzy⟧""#, .warning("language.unassigned", at: "1")),
    Case(
      #""language": ⟦1:"en-USA"⟧"#,
      .error("language.subtag", at: "1", "a region has two letters: 'US', not 'USA'")),
    Case(
      #""language": ⟦1:"⟦2:iw⟧_⟦3:uk⟧"⟧"#, .error("language.separator", at: "1"),
      .warning("language.deprecated", at: "2"), .warning("language.unassigned", at: "3")),
  ]) private func `mistakes in languages are reported at their place`(_ test: Case) { check(test) }

  /// A tar archive has 'ustar' at byte 257, and so may a manifest.
  @Test func `a text that begins like JSON is JSON`() {
    let start = #"{"assetPackID": "A", "downloadPolicy": {"onDemand": {}}, "platforms": [], "#
    for opening in ["", "\u{FEFF}", "// a\n", "/* b */"] {
      let text = opening + start
      let filler = String(repeating: " ", count: 257 - text.utf8.count)
      let manifest =
        text + filler + #"ustar: 1, "fileSelectors": [{"file": "a"}]}"#
        + String(repeating: " ", count: 512)
      let found = ManifestDocument(parsing: Array(manifest.utf8), named: "m").findings.all
      #expect(found.map(\.message) == ["unknown key 'ustar' in a manifest"])
    }
  }

  @Test(.heavy) func `the tables of codes are complete`() {
    let codes = (0..<17_576).map { number in
      String(
        decoding: [number / 676, number / 26 % 26, number % 26].map { UInt8($0) + 97 },
        as: UTF8.self)
    }
    let assigned = codes.filter { code in
      !ManifestDocument(
        parsing: Array(#"{"language": "\#(code)"}"#.utf8), named: "m"
      ).findings.contains { $0.id == "language.unassigned" }
    }
    // ISO 639-3 has 7,910 codes; the twenty bibliographic codes also have two-letter codes.
    #expect(assigned.count >= 7_910 && assigned.count <= 7_910 + 40)
  }

  @Test(arguments: [
    ("pbze\u{0}\u{0}", "the file is an Apple Archive, not a manifest"),
    ("PK\u{3}\u{4}", "the file is a ZIP archive, not a manifest"),
  ]) func `archives are not manifests`(text: String, message: String) {
    let document = ManifestDocument(parsing: Array(text.utf8), named: "m")
    #expect(document.findings.map(\.message) == [message])
    #expect(ManifestDocument(folderNamed: "f").findings.map(\.severity) == [.error])
  }

  @Test func `manifests are also compared with each other`() throws {
    func document(_ id: String, _ name: String) -> ManifestDocument {
      ManifestDocument(parsing: Array("{\n  \"assetPackID\": \"\(id)\"}".utf8), named: name)
    }
    let three = ["A", "B", "A"].enumerated().map { document($0.element, "m\($0.offset).json") }
    let findings = ManifestDocument.findings(together: three).pages.map(\.findings)
    #expect(findings.map(\.count) == [0, 0, 1])
    let same = try #require(findings[2].first)
    #expect(same.id == "packs.same-id")
    #expect(same.severity == .error)
    #expect(same.notes == ["the other manifest is m0.json:2:18"])
    let alike = ["caf\u{E9}", "cafe\u{301}", "cafe", "CAF\u{E9}", "cafe\u{301}"].enumerated()
      .map { document($0.element, "m\($0.offset).json") }
    let found = ManifestDocument.findings(together: alike).pages.map(\.findings)
    #expect(
      found.map { $0.map(\.id.name) } == [
        [], ["packs.similar-ids"], [], [], ["packs.same-id"],
      ])
    #expect(
      found[1].first?.message
        == "'cafe<U+0301>' and 'caf<U+00E9>' look the same but are different IDs")
    #expect(found[4].first?.notes == ["the other manifest is m1.json:2:18"])
    for (count, severity) in [(179, nil), (180, .warning), (200, .warning), (201, .error)]
      as [(Int, Finding.Severity?)]
    {
      let many = (0..<count).map { document("P\($0)", "m") }
      let found = ManifestDocument.findings(together: many).all
      #expect(found.first?.severity == severity)
      #expect(found.first?.id == (severity == nil ? nil : "packs.count"))
      #expect(found.count == (severity == nil ? 0 : 1))
      #expect(ManifestDocument.findings(together: many, hosting: .apple).all == found)
      #expect(ManifestDocument.findings(together: many, hosting: .selfHosted).isEmpty)
    }
  }
}

import BAPackKit
import SourceDiagnostics
import TestSupport
import Testing

@Suite struct FixTests {
  private func fixed(_ text: String, for hosting: Hosting? = nil) -> String {
    let result = ManifestDocument.fixed(Array(text.utf8), named: "m", for: hosting)
    let again = ManifestDocument.fixed(result.document.source.bytes, named: "m", for: hosting)
    #expect(again.applied == 0)
    #expect(again.document.source.bytes == result.document.source.bytes)
    return String(decoding: result.document.source.bytes, as: UTF8.self)
  }

  @Test func `safe fixes change only their spans`() {
    let text = """
      {
        assetPackID: 'Tutorial', // the first level
        "downloadPolicy": {"onDemand": null},
        "fileSelectors": [
          {"file": "a.png"}, // once
          {"file": "b.png"} // no comma
          {"file": "c.png"}
        ],
        /* where */
        "platforms": ['ios', "macOS",\t"TVOS"],
        "language": 'zh_hant',
      }
      """
    #expect(
      fixed(text) == """
        {
          assetPackID: 'Tutorial', // the first level
          "downloadPolicy": {"onDemand": {}},
          "fileSelectors": [
            {"file": "a.png"}, // once
            {"file": "b.png"}, // no comma
            {"file": "c.png"}
          ],
          /* where */
          "platforms": ['iOS', "macOS",\t"tvOS"],
          "language": 'zh-Hant',
        }
        """)
  }

  /// Returns a manifest with a member.
  private func manifest(_ member: String, lineEnd: String = "\n") -> String {
    let members = [
      #""assetPackID": "A""#, #""downloadPolicy": {"onDemand": {}}"#,
      #""fileSelectors": [{"file": "a"}]"#, #""platforms": ["iOS"]"#,
    ]
    let key = member.prefix { $0 != ":" }
    return "{" + lineEnd
      + (members.filter { !$0.hasPrefix(key) } + [member]).joined(separator: "," + lineEnd)
      + lineEnd + "}" + lineEnd
  }

  /// Values are never removed, and ambiguous mistakes are unchanged.
  @Test(arguments: [
    #""platforms": [iOS", "macOS"]"#, #""platforms": ["iOS", "iOS"]"#,
    #""platforms": ["iOS", "macOS", "IOS"]"#,
    #""fileSelectors": [{"file": "a"}, {"file": "./a"}]"#,
    #""downloadPolicy": {"onDemand": {"installationEventTypes": [/* why */]}}"#,
    #""userInfo": {"a": [1 234]}"#, #""userInfo": {"a": ["it""s"]}"#,
    #""userInfo": {"a": 1, "b": @}, "language": "zh_hant""#,
    #""platforms": ["ios", "macOS"], "userInfo": {"a": "#,
  ]) func `an ambiguous mistake is not fixed`(member: String) {
    #expect(fixed(manifest(member)) == manifest(member))
  }

  @Test(arguments: [
    (#""platforms": ["iOS" "macOS"]"#, #""platforms": ["iOS", "macOS"]"#),
    (
      #""downloadPolicy": {"onDemand": null /* why */}"#,
      #""downloadPolicy": {"onDemand": {} /* why */}"#
    ),
    (#""userInfo": {"a": 1\#r// b"#, #""userInfo": {"a": 1\#r// b"#),
  ]) func `an unambiguous mistake is fixed`(member: String, corrected: String) {
    #expect(fixed(manifest(member)) == manifest(corrected))
  }

  @Test(arguments: [
    (#""fileSelectors": [{"pattern": "*.png"}]"#, #""fileSelectors": [{"filePattern": "*.png"}]"#),
    (#""downloadPolicy": {"ondemand": {}}"#, #""downloadPolicy": {"onDemand": {}}"#),
    (#""plattforms": ["ios"]"#, #""platforms": ["iOS"]"#),
    (#""userInfo": {"a": True}"#, #""userInfo": {"a": true}"#),
    (#""platforms": ["iOS",, "macOS"]"#, #""platforms": ["iOS", "macOS"]"#),
    (#""language": "en-UK""#, #""language": "en-GB""#),
    (#""language": "en-USA""#, #""language": "en-US""#),
    (#""platforms": [iOS", "macOS"]"#, #""platforms": ["iOS", "macOS"]"#),
    (#""platforms": ["iOS" "iOS" "macOS"]"#, #""platforms": ["iOS", "macOS"]"#),
    (#""fileSelectors": [{"filePattern": "[ "}]"#, #""fileSelectors": [{"filePattern": "\\[ "}]"#),
  ]) func `unsafe fixes are made on request`(member: String, corrected: String) {
    // The misspelled key replaces the correct one.
    func members(_ text: String) -> String {
      member.hasPrefix("\"plattforms")
        ? text.replacing("\"platforms\": [\"iOS\"],\n", with: "") : text
    }
    let result = ManifestDocument.fixed(
      Array(members(manifest(member)).utf8), named: "m", unsafe: true)
    #expect(String(decoding: result.document.source.bytes, as: UTF8.self) == manifest(corrected))
    #expect(result.document.findings.all == [])
  }

  /// A comment and the element after it are kept for all line ends.
  @Test(arguments: ["\n", "\r", "\r\n"]) func `comments are kept for all line ends`(lineEnd: String)
  {
    let lines = [
      #""platforms": ["#, #"  "iOS","#, #"  "iOS" // again"#, #"  , "tvOS","#, #"  "iOS","#,
      #"  // all of them"#, #"  "macOS""#, "]",
    ]
    let text = manifest(lines.joined(separator: lineEnd), lineEnd: lineEnd)
    let result = ManifestDocument.fixed(Array(text.utf8), named: "m", unsafe: true)
    let corrected = String(decoding: result.document.source.bytes, as: UTF8.self)
    #expect(result.document.findings.all == [])
    #expect(result.document.manifest?.platforms.map(\.rawValue) == ["iOS", "tvOS", "macOS"])
    #expect(corrected.contains("// again\(lineEnd)"))
    #expect(corrected.contains("// all of them\(lineEnd)"))
  }

  @Test(.heavy) func `any number of fixes is made in one pass`() {
    let selectors = [String](repeating: #"{"file": "a"}"#, count: 40_000)
    let text = manifest("\"fileSelectors\": [\(selectors.joined(separator: ",\n"))]")
    let result = ManifestDocument.fixed(Array(text.utf8), named: "m", unsafe: true)
    #expect(result.applied == 39_999)
    #expect(result.document.findings.all == [])
    #expect(result.document.fileSelectors == [.file("a")])
  }

  @Test func `dependent fixes are made one after the other`() {
    let text = """
      {"assetPackID": "A", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "fileSelectors": [{"file": "a"}], "language": "HEB_il"}
      """
    #expect(fixed(text).hasSuffix(#""language": "he-IL"}"#))
  }

  @Test func `unsafe fixes are not made without a request`() {
    let text = #"""
      {"assetPackID": "A", "downloadPolicy": {"ondemand": {}}, "platforms": ["iPadOS"],
       "fileSelectors": [{"file": "a\\b"}], "language": "en-UK"}
      """#
    #expect(fixed(text) == text)
  }
}

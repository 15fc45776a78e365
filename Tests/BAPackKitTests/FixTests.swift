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

  @Test func safeFixesChangeTheirSpansAndNothingElse() {
    let text = """
      {
        assetPackID: 'Tutorial', // the first level
        "downloadPolicy": {"onDemand": null},
        "fileSelectors": [
          {"file": "a.png"}, // once
          {"file": "./a.png"},
          {"file": "b.png"} // no comma
          {"file": "b.png"}
        ],
        /* where */
        "platforms": ['ios', "macOS",\t"IOS", "macOS"],
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
          ],
          /* where */
          "platforms": ['iOS', "macOS"],
          "language": 'zh-Hant',
        }
        """)
  }

  @Test func fixesThatNeedEachOtherAreMadeInTurn() {
    let text = """
      {"assetPackID": "A", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "fileSelectors": [{"file": "a"}], "language": "HEB_il"}
      """
    #expect(fixed(text).hasSuffix(#""language": "he-IL"}"#))
  }

  @Test func unsafeFixesAreLeftToThePerson() {
    let text = #"""
      {"assetPackID": "A", "downloadPolicy": {"ondemand": {}}, "platforms": ["iPadOS"],
       "fileSelectors": [{"file": "a\\b"}], "language": "en-UK"}
      """#
    #expect(fixed(text) == text)
  }
}

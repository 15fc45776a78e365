import BAPackKit
import SourceDiagnostics
import TestSupport
import Testing

/// Every rule and every fix ends for a megabyte of input.
///
/// Quadratic work would take hours.
@Suite struct LargeManifestTests {
  /// A megabyte of some input, in the worst place.
  private static let texts: [(name: String, piece: String, around: @Sendable (String) -> String)] =
    [
      ("policies", #""k%": 0,"#, { #"{"downloadPolicy": {\#($0)}}"# }),
      ("one policy again and again", #""onDemand": {},"#, { #"{"downloadPolicy": {\#($0)}}"# }),
      ("platforms without commas", #""iOS" "#, { #"{"platforms": [\#($0)]}"# }),
      ("platforms", #""iOS","#, { #"{"platforms": [\#($0)]}"# }),
      ("platforms in the wrong case", #""ios","#, { #"{"platforms": [\#($0)]}"# }),
      ("unknown platforms", #""linux%","#, { #"{"platforms": [\#($0)]}"# }),
      ("equal selectors", #"{"file":"a"},"#, { #"{"fileSelectors": [\#($0)]}"# }),
      ("selectors", #"{"file":"a%"},"#, { #"{"fileSelectors": [\#($0)]}"# }),
      ("selectors with many keys", #""k%":0,"#, { #"{"fileSelectors": [{\#($0)}]}"# }),
      ("unknown keys", #""platfrm%":0,"#, { "{\($0)}" }),
      ("equal keys", #""platforms":0,"#, { "{\($0)}" }),
      ("words", "a,", { "[\($0)]" }), ("commas", ",", { "[\($0)]" }),
      ("numbers without commas", "1 ", { "[\($0)]" }), ("one number", "1", { "[\($0)]" }),
      ("one word", "ab", { "[\($0)]" }), ("quotes", "\"", { "[\($0)]" }),
      ("quotes on lines", "\"a\n", { "[\($0)]" }), ("opening brackets", "[", { $0 }),
      ("closing brackets", "]", { "[\($0)" }), ("both brackets", "[}", { $0 }),
      ("comments", "/**/", { "{\($0)" }), ("comments on lines", "//\r", { "{\($0)" }),
      ("open comments", "/*", { "[1 \($0)" }), ("escapes", #"\q\u12"#, { "[\"\($0)\"]" }),
      ("backslashes", #"\\"#, { #"{"fileSelectors": [{"file": "\#($0)"}]}"# }),
      ("dots", "../", { #"{"fileSelectors": [{"file": "\#($0)"}]}"# }),
      ("stars", "**/", { #"{"fileSelectors": [{"filePattern": "\#($0)a"}]}"# }),
      ("open classes", "[a", { #"{"fileSelectors": [{"filePattern": "\#($0)"}]}"# }),
      ("reversed paths", "\u{202E}", { #"{"fileSelectors": [{"file": "\#($0)"}]}"# }),
      ("flags in paths", "🇩", { #"{"fileSelectors": [{"directory": "\#($0)"}]}"# }),
      ("marks in patterns", " \u{301}", { #"{"fileSelectors": [{"filePattern": "\#($0)"}]}"# }),
      ("reversed IDs", "\u{202E}", { #"{"assetPackID": "\#($0)"}"# }),
      ("reversed keys", "\u{202E}", { #"{"\#($0)": 0}"# }),
      ("subtags", "en-", { #"{"language": "\#($0)US"}"# }),
      ("colons", "a:", { "{\($0)" }), ("missing brackets", "{a:[1,", { $0 }),
    ]

  @Test(.world, arguments: texts.indices)
  func `a megabyte of input is read and fixed`(index: Int) {
    let (name, piece, around) = Self.texts[index]
    var text = ""
    var number = 0
    while text.utf8.count < 1 << 20 {
      text += piece.replacing("%", with: String(number))
      number += 1
    }
    let bytes = Array(around(text).utf8)
    #expect(ManifestDocument(parsing: bytes, named: "m").source.bytes == bytes, "\(name)")
    for unsafe in [false, true] {
      _ = ManifestDocument.fixed(bytes, named: "m", unsafe: unsafe)
    }
  }
}

import BAPackKit
import DeviceSimulator
import SourceDiagnostics
import TestSupport
import Testing

@Suite struct LanguageTests {
  private func tags(_ text: String) throws -> [LanguageTag] {
    try text.split(separator: " ").map { try #require(LanguageTag(String($0))) }
  }

  @Test(arguments: [
    // Packs, preferences, primary language, the resolved language, the rules.
    ("es-US en", "es-MX en", "en", "es-US", "language-region language-which-region"),
    ("en-US", "en-GB", "en", "en-US", "language-region language-which-region"),
    ("en-US en-AU", "en-GB", "en", "en-AU", "language-region language-which-region"),
    ("en-001 en-AU en", "en-GB", "en", "en-001", "language-region language-which-region"),
    ("es-ES es-AR", "es-MX", "en", "es-AR", "language-region language-which-region"),
    ("es-ES es-GT es-AR", "es", "en", "es-ES", "language-equivalent"),
    ("pt-PT pt-BR", "pt-AO", "en", "pt-PT", "language-region language-which-region"),
    ("pt-AO pt-BR", "pt-CH", "en", "pt-AO", "language-region language-which-region"),
    ("en fr", "de fr", "en", "fr", "language-next language-equivalent"),
    ("en", "es", "en", "en", "language-primary"), ("fr", "es", "en", "", "language-none"),
    ("en-GB", "es", "en", "", "language-none"),
    ("zh-Hans", "zh-TW", "en", "", "language-none"),
    ("zh-Hant", "zh-TW", "en", "zh-Hant", "language-equivalent"),
    ("zh-TW zh-Hans", "zh-HK", "en", "zh-TW", "language-region language-which-region"),
    ("no en", "nb-NO", "en", "no", "language-parent"),
    ("no en", "nn", "en", "no", "language-parent"), ("nb en", "no", "en", "nb", "language-parent"),
    ("nb en", "nn", "en", "en", "language-primary"),
    ("no-NO en", "nb", "en", "no-NO", "language-parent"),
    ("en", "hi-Latn", "", "", "language-none"),
    ("en en-US", "en-Latn", "", "en", "language-equivalent"),
    ("deu", "de-DE", "", "deu", "language-equivalent"),
    ("sr-Latn", "sr", "en", "", "language-none"), ("", "de", "en", "", "no-language"),
  ])
  func `one language is resolved for a manifest, with the rules that apply`(
    packs: String, preferences: String, primary: String, found: String, rules: String
  ) throws {
    let resolution = LanguageResolution(
      of: try tags(packs), preferring: try tags(preferences), primary: try tags(primary).first)
    #expect((resolution.language?.description ?? "") == found)
    #expect(resolution.rules.map(\.id).joined(separator: " ") == rules)
    // The order of the packs does not matter.
    let turned = LanguageResolution(
      of: try tags(packs).reversed(), preferring: try tags(preferences),
      primary: try tags(primary).first)
    #expect(turned == resolution)
  }

  private static let languages = [
    "en", "zh", "sr", "pt", "es", "fr", "no", "nb", "nn", "uz", "az", "pa", "hi", "bs", "iw", "he",
    "in", "id", "yue", "ar", "de", "deu", "ja", "mn", "kk",
  ]
  private static let rests = ["", "-US", "-GB", "-Latn", "-Cyrl", "-Hant", "-TW", "-Latn-US"]

  @Test(.heavy)
  func `all parts of the project agree on which of 200 tags are equivalent`() throws {
    let tags = try Self.languages.flatMap { language in
      try Self.rests.map { try #require(LanguageTag(language + $0)) }
    }
    #expect(tags.count == 200)
    let documents = tags.map { tag in
      ManifestDocument(
        parsing: Array(
          #"""
          {"assetPackID": "voices", "downloadPolicy": {"onDemand": {}}, "platforms": [],
           "fileSelectors": [{"file": "a"}], "language": "\#(tag)"}
          """#.utf8), named: "Manifest.json")
    }
    var wrong: [String] = []
    for (first, one) in tags.enumerated() {
      for (second, other) in tags.enumerated() {
        let isSame = one.meaning == other.meaning
        if first > second, one.isEquivalent(to: other) != other.isEquivalent(to: one) {
          wrong.append("\(one) and \(other) turned round")
        }
        // Every equivalent pair, and a quarter of the others.
        guard isSame || (first + second).isMultiple(of: 4) else { continue }
        let found = Self.results(one, other, documents[second])
        for (name, opinion) in found where opinion != isSame {
          wrong.append("\(name): \(one) and \(other)")
        }
      }
    }
    #expect(wrong.prefix(10) == [])
  }

  /// Returns for each part of the project whether two tags are the same language.
  private static func results(
    _ one: LanguageTag, _ other: LanguageTag, _ document: ManifestDocument
  ) -> [(String, Bool)] {
    var packs = [
      Lantern.pack("one", .essential(Lantern.first), files: ["Voices/door.wav": 1]),
      Lantern.pack("other", .essential(Lantern.first), files: ["Voices/door.wav": 2]),
    ]
    packs[0].offered.language = one
    packs[1].offered.language = other
    let release = Release("r", packs)
    let source = ReleaseSource([release])
    var device = DeviceState()
    device.publish(0)
    device.profile.languages = [one]
    let state = device.after(.install, in: source).state
    let areThere = state.installedIDs.count == 2
    let noPrimary = LanguageResolution(of: [other], preferring: [], primary: one).language == nil
    let findings = ManifestDocument.findings(together: [document], primaryLanguage: one)
    let shared = SharedPaths(of: release, for: device.profile, in: source).paths.count == 1
    return [
      ("isEquivalent", one.isEquivalent(to: other)), ("delivered", areThere),
      ("shared paths", shared), ("resolution of the primary language", !noPrimary),
      ("rule", !findings.contains { $0.id == "packs.primary-language" }),
      (
        "search",
        state.find("Voices/door.wav", for: one, source).answer == .ambiguous(["one", "other"])
      ),
      ("matrix", DeviceMatrix(.languages, for: device.profile) { _ in release }.rows.count == 1),
    ]
  }

  @Test
  func `packs with two spellings of a language are both delivered`() {
    let run = Lantern.play(
      """
      device languages en-Latn-US
      release spellings
      install
      expect downloaded voices-en voices-en-us
      expect language en
      expect language en-US
      expect not language en-GB
      expect ambiguous Voices/door.wav for en
      expect ambiguous Voices/door.wav for en-US
      set-language en-US
      reconcile
      expect downloaded voices-en voices-en-us
      update-app
      expect downloaded voices-en voices-en-us
      """)
    #expect(run.findings.map(\.message) == [])
  }

  @Test func `a path in packs of two languages is readable only for a given language`() {
    let run = Lantern.play(
      """
      device languages en
      release one
      install
      expect readable Voices/door.wav
      request voices-fr
      expect ambiguous Voices/door.wav
      expect not readable Voices/door.wav
      expect readable Voices/door.wav for fr
      expect readable Voices/door.wav for en-US
      expect readable Voices/door.wav in voices-fr
      expect missing Voices/door.wav for de
      """)
    #expect(run.findings.map(\.message) == [])
  }
}

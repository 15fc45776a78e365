import BAPackKit
import DeviceSimulator
import Foundation
import Testing

@Suite struct LanguageTests {
  private func tags(_ text: String) throws -> [LanguageTag] {
    try text.split(separator: " ").map { try #require(LanguageTag(String($0))) }
  }

  @Test func `what a tag leaves unsaid is what Foundation says`() throws {
    var tags = Locale.LanguageCode.isoLanguageCodes.map(\.identifier)
    for language in ["ar", "az", "en", "es", "pa", "pt", "ru", "sr", "uz", "yue", "zh"] {
      for script in ["", "-Latn", "-Cyrl", "-Arab", "-Hant"] {
        tags += ["", "-US", "-GB", "-TW", "-PK", "-419", "-ME"].map { language + script + $0 }
      }
    }
    var compared = 0
    for text in tags {
      guard let tag = LanguageTag(text), tag.language != "und" else { continue }
      let (ours, theirs) = (
        tag.maximized.description, Locale.Language(identifier: text).maximalIdentifier
      )
      compared += 1
      // Of rare languages, which have three letters, the older table does not know every region.
      let isRare = tag.language.utf8.count == 3
      #expect(
        ours == theirs || isRare && theirs.hasPrefix(ours), "\(text)")
    }
    #expect(compared > 900)
  }

  @Test(arguments: [
    ("en", "en-US", true), ("en", "en-Latn-US", true), ("en", "en-CA", false),
    ("zh-Hant", "zh-TW", true), ("zh", "zh-Hans-CN", true), ("zh", "zh-Hant", false),
    ("sr", "sr-Cyrl-RS", true), ("sr-Latn", "sr", false), ("iw", "he", true), ("qqq", "qqq", true),
  ])
  func `languages are the same that have the same likely subtags`(
    left: String, right: String, isSame: Bool
  ) throws {
    let (left, right) = (try #require(LanguageTag(left)), try #require(LanguageTag(right)))
    #expect(left.isEquivalent(to: right) == isSame)
    #expect((left.minimized == right.minimized) == isSame)
  }

  @Test(arguments: [
    ("zh-Hant-TW", "zh-TW"), ("en-Latn-US", "en"), ("en-CA", "en-CA"), ("sr-Latn-RS", "sr-Latn"),
  ])
  func `the shortest tag means the same`(tag: String, shortest: String) throws {
    #expect(try #require(LanguageTag(tag)).minimized.description == shortest)
  }

  @Test func `regions have the parents that CLDR gives them`() throws {
    func line(_ tag: String) throws -> String {
      try #require(LanguageTag(tag)).ancestors.map(\.description).joined(separator: " ")
    }
    #expect(try line("es-MX") == "es-419 es")
    #expect(try line("en-AT") == "en-150 en-001 en")
    #expect(try line("zh-Hant-MO") == "zh-Hant-HK zh-Hant zh")
    #expect(try line("pt-AO") == "pt-PT pt")
    #expect(try line("de") == "de")
  }

  @Test(arguments: [
    // Packs, preferences, primary language, what is found, the rules.
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
    ("sr-Latn", "sr", "en", "", "language-none"), ("", "de", "en", "", "no-language"),
  ])
  func `one language is found for a manifest, and the rules say why`(
    packs: String, preferences: String, primary: String, found: String, rules: String
  ) throws {
    let resolution = LanguageResolution(
      of: try tags(packs), preferring: try tags(preferences), primary: try tags(primary)[0])
    #expect((resolution.language?.description ?? "") == found)
    #expect(resolution.rules.map(\.id).joined(separator: " ") == rules)
    // The order in which packs come does not matter.
    let turned = LanguageResolution(
      of: try tags(packs).reversed(), preferring: try tags(preferences),
      primary: try tags(primary)[0])
    #expect(turned == resolution)
  }
}

import BAPackKit
import Foundation
import Testing

@Suite struct LanguageMeaningTests {
  @Test func `a tag has the same likely subtags as in Foundation`() throws {
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
      // For rare languages with three-letter codes, the older table lacks some regions.
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
  func `languages with the same likely subtags are equivalent`(
    left: String, right: String, isSame: Bool
  ) throws {
    let (left, right) = (try #require(LanguageTag(left)), try #require(LanguageTag(right)))
    #expect(left.isEquivalent(to: right) == isSame)
    #expect((left.minimized == right.minimized) == isSame)
  }

  @Test(arguments: [
    ("zh-Hant-TW", "zh-TW"), ("en-Latn-US", "en"), ("en-CA", "en-CA"), ("sr-Latn-RS", "sr-Latn"),
  ])
  func `the shortest tag has the same meaning`(tag: String, shortest: String) throws {
    #expect(try #require(LanguageTag(tag)).minimized.description == shortest)
  }

  @Test func `regions have the parents that CLDR defines`() throws {
    func line(_ tag: String) throws -> String {
      try #require(LanguageTag(tag)).ancestors.map(\.description).joined(separator: " ")
    }
    #expect(try line("es-MX") == "es-419 es")
    #expect(try line("en-AT") == "en-150 en-001 en")
    #expect(try line("zh-Hant-MO") == "zh-Hant-HK zh-Hant zh")
    #expect(try line("pt-AO") == "pt-PT pt")
    #expect(try line("de") == "de")
  }

  @Test func `two tags are equivalent if they are equivalent in Foundation`() throws {
    let languages = [
      "en", "eng", "zh", "zho", "sr", "pt", "no", "nb", "nn", "uz", "az", "pa", "hi", "iw", "he",
      "in", "id", "mo", "ro", "de", "deu", "fr", "ji", "yi", "jw", "jv",
    ]
    let rests = ["", "-US", "-Latn", "-Cyrl", "-Hant", "-TW", "-DE", "-DD", "-FR", "-FX", "-IL"]
    let texts = languages.flatMap { language in rests.map { language + $0 } }
    let tags = try texts.map { try #require(LanguageTag($0)) }
    let theirs = texts.map { Locale.Language(identifier: $0).maximalIdentifier }
    var wrong: [String] = []
    for (first, one) in tags.enumerated() {
      for (second, other) in tags.enumerated() {
        if one.isEquivalent(to: other) != (theirs[first] == theirs[second]) {
          wrong.append("\(one) \(other)")
        }
      }
    }
    #expect(wrong.prefix(10) == [])
  }

  @Test func `one tag represents all tags with the same meaning`() throws {
    let tags = try ["fr", "en-US", "en", "zh-TW", "zh-Hant"].map { try #require(LanguageTag($0)) }
    #expect(tags.inOrder.map(\.description) == ["en", "fr", "zh-Hant"])
    #expect(tags.firstOfEachMeaning.map(\.description) == ["fr", "en-US", "zh-TW"])
  }

  @Test func `a pack without a language is for all devices, with any other pack`() throws {
    let (en, us) = (LanguageTag("en"), LanguageTag("en-US"))
    let (fr, none) = (LanguageTag("fr"), nil as LanguageTag?)
    #expect(
      none.serves(en) && none.serves(nil) && en.serves(us) && !en.serves(fr) && !en.serves(nil))
    #expect(en.isEquivalent(to: us) && none.isEquivalent(to: nil) && !none.isEquivalent(to: en))
  }
}

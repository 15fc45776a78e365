import BAPackKit
import SystemIO
import TestSupport
import Testing

@testable import Proposing

/// Tests the reasons and the primary language of proposals with several families of translations.
struct LanguageFamilyTests {
  private static func proposal(
    _ places: [String: [String]], primary: String? = nil, fallback: String? = nil
  ) -> Proposal {
    var files: [String: UInt64] = ["UI/menu.png": 90_000]
    for (place, languages) in places {
      for language in languages {
        for number in 0..<6 { files["\(place)/\(language)/\(number).ogg"] = 100_000 }
      }
    }
    var options = ProposalOptions()
    options.primaryLanguage = primary.flatMap { LanguageTag($0) }
    var project = FoundProject()
    project.primaryLanguage = fallback.flatMap { LanguageTag($0) }
    return Proposal(of: AssetTree("assets", files), in: project, options)
  }

  private static func reasons(_ proposal: Proposal) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: proposal.packs.map { ($0.manifest.assetPackID, $0.reasons[0].text) })
  }

  @Test func `a reason has the number of languages of its family`() {
    let reasons = Self.reasons(
      Self.proposal(["Voices": ["en", "de", "fr"], "Text": ["en", "de", "fr", "ja", "pl"]]))
    #expect(reasons["language-ja"] == "same paths in 5 languages (primary: en)")
    #expect(reasons["language-de"] == "same paths in 3 to 5 languages (primary: en)")
  }

  @Test(arguments: [("en", "en_US"), ("fr", "fr_FR"), ("de", "de_DE"), ("zh", "zh-Hans")])
  func `files of a region replace those of its language, and the others remain`(
    base: String, region: String
  ) throws {
    var files: [String: UInt64] = ["UI/menu.png": 90_000]
    for number in 0..<6 {
      files["Voices/\(base)/\(number).ogg"] = 100_000
      files["Voices/es/\(number).ogg"] = 100_000
    }
    for number in 4..<7 { files["Voices/\(region)/\(number).ogg"] = 100_000 }
    let tree = AssetTree("assets", files)
    let proposal = Proposal(of: tree, in: FoundProject(), ProposalOptions())
    let language = try #require(LanguageTag(locale: region))
    let pack = try #require(
      proposal.packs.first { $0.manifest.language?.isEquivalent(to: language) ?? false })
    let paths = pack.files.joined().map { FilePath(tree.path(ofFile: $0)).shown }
    let expected =
      (0..<4).map { "Voices/\(base)/\($0).ogg" } + (4..<7).map { "Voices/\(region)/\($0).ogg" }
    #expect(paths.sorted() == expected.sorted())
    let group = try #require(proposal.leftOut.first)
    #expect(
      group.files.map { FilePath(tree.path(ofFile: $0)).shown }.sorted() == [
        "Voices/\(base)/4.ogg", "Voices/\(base)/5.ogg",
      ])
  }

  @Test func `translations without the primary language are one pack`() throws {
    let proposal = Self.proposal(["Voices": ["de", "fr"], "Text": ["en", "es"]])
    let reasons = Self.reasons(proposal)
    #expect(proposal.primaryLanguage == LanguageTag("en"))
    #expect(reasons["text-es"] == "same paths in 2 languages (primary: en)")
    #expect(reasons["voices"] == "de, fr, without the primary language 'en'")
    let voices = try #require(proposal.packs.first { $0.manifest.assetPackID == "voices" })
    #expect(voices.reasons[0].rule.id.name == "init.other-languages")
    #expect(voices.manifest.fileSelectors == [.directory("Voices")])
  }

  @Test func `the primary language of the user decides which translations are localized`() {
    let places = ["Voices": ["de", "fr"], "Text": ["en", "es"]]
    #expect(
      Set(Self.reasons(Self.proposal(places, primary: "fr")).keys)
        == ["core", "voices-de", "voices-fr", "text"])
    #expect(
      Set(Self.reasons(Self.proposal(places, fallback: "es")).keys)
        == ["core", "voices", "text-en", "text-es"])
  }

  @Test func `the setting of the project is the nearest region`() {
    let proposal = Self.proposal(["Voices": ["en_GB", "de"]], fallback: "en")
    #expect(proposal.primaryLanguage == LanguageTag("en-GB"))
    #expect(Set(Self.reasons(proposal).keys) == ["core", "voices-de", "voices-en-gb"])
  }

  @Test func `English with few files is not the primary language`() {
    var files: [String: UInt64] = [:]
    for number in 0..<20 {
      for language in ["cs", "nl"] { files["Voices/\(language)/\(number).ogg"] = 100_000 }
    }
    files["Voices/en/other.ogg"] = 1_000_000
    let proposal = Proposal(
      of: AssetTree("assets", files), in: FoundProject(), ProposalOptions())
    #expect(proposal.primaryLanguage == LanguageTag("cs"))
    #expect(
      proposal.packs.map(\.manifest.assetPackID).sorted() == [
        "voices-cs", "voices-en", "voices-nl",
      ])
  }
}

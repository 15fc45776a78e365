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
    options.essentialLimit = 1_000_000
    var project = FoundProject()
    project.primaryLanguage = fallback.flatMap { LanguageTag($0) }
    return Proposal(of: AssetTree("assets", files), in: project, options)
  }

  private static func reasons(_ proposal: Proposal) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: proposal.packs.map { ($0.manifest.assetPackID, $0.reasons[0].text) })
  }

  @Test func `each family has its own packs, with the number of its languages`() {
    let reasons = Self.reasons(
      Self.proposal(["Voices": ["en", "de", "fr"], "Text": ["en", "de", "fr", "ja", "pl"]]))
    #expect(reasons["text-ja"] == "same paths in 5 languages (primary: en)")
    #expect(reasons["voices-de"] == "same paths in 3 languages (primary: en)")
    #expect(reasons.count == 9)
  }

  /// Returns a proposal for files of the same size, and the selectors of a pack.
  private static func selectors(
    of id: String, _ paths: [String], primary: String? = nil
  ) -> (Proposal, [FileSelector]?) {
    let files = Dictionary(uniqueKeysWithValues: paths.map { ($0, UInt64(900_000)) })
    var options = ProposalOptions()
    options.primaryLanguage = primary.flatMap { LanguageTag($0) }
    let proposal = Proposal(of: AssetTree("assets", files), in: FoundProject(), options)
    let pack = proposal.packs.first { $0.manifest.assetPackID == id }
    return (proposal, pack?.manifest.fileSelectors)
  }

  @Test func `names of another case get the usual path`() {
    let languages = ["en", "de", "es", "it"]
    let paths = languages.flatMap { language in
      (1...4).map { "\(language)/\(language == "it" ? "DISK\($0).VGA" : "Disk\($0).vga")" }
    }
    let (proposal, selectors) = Self.selectors(of: "language-it", paths)
    #expect(proposal.packs.compactMap(\.manifest.language).count == 4)
    #expect(
      selectors
        == (1...4).map { .renamedFile(source: "it/DISK\($0).VGA", destination: "Disk\($0).vga") }
    )
  }

  @Test func `a file that a language lacks is that of the primary language`() {
    let paths = (1...4).flatMap { ["Voices/en/\($0).ogg", "Voices/de/\($0).ogg"] }
    let (_, selectors) = Self.selectors(
      of: "voices-de", paths.filter { $0 != "Voices/de/3.ogg" }, primary: "en")
    #expect(
      selectors == [
        .renamedDirectory(source: "Voices/de", destination: "Voices"),
        .renamedFile(source: "Voices/en/3.ogg", destination: "Voices/3.ogg"),
      ])
  }

  @Test func `a language with other files keeps its paths, and is on demand`() throws {
    let paths = (1...4).flatMap { ["Voices/en/\($0).ogg", "Voices/de/\($0).ogg"] }
    let (proposal, selectors) = Self.selectors(
      of: "voices-fr", paths + ["Voices/fr/1.ogg"] + (5...9).map { "Voices/fr/\($0).ogg" })
    #expect(selectors == [.directory("Voices/fr")])
    let pack = try #require(proposal.packs.first { $0.manifest.assetPackID == "voices-fr" })
    #expect(pack.manifest.language == nil && pack.manifest.downloadPolicy == .onDemand)
    #expect(pack.reasons[0].rule.id.name == "init.own-paths")
    #expect(proposal.packs.compactMap(\.manifest.language?.description).sorted() == ["de", "en"])
  }

  @Test(
    arguments: [
      (nil, "systems before version 27 receive no localized packs"),
      (26, "the app supports iOS 26 (a setting), and systems before version 27"), (27, nil),
    ] as [(Int?, String?)])
  func `the proposal says which systems receive no localized packs`(
    _ system: Int?, _ text: String?
  ) {
    var project = FoundProject()
    project.oldestSystem = system
    project.oldestSystemOrigin = "a setting"
    let files = ["en", "de"].map { ("Voices/\($0)/1.ogg", UInt64(2_000_000)) }
    let tree = AssetTree("assets", Dictionary(uniqueKeysWithValues: files))
    let notes = Proposal(of: tree, in: project, ProposalOptions()).notes.map(\.text)
    #expect(notes.contains { $0.hasPrefix(text ?? "none") } == (text != nil), "\(notes)")
    #expect(notes.isEmpty == (text == nil))
  }

  @Test func `without localized packs, each language keeps its paths`() {
    let files = Dictionary(
      uniqueKeysWithValues: ["en", "de"].flatMap { language in
        (1...3).map { ("Voices/\(language)/\($0).ogg", UInt64(900_000)) }
      })
    var options = ProposalOptions()
    options.localizes = false
    let proposal = Proposal(of: AssetTree("assets", files), in: FoundProject(), options)
    #expect(proposal.packs.map(\.manifest.assetPackID) == ["voices-de", "voices-en"])
    #expect(proposal.packs.allSatisfy { $0.manifest.language == nil })
  }

  @Test func `the packs of languages are essential if nearly all files are in them`() {
    let paths = ["en", "de"].flatMap { language in (1...4).map { "\(language)/Disk\($0).vga" } }
    let (proposal, _) = Self.selectors(of: "language-en", paths + ["game.json"])
    for pack in proposal.packs {
      #expect(pack.manifest.downloadPolicy == .essential(Set(InstallationEvent.allCases)))
    }
    #expect(proposal.packs.count == 3)
  }

  @Test func `the pack of the primary language is essential if its own paths are the game`() {
    let paths = ["en", "de", "fr"].flatMap { language in
      (1...4).map { "\(language)/Disk\($0).vga" }
    }
    var options = ProposalOptions()
    options.localizes = false
    options.primaryLanguage = LanguageTag("en")
    let files = Dictionary(uniqueKeysWithValues: paths.map { ($0, UInt64(2_000_000)) })
    let tree = AssetTree("assets", files.merging(["game.json": 9_000]) { first, _ in first })
    let packs = Proposal(of: tree, in: FoundProject(), options).packs
    let policies = Dictionary(
      uniqueKeysWithValues: packs.map { ($0.manifest.assetPackID, $0.manifest.downloadPolicy) })
    let always = DownloadPolicy.essential(Set(InstallationEvent.allCases))
    #expect(
      policies == [
        "core": always, "language-en": always, "language-de": .onDemand, "language-fr": .onDemand,
      ])
  }

  @Test func `languages next to the same files without a language are not localized`() {
    let paths = ["en/", "de/", "fr/", ""].flatMap { folder in
      (1...3).map { "Movies/\(folder)\($0).mp4" }
    }
    let (proposal, selectors) = Self.selectors(of: "movies-de", paths)
    #expect(proposal.packs.allSatisfy { $0.manifest.language == nil })
    #expect(selectors == [.directory("Movies/de")])
  }

  @Test(arguments: [
    ["Default_en", "Default_es", "Default_pl"], ["Default", "Default_es", "Default_pl"],
  ])
  func `folders with a language at the end of their names are translations`(_ names: [String]) {
    let paths = names.flatMap { name in (1...3).map { "Sounds/voices/\(name)/\($0).ogg" } }
    let (proposal, selectors) = Self.selectors(of: "voices-pl", paths + ["Sounds/hit.ogg"])
    #expect(
      proposal.packs.compactMap(\.manifest.language?.description).sorted() == ["en", "es", "pl"])
    #expect(
      selectors == [
        .renamedDirectory(
          source: "Sounds/voices/Default_pl", destination: "Sounds/voices/Default")
      ])
  }

  @Test(arguments: [("en", "en_US"), ("fr", "fr_FR"), ("de", "de_DE"), ("zh", "zh-Hans")])
  func `files of a region replace those of its language, and the others remain`(
    base: String, region: String
  ) throws {
    var files: [String: UInt64] = ["UI/menu.png": 90_000]
    for number in 0..<6 {
      files["Voices/\(base)/\(number).ogg"] = 300_000
      files["Voices/es/\(number).ogg"] = 300_000
    }
    for number in 4..<7 { files["Voices/\(region)/\(number).ogg"] = 300_000 }
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
      for language in ["cs", "nl"] { files["Voices/\(language)/\(number).ogg"] = 300_000 }
    }
    files["Voices/en/other.ogg"] = 3_000_000
    let proposal = Proposal(
      of: AssetTree("assets", files), in: FoundProject(), ProposalOptions())
    #expect(proposal.primaryLanguage == LanguageTag("cs"))
    #expect(
      proposal.packs.map(\.manifest.assetPackID).sorted() == [
        "voices-cs", "voices-en", "voices-nl",
      ])
  }
}

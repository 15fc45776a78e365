import BAPackKit
import SystemIO
import TestSupport
import Testing

/// Tests of the grouping of localized packs by their paths.
@Suite struct LanguageFamilyTests {
  private func findings(
    _ packs: [(id: String, language: String?, files: [String])], primary: String?
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    var manifests: [String] = []
    for (number, pack) in packs.enumerated() {
      for file in pack.files { try folder.makeFile("source\(number)/\(file)", "\(number)") }
      let language = pack.language.map { #""language": "\#($0)", "# } ?? ""
      try folder.makeFile(
        "\(pack.id).json",
        #"{"assetPackID": "\#(pack.id)", "downloadPolicy": {"onDemand": {}}, "platforms": [], "#
          + language
          + #""sourceRoot": "source\#(number)", "fileSelectors": [{"directory": "."}]}"#)
      manifests.append(folder.path("\(pack.id).json"))
    }
    var project = Project(manifests.map { FilePath($0) })
    project.policy = FindingPolicy([FindingSetting("language.systems", .off)])
    project.primaryLanguage = primary.flatMap { LanguageTag($0) }
    let checked = try project.check(
      manifests.map { try ManifestDocument(reading: $0, .unstoppable) }, .unstoppable)
    return checked.report.findings.filter { $0.severity == .warning }
      .map { "\($0.id.name): \($0.message)" }
  }

  @Test(arguments: ["voices-es", "spanish", "voices-es-es"])
  func `packs with the same paths form a group with any IDs`(id: String) throws {
    let files = ["Voices/door.wav", "Voices/lamp.wav"]
    #expect(
      try findings([("voices-en", "en", files), (id, "es-ES", files)], primary: "en") == [])
    #expect(
      try findings([("voices-fr", "fr", files), (id, "es-ES", files)], primary: "en") == [
        "packs.primary-language: no localized pack has the primary language 'en'"
      ])
  }

  @Test func `the language can be anywhere in a path`() throws {
    #expect(
      try findings(
        [
          ("a", "en", ["Voices/en/door.wav", "Voices/en/lamp.wav"]),
          ("b", "es-ES", ["Voices/es/puerta.wav", "Voices/es/extra.wav"]),
        ], primary: "en"
      ).filter { $0.hasPrefix("packs") } == [])
    #expect(
      try findings(
        [("a", "en", ["intro.mp4"]), ("b", "zh-Hant", ["intro.zh_Hant.mp4"])], primary: "en"
      ).filter { $0.hasPrefix("packs") } == [])
  }

  @Test func `a group of packs without the primary language is a warning`() throws {
    let (voices, films) = (["Voices/door.wav", "Voices/lamp.wav"], ["Films/intro.mp4"])
    #expect(
      try findings(
        [
          ("one", "en", voices), ("two", "fr", voices), ("three", "fr", films),
          ("four", "de", films),
        ], primary: "en") == [
          "packs.primary-language: no pack with the files of 'three' and 'four' has the primary "
            + "language 'en'"
        ])
  }

  @Test func `missing files of a translation are found by the paths of the others`() throws {
    let found = try findings(
      [
        ("english", "en", ["a", "b", "c"]), ("french", "fr", ["a", "b"]),
        ("others", "de", ["x", "y"]),
      ], primary: nil)
    #expect(
      found == [
        "files.localized-difference: the localized packs 'english' and 'french' do not contain "
          + "the same paths"
      ])
  }

  @Test func `one shared file does not group packs of different kinds`() throws {
    let voices = ["readme.txt", "v1", "v2", "v3"]
    let films = ["readme.txt", "f1", "f2", "f3"]
    #expect(
      try findings(
        [
          ("v-en", "en", voices), ("v-fr", "fr", voices), ("f-de", "de", films),
          ("f-es", "es", films),
        ], primary: "en") == [
          "packs.primary-language: no pack of 'f' has the primary language 'en'"
        ])
  }
}

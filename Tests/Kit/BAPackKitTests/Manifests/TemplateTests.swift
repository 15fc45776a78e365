import BAPackKit
import SourceDiagnostics
import Testing

@Suite struct TemplateTests {
  private func document(_ text: String) -> ManifestDocument {
    ManifestDocument(parsing: Array(text.utf8), named: "t")
  }

  private func filled(_ text: String) -> String {
    text.replacing("[Asset-Pack ID]", with: "Tutorial")
      .replacing("[Path to File]", with: "a.png")
      .replacing("[Path to Directory]", with: "Textures")
  }

  @Test func `the template explains every key`() {
    let text = ManifestTemplate().text
    for key in [
      "assetPackID", "downloadPolicy", "essential", "prefetch", "onDemand",
      "installationEventTypes", "fileSelectors", "file", "directory", "filePattern", "fileSource",
      "fileDestination", "directorySource", "directoryDestination", "fileExclusion", "platforms",
      "sourceRoot", "language", "userInfo",
    ] {
      #expect(text.contains("\"\(key)\""))
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test func `the template has only findings about placeholders`() {
    for text in [ManifestTemplate().text, ManifestTemplate().strictJSON] {
      #expect(
        document(text).findings.map(\.id.name)
          == Array(repeating: "manifest.placeholder", count: 3))
      #expect(document(filled(text)).findings.all == [])
      #expect(document(filled(text)).manifest?.platforms == Platform.allCases)
    }
  }

  @Test func `commented-out keys are valid`() {
    let text = filled(ManifestTemplate().text).split(separator: "\n").map { line in
      let trimmed = line.drop { $0 == " " }
      let isExample = trimmed.hasPrefix("// {") || (trimmed.hasPrefix("// \"") && line.last == ",")
      return isExample ? String(trimmed.dropFirst(3)) : String(line)
    }.joined(separator: "\n")
    let document = document(text)
    #expect(document.findings.all == [])
    #expect(document.manifest?.fileSelectors.count == 6)
    #expect(document.manifest?.language?.description == "zh-Hant-TW")
    #expect(document.manifest?.sourceRoot == "..")
    #expect(document.manifest?.userInfo != nil)
  }

  @Test func `a filled template is a valid manifest`() {
    var template = ManifestTemplate()
    template.assetPackID = "Level-1"
    template.downloadPolicy = .prefetch([.subsequentUpdate])
    template.fileSelectors = [.directory("Level 1"), .file("say \"hi\".txt")]
    template.platforms = [.tvOS]
    template.language = LanguageTag(language: "de")
    let expected = Manifest(
      assetPackID: "Level-1", downloadPolicy: .prefetch([.subsequentUpdate]),
      fileSelectors: [.directory("Level 1"), .file("say \"hi\".txt")], platforms: [.tvOS],
      language: LanguageTag(language: "de"))
    #expect(document(template.text).findings.all == [])
    #expect(document(template.text).manifest == expected)
    #expect(document(template.strictJSON).manifest == expected)
    #expect(!template.strictJSON.contains("//"))
    template.downloadPolicy = .onDemand
    #expect(document(template.text).manifest?.downloadPolicy == .onDemand)
  }

  @Test func `the schema is written on request and ignored by the reader`() {
    var template = ManifestTemplate()
    template.schema = "manifest.schema.json"
    for text in [template.text, template.strictJSON] {
      let root = JSONDocument(parsing: SourceText(Array(text.utf8), named: "t")).root
      #expect(root?["$schema"]?.string == "manifest.schema.json")
    }
    template.assetPackID = "A"
    template.downloadPolicy = .onDemand
    template.fileSelectors = [.file("a")]
    let document = ManifestDocument(parsing: Array(template.text.utf8), named: "m")
    #expect(document.findings.all == [])
    let archived = document.manifest.map { String(decoding: $0.archivedJSON(), as: UTF8.self) }
    #expect(archived?.contains("$schema") == false)
  }
}

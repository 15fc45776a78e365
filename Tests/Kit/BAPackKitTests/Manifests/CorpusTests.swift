import BAPackKit
import Foundation
import KitProperties
import SourceDiagnostics
import TestSupport
import Testing

/// The manifests in Tests/Corpus/manifests, with the expected findings in their first lines.
///
/// The reader and the schema are compared for all of them.
@Suite struct CorpusTests {
  private static let folder = Checkout.file("Tests/Corpus/manifests")

  private static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))) ?? [])
    .filter { $0.hasSuffix(".json5") }.sorted()

  private static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name)))
  }

  @Test func `the corpus exists`() { #expect(Self.names.count > 40) }

  @Test(arguments: names) func `the findings are the ones in the first line`(name: String) throws {
    let bytes = try Self.bytes(name)
    let first = try #require(String(decoding: bytes, as: UTF8.self).split(separator: "\n").first)
    let expected = first.replacing("// finds: ", with: "").split(separator: " ").map(String.init)
    let document = ManifestDocument(parsing: bytes, named: name)
    #expect(document.findings.map(\.id.name) == (expected == ["nothing"] ? [] : expected))
  }

  @Test(arguments: names) func `schema and reader agree`(name: String) throws {
    let bytes = try Self.bytes(name)
    let document = ManifestDocument(parsing: bytes, named: name)
    let json = JSONDocument(parsing: document.source)
    try #require(json.findings.all == [])
    let value = try #require(json.root?.value)
    let accepts = try SchemaEvaluator().accepts(value, Manifest.jsonSchema)
    #expect(accepts == document.isValid)
  }

  @Test(arguments: names) func `the corpus has the properties`(name: String) throws {
    let bytes = try Self.bytes(name)
    #expect(ManifestProperties.violation(inJSON: bytes) == nil)
    for hosting in [nil, .apple, .selfHosted] as [Hosting?] {
      #expect(ManifestProperties.violation(inManifest: bytes, for: hosting) == nil)
    }
  }

  @Test(arguments: RuleCatalogue.all.indices) func `schema and reader agree on examples`(
    index: Int
  ) throws {
    let example = RuleCatalogue.all[index].example
    // A schema cannot express these rules.
    guard !["files.pattern", "files.name"].contains(RuleCatalogue.all[index].id) else { return }
    for text in [example.wrong, example.right] where text.hasPrefix("\"") {
      let document = ManifestDocument(
        parsing: RuleExampleTests.manifest(around: text), named: "example")
      let json = JSONDocument(parsing: document.source)
      guard json.findings.isEmpty, let value = json.root?.value else { continue }
      #expect(
        try SchemaEvaluator().accepts(value, Manifest.jsonSchema) == document.isValid, "\(text)")
    }
  }

  @Test func `the schema is strict JSON with a dialect`() throws {
    let text = JSONWriter.bytes(Manifest.jsonSchema)
    let json = JSONDocument(parsing: SourceText(text, named: "schema"))
    #expect(json.findings.all == [])
    #expect(json.root?["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    #expect(json.root?["additionalProperties"]?.bool == false)
    let required = json.root?["required"]?.elements.compactMap(\.string)
    #expect(required == ["assetPackID", "downloadPolicy", "fileSelectors", "platforms"])
  }
}

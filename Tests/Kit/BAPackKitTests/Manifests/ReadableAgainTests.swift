import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

/// `verify` and devices can read written manifests.
@Suite("Manifests in packs can be read")
struct ReadableAgainTests {
  private static func manifest(_ userInfo: String) -> String {
    """
    {"assetPackID": "Pack", "downloadPolicy": {"onDemand": {}}, "platforms": [],
     "fileSelectors": [{"directory": "."}], "userInfo": \(userInfo)}
    """
  }

  private static func nested(_ depth: Int, around text: String = "1") -> String {
    // The object is the first level, the text the last one.
    #"{"a":"# + String(repeating: "[", count: depth - 2) + text
      + String(repeating: "]", count: depth - 2) + "}"
  }

  private static func list(_ count: Int) -> String {
    (0..<count).map { _ in "1" }.joined(separator: ",")
  }

  @Test
  func `user info of any shape that validates packs, verifies, and can be published`() throws {
    let shapes = [
      "{}", Self.nested(10), Self.nested(500), Self.nested(499, around: Self.list(18_000)),
      Self.nested(300, around: "{}"), Self.nested(5, around: Self.list(100_000)),
      #"{"a":"\#(String(repeating: #"\u0001"#, count: 5000))"}"#, "{a:.5,b:'it'}",
    ]
    for shape in shapes {
      let text = Array(Self.manifest(shape).utf8)
      let document = ManifestDocument(parsing: text, named: "m.json", for: .selfHosted)
      #expect(document.findings.map(\.id.name) == [])
      let manifest = try #require(document.manifest)
      let json = manifest.archivedJSON()
      #expect(json.count <= max(64 << 10, 4 * text.count))
      let again = ManifestDocument(parsing: json, named: "Manifest.json")
      #expect(again.manifest?.userInfo == manifest.userInfo)
      #expect(again.manifest?.archivedJSON() == json)
      // A download manifest contains it two levels deeper.
      let pack = PublishedPack(
        id: "Pack", url: "https://example.com/Pack", version: 1, downloadSize: 5,
        downloadPolicy: .onDemand, userInfo: manifest.userInfo)
      let published = DownloadManifest(packs: [pack]).json()
      #expect(published.count <= max(64 << 10, 4 * text.count))
      let read = DownloadManifestDocument(parsing: published, named: "ios.json")
      #expect(read.manifest?.packs.first?.userInfo == manifest.userInfo)
    }
  }

  @Test(arguments: [501, 505, 510])
  func `user info that is nested too deeply is an error at the value`(depth: Int) throws {
    let info = Self.nested(depth)
    let text = Self.manifest(info)
    let document = ManifestDocument(parsing: Array(text.utf8), named: "m.json")
    let finding = try #require(document.findings.all.first)
    #expect(document.findings.count == 1)
    #expect(finding.id == "manifest.not-archivable")
    #expect(finding.message == "'userInfo' is nested \(depth) levels deep; the limit is 500")
    let start = text.utf8.count - info.utf8.count - 1
    #expect(finding.span == SourceSpan(start, start + info.utf8.count))
    #expect(document.manifest == nil)
  }

  @Test(.heavy)
  func `a manifest that is too large in the archive is an error at its largest part`() throws {
    // An escape of two characters that has six characters in strict JSON.
    let characters = String(repeating: #"\v"#, count: 3 << 20)
    let info = "{a: '\(characters)'}"
    let large = ManifestDocument(
      parsing: Array(Self.manifest(info).utf8), named: "m.json")
    #expect(large.findings.map(\.id.name) == ["manifest.not-archivable"])
    #expect(large.findings.all.first?.message.hasSuffix("most bytes are in 'userInfo'") == true)
    #expect(large.findings.all.first?.span?.length == info.utf8.count)
    let half = Self.manifest("{a: '\(characters.prefix(3 << 20))'}")
    let document = ManifestDocument(parsing: Array(half.utf8), named: "m.json")
    let json = try #require(document.manifest?.archivedJSON())
    #expect(ManifestDocument(parsing: json, named: "Manifest.json").isValid)
  }

  @Test
  func `a plan rejects a manifest in memory that would not be readable`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a")
    let document = ManifestDocument(parsing: Array(Self.manifest("{}").utf8), named: "m.json")
    let root = try SourceRoot(opening: folder.path, .unstoppable)
    let selection = try Selection.resolve(document, in: root, .unstoppable).selection
    var manifest = try #require(document.manifest)
    let deep = (0..<510).reduce(JSONValue.null) { value, _ in .array([value]) }
    for info in [deep, .string(String(repeating: "a", count: 17 << 20))] {
      manifest.userInfo = .object([.init("a", info)])
      let error = #expect(throws: PackError.self) {
        _ = try PackPlan(manifest, selection, from: root, settings: PackSettings())
      }
      #expect(error?.message == "the manifest of 'Pack' would be too large or too deeply nested")
    }
  }
}

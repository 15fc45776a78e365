import BAPackKit
import Foundation
import KitProperties
import SourceDiagnostics
import TestSupport
import Testing

@Suite("Download manifests with arbitrary bytes")
struct DownloadManifestPropertyTests {
  /// Checks a property of the inputs in a folder of the corpus and of similar texts.
  private static func check(
    _ name: String, atLeast least: Int, mutations count: Int, _ violation: ([UInt8]) -> String?
  ) throws {
    let inputs = try FuzzCorpus.inputs(name)
    #expect(inputs.count >= least)
    let mutations = FuzzCorpus.mutations(of: inputs, count: count).sampled(every: 8)
    for bytes in inputs + mutations {
      #expect(violation(bytes) == nil, "\(String(decoding: bytes, as: UTF8.self)): \(bytes)")
    }
  }

  @Test
  func `manifests hold their properties`() throws {
    try Self.check(
      "download-manifests", atLeast: 3, mutations: 400,
      DownloadManifestProperties.violation(inManifest:))
  }

  /// Misspellings of a key.
  private static func misspellings(of key: String, _ random: inout Seeded) -> [String] {
    let letters = Array(key)
    let index = Int.random(in: letters.indices, using: &random)
    var swapped = letters
    swapped.swapAt(index, (index + 1) % letters.count)
    var dropped = letters
    dropped.remove(at: index)
    var doubled = letters
    doubled.insert(letters[index], at: index)
    return [
      key.uppercased(), key.prefix(1).uppercased() + key.dropFirst(), String(swapped),
      String(dropped), String(doubled), key + "s", " " + key, key + "\u{200B}", "_" + key, "", "x",
      "id", "url",
    ].filter { $0 != key }
  }

  @Test
  func `an unreadable required key is an error, and its pack is omitted`() throws {
    var random = Seeded(seed: 13)
    let whole = """
      {"assetPacks": [
        {"id": "a", "url": "https://d.example.com/a", "version": 7, "downloadSize": 596,
         "downloadPolicy": {"onDemand": {}}, "host": {"thirdParty": {}}},
        {"id": "b", "url": "https://d.example.com/b", "version": 0, "downloadSize": 596,
         "downloadPolicy": {"onDemand": {}}}
      ]}
      """
    let keys = ["assetPacks", "id", "url", "version", "downloadSize", "downloadPolicy"]
    for key in keys {
      for wrong in (0..<8).flatMap({ _ in Self.misspellings(of: key, &random) }) {
        let range = try #require(whole.range(of: "\"\(key)\""))
        let text = whole.replacingCharacters(in: range, with: "\"\(wrong)\"")
        let document = DownloadManifestDocument(parsing: Array(text.utf8), named: "m.json")
        #expect(document.manifest == nil, "\(text)")
        #expect(document.findings.contains { $0.severity == .error }, "\(text)")
      }
    }
  }

  @Test(.heavy)
  func `property lists are read or rejected for all bytes`() throws {
    try Self.check(
      "info-plists", atLeast: 4, mutations: 1000,
      DownloadManifestProperties.violation(inPropertyList:))
  }

  @Test
  func `records hold their properties`() throws {
    try Self.check(
      "publication-records", atLeast: 1, mutations: 400,
      DownloadManifestProperties.violation(inRecord:))
  }
}

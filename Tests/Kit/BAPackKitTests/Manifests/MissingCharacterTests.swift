import BAPackKit
import Foundation
import KitProperties
import SourceDiagnostics
import TestSupport
import Testing

/// One missing character has one finding.
@Suite struct MissingCharacterTests {
  private static func examples() throws -> [(name: String, bytes: [UInt8])] {
    let folder = Checkout.file("Examples/Lantern/Packs")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try names.filter { $0.hasSuffix(".json") }.sorted().map {
      ($0, [UInt8](try Data(contentsOf: folder.appending(path: $0))))
    }
  }

  @Test func `most manifests with one missing character have one finding`() throws {
    let characters = Array("[]{}\"':,".utf8)
    var wrong = 0
    var reported: [Int: Int] = [:]
    var others: [String] = []
    for (name, bytes) in try Self.examples() {
      let whole = ManifestDocument(parsing: bytes, named: name)
      #expect(whole.isValid)
      for index in bytes.indices where characters.contains(bytes[index]) {
        var text = bytes
        text.remove(at: index)
        let document = ManifestDocument(parsing: text, named: name)
        guard !document.isValid else { continue }
        wrong += 1
        // Findings of the complete manifest do not depend on the missing character.
        let count = document.findings.count - whole.findings.count
        reported[count, default: 0] += 1
        if count != 1 {
          let line = document.source.position(of: index)
          others.append(
            "\(name):\(line.line):\(line.column) \(UnicodeScalar(bytes[index])): \(count)")
        }
      }
    }
    #expect(wrong > 400)
    #expect(reported[1, default: 0] * 100 >= wrong * 91, "\(reported) of \(wrong): \(others)")
  }

  /// The values after the missing character are those of the complete manifest.
  @Test func `the text after a missing character keeps its meaning`() throws {
    var same = 0
    var wrong = 0
    for (name, bytes) in try Self.examples() {
      let whole = ManifestDocument(parsing: bytes, named: name)
      for index in bytes.indices where Array("[]{}\":,".utf8).contains(bytes[index]) {
        var text = bytes
        text.remove(at: index)
        let document = ManifestDocument(parsing: text, named: name)
        guard !document.isValid else { continue }
        wrong += 1
        if document.fileSelectors == whole.fileSelectors,
          document.assetPackID == whole.assetPackID
        {
          same += 1
        }
      }
    }
    #expect(same * 100 >= wrong * 91, "\(same) of \(wrong)")
  }

  /// Every fix for a missing character gives a well-formed text.
  @Test func `the fix for a missing character corrects the text`() throws {
    for (name, bytes) in try Self.examples() {
      for index in bytes.indices where Array("[]{}\":,".utf8).contains(bytes[index]) {
        var text = bytes
        text.remove(at: index)
        let document = ManifestDocument(parsing: text, named: name)
        let fault = ManifestProperties.violation(inFixesOf: document, for: nil)
        #expect(fault == nil, "\(name), byte \(index)")
      }
    }
  }

  @Test(arguments: [
    (#"{"a": [⟦1:b", "c"⟧], "d": 1}"#, "json.syntax")
  ]) func `a missing quote is reported once`(text: String, id: String) {
    let marked = MarkedText(text)
    let document = JSONDocument(parsing: SourceText(marked.bytes, named: "t"))
    #expect(document.findings.map(\.id.name) == [id])
    #expect(document.root?["d"]?.number == "1")
    #expect(document.findings.all.first?.fixes.first?.message == "insert '\"' before 'b'")
  }
}

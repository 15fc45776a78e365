import BAPackKit
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

/// A rule is one entry in one file: the sources are read so that none can be forgotten.
@Suite struct RuleSourceTests {
  private static func sources(of module: String) throws -> [(name: String, text: String)] {
    let folder = Checkout.file("Sources/\(module)").path(percentEncoded: false)
    return try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }.sorted()
      .map { ($0, try String(contentsOfFile: folder + "/" + $0, encoding: .utf8)) }
  }

  /// The first text between quotation marks.
  private static func quoted(_ text: String) -> String {
    String(text.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" })
  }

  @Test func `every rule that is written is in the catalogue, once`() throws {
    var written: [String] = []
    for (_, text) in try Self.sources(of: "BAPackKit") {
      // Regular expressions take their time with that much text.
      written += text.components(separatedBy: "= Rule(").dropFirst().map { Self.quoted($0) }
    }
    #expect(written.sorted() == RuleCatalogue.all.map(\.id.name).sorted())
  }

  @Test func `rules of one subject stand in one file, which is called so`() throws {
    for (name, text) in try Self.sources(of: "BAPackKit") where text.contains("= Rule(") {
      #expect(name.hasSuffix("Rules.swift"), "\(name)")
      #expect(text.contains("static let all: [Rule] = ["), "\(name)")
    }
  }

  @Test func `a finding gets its name and its weight from a rule`() throws {
    for (name, text) in try Self.sources(of: "BAPackKit") where !name.hasSuffix("/Rule.swift") {
      #expect(!text.contains("Finding("), "\(name)")
      #expect(!text.contains(".severity = "), "\(name)")
    }
  }

  @Test func `what the reader of JSON finds weighs what its rule says`() throws {
    var count = 0
    for (name, text) in try Self.sources(of: "SourceDiagnostics") {
      for part in text.components(separatedBy: "\"json.").dropFirst() {
        let id = "json." + part.prefix { $0 != "\"" }
        let rest = part.drop { $0 != "\"" }.drop { "\", \n".contains($0) }
        guard let word = rest.split(separator: ",").first, word.hasPrefix(".") else { continue }
        let rule = RuleCatalogue.rule(Finding.ID(stringLiteral: id))
        #expect(rule?.severity(for: nil)?.rawValue == String(word.dropFirst()), "\(name): \(id)")
        count += 1
      }
    }
    #expect(count > 10)
  }
}

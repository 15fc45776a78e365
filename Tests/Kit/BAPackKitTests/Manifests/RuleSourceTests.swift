import BAPackKit
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

/// Conventions for the sources of rules.
@Suite struct RuleSourceTests {
  private static func sources(of module: String) throws -> [(name: String, text: String)] {
    let folder = try Checkout.module(module).path(percentEncoded: false)
    return try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }.sorted()
      .map { ($0, try String(contentsOfFile: folder + "/" + $0, encoding: .utf8)) }
  }

  /// Returns the first argument, if it is the name of a constant.
  private static func constant(_ arguments: String) -> String {
    String(
      arguments.drop(while: \.isWhitespace)
        .prefix { $0.isLetter || $0 == "." })
  }

  /// Returns the first text in quotation marks.
  private static func quoted(_ text: String) -> String {
    String(text.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" })
  }

  /// Returns the IDs of the findings of the JSON reader, by the names of their constants.
  private static func constants() throws -> [String: String] {
    var names = ["Ledger.rest": Ledger.rest.name]
    for (_, text) in try sources(of: "SourceDiagnostics") {
      for part in text.components(separatedBy: "static let ").dropFirst() {
        let sides = part.prefix { $0 != "\n" }.components(separatedBy: ": Self = ")
        if sides.count == 2 { names["." + sides[0]] = quoted(sides[1]) }
      }
    }
    return names
  }

  @Test func `every rule is in the catalogue once`() throws {
    var written: [String] = []
    let constants = try Self.constants()
    for (_, text) in try Self.sources(of: "BAPackKit") {
      // Regular expressions are slow for this amount of text.
      written += text.components(separatedBy: "= Rule(").dropFirst().map { rule in
        constants[Self.constant(rule)] ?? Self.quoted(rule)
      }
    }
    #expect(written.sorted() == RuleCatalogue.all.map(\.id.name).sorted())
  }

  @Test func `rules are in files with the suffix Rules`() throws {
    for (name, text) in try Self.sources(of: "BAPackKit") where text.contains("= Rule(") {
      #expect(name.hasSuffix("Rules.swift"), "\(name)")
      #expect(text.contains("static let all: [Rule] = ["), "\(name)")
    }
  }

  @Test func `a finding has the ID and the severity of a rule`() throws {
    for (name, text) in try Self.sources(of: "BAPackKit") where !name.hasSuffix("/Rule.swift") {
      #expect(!text.contains("Finding("), "\(name)")
      #expect(!text.contains(".severity = "), "\(name)")
    }
  }

  @Test func `findings of the JSON reader have the severity of their rules`() throws {
    var count = 0
    let constants = try Self.constants()
    for (name, text) in try Self.sources(of: "SourceDiagnostics") {
      for part in text.components(separatedBy: "Finding(").dropFirst() {
        guard let id = constants[Self.constant(part)] else { continue }
        let severity = Self.constant(String(part.drop { $0 != "," }.dropFirst()))
        guard severity.hasPrefix(".") else { continue }
        let rule = RuleCatalogue.rule(Finding.ID(stringLiteral: id))
        #expect(
          rule?.severity(for: nil)?.rawValue == String(severity.dropFirst()), "\(name): \(id)")
        count += 1
      }
    }
    #expect(count > 10)
  }
}

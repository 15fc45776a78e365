import Foundation
import SourceDiagnostics
import TestSupport
import Testing

@testable import BAPackCommands

struct DocumentNameTests {
  /// Returns the members whose description is no sentence, and the duplicate names.
  private func flaws(_ record: JSONRecord, _ place: String, besides names: [String] = [])
    -> [String]
  {
    let names = names + record.keys.map(\.name)
    var flaws = Set(names).count == names.count ? [] : ["\(place): a name twice"]
    for key in record.keys {
      // A sentence of the details can begin with a value.
      let isSentence = key.summary.first?.isUppercase == true
      if !isSentence || !([key.summary] + key.details).allSatisfy({ $0.hasSuffix(".") }) {
        flaws.append("\(place).\(key.name): \(key.summary)")
      }
      flaws += self.flaws(key.shape, "\(place).\(key.name)")
    }
    return flaws + record.choices.joined().flatMap { self.flaws($0, place, besides: names) }
  }

  private func flaws(_ shape: JSONShape, _ place: String) -> [String] {
    switch shape {
    case .record(let record): flaws(record, place)
    case .either(let shapes): shapes.flatMap { flaws($0, place) }
    case .array(let element, _): flaws(element, place + "[]")
    case .nullable(let shape), .values(let shape): flaws(shape, place)
    case .alternatives(let sets): sets.flatMap { flaws(JSONRecord(keys: $0), place) }
    case .string, .word, .bool, .number, .integer, .size, .emptyObject, .anyObject, .anything: []
    }
  }

  @Test(arguments: DocumentName.allCases)
  func `every member of a document has a sentence and a unique name`(_ name: DocumentName) {
    #expect(!name.record.names.isEmpty)
    #expect(flaws(name.record, name.rawValue) == [])
  }

  @Test(arguments: DocumentName.allCases)
  func `schema prints a schema with all members of the document`(_ name: DocumentName) throws {
    let schema = try #require(JSONValue(parsing: Captured("schema", "--for", name.rawValue).output))
    #expect(SchemaCheck(schema).flaws == [])
    #expect(schema["$schema"] == .string("https://json-schema.org/draft/2020-12/schema"))
    let properties = try #require(schema["properties"])
    #expect(properties.members.map(\.0) == name.record.keys.map(\.name))
  }

  @Test(arguments: DocumentName.allCases)
  func `the example of a document in the reference matches its schema`(_ name: DocumentName) throws
  {
    let schema = try #require(JSONValue(parsing: Captured("schema", "--for", name.rawValue).output))
    #expect(SchemaCheck(schema).problems(in: DocumentExamples.example(of: name)) == [])
  }

  @Test(arguments: DocumentName.allCases)
  func `the reference has a row for each member`(_ name: DocumentName) {
    let text = Captured("schema", "--for", name.rawValue, "--format", "markdown").output
    #expect(text.hasPrefix("## \(name.rawValue)\n\n"))
    for member in name.record.names { #expect(text.contains("\n| `\(member)` | ")) }
  }

  @Test func `the reference shows lists, choices and free keys`() {
    let table = Table<Int>(written: "a thing") {
      Key("one|two", written: { _ in ["a"] }, .list(of: .text), "Some | text.")
      Key(
        "parts", written: { [("x", $0)] },
        .values(of: .object(Table(written: "a part") { Key("n", written: \.self, .count, "N.") })),
        "Parts.")
      Key(cases: "kind", written: \.self, "The kind.") {
        Case("zero", 0)
        Case("other", written: { $0 == 0 ? nil : $0 }) {
          Key("value", written: \.self, .count, "V.")
        }
      }
    }
    #expect(
      JSONReference.markdown(table.record) == #"""
        | Member | Type | Presence | Meaning |
        |---|---|---|---|
        | `one\|two` | array of strings | required | Some \| text. |
        | `parts` | object | required | Parts. |
        | `parts.*.n` | integer | required | N. |
        | `kind` | string: `zero`, `other` | required | The kind. |
        | `value` | integer | with `other` | V. |

        """#)
  }

  @Test func `the reference of all documents is the output of the program`() throws {
    let file = Checkout.file("docs/reference/documents.md")
    if ProcessInfo.processInfo.environment["RECORD_DOCUMENTS"] != nil {
      try DocumentName.allReferences.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(
      try String(contentsOf: file, encoding: .utf8) == DocumentName.allReferences,
      "'RECORD_DOCUMENTS=1 swift test --filter DocumentNameTests' updates the reference")
  }

  @Test func `an unknown document is an error with the nearest name and the list of all names`() {
    let message = Captured("schema", "--for", "repotr").messages
    #expect(message.contains("Did you mean 'report'?"))
    #expect(message.contains("hint: 'ba-package help json' lists the documents.\n"))
  }

  @Test func `help of commands names the document of their results, and help json all`() {
    let documents: [(command: String, document: DocumentName)] = [
      ("info", .info), ("list", .list), ("list", .duplicates), ("pack", .pack),
      ("extract", .extract), ("evaluate", .evaluate), ("evaluate", .excluded),
      ("explain", .explain), ("project", .settings), ("report", .report), ("diff", .comparison),
      ("validate", .findings), ("verify", .findings),
    ]
    for (command, document) in documents {
      let help = Captured(command, "--help").output.split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
      #expect(help.contains("--for \(document.rawValue)'"), "\(command)")
    }
    let topic = Captured("help", "json").output
    for name in DocumentName.allCases { #expect(topic.contains("\n  \(name.rawValue) ")) }
  }
}

extension DocumentName {
  /// The reference of all documents in Markdown.
  fileprivate static var allReferences: String {
    let contents = allCases.map { "| [\($0.rawValue)](#\($0.rawValue)) | \($0.title) |\n" }
    return """
      # JSON documents

      This page lists the members of all JSON documents that `ba-package` prints, reads and stores.
      `ba-package schema --for NAME` prints the JSON Schema of a document, and with
      `--format markdown` the table of its members.

      Later versions can add members. A program that reads a document must ignore unknown members.

      Each document has an example with all members; of alternative members, it has the first.

      ## Contents

      | Name | Document |
      |---|---|
      \(contents.joined())
      """
        + allCases.map {
          "\n" + $0.reference + DocumentExamples.markdown(of: $0)
        }.joined()
  }
}

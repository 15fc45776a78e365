import Foundation
import SourceDiagnostics
import Testing

@testable import BAPackCommands

struct DocumentNameTests {
  private func check(_ record: JSONRecord, _ place: String) {
    #expect(Set(record.keys.map(\.name)).count == record.keys.count, "\(place): a name twice")
    for key in record.keys {
      #expect(key.summary.hasSuffix("."), "\(place).\(key.name)")
      check(key.shape, "\(place).\(key.name)")
    }
    for part in record.choices.joined() { check(part, place) }
  }

  private func check(_ shape: JSONShape, _ place: String) {
    switch shape {
    case .record(let record): check(record, place)
    case .array(let element, _): check(element, place + "[]")
    case .nullable(let shape), .values(let shape): check(shape, place)
    case .alternatives(let sets): for keys in sets { check(JSONRecord(keys: keys), place) }
    case .string, .word, .bool, .number, .integer, .size, .stringOrObject, .emptyObject, .anyObject,
      .anything:
      break
    }
  }

  @Test(arguments: DocumentName.allCases)
  func `every member of a document has a sentence and a name of its own`(_ name: DocumentName) {
    #expect(!name.record.names.isEmpty)
    check(name.record, name.rawValue)
  }

  @Test(arguments: DocumentName.allCases)
  func `schema prints the schema of a document`(_ name: DocumentName) throws {
    let text = Captured("schema", "--for", name.rawValue).output
    let schema = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let properties = try #require(schema["properties"] as? [String: Any])
    #expect(Set(properties.keys) == Set(name.record.keys.map(\.name)))
  }

  @Test func `schema lists the documents when a name is unknown`() {
    let message = Captured("schema", "--for", "nothing").messages
    for name in DocumentName.allCases { #expect(message.contains(name.rawValue)) }
  }
}

import SourceDiagnostics
import TestSupport

@testable import BAPackCommands

/// Examples of JSON documents for the reference, made from the tables of the documents.
enum DocumentExamples {
  /// Returns an example with the members of a document; of alternatives, it has the first.
  static func example(of document: DocumentName) -> JSONValue { value(of: document.record) }

  /// Returns the example as the reference shows it.
  static func markdown(of document: DocumentName) -> String {
    let text = String(decoding: JSONWriter.bytes(example(of: document)), as: UTF8.self)
    return "\n```json\n\(text)```\n"
  }

  private static func value(of record: JSONRecord) -> JSONValue {
    let keys = record.keys + record.choices.compactMap(\.first).flatMap(\.keys)
    return value(of: keys)
  }

  private static func value(of keys: [JSONKey]) -> JSONValue {
    .object(
      keys.filter { $0.presence != .ignored && !isAlternative($0) }.map { key in
        .init(key.name, template(of: key) ?? value(of: key.shape, named: key.name))
      })
  }

  /// The value of a key in templates; nil for a placeholder such as `[Path to File]`.
  private static func template(of key: JSONKey) -> JSONValue? {
    key.example.contains(/\[(Path to|Asset-Pack ID)/) ? nil : JSONValue(parsing: key.example)
  }

  /// Whether a key replaces another one, if its value is no text.
  private static func isAlternative(_ key: JSONKey) -> Bool {
    key.presence == .optional && key.name.hasSuffix("Base64")
  }

  private static func value(of shape: JSONShape, named name: String) -> JSONValue {
    switch shape {
    case .string(let pattern): .string(text(named: name, pattern))
    case .word(let words): .string(words.first ?? "")
    case .bool: .bool(true)
    case .number: .number(name == "seconds" ? "1.5" : "1")
    case .integer(let range): number(name, range)
    case .size: .string("10G")
    case .array(let element, _): .array([value(of: element, named: name)])
    case .record(let record): value(of: record)
    case .nullable(let shape): value(of: shape, named: name)
    case .alternatives(let sets): value(of: sets.first ?? [])
    case .either(let shapes): shapes.first.map { value(of: $0, named: name) } ?? .null
    case .emptyObject, .anyObject: .object([])
    case .values(let shape): .object([.init("level-cave", value(of: shape, named: name))])
    case .anything: .null
    }
  }

  private static func number(_ name: String, _ range: ClosedRange<Int>) -> JSONValue {
    let isSize = name.lowercased().hasSuffix("bytes") || name.lowercased().hasSuffix("size")
    let number = min(max(isSize ? 1_048_576 : 1, range.lowerBound), range.upperBound)
    return .number("\(number)")
  }

  /// Texts by the end of the name of the member, the most specific first.
  private static let texts: [(end: String, text: String)] = [
    ("sha256", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
    ("md5", "098f6bcd4621d373cade4e832627b4f6"), ("assetpackid", "level-cave"),
    ("packid", "level-cave"), ("pack", "level-cave"), ("packs", "level-cave"),
    ("manifest", "Packs/level-cave.json"), ("archive", "build/packs/level-cave.aar"),
    ("folder", "build/packs"), ("output", "build/packs"), ("sourceroot", "Assets"),
    ("root", "Assets"), ("path", "Levels/cave.json"), ("paths", "Levels/*.json"),
    ("file", "Levels/cave.json"), ("files", "Levels/cave.json"), ("url", "https://example.com"),
    ("language", "en"), ("languages", "en"), ("primary", "en"), ("until", "2027-01-31"),
    ("time", "2026-11-20T10:00:00Z"), ("date", "2026-11-20T10:00:00Z"),
    ("began", "2026-11-20T10:00:00Z"), ("finding", "files.missing"), ("rule", "files.missing"),
    ("id", "level-cave"), ("app", "1234567890"), ("name", "Lantern"), ("reason", "It is tested."),
    ("version", "1"), ("created", "2026-11-20T10:00:00Z"), ("submitted", "2026-11-20T10:00:00Z"),
    ("platform", "iOS"), ("compression", "lzfse"), ("method", "GET"), ("query", "platform=iOS"),
    ("message", "'Levels/cave.json' does not exist"), ("locale", "en-US"),
    ("text", "'Levels/cave.json' does not exist"), ("error", "the connection was closed"),
    ("fault", "level-*: cut 60%"), ("source", "Packs/level-cave.json"), ("state", "COMPLETE"),
    ("beta", "READY_FOR_TESTING"), ("useragent", "ba-package/0.1.0"),
  ]

  private static func text(named name: String, _ pattern: String?) -> String {
    if pattern == "^[0-9]+$" { return "1" }
    let name = name.lowercased()
    return texts.first { name.hasSuffix($0.end) }?.text ?? "…"
  }
}

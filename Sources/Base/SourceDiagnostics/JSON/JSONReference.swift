/// Writes a reference of the members of a document, from the shapes that readers use.
package enum JSONReference {
  /// Returns a table in Markdown: path, type, presence and meaning of each member.
  package static func markdown(_ record: JSONRecord) -> String {
    var text = "| Member | Type | Presence | Meaning |\n|---|---|---|---|\n"
    for row in rows(record) {
      let cells = ["`\(row.path)`", row.type, row.presence, row.meaning]
      text += "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }
    return text
  }

  /// A member of a document.
  package struct Row: Sendable {
    package var path: String
    package var type: String
    package var presence: String
    package var meaning: String
  }

  /// Returns the members of a record, and the members of the objects that it contains.
  package static func rows(_ record: JSONRecord) -> [Row] { rows(record, below: "") }

  private static func rows(_ record: JSONRecord, below path: String) -> [Row] {
    record.keys.flatMap { rows($0, below: path) }
      + record.choices.flatMap { rows(ofOne: $0, below: path) }
  }

  private static func rows(
    _ key: JSONKey, below path: String, presence: String? = nil
  ) -> [Row] {
    let path = path + key.name
    let usual =
      switch key.presence {
      case .required: "required"
      case .optional: "optional"
      case .ignored: "ignored"
      }
    let (noun, words) = type(of: key.shape)
    let values = words.isEmpty ? "" : ": " + words.map { "`\($0)`" }.joined(separator: ", ")
    let row = Row(
      path: path, type: noun + values, presence: presence ?? usual,
      meaning: ([key.summary] + key.details).joined(separator: " "))
    return [row] + rows(inside: key.shape, at: path)
  }

  /// Returns the members of values inside a value.
  private static func rows(inside shape: JSONShape, at path: String) -> [Row] {
    switch shape {
    case .array(let element, _): rows(inside: element, at: path + "[]")
    case .values(let shape): rows(inside: shape, at: path + ".*")
    case .nullable(let shape): rows(inside: shape, at: path)
    case .record(let record): rows(record, below: path + ".")
    case .either(let shapes): shapes.flatMap { rows(inside: $0, at: path) }
    case .alternatives(let sets): rows(ofOne: sets.map { JSONRecord(keys: $0) }, below: path + ".")
    case .string, .word, .bool, .number, .integer, .size, .emptyObject, .anyObject, .anything: []
    }
  }

  /// Returns the members of alternative records, each member once.
  private static func rows(ofOne records: [JSONRecord], below path: String) -> [Row] {
    /// The discriminating values of members that each alternative has with a different value.
    var words: [String: [String]] = [:]
    for key in records.flatMap(\.keys) {
      if case .word(let own) = key.shape { words[key.name, default: []] += own }
    }
    words = words.filter { $0.value.count == records.count }
    var rows: [Row] = []
    var names: Set<String> = []
    for record in records {
      let word = record.keys.lazy.compactMap { key -> String? in
        guard words[key.name] != nil, case .word(let own) = key.shape else { return nil }
        return own.first
      }.first
      for key in record.keys where names.insert(key.name).inserted {
        if let all = words[key.name] {
          rows += self.rows(
            JSONKey(key.name, .word(all), is: key.presence, key.summary), below: path)
        } else {
          rows += self.rows(key, below: path, presence: word.map { "with `\($0)`" } ?? "optional")
        }
      }
      rows += record.choices.flatMap { self.rows(ofOne: $0, below: path) }
    }
    return rows
  }

  /// Returns the name of the type, and the texts that are its values.
  private static func type(of shape: JSONShape) -> (noun: String, words: [String]) {
    switch shape {
    case .string: return ("string", [])
    case .word(let words): return ("string", words)
    case .bool: return ("boolean", [])
    case .number: return ("number", [])
    case .integer: return ("integer", [])
    case .size: return ("integer or string", [])
    case .either(let shapes):
      return (shapes.map { type(of: $0).noun }.joined(separator: " or "), [])
    case .record, .alternatives, .emptyObject, .values, .anyObject: return ("object", [])
    case .anything: return ("any value", [])
    case .array(let element, _):
      let (noun, words) = type(of: element)
      return ("array of " + (noun == "any value" ? "values" : noun + "s"), words)
    case .nullable(let shape):
      let (noun, words) = type(of: shape)
      return (noun + " or null", words)
    }
  }
}

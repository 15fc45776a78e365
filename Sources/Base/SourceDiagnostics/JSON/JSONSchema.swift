/// Writes a JSON Schema 2020-12 from the shapes that readers use.
package enum JSONSchema {
  /// Returns the schema of an object.
  package static func document(title: String, record: JSONRecord) -> JSONValue {
    .object(
      [
        .init("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        .init("title", .string(title)),
      ] + object(record))
  }

  private static func object(_ keys: [JSONKey]) -> [JSONValue.Member] {
    object(JSONRecord(keys: keys, isOpen: false))
  }

  private static func object(_ record: JSONRecord) -> [JSONValue.Member] {
    let keys = record.keys
    let properties = keys.map { JSONValue.Member($0.name, .object(schema(of: $0))) }
    let required = keys.filter { $0.presence == .required }.map { JSONValue.string($0.name) }
    var members: [JSONValue.Member] = [
      .init("type", .string("object")), .init("properties", .object(properties)),
    ]
    if !required.isEmpty { members.append(.init("required", .array(required))) }
    let choices = record.choices.map { choice in
      JSONValue.object([.init("oneOf", .array(choice.map { .object(object($0)) }))])
    }
    if !choices.isEmpty { members.append(.init("allOf", .array(choices))) }
    if !record.isOpen {
      // "additionalProperties" would reject the members of choices, which it does not evaluate.
      let others = choices.isEmpty ? "additionalProperties" : "unevaluatedProperties"
      members.append(.init(others, .bool(false)))
    }
    return members
  }

  private static func schema(of key: JSONKey) -> [JSONValue.Member] {
    [.init("description", .string(key.summary))] + schema(of: key.shape)
  }

  private static func schema(of shape: JSONShape) -> [JSONValue.Member] {
    switch shape {
    case .string(let pattern):
      [.init("type", .string("string"))]
        + (pattern.map { [.init("pattern", .string($0))] } ?? [])
    case .word(let words): [.init("enum", .array(words.map { .string($0) }))]
    case .bool: [.init("type", .string("boolean"))]
    case .number: [.init("type", .string("number"))]
    case .either(let shapes): [.init("oneOf", .array(shapes.map { .object(schema(of: $0)) }))]
    case .integer(let range):
      [.init("type", .string("integer"))]
        + (range.lowerBound == .min ? [] : [.init("minimum", .integer(range.lowerBound))])
        + (range.upperBound == .max ? [] : [.init("maximum", .integer(range.upperBound))])
    case .size(let pattern):
      [
        .init("type", .array([.string("integer"), .string("string")])),
        .init("minimum", .integer(0)), .init("pattern", .string(pattern)),
      ]
    case .array(let element, let least):
      [.init("type", .string("array"))]
        + (least > 0 ? [.init("minItems", .integer(least))] : [])
        + [.init("items", .object(schema(of: element)))]
    case .record(let record): object(record)
    case .nullable(let shape):
      [
        .init(
          "anyOf",
          .array([.object(schema(of: shape)), .object([.init("type", .string("null"))])]))
      ]
    case .alternatives(let sets): [.init("oneOf", .array(sets.map { .object(object($0)) }))]
    case .emptyObject: [.init("type", .string("object")), .init("maxProperties", .integer(0))]
    case .values(let shape):
      [
        .init("type", .string("object")),
        .init("additionalProperties", .object(schema(of: shape))),
      ]
    case .anyObject: [.init("type", .string("object"))]
    case .anything: []
    }
  }
}

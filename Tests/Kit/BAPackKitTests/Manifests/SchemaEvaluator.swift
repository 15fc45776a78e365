import SourceDiagnostics
import Testing

/// Validates values against a JSON Schema.
///
/// It supports only the keywords that our schemas use. Other keywords are errors.
struct SchemaEvaluator {
  struct UnknownKeyword: Error {
    var keyword: String
  }

  func accepts(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
    guard case .object(let keywords) = schema else { return false }
    for keyword in keywords where try !accepts(value, keyword, keywords) { return false }
    return true
  }

  private func accepts(
    _ value: JSONValue, _ keyword: JSONValue.Member, _ all: [JSONValue.Member]
  ) throws -> Bool {
    switch (keyword.key, keyword.value) {
    case ("$schema", _), ("title", _), ("description", _): return true
    case ("type", .string(let type)): return self.type(of: value) == type
    case ("enum", .array(let values)): return values.contains(value)
    case ("pattern", .string(let pattern)):
      guard case .string(let text) = value else { return true }
      return try text.firstMatch(of: Regex(pattern).matchingSemantics(.unicodeScalar)) != nil
    case ("properties", .object(let properties)):
      guard case .object(let members) = value else { return true }
      for member in members {
        guard let schema = properties.first(where: { $0.key == member.key }) else { continue }
        guard try accepts(member.value, schema.value) else { return false }
      }
      return true
    case ("required", .array(let names)):
      guard case .object(let members) = value else { return true }
      return names.allSatisfy { name in members.contains { .string($0.key) == name } }
    case ("additionalProperties", .bool(false)):
      guard case .object(let members) = value,
        case .object(let known)? = all.first(where: { $0.key == "properties" })?.value
      else { return true }
      return members.allSatisfy { member in known.contains { $0.key == member.key } }
    case ("items", let items):
      guard case .array(let elements) = value else { return true }
      return try elements.allSatisfy { try accepts($0, items) }
    case ("minItems", .number(let least)):
      guard case .array(let elements) = value else { return true }
      return elements.count >= Int(least) ?? 0
    case ("maxProperties", .number(let most)):
      guard case .object(let members) = value else { return true }
      return members.count <= Int(most) ?? 0
    case ("oneOf", .array(let schemas)):
      return try schemas.filter { try accepts(value, $0) }.count == 1
    default: throw UnknownKeyword(keyword: keyword.key)
    }
  }

  private func type(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

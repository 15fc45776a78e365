package import SourceDiagnostics

/// Validates JSON by the subset of JSON Schema 2020-12 that the program writes.
package struct SchemaCheck {
  private let schema: JSONValue
  /// Whether objects can have members that the schema does not name.
  private let isOpen: Bool

  package init(_ schema: JSONValue, isOpen: Bool = false) {
    self.schema = schema
    self.isOpen = isOpen
  }

  /// Returns the parts of a value that do not match the schema.
  package func problems(in value: JSONValue) -> [String] {
    problems(value, schema, at: "$", isPart: false)
  }

  /// Returns the parts that do not match; `isPart` is whether the schema describes only some
  /// members of an object.
  private func problems(
    _ value: JSONValue, _ schema: JSONValue, at place: String, isPart: Bool
  ) -> [String] {
    var problems: [String] = []
    for (keyword, argument) in schema.members {
      let isRight: Bool? =
        switch keyword {
        case "$schema", "title", "description": true
        case "type": argument.choices.contains { value.hasType($0) }
        case "enum": argument.elements.contains(value)
        case "pattern": value.text.map { argument.matches($0) }
        case "minimum": value.number.map { $0 >= argument.number ?? .infinity }
        case "maximum": value.number.map { $0 <= argument.number ?? -.infinity }
        case "minItems": value.elements.count >= Int(argument.number ?? .infinity)
        case "maxProperties": value.members.count <= Int(argument.number ?? -1)
        case "required":
          argument.elements.allSatisfy { name in value.members.contains { .string($0.0) == name } }
        case "oneOf":
          argument.elements.count { follows(value, $0, isPart: isPart) } == 1
        case "anyOf": argument.elements.contains { follows(value, $0, isPart: isPart) }
        case "additionalProperties":
          argument != .bool(false)
            || value.members.allSatisfy { schema["properties"]?[$0.0] != nil }
        case "items", "properties", "unevaluatedProperties", "allOf": nil
        default: false
        }
      if isRight == false { problems.append("\(place): \(keyword) \(argument)") }
      problems += inner(value, keyword, argument, at: place)
    }
    let isClosed = schema["properties"] != nil && !isOpen && !isPart
    guard isClosed || schema["unevaluatedProperties"] == .bool(false) else { return problems }
    let known = names(in: schema, for: value)
    return problems
      + value.members.filter { !known.contains($0.0) }.map { "\(place).\($0.0): is not described" }
  }

  /// Returns the problems inside a value, and those of parts of a schema.
  private func inner(
    _ value: JSONValue, _ keyword: String, _ argument: JSONValue, at place: String
  ) -> [String] {
    switch keyword {
    case "items":
      value.elements.flatMap { problems($0, argument, at: place + "[]", isPart: false) }
    case "properties":
      value.members.flatMap { name, member in
        argument[name].map { problems(member, $0, at: "\(place).\(name)", isPart: false) } ?? []
      }
    case "additionalProperties" where argument != .bool(false):
      value.members.flatMap { problems($0.1, argument, at: "\(place).*", isPart: false) }
    case "allOf":
      argument.elements.flatMap { problems(value, $0, at: place, isPart: true) }
    default: []
    }
  }

  private func follows(_ value: JSONValue, _ schema: JSONValue, isPart: Bool) -> Bool {
    problems(value, schema, at: "", isPart: isPart).isEmpty
  }

  /// Returns the names of members that a schema describes for a value.
  private func names(in schema: JSONValue, for value: JSONValue) -> Set<String> {
    var names = Set(schema["properties"]?.members.map(\.0) ?? [])
    for part in schema["allOf"]?.elements ?? [] {
      names.formUnion(self.names(in: part, for: value))
    }
    for part in schema["oneOf"]?.elements ?? [] where follows(value, part, isPart: true) {
      names.formUnion(self.names(in: part, for: value))
    }
    return names
  }

  // MARK: The schema itself

  /// The errors in the schema.
  package var flaws: [String] { Self.flaws(schema, at: "#") }

  private static func flaws(_ schema: JSONValue, at place: String) -> [String] {
    guard case .object(let members) = schema else { return ["\(place): is no object"] }
    return members.flatMap { member -> [String] in
      let (name, argument) = (member.key, member.value)
      let place = "\(place)/\(name)"
      let types: Set = ["string", "integer", "number", "boolean", "object", "array", "null"]
      switch name {
      case "properties":
        return argument.members.flatMap { flaws($0.1, at: "\(place)/\($0.0)") }
          + (Set(argument.members.map(\.0)).count == argument.members.count ? [] : [place])
      case "items": return flaws(argument, at: place)
      case "additionalProperties":
        return argument == .bool(false) ? [] : flaws(argument, at: place)
      case "oneOf", "anyOf", "allOf":
        return argument.elements.flatMap { flaws($0, at: place) }
          + (argument.elements.isEmpty ? [place] : [])
      case "required":
        let known = schema["properties"]?.members.map { JSONValue.string($0.0) } ?? []
        return argument.elements.filter { !known.contains($0) }.map { "\(place): \($0)" }
      case "type": return argument.choices.allSatisfy(types.contains) ? [] : [place]
      case "enum": return argument.elements.isEmpty ? [place] : []
      case "pattern": return argument.text.map { (try? Regex($0)) != nil } == true ? [] : [place]
      case "unevaluatedProperties": return argument == .bool(false) ? [] : [place]
      case "$schema", "title", "description": return argument.text == nil ? [place] : []
      case "minimum", "maximum", "minItems", "maxProperties":
        return argument.number == nil ? [place] : []
      default: return ["\(place): is no keyword"]
      }
    }
  }
}

extension JSONValue {
  /// The value of strict JSON.
  package init?(parsing text: some StringProtocol) {
    guard let root = JSONDocument(parsing: SourceText(Array(text.utf8), named: "text")).root
    else { return nil }
    self = root.value
  }

  /// The members of an object.
  package var members: [(String, JSONValue)] {
    if case .object(let members) = self { members.map { ($0.key, $0.value) } } else { [] }
  }

  /// The value of a member.
  package subscript(_ name: String) -> JSONValue? { members.first { $0.0 == name }?.1 }

  /// The elements of an array.
  package var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var number: Double? {
    if case .number(let digits) = self { Double(digits) } else { nil }
  }

  /// One string, or several.
  fileprivate var choices: [String] { text.map { [$0] } ?? elements.compactMap(\.text) }

  fileprivate func hasType(_ type: String) -> Bool {
    switch self {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .number(let digits): type == "number" || type == "integer" && Int(digits) != nil
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }

  /// Returns whether this pattern matches in a text.
  fileprivate func matches(_ text: String) -> Bool {
    guard let pattern = self.text, let regex = try? Regex(pattern) else { return false }
    return text.contains(regex.matchingSemantics(.unicodeScalar))
  }
}

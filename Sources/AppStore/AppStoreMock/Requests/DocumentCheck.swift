package import SourceDiagnostics

/// A validated document.
package struct CheckedDocument: Sendable {
  package fileprivate(set) var attributes: [String: JSONNode] = [:]
  fileprivate(set) var relationships: [String: String] = [:]

  func text(_ name: String) -> String? { attributes[name]?.string }
  func texts(_ name: String) -> [String]? {
    attributes[name].map { $0.elements.compactMap(\.string) }
  }
  func flag(_ name: String) -> Bool? { attributes[name]?.bool }
  func number(_ name: String) -> UInt64? { attributes[name]?.number.flatMap { UInt64($0) } }
  /// Returns the ID of the target of a relationship.
  package func target(_ name: String) -> String? { relationships[name] }
}

extension RequestDocument {
  /// Validates the body of a request; for an update, `id` is the ID in the path.
  package func check(_ body: [UInt8], id: String?) throws(APIErrors) -> CheckedDocument {
    let root = try Self.parse(body)
    var errors: [APIError] = []
    guard root.kind == .object, let data = root["data"], data.kind == .object else {
      throw APIErrors(.noDocument("The document has no object 'data'.", at: "/data"))
    }
    for member in root.members where member.key.string != "data" {
      errors.append(Self.unknown(member.key.string ?? "", at: ""))
    }
    guard let given = data["type"]?.string else {
      throw APIErrors(.noDocument("The resource has no string 'type'.", at: "/data/type"))
    }
    guard given == type else {
      throw APIErrors(
        .entity(
          "TYPE.INVALID", "The type of the resource is not the expected one",
          "'\(given)' is not '\(type)'", at: "/data/type"))
    }
    checkID(data, id, &errors)
    for member in data.members {
      let key = member.key.string ?? ""
      let isKnown =
        switch key {
        case "type", "id": true
        // An empty object is valid.
        case "attributes": !attributes.isEmpty || member.value.count > 0
        case "relationships": !relationships.isEmpty || member.value.count > 0
        default: false
        }
      if !isKnown { errors.append(Self.unknown(key, at: "/data")) }
    }
    var document = CheckedDocument()
    document.attributes = checkAttributes(data["attributes"], &errors)
    document.relationships = checkRelationships(data["relationships"], &errors)
    guard errors.isEmpty else { throw APIErrors(errors) }
    return document
  }

  /// Parses strict JSON without duplicate keys, which parsers handle in different ways.
  private static func parse(_ body: [UInt8]) throws(APIErrors) -> JSONNode {
    var limits = JSONLimits()
    limits.depth = 64
    limits.isStrict = true
    let document = JSONDocument(parsing: SourceText(body, named: "body"), limits: limits)
    guard !document.findings.hasErrors, let root = document.root else {
      throw APIErrors(
        .unreadable(document.findings.first { $0.severity == .error }?.message ?? "no value"))
    }
    return root
  }

  private static func unknown(_ name: String, at pointer: String) -> APIError {
    .entity(
      "MEMBER.UNKNOWN", "The provided entity includes an unknown member",
      "'\(name)' is not a member of a request document", at: "\(pointer)/\(escaped(name))")
  }

  private func checkID(_ data: JSONNode, _ id: String?, _ errors: inout [APIError]) {
    let given = data["id"]
    if !isUpdate, given != nil {
      errors.append(
        .entity(
          "UNEXPECTED_ID", "The provided entity includes an id that is not expected",
          "The id of a new resource is made by the service", at: "/data/id"))
    }
    if isUpdate, given?.string != id {
      errors.append(
        .entity(
          "ID.INVALID", "The provided entity has an id that is not the expected one",
          "The id in the document is not the one in the path", at: "/data/id"))
    }
  }

  // MARK: Attributes

  private func checkAttributes(
    _ node: JSONNode?, _ errors: inout [APIError]
  ) -> [String: JSONNode] {
    check(node, attributes, at: "/data/attributes", &errors)
  }

  private func check(
    _ node: JSONNode?, _ attributes: [Attribute], at pointer: String, _ errors: inout [APIError]
  ) -> [String: JSONNode] {
    var found: [String: JSONNode] = [:]
    if let node, node.kind != .object {
      errors.append(Self.wrongType(pointer, "an object"))
      return [:]
    }
    for member in node.map({ Array($0.members) }) ?? [] {
      let name = member.key.string ?? ""
      guard let attribute = attributes.first(where: { $0.name == name }) else {
        errors.append(
          .entity(
            "ATTRIBUTE.UNKNOWN", "The provided entity includes an unknown attribute",
            "'\(name)' is not an attribute on the resource '\(type)'",
            at: "\(pointer)/\(Self.escaped(name))"))
        continue
      }
      if member.value.kind == .null {
        if attribute.mayBeNull { continue }
        // A required value is missing; an optional value is null.
        if !attribute.isRequired {
          errors.append(Self.wrongType("\(pointer)/\(name)", Self.phrase(attribute.shape)))
        }
        continue
      }
      if check(member.value, attribute, at: "\(pointer)/\(name)", &errors) {
        found[name] = member.value
      }
    }
    for attribute in attributes where attribute.isRequired {
      let value = node?[attribute.name]
      guard value == nil || value?.kind == .null else { continue }
      errors.append(
        .entity(
          "ATTRIBUTE.REQUIRED", "The provided entity is missing a required attribute",
          "You must provide a value for the attribute '\(attribute.name)' with this request",
          at: "\(pointer)/\(attribute.name)"))
    }
    return found
  }

  /// Returns whether a value has the shape of an attribute.
  private func check(
    _ value: JSONNode, _ attribute: Attribute, at pointer: String, _ errors: inout [APIError]
  ) -> Bool {
    let before = errors.count
    switch attribute.shape {
    case .text:
      if value.string == nil { errors.append(Self.wrongType(pointer, "a string")) }
    case .texts:
      let isList = value.kind == .array && value.elements.allSatisfy { $0.string != nil }
      if !isList { errors.append(Self.wrongType(pointer, "a list of strings")) }
    case .flag:
      if value.bool == nil { errors.append(Self.wrongType(pointer, "true or false")) }
    case .word(let names):
      if let text = value.string {
        if !names.contains(text) {
          errors.append(
            .invalidAttribute(
              attribute.name,
              "'\(text)' is not a valid value for the attribute '\(attribute.name)'", at: pointer))
        }
      } else {
        errors.append(Self.wrongType(pointer, "a string"))
      }
    case .number(let range):
      if let text = value.number {
        // Numbers with a fraction or an exponent are not accepted as whole numbers.
        if let number = Int64(text) {
          if !range.contains(number) {
            errors.append(
              .invalidAttribute(
                attribute.name,
                "'\(number)' is not a valid value for the attribute '\(attribute.name)'",
                at: pointer))
          }
        } else {
          errors.append(Self.wrongType(pointer, "a whole number"))
        }
      } else {
        errors.append(Self.wrongType(pointer, "a number"))
      }
    case .object(let members):
      _ = check(value, members, at: pointer, &errors)
    }
    return errors.count == before
  }

  private static func phrase(_ shape: Shape) -> String {
    switch shape {
    case .text, .word: "a string"
    case .texts: "a list of strings"
    case .flag: "true or false"
    case .number: "a number"
    case .object: "an object"
    }
  }

  private static func wrongType(_ pointer: String, _ expectation: String) -> APIError {
    .entity(
      "ATTRIBUTE.TYPE", "The provided entity includes an attribute with an invalid type",
      "The value must be \(expectation)", at: pointer)
  }

  // MARK: Relationships

  private func checkRelationships(
    _ node: JSONNode?, _ errors: inout [APIError]
  ) -> [String: String] {
    let pointer = "/data/relationships"
    var found: [String: String] = [:]
    if let node, node.kind != .object {
      errors.append(.noDocument("'relationships' is not an object.", at: pointer))
      return [:]
    }
    for member in node.map({ Array($0.members) }) ?? [] {
      let name = member.key.string ?? ""
      guard let relationship = relationships.first(where: { $0.name == name }) else {
        errors.append(
          .entity(
            "RELATIONSHIP.UNKNOWN", "The provided entity includes an unknown relationship",
            "'\(name)' is not a relationship on the resource '\(type)'",
            at: "\(pointer)/\(Self.escaped(name))"))
        continue
      }
      if let id = target(member.value, of: relationship, at: "\(pointer)/\(name)", &errors) {
        found[name] = id
      }
    }
    for relationship in relationships where relationship.isRequired {
      guard node?[relationship.name] == nil else { continue }
      errors.append(Self.required(relationship, at: "\(pointer)/\(relationship.name)"))
    }
    return found
  }

  private static func required(_ relationship: Relationship, at pointer: String) -> APIError {
    .entity(
      "RELATIONSHIP.REQUIRED", "The provided entity is missing a required relationship",
      "You must provide a value for the relationship '\(relationship.name)' with this request",
      at: pointer)
  }

  /// Returns the ID of the target of a relationship.
  private func target(
    _ value: JSONNode, of relationship: Relationship, at pointer: String,
    _ errors: inout [APIError]
  ) -> String? {
    guard value.kind == .object else {
      errors.append(.noDocument("A relationship is an object with 'data'.", at: pointer))
      return nil
    }
    for member in value.members where member.key.string != "data" {
      errors.append(Self.unknown(member.key.string ?? "", at: pointer))
    }
    guard let data = value["data"], data.kind == .object else {
      if relationship.isRequired {
        errors.append(Self.required(relationship, at: pointer))
      } else if value["data"] != nil {
        errors.append(.noDocument("'data' of a relationship is an object.", at: "\(pointer)/data"))
      }
      return nil
    }
    for member in data.members where !["type", "id"].contains(member.key.string) {
      errors.append(Self.unknown(member.key.string ?? "", at: "\(pointer)/data"))
    }
    guard let type = data["type"]?.string, let id = data["id"]?.string else {
      errors.append(
        .noDocument("A relationship requires the strings 'type' and 'id'.", at: pointer))
      return nil
    }
    guard type == relationship.type else {
      errors.append(
        .entity(
          "RELATIONSHIP.INVALID",
          "The provided entity includes a relationship with an invalid value",
          "'\(type)' is not a valid type for the relationship '\(relationship.name)'", at: pointer))
      return nil
    }
    return id
  }

  /// Returns a name, escaped for a JSON pointer (RFC 6901).
  static func escaped(_ name: String) -> String {
    name.replacing("~", with: "~0").replacing("/", with: "~1")
  }
}

import Foundation
import SystemIO
import TestSupport
import Testing

@testable import AppStoreMock

/// The table of request documents: all members and their types.
@Suite(.mustEnd) struct MemberTests {
  /// Returns a document with all members of the table, before a test changes it.
  static func whole(_ table: RequestDocument) -> [String: Any] {
    var data: [String: Any] = ["type": table.type]
    if table.isUpdate { data["id"] = "one" }
    if !table.attributes.isEmpty { data["attributes"] = object(table.attributes) }
    var relationships: [String: Any] = [:]
    for relationship in table.relationships {
      relationships[relationship.name] = ["data": ["type": relationship.type, "id": "two"]]
    }
    if !relationships.isEmpty { data["relationships"] = relationships }
    return data
  }

  private static func object(_ attributes: [RequestDocument.Attribute]) -> [String: Any] {
    Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, value($0.shape)) })
  }

  private static func value(_ shape: RequestDocument.Shape) -> Any {
    switch shape {
    case .text: "x"
    case .word(let words): words[0]
    case .texts: ["x"]
    case .flag: true
    case .number(let range): range.lowerBound
    case .object(let members): object(members)
    }
  }

  private func errors(_ table: RequestDocument, _ data: [String: Any]) throws -> [APIError] {
    let body = try JSONSerialization.data(withJSONObject: ["data": data])
    do throws(APIErrors) {
      _ = try table.check(Array(body), id: table.isUpdate ? "one" : nil)
      return []
    } catch {
      return error.all
    }
  }

  private func expect(
    _ table: RequestDocument, _ code: String, _ pointer: String,
    sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout [String: Any]) -> Void
  ) throws {
    var data = Self.whole(table)
    change(&data)
    let found = try errors(table, data)
    #expect(found.map(\.code) == ["ENTITY_ERROR.\(code)"], sourceLocation: sourceLocation)
    #expect(found.first?.source == .pointer(pointer), sourceLocation: sourceLocation)
    #expect(found.first?.status == 409, sourceLocation: sourceLocation)
  }

  @Test(arguments: RequestDocument.all.indices)
  func `a document with all members of the table is valid, and other members are refused`(
    index: Int
  ) throws {
    let table = RequestDocument.all[index]
    #expect(try errors(table, Self.whole(table)).isEmpty)
    try expect(table, "MEMBER.UNKNOWN", "/data/meta") { $0["meta"] = ["a": 1] }
    try expect(table, "MEMBER.UNKNOWN", "/data/links") { $0["links"] = [:] as [String: Any] }
    try expect(table, "TYPE.INVALID", "/data/type") { $0["type"] = "apps" }
    if table.isUpdate {
      try expect(table, "ID.INVALID", "/data/id") { $0["id"] = "other" }
      try expect(table, "ID.INVALID", "/data/id") { $0["id"] = nil }
      try expect(table, "ID.INVALID", "/data/id") { $0["id"] = 1 }
    } else {
      try expect(table, "UNEXPECTED_ID", "/data/id") { $0["id"] = "one" }
    }
    try expect(table, "ATTRIBUTE.UNKNOWN", "/data/attributes/a~1b~0") { data in
      var attributes = data["attributes"] as? [String: Any] ?? [:]
      attributes["a/b~"] = 1
      data["attributes"] = attributes
    }
    try expect(table, "RELATIONSHIP.UNKNOWN", "/data/relationships/owner") { data in
      var relationships = data["relationships"] as? [String: Any] ?? [:]
      relationships["owner"] = ["data": ["type": "apps", "id": "1"]]
      data["relationships"] = relationships
    }
    if table.attributes.isEmpty {
      try expect(table, "MEMBER.UNKNOWN", "/data/attributes") {
        $0["attributes"] = [:] as [String: Any]
      }
    }
    if table.relationships.isEmpty {
      try expect(table, "MEMBER.UNKNOWN", "/data/relationships") {
        $0["relationships"] = [:] as [String: Any]
      }
    }
  }

  @Test(arguments: RequestDocument.all.indices)
  func `each attribute has a type and bounds, and can be required or null`(index: Int) throws {
    let table = RequestDocument.all[index]
    for attribute in table.attributes {
      let pointer = "/data/attributes/\(attribute.name)"
      func expect(_ code: String, _ value: Any?) throws {
        try self.expect(table, code, pointer) { data in
          var attributes = data["attributes"] as? [String: Any] ?? [:]
          attributes[attribute.name] = value
          data["attributes"] = attributes
        }
      }
      switch attribute.shape {
      case .text:
        for value in [1, true, ["x"], ["a": "b"]] as [Any] { try expect("ATTRIBUTE.TYPE", value) }
      case .word:
        try expect("ATTRIBUTE.TYPE", 1)
        try expect("ATTRIBUTE.INVALID", "none of them")
      case .texts:
        for value in ["x", 1, [1], ["a": "b"]] as [Any] { try expect("ATTRIBUTE.TYPE", value) }
      case .flag:
        for value in ["true", 1, [true]] as [Any] { try expect("ATTRIBUTE.TYPE", value) }
      case .number(let range):
        for value in ["1", 1.5, true, [1]] as [Any] { try expect("ATTRIBUTE.TYPE", value) }
        try expect("ATTRIBUTE.INVALID", range.lowerBound - 1)
        try expect("ATTRIBUTE.INVALID", range.upperBound + 1)
      case .object:
        for value in ["x", 1, [1]] as [Any] { try expect("ATTRIBUTE.TYPE", value) }
      }
      if attribute.isRequired {
        try expect("ATTRIBUTE.REQUIRED", nil)
        try expect("ATTRIBUTE.REQUIRED", NSNull())
      } else {
        var data = Self.whole(table)
        data["attributes"] = [attribute.name: NSNull()]
        #expect(try errors(table, data).isEmpty == attribute.mayBeNull)
      }
    }
  }

  @Test(arguments: RequestDocument.all.indices)
  func `each relationship has one target of its type`(index: Int) throws {
    let table = RequestDocument.all[index]
    for relationship in table.relationships {
      let pointer = "/data/relationships/\(relationship.name)"
      func change(_ value: Any?) -> (inout [String: Any]) -> Void {
        { data in
          var relationships = data["relationships"] as? [String: Any] ?? [:]
          relationships[relationship.name] = value
          data["relationships"] = relationships
        }
      }
      try expect(
        table, "RELATIONSHIP.INVALID", pointer, change(["data": ["type": "users", "id": "1"]]))
      try expect(
        table, "MEMBER.UNKNOWN", "\(pointer)/meta",
        change(["data": ["type": relationship.type, "id": "1"], "meta": [:] as [String: Any]]))
      try expect(
        table, "MEMBER.UNKNOWN", "\(pointer)/data/attributes",
        change(["data": ["type": relationship.type, "id": "1", "attributes": "x"]]))
      if relationship.isRequired {
        try expect(table, "RELATIONSHIP.REQUIRED", pointer, change(nil))
        try expect(table, "RELATIONSHIP.REQUIRED", pointer, change([:] as [String: Any]))
        try expect(table, "RELATIONSHIP.REQUIRED", pointer, change(["data": NSNull()]))
      }
      for wrong in [1, "x", ["data": ["id": "1"]], ["data": ["type": relationship.type]]] as [Any] {
        var data = Self.whole(table)
        change(wrong)(&data)
        let found = try errors(table, data)
        #expect(found.map(\.code) == ["ENTITY_UNPROCESSABLE"])
        #expect(found.first?.status == 422)
      }
    }
  }

  @Test func `the members of a checksum are validated`() throws {
    let pointer = "/data/attributes/sourceFileChecksums"
    for (value, code, place) in [
      (["files": [:] as [String: Any]] as Any, "ATTRIBUTE.UNKNOWN", "\(pointer)/files"),
      (["file": ["md5": "x"]] as Any, "ATTRIBUTE.UNKNOWN", "\(pointer)/file/md5"),
      (["file": ["hash": 1]] as Any, "ATTRIBUTE.TYPE", "\(pointer)/file/hash"),
      (["file": ["algorithm": "SHA1"]] as Any, "ATTRIBUTE.INVALID", "\(pointer)/file/algorithm"),
      (
        ["composite": ["algorithm": "SHA_256"]] as Any, "ATTRIBUTE.INVALID",
        "\(pointer)/composite/algorithm"
      ),
      (["file": NSNull()] as Any, "ATTRIBUTE.TYPE", "\(pointer)/file"),
    ] {
      try expect(.updateFile, code, place) {
        $0["attributes"] = ["sourceFileChecksums": value]
      }
    }
  }

  @Test func `all errors of a document are reported together`() throws {
    let found = try errors(
      .createFile,
      [
        "type": "backgroundAssetUploadFiles", "id": "1",
        "attributes": ["fileName": 1, "fileSize": 0, "size": 1] as [String: Any],
      ])
    #expect(
      Set(found.map(\.code)) == [
        "ENTITY_ERROR.UNEXPECTED_ID", "ENTITY_ERROR.ATTRIBUTE.TYPE",
        "ENTITY_ERROR.ATTRIBUTE.INVALID",
        "ENTITY_ERROR.ATTRIBUTE.UNKNOWN", "ENTITY_ERROR.ATTRIBUTE.REQUIRED",
        "ENTITY_ERROR.RELATIONSHIP.REQUIRED",
      ])
  }
}

package import BAPackKit
import SourceDiagnostics
package import SystemIO
import TerminalText
package import Transfers

// What the service tells of packs, versions and files. Whatever may be absent or null in an answer
// may be so here, and a state that is new is kept by its name.

/// The ID that the service gave to something; it stands in addresses, and is no secret.
package struct ResourceID: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let text: String

  /// Takes an ID that can stand in an address as it is.
  package init?(_ text: String) {
    let isPlain = text.utf8.allSatisfy { $0.isLetterOrDigit || "-_.:".utf8.contains($0) }
    guard isPlain, (1...128).contains(text.utf8.count), text != ".", text != ".." else {
      return nil
    }
    self.text = text
  }

  private init(blank text: String) { self.text = text }
  /// The value from which readers start.
  static let blank = ResourceID(blank: "")

  package var description: String { text }
  package static func < (left: ResourceID, right: ResourceID) -> Bool { left.text < right.text }
}

/// A state, by the name that the service has for it.
package struct StateName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let name: String

  package init(_ name: String) { self.name = name }
  package init(stringLiteral name: String) { self.init(name) }

  package var description: String { name }
  /// The state as people say it: `ready for testing`.
  package var phrase: String { name.lowercased().replacing("_", with: " ") }
}

/// An app.
package struct AppRecord: Sendable, Equatable {
  package let id: ResourceID
  package let name: String?
}

/// A pack as the service knows it: an ID that was taken, for ever.
package struct PackRecord: Sendable, Equatable {
  package let id: ResourceID
  package let pack: PackID
  package let isArchived: Bool
  /// What it takes of the app's space; nil where the service does not say.
  package let usedBytes: UInt64?
  package let created: Moment?
  /// The versions that internal testers, external testers and everybody get.
  package var internalVersion: PackVersion?
  package var externalVersion: PackVersion?
  package var storeVersion: PackVersion?
}

/// A version of a pack.
package struct PackVersion: Sendable, Equatable {
  package let id: ResourceID
  /// Its number; nil where it is no number.
  package let number: Int?
  package let state: StateName?
  package let created: Moment?
  package let platforms: [String]
  package let locale: String?
  package let errors: [StateDetail]
  package let warnings: [StateDetail]
  package let infos: [StateDetail]
  /// How far it is on its way to internal testers, to external ones and to the store.
  package var internalState: StateName?
  package var externalState: StateName?
  package var storeState: StateName?
  /// Whether one of its files was found to be bad.
  package var hasBadFile = false
  /// The digests of its archive that the service returns.
  package var asset: AssetDigests?

  package var isAwaitingUpload: Bool { state == "AWAITING_UPLOAD" }
  package var isComplete: Bool { state == "COMPLETE" }
  package var hasFailed: Bool { state == "FAILED" || hasBadFile }
  package var key: VersionKey { VersionKey(id: id, number: number) }
  /// Whether internal testers get it, or got it before a newer one.
  package var isTestable: Bool { isComplete && internalState != nil }
}

/// What tells a version from all others.
package struct VersionKey: Sendable, Hashable {
  package var id: ResourceID
  package var number: Int?

  package init(id: ResourceID, number: Int?) {
    self.id = id
    self.number = number
  }

  /// The version as people say it: `version 7`.
  package var phrase: String { number.map { "version \($0)" } ?? "the version \(id)" }
}

/// What the service says about a version or a file, beside its state.
package struct StateDetail: Sendable, Equatable {
  package let code: String
  package let text: String
}

extension [StateDetail] {
  /// All of them in one line.
  var phrase: String {
    isEmpty
      ? "no reason was given" : map { "\($0.text) (\($0.code))" }.joined(separator: "; ")
  }
}

/// A file of a version: what was announced, and how far it is.
package struct FileRecord: Sendable, Equatable {
  /// What kind of file.
  package enum Kind: String, Sendable {
    case asset = "ASSET"
    case manifest = "MANIFEST"
  }

  package let id: ResourceID
  package let kind: Kind?
  package let name: String?
  package let size: UInt64?
  package let state: StateName?
  package let errors: [StateDetail]
  package let warnings: [StateDetail]
  /// Where its parts go; nil once it is complete.
  package let parts: [FilePart]?

  package var isAwaitingUpload: Bool { state == "AWAITING_UPLOAD" }
}

/// Where one part of a file goes.
package struct FilePart: Sendable, Equatable {
  package let range: Range<UInt64>
  package let method: String
  package let address: SignedAddress
  package let fields: [HeaderField]
  package let end: Moment?

  package static func == (left: FilePart, right: FilePart) -> Bool {
    left.range == right.range && left.address == right.address
  }
}

extension [FilePart] {
  /// What is wrong with parts that are to make up a file; nil when nothing is.
  func fault(ofFileOf size: UInt64) -> String? {
    var end: UInt64 = 0
    for part in sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      if part.method != "PUT" { return "a part is to be sent by another method than PUT" }
      if !part.address.isSecure { return "a part is to be sent without encryption" }
      if part.range.lowerBound > end { return "the parts leave a gap at byte \(end)" }
      if part.range.lowerBound < end {
        return "the parts overlap at byte \(part.range.lowerBound)"
      }
      end = part.range.upperBound
      if end > size { return "the parts go beyond the end of the file" }
    }
    return end == size ? nil : "the parts end at byte \(end) of \(size)"
  }
}

// MARK: - Reading answers

/// One resource in an answer, with those that came beside it.
struct ResourceNode {
  let node: JSONNode
  let included: [String: JSONNode]

  private static func key(_ node: JSONNode) -> String? {
    guard let type = node["type"]?.string, let id = node["id"]?.string else { return nil }
    return "\(type) \(id)"
  }

  static func included(in root: JSONNode) -> [String: JSONNode] {
    var found: [String: JSONNode] = [:]
    for node in root["included"].map({ Array($0.elements) }) ?? [] {
      if let key = key(node) { found[key] = node }
    }
    return found
  }

  var id: ResourceID? { node["id"]?.string.flatMap { ResourceID($0) } }
  func attribute(_ name: String) -> JSONNode? { node["attributes"]?[name] }
  func text(_ name: String) -> String? { attribute(name)?.string }
  func size(_ name: String) -> UInt64? { attribute(name)?.number.flatMap { UInt64($0) } }
  func moment(_ name: String) -> Moment? { text(name).flatMap { Moment($0) } }

  /// What a relationship leads to, if it came with the answer.
  func related(_ name: String) -> ResourceNode? {
    guard let data = node["relationships"]?[name]?["data"], let key = Self.key(data),
      let found = included[key]
    else { return nil }
    return ResourceNode(node: found, included: included)
  }

  func details(_ list: JSONNode?) -> [StateDetail] {
    (list.map { Array($0.elements) } ?? []).map { item in
      StateDetail(code: item["code"]?.string ?? "", text: item["description"]?.string ?? "")
    }
  }
}

extension AppRecord {
  init?(_ node: ResourceNode) {
    guard let id = node.id else { return nil }
    self.init(id: id, name: node.text("name"))
  }
}

extension PackRecord {
  init?(_ node: ResourceNode) {
    guard let id = node.id, let name = node.text("assetPackIdentifier") else { return nil }
    self.init(
      id: id, pack: PackID(name), isArchived: node.attribute("archived")?.bool ?? false,
      usedBytes: node.size("usedBytes"), created: node.moment("createdDate"),
      internalVersion: node.related("internalBetaVersion").flatMap { PackVersion($0) },
      externalVersion: node.related("externalBetaVersion").flatMap { PackVersion($0) },
      storeVersion: node.related("appStoreVersion").flatMap { PackVersion($0) })
  }
}

extension PackVersion {
  init?(_ node: ResourceNode) {
    guard let id = node.id else { return nil }
    // Apple sends a text with digits in it; some stand-ins send the number.
    let number = node.attribute("version").flatMap { $0.string ?? $0.number }.flatMap { Int($0) }
    let details = node.attribute("stateDetails")
    let files = ["assetFile", "manifestFile"].compactMap { node.related($0) }
      .compactMap { FileRecord($0) }
    self.init(
      id: id, number: number, state: node.text("state").map { StateName($0) },
      created: node.moment("createdDate"),
      platforms: (node.attribute("platforms").map { Array($0.elements) } ?? [])
        .compactMap(\.string),
      locale: node.text("locale"),
      errors: node.details(details?["errors"]) + files.flatMap(\.errors),
      warnings: node.details(details?["warnings"]) + files.flatMap(\.warnings),
      infos: node.details(details?["infos"]),
      internalState: node.related("internalBetaRelease")?.text("state").map { StateName($0) },
      externalState: node.related("externalBetaRelease")?.text("state").map { StateName($0) },
      storeState: node.related("appStoreRelease")?.text("state").map { StateName($0) },
      hasBadFile: files.contains { $0.state == "FAILED" },
      asset: AssetDigests(node.related("assetFile")))
  }
}

extension FileRecord {
  init?(_ node: ResourceNode) {
    guard let id = node.id else { return nil }
    let delivery = node.attribute("assetDeliveryState")
    let operations = node.attribute("uploadOperations").flatMap { $0.kind == .array ? $0 : nil }
    self.init(
      id: id, kind: node.text("assetType").flatMap { Kind(rawValue: $0) },
      name: node.text("fileName"), size: node.size("fileSize"),
      state: delivery?["state"]?.string.map { StateName($0) },
      errors: node.details(delivery?["errors"]), warnings: node.details(delivery?["warnings"]),
      parts: operations.map { $0.elements.compactMap { FilePart($0) } })
  }
}

extension FilePart {
  fileprivate init?(_ node: JSONNode) {
    guard let url = node["url"]?.string, let method = node["method"]?.string,
      let offset = node["offset"]?.number.flatMap({ UInt64($0) }),
      let length = node["length"]?.number.flatMap({ UInt64($0) }), length > 0
    else { return nil }
    let (end, isTooLarge) = offset.addingReportingOverflow(length)
    guard !isTooLarge else { return nil }
    var fields: [HeaderField] = []
    for field in node["requestHeaders"].map({ Array($0.elements) }) ?? [] {
      guard let name = field["name"]?.string, let value = field["value"]?.string else { continue }
      fields.append(HeaderField(name, value))
    }
    self.init(
      range: offset..<end, method: method, address: SignedAddress(url), fields: fields,
      end: node["expiration"]?.string.flatMap { Moment($0) })
  }
}

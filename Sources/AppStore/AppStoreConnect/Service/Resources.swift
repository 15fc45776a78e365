package import BAPackKit
import SourceDiagnostics
package import SystemIO
import TerminalText
package import Transfers

// The packs, versions and files of the service. Members that can be missing or null in a response
// are optional here. Unknown states are kept as text.

/// The ID of a resource of the service; it is part of URLs, and not a secret.
package struct ResourceID: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let text: String

  /// Creates an ID; nil if it requires escaping in a URL.
  package init?(_ text: String) {
    let isPlain = text.utf8.allSatisfy { $0.isLetterOrDigit || "-_.:".utf8.contains($0) }
    guard isPlain, (1...128).contains(text.utf8.count), text != ".", text != ".." else {
      return nil
    }
    self.text = text
  }

  private init(blank text: String) { self.text = text }
  /// The initial value for parsers.
  static let blank = ResourceID(blank: "")

  package var description: String { text }
  package static func < (left: ResourceID, right: ResourceID) -> Bool { left.text < right.text }
}

/// A state, with its name in the interface of the service.
package struct StateName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let name: String

  package init(_ name: String) { self.name = name }
  package init(stringLiteral name: String) { self.init(name) }

  package var description: String { name }
  /// The state in messages: `ready for testing`.
  package var phrase: String { name.lowercased().replacing("_", with: " ") }
}

package struct AppRecord: Sendable, Equatable {
  package let id: ResourceID
  package let name: String?
}

/// The record of a pack in the service; its ID can never be used for another pack.
package struct PackRecord: Sendable, Equatable {
  package let id: ResourceID
  package let pack: PackID
  package let isArchived: Bool
  /// The storage that the pack uses in bytes; nil if the service does not report it.
  package let usedBytes: UInt64?
  package let created: Moment?
  /// The versions for internal testers, external testers and the App Store.
  package var internalVersion: PackVersion?
  package var externalVersion: PackVersion?
  package var storeVersion: PackVersion?
}

package struct PackVersion: Sendable, Equatable {
  package let id: ResourceID
  /// The version number; nil if it is not a number.
  package let number: Int?
  package let state: StateName?
  package let created: Moment?
  package let platforms: [String]
  package let locale: String?
  package let errors: [StateDetail]
  package let warnings: [StateDetail]
  package let infos: [StateDetail]
  /// The states of its releases to internal testers, external testers and the App Store.
  package var internalState: StateName?
  package var externalState: StateName?
  package var storeState: StateName?
  /// Whether one of its files failed.
  package var hasBadFile = false
  /// The digests of its archive that the service returns.
  package var asset: AssetDigests?

  package var isAwaitingUpload: Bool { state == "AWAITING_UPLOAD" }
  package var isComplete: Bool { state == "COMPLETE" }
  package var hasFailed: Bool { state == "FAILED" || hasBadFile }
  package var key: VersionKey { VersionKey(id: id, number: number) }
  /// Whether the version is, or was, available to internal testers.
  package var isTestable: Bool { isComplete && internalState != nil }
}

/// The identity of a version.
package struct VersionKey: Sendable, Hashable {
  package var id: ResourceID
  package var number: Int?

  /// The version in messages: `version 7`.
  package var phrase: String { number.map { "version \($0)" } ?? "the version \(id)" }
}

/// A detail of the state of a version or a file.
package struct StateDetail: Sendable, Equatable {
  package let code: String
  package let text: String
}

extension [StateDetail] {
  /// All details in one line.
  var phrase: String {
    isEmpty
      ? "no reason was given" : map { "\($0.text) (\($0.code))" }.joined(separator: "; ")
  }
}

/// A file of a version, with the state of its upload.
package struct FileRecord: Sendable, Equatable {
  /// The type of a file.
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
  /// The upload operations of its parts; nil after completion.
  package let parts: [FilePart]?

  package var isAwaitingUpload: Bool { state == "AWAITING_UPLOAD" }
}

/// The upload operation of one part of a file.
package struct FilePart: Sendable, Equatable {
  package let range: Range<UInt64>
  package let method: String
  package let address: SignedAddress
  package let fields: [HeaderField]
  package let end: Moment?

  /// The texts that permit the upload of the part.
  var secrets: Secrets {
    let values = fields.filter { $0.name.lowercased() != "content-type" }.map(\.value)
    // A number in the address is no secret, and removing it would make messages unreadable.
    return Secrets(
      (address.secrets + values).filter { $0.utf8.count >= Secrets.smallestPiece })
  }

  package static func == (left: FilePart, right: FilePart) -> Bool {
    left.range == right.range && left.address == right.address
  }
}

extension [FilePart] {
  /// Returns the error in the parts of a file; nil if they are valid.
  func fault(ofFileOf size: UInt64) -> String? {
    var end: UInt64 = 0
    for part in sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      if part.method != "PUT" { return "a part requires another method than PUT" }
      if !part.address.isSecure { return "a part has an address without encryption" }
      if part.range.lowerBound > end { return "the parts have a gap at byte \(end)" }
      if part.range.lowerBound < end {
        return "the parts overlap at byte \(part.range.lowerBound)"
      }
      end = part.range.upperBound
      if end > size { return "the parts exceed the size of the file" }
    }
    return end == size ? nil : "the parts end at byte \(end) of \(size)"
  }
}

// MARK: - Parsing responses

/// One resource of a response, with the included resources.
///
/// No text of it contains a secret, because a service or a proxy can repeat parts of a request.
struct ResourceNode {
  let node: JSONNode
  let included: [String: JSONNode]
  let secrets: Secrets

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
  func text(_ name: String) -> String? { text(attribute(name)) }
  /// Returns a text without secrets.
  func text(_ node: JSONNode?) -> String? {
    node?.string.map { secrets.removed(from: $0, upTo: Secrets.longestDetail) }
  }
  func size(_ name: String) -> UInt64? { attribute(name)?.number.flatMap { UInt64($0) } }
  func moment(_ name: String) -> Moment? { text(name).flatMap { Moment($0) } }

  /// Returns a related resource, if the response includes it.
  func related(_ name: String) -> ResourceNode? {
    guard let data = node["relationships"]?[name]?["data"], let key = Self.key(data),
      let found = included[key]
    else { return nil }
    return ResourceNode(node: found, included: included, secrets: secrets)
  }

  func details(_ list: JSONNode?) -> [StateDetail] {
    (list.map { Array($0.elements) } ?? []).map { item in
      StateDetail(code: text(item["code"]) ?? "", text: text(item["description"]) ?? "")
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
    // Apple sends a string with digits; some mocks send a number.
    let number = node.attribute("version").flatMap { $0.string ?? $0.number }.flatMap { Int($0) }
    let details = node.attribute("stateDetails")
    let files = ["assetFile", "manifestFile"].compactMap { node.related($0) }
      .compactMap { FileRecord($0) }
    self.init(
      id: id, number: number, state: node.text("state").map { StateName($0) },
      created: node.moment("createdDate"),
      platforms: (node.attribute("platforms").map { Array($0.elements) } ?? [])
        .compactMap { node.text($0) },
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
      state: node.text(delivery?["state"]).map { StateName($0) },
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

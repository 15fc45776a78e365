import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

// The requests to the service, with one function for each.

extension AppStoreService {
  /// Returns the app with an Apple ID or a bundle ID; only a bundle ID requires a request.
  package func app(_ name: String) throws(ServiceError) -> AppRecord {
    if name.utf8.allSatisfy(\.isDigit), let id = ResourceID(name) {
      return AppRecord(id: id, name: nil)
    }
    let found: [(app: AppRecord, bundle: String?)] = try all(
      "/v1/apps", [("filter[bundleId]", name), ("fields[apps]", "bundleId,name")],
      to: "find the app '\(name)'"
    ) { node in AppRecord(node).map { ($0, node.text("bundleId")) } }
    // The filter also matches bundle IDs that start with the text.
    guard let app = found.first(where: { $0.bundle == name })?.app else {
      throw .failed(
        PackError(
          .missing, "this key has no access to an app with the bundle ID '\(name)'",
          remedies: [
            "check the bundle ID, and that the key has access to the app",
            "use the app's Apple ID, a number",
          ]))
    }
    return app
  }

  private static let packIncludes = "internalBetaVersion,externalBetaVersion,appStoreVersion"

  /// Returns all packs of an app, including archived ones.
  package func packs(of app: ResourceID) throws(ServiceError) -> [PackRecord] {
    try all(
      "/v1/apps/\(app)/backgroundAssets", [("limit", "200"), ("include", Self.packIncludes)],
      to: "list the packs of the app \(app)"
    ) { PackRecord($0) }
  }

  /// Returns the pack with an ID; nil if the app does not have it.
  func pack(_ pack: PackID, of app: ResourceID) throws(ServiceError) -> PackRecord? {
    try all(
      "/v1/apps/\(app)/backgroundAssets",
      [
        ("filter[assetPackIdentifier]", pack.text), ("limit", "200"),
        ("include", Self.packIncludes),
      ], to: "find the pack '\(pack)'", { PackRecord($0) }
    ).first { $0.pack == pack }
  }

  /// Creates the record of a pack; its ID can never be used for another pack.
  func makePack(_ pack: PackID, of app: ResourceID) throws(ServiceError) -> PackRecord {
    try one(
      "POST", "/v1/backgroundAssets", [],
      .data(
        "backgroundAssets", attributes: [("assetPackIdentifier", .string(pack.text))],
        relationships: [("app", "apps", app)]),
      to: "create the asset pack '\(pack)'"
    ) { PackRecord($0) }
  }

  /// Archives a pack with all its versions; this is final.
  package func archive(_ pack: PackRecord) throws(ServiceError) -> PackRecord {
    try one(
      "PATCH", "/v1/backgroundAssets/\(pack.id)", [],
      .data("backgroundAssets", id: pack.id, attributes: [("archived", .bool(true))]),
      to: "archive the pack '\(pack.pack)'"
    ) { PackRecord($0) }
  }

  private static let versionIncludes =
    "internalBetaRelease,externalBetaRelease,appStoreRelease,assetFile,manifestFile"

  /// Returns the versions of a pack, newest first, optionally only those in a state.
  package func versions(
    of pack: ResourceID, in state: StateName? = nil, number: Int? = nil
  ) throws(ServiceError) -> [PackVersion] {
    let found = try all(
      "/v1/backgroundAssets/\(pack)/versions",
      (state.map { [("filter[state]", $0.name)] } ?? [])
        + (number.map { [("filter[version]", "\($0)")] } ?? [])
        + [("limit", "200"), ("sort", "-version"), ("include", Self.versionIncludes)],
      to: "list the versions of a pack"
    ) { PackVersion($0) }
    // A service that ignores the filter must not lead to a wrong version.
    return found.filter { version in
      (state == nil || version.state == state) && (number == nil || version.number == number)
    }.sorted { ($0.number ?? 0) > ($1.number ?? 0) }
  }

  package func version(_ id: ResourceID) throws(ServiceError) -> PackVersion {
    try one(
      "GET", "/v1/backgroundAssetVersions/\(id)", [("include", Self.versionIncludes)],
      to: "read a version"
    ) { PackVersion($0) }
  }

  /// Creates the next version of a pack; its number is never used again.
  func makeVersion(of pack: ResourceID) throws(ServiceError) -> PackVersion {
    try one(
      "POST", "/v1/backgroundAssetVersions", [],
      .data(
        "backgroundAssetVersions", relationships: [("backgroundAsset", "backgroundAssets", pack)]),
      to: "create a version"
    ) { PackVersion($0) }
  }

  func files(of version: ResourceID) throws(ServiceError) -> [FileRecord] {
    try all(
      "/v1/backgroundAssetVersions/\(version)/backgroundAssetUploadFiles", [("limit", "200")],
      to: "list the files of a version"
    ) { FileRecord($0) }
  }

  func file(_ id: ResourceID) throws(ServiceError) -> FileRecord {
    try one(
      "GET", "/v1/backgroundAssetUploadFiles/\(id)", to: "read a file"
    ) { FileRecord($0) }
  }

  func reserve(
    _ kind: FileRecord.Kind, _ name: String, size: UInt64, in version: ResourceID
  ) throws(ServiceError) -> FileRecord {
    try one(
      "POST", "/v1/backgroundAssetUploadFiles", [],
      .data(
        "backgroundAssetUploadFiles",
        attributes: [
          ("assetType", .string(kind.rawValue)), ("fileName", .string(name)),
          ("fileSize", .number("\(size)")),
        ], relationships: [("backgroundAssetVersion", "backgroundAssetVersions", version)]),
      to: "reserve a file of \(size) bytes"
    ) { FileRecord($0) }
  }

  /// Reports that all parts of a file were sent.
  func commit(_ file: ResourceID, md5: String? = nil) throws(ServiceError) -> FileRecord {
    var attributes: [(String, JSONValue)] = []
    if let md5 {
      let checksum = JSONValue.object([
        .init("hash", .string(md5)), .init("algorithm", .string("MD5")),
      ])
      attributes.append(("sourceFileChecksums", .object([.init("file", checksum)])))
    }
    attributes.append(("uploaded", .bool(true)))
    return try one(
      "PATCH", "/v1/backgroundAssetUploadFiles/\(file)", [],
      .data("backgroundAssetUploadFiles", id: file, attributes: attributes),
      to: "complete the upload"
    ) { FileRecord($0) }
  }
}

extension JSONValue {
  /// Returns the document of a request with one resource.
  static func data(
    _ type: String, id: ResourceID? = nil, attributes: [(String, JSONValue)] = [],
    relationships: [(name: String, type: String, id: ResourceID)] = []
  ) -> JSONValue {
    var members = [Member("type", .string(type))]
    if let id { members.append(.init("id", .string(id.text))) }
    if !attributes.isEmpty {
      members.append(.init("attributes", .object(attributes.map { .init($0.0, $0.1) })))
    }
    if !relationships.isEmpty {
      members.append(
        .init(
          "relationships",
          .object(
            relationships.map { item in
              let linked = JSONValue.object([
                .init("type", .string(item.type)), .init("id", .string(item.id.text)),
              ])
              return .init(item.name, .object([.init("data", linked)]))
            })))
    }
    return .object([.init("data", .object(members))])
  }
}

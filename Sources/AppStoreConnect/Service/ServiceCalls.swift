import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

// The questions of the service, one function each.

extension AppStoreService {
  /// The app of an Apple ID, or of a bundle ID; only the latter has to be asked for.
  package func app(_ name: String) throws(ServiceTrouble) -> AppRecord {
    if name.utf8.allSatisfy(\.isDigit), let id = ResourceID(name) {
      return AppRecord(id: id, name: nil)
    }
    let found: [(app: AppRecord, bundle: String?)] = try all(
      "/v1/apps", [("filter[bundleId]", name), ("fields[apps]", "bundleId,name")],
      to: "find the app '\(name)'"
    ) { node in AppRecord(node).map { ($0, node.text("bundleId")) } }
    // The filter also finds what only begins so.
    guard let app = found.first(where: { $0.bundle == name })?.app else {
      throw .failed(
        PackError(
          .missing, "App Store Connect shows this key no app with the bundle ID '\(name)'",
          remedies: [
            "see that the bundle ID is right, and that the key may see the app",
            "give the app's Apple ID, a number",
          ]))
    }
    return app
  }

  private static let packIncludes = "internalBetaVersion,externalBetaVersion,appStoreVersion"

  /// All packs of an app, those that are archived too.
  package func packs(of app: ResourceID) throws(ServiceTrouble) -> [PackRecord] {
    try all(
      "/v1/apps/\(app)/backgroundAssets", [("limit", "200"), ("include", Self.packIncludes)],
      to: "list the packs of the app \(app)"
    ) { PackRecord($0) }
  }

  /// The pack of an ID, if the app has it.
  func pack(_ pack: PackID, of app: ResourceID) throws(ServiceTrouble) -> PackRecord? {
    try all(
      "/v1/apps/\(app)/backgroundAssets",
      [
        ("filter[assetPackIdentifier]", pack.text), ("limit", "200"),
        ("include", Self.packIncludes),
      ], to: "find the pack '\(pack)'", { PackRecord($0) }
    ).first { $0.pack == pack }
  }

  /// Takes an ID for a pack, for ever.
  func makePack(_ pack: PackID, of app: ResourceID) throws(ServiceTrouble) -> PackRecord {
    try one(
      "POST", "/v1/backgroundAssets", [],
      .data(
        "backgroundAssets", attributes: [("assetPackIdentifier", .string(pack.text))],
        relationships: [("app", "apps", app)]),
      to: "make a record of the pack '\(pack)'"
    ) { PackRecord($0) }
  }

  /// Removes a pack with all its versions, for ever.
  package func archive(_ pack: PackRecord) throws(ServiceTrouble) -> PackRecord {
    try one(
      "PATCH", "/v1/backgroundAssets/\(pack.id)", [],
      .data("backgroundAssets", id: pack.id, attributes: [("archived", .bool(true))]),
      to: "archive the pack '\(pack.pack)'"
    ) { PackRecord($0) }
  }

  private static let versionIncludes =
    "internalBetaRelease,externalBetaRelease,appStoreRelease,assetFile,manifestFile"

  /// The versions of a pack, the newest first, or those in a state.
  package func versions(
    of pack: ResourceID, in state: StateName? = nil, number: Int? = nil
  ) throws(ServiceTrouble) -> [PackVersion] {
    let found = try all(
      "/v1/backgroundAssets/\(pack)/versions",
      (state.map { [("filter[state]", $0.name)] } ?? [])
        + (number.map { [("filter[version]", "\($0)")] } ?? [])
        + [("limit", "200"), ("sort", "-version"), ("include", Self.versionIncludes)],
      to: "list the versions of a pack"
    ) { PackVersion($0) }
    // A filter that is not heeded must not make us take what we do not mean.
    return found.filter { version in
      (state == nil || version.state == state) && (number == nil || version.number == number)
    }.sorted { ($0.number ?? 0) > ($1.number ?? 0) }
  }

  package func version(_ id: ResourceID) throws(ServiceTrouble) -> PackVersion {
    try one(
      "GET", "/v1/backgroundAssetVersions/\(id)", [("include", Self.versionIncludes)],
      to: "look at a version"
    ) { PackVersion($0) }
  }

  /// Makes the next version of a pack; its number is never given again.
  func makeVersion(of pack: ResourceID) throws(ServiceTrouble) -> PackVersion {
    try one(
      "POST", "/v1/backgroundAssetVersions", [],
      .data(
        "backgroundAssetVersions", relationships: [("backgroundAsset", "backgroundAssets", pack)]),
      to: "make a version"
    ) { PackVersion($0) }
  }

  /// The files of a version.
  func files(of version: ResourceID) throws(ServiceTrouble) -> [FileRecord] {
    try all(
      "/v1/backgroundAssetVersions/\(version)/backgroundAssetUploadFiles", [("limit", "200")],
      to: "list the files of a version"
    ) { FileRecord($0) }
  }

  func file(_ id: ResourceID) throws(ServiceTrouble) -> FileRecord {
    try one(
      "GET", "/v1/backgroundAssetUploadFiles/\(id)", to: "look at a file"
    ) { FileRecord($0) }
  }

  /// Announces a file of a version.
  func reserve(
    _ kind: FileRecord.Kind, _ name: String, size: UInt64, in version: ResourceID
  ) throws(ServiceTrouble) -> FileRecord {
    try one(
      "POST", "/v1/backgroundAssetUploadFiles", [],
      .data(
        "backgroundAssetUploadFiles",
        attributes: [
          ("assetType", .string(kind.rawValue)), ("fileName", .string(name)),
          ("fileSize", .number("\(size)")),
        ], relationships: [("backgroundAssetVersion", "backgroundAssetVersions", version)]),
      to: "announce a file of \(size) bytes"
    ) { FileRecord($0) }
  }

  /// Says that all parts of a file were sent.
  func commit(_ file: ResourceID, md5: String? = nil) throws(ServiceTrouble) -> FileRecord {
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
  /// A document with one resource, as requests have it.
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

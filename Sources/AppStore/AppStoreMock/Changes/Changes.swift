import BAPackKit
import SystemIO

/// The changes of the store by requests, with the errors of the service.
extension MockStore {
  // MARK: Packs

  mutating func createPack(
    _ document: CheckedDocument, _ switches: MockSettings, at now: Moment
  ) throws(APIErrors) -> MockPack {
    let identifier = document.text("assetPackIdentifier") ?? ""
    let pointer = "/data/attributes/assetPackIdentifier"
    if let detail = PackIdentifier.problem(identifier) {
      throw APIErrors(.invalidAttribute("assetPackIdentifier", detail, at: pointer))
    }
    let appID = document.target("app") ?? ""
    _ = try Self.target("app", .apps, appID, in: apps)
    let own = packs(of: appID)
    // It is unknown whether the service compares case.
    if let other = own.first(where: { $0.identifier.lowercased() == identifier.lowercased() }) {
      let state = other.isArchived ? " by an asset pack that was archived" : ""
      throw APIErrors(
        .entity(
          "ATTRIBUTE.INVALID.DUPLICATE",
          "The provided entity includes an attribute with a value that has already been used",
          "The asset pack identifier '\(identifier)' has already been used\(state)", at: pointer))
    }
    guard own.count < switches.packLimit else {
      throw APIErrors(
        .state("The app has \(own.count) asset packs; the maximum is \(switches.packLimit)."))
    }
    let pack = MockPack(id: makeID(), appID: appID, identifier: identifier, created: now)
    packs.add(pack)
    return pack
  }

  mutating func updatePack(
    _ id: String, _ document: CheckedDocument
  ) throws(APIErrors) -> MockPack {
    guard var pack = packs[id] else { throw APIErrors(.notFound("backgroundAssets", id)) }
    switch document.flag("archived") {
    case true:
      pack.isArchived = true
      pack.internalBetaVersion = nil
      pack.externalBetaVersion = nil
      pack.appStoreVersion = nil
    case false:
      if pack.isArchived {
        throw APIErrors(
          .state(
            "An archived asset pack cannot be unarchived.", at: "/data/attributes/archived"))
      }
    case nil: break
    }
    packs[id] = pack
    return pack
  }

  // MARK: Versions

  mutating func createVersion(
    _ document: CheckedDocument, at now: Moment
  ) throws(APIErrors) -> MockVersion {
    let id = document.target("backgroundAsset") ?? ""
    var pack = try Self.target("backgroundAsset", .packs, id, in: packs)
    guard !pack.isArchived else {
      throw APIErrors(.state("An archived asset pack cannot have new versions."))
    }
    // A version that failed or was abandoned keeps its number.
    pack.lastVersion += 1
    packs[id] = pack
    let version = MockVersion(id: makeID(), packID: id, number: pack.lastVersion, created: now)
    versions.add(version)
    return version
  }

  // MARK: Files

  /// The validity of the addresses of an upload in seconds.
  private static let uploadLife: Int64 = 7 * 86_400

  mutating func createFile(
    _ document: CheckedDocument, _ switches: MockSettings, at now: Moment
  ) throws(APIErrors) -> MockFile {
    let versionID = document.target("backgroundAssetVersion") ?? ""
    var version = try Self.target(
      "backgroundAssetVersion", .versions, versionID, in: versions)
    guard version.state == .awaitingUpload else {
      throw APIErrors(
        .state("The version is in the state \(version.state.rawValue) and accepts no files."))
    }
    guard let pack = packs[version.packID], !pack.isArchived else {
      throw APIErrors(.state("The asset pack of the version is archived."))
    }
    let kind: MockFile.Kind = document.text("assetType") == "MANIFEST" ? .manifest : .asset
    let name = document.text("fileName") ?? ""
    // A file name must not be empty or contain a path.
    guard !name.isEmpty, name.utf8.count <= 255, !name.utf8.contains(slash),
      !name.utf8.contains(0)
    else {
      throw APIErrors(
        .invalidAttribute("fileName", "'\(name)' is not a valid value for the attribute 'fileName'")
      )
    }
    let other = kind == .asset ? version.assetFile : version.manifestFile
    // It is unknown whether the service accepts a second file.
    if other != nil {
      throw APIErrors(.state("The version already has a file of the type \(kind.rawValue)."))
    }
    let size = document.number("fileSize") ?? 0
    let file = MockFile(
      id: makeID(), versionID: versionID, kind: kind, name: name, size: size, token: makeID(),
      expires: now.adding(seconds: Self.uploadLife), parts: PartPlan.parts(of: size, switches))
    files.add(file)
    if kind == .asset { version.assetFile = file.id } else { version.manifestFile = file.id }
    versions[versionID] = version
    return file
  }

  /// Renews the addresses of a reservation for seven days.
  mutating func renew(_ id: String, at now: Moment) {
    guard var file = files[id], !file.isCommitted else { return }
    file.expires = now.adding(seconds: Self.uploadLife)
    files[id] = file
  }

  /// A commit that passed all checks except those of the bytes.
  struct Commit: Sendable {
    let file: MockFile
    let declared: DeclaredSums
  }

  /// Checks a commit without its bytes; returns nil if 'uploaded' is not true in the document.
  func checkCommit(
    _ id: String, _ document: CheckedDocument, _ switches: MockSettings
  ) throws(APIErrors) -> Commit? {
    guard let file = files[id] else { throw APIErrors(.notFound("backgroundAssetUploadFiles", id)) }
    // The service checks attributes before states.
    let declared = try DeclaredSums(document, switches)
    guard document.flag("uploaded") == true else { return nil }
    guard !file.isCommitted else {
      throw APIErrors(
        .state("The file has already been uploaded.", code: "STATE_ERROR.INVALID_STATE"))
    }
    guard let version = versions[file.versionID], version.state == .awaitingUpload else {
      throw APIErrors(
        .state("The version no longer accepts files.", code: "STATE_ERROR.INVALID_STATE"))
    }
    let missing = file.parts.filter { $0.tag == nil }
    guard missing.isEmpty else {
      throw APIErrors(
        .notUploaded("\(missing.count) of \(file.parts.count) parts are missing"))
    }
    return Commit(file: file, declared: declared)
  }

  /// Commits a file after all its parts were received and compared.
  mutating func commit(
    _ commit: Commit, composite: String, _ judgement: Judgement, _ switches: MockSettings,
    at now: Moment
  ) {
    var file = commit.file
    file.composite = composite
    file.md5 = commit.declared.file
    file.judgement = judgement
    file.state = switches.commitState == .complete ? .complete : .uploadComplete
    let due = now.adding(seconds: Int64(switches.processingSeconds))
    file.due = due
    files[file.id] = file
    if file.kind == .asset, var version = versions[file.versionID] {
      version.state = .processing
      version.assetFile = file.id
      version.due = due
      versions[version.id] = version
    }
  }
}

/// The checksums that a commit declares, in lower case.
struct DeclaredSums: Sendable {
  /// The MD5 of the file.
  private(set) var file: String?
  /// The MD5 of the MD5s of all parts, with their number.
  private(set) var composite: String?

  /// Reads the checksums; refuses a checksum that the mock does not compare.
  init(_ document: CheckedDocument, _ switches: MockSettings) throws(APIErrors) {
    let pointer = "/data/attributes/sourceFileChecksums"
    if let text = document.text("sourceFileChecksum") {
      throw APIErrors(
        .invalidAttribute(
          "sourceFileChecksum",
          "'\(text)' is not a valid value for the attribute 'sourceFileChecksum'"))
    }
    guard let sums = document.attributes["sourceFileChecksums"] else { return }
    let compares = switches.md5 == .compare
    if let declared = sums["composite"] {
      let hash = declared["hash"]?.string
      guard compares, declared["algorithm"]?.string == "MD5", let hash else {
        throw APIErrors(
          .invalidAttribute(
            "hash", "'\(hash ?? "")' is not a valid value for the attribute 'hash'",
            at: "\(pointer)/composite/hash"))
      }
      composite = hash.lowercased()
    }
    guard let declared = sums["file"] else { return }
    let (algorithm, hash) = (declared["algorithm"]?.string, declared["hash"]?.string)
    guard compares, algorithm == "MD5", let hash else {
      throw APIErrors(
        .invalidAttribute(
          "sourceFileChecksums",
          "'Checksums{file=File{hash=\(hash ?? "null"), algorithm=\(algorithm ?? "null")}}' is not "
            + "a "
            + "valid value for the attribute 'sourceFileChecksums'", at: pointer))
    }
    file = hash.lowercased()
  }
}

extension MockStore {
  /// Returns the target of a relationship.
  static func target<Row>(
    _ name: String, _ kind: ResourceKind, _ id: String, in rows: Rows<Row>
  ) throws(APIErrors) -> Row {
    guard let row = rows[id] else { throw APIErrors(.missingTarget(name, kind.rawValue, id)) }
    return row
  }
}

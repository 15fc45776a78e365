import Faults
import SourceDiagnostics
import SystemIO
import TerminalText

/// Resources in responses, in the form that the query and the switches determine.
struct Rendering: Sendable {
  let store: MockStore
  let switches: MockSettings
  let query: Query
  /// The address of the interface, with the host of the request.
  let base: String
  /// The address of the storage.
  let storage: String
  let now: Moment
  /// The distortion of the response by a fault.
  var distortion: Distortion?

  // MARK: Documents

  func document(_ resource: JSONValue, including included: [JSONValue], at own: String) -> JSONValue
  {
    .members([
      "data": resource, "included": included.isEmpty ? nil : .array(included),
      "links": .members(["self": .string(own)]),
    ])
  }

  /// Returns a page of a list; `path` is the path of the request.
  func list<Element>(
    _ all: [Element], at path: String, _ items: [(name: String, value: String)],
    usualLimit: Int = 50, render: (Element) -> (JSONValue, [JSONValue])
  ) -> JSONValue {
    let limit = query.limit ?? usualLimit
    let start = min(query.place, all.count)
    let page = all[start..<min(all.count, start + limit)]
    var included: [JSONValue] = []
    var data: [JSONValue] = []
    for element in page {
      let (value, others) = render(element)
      data.append(value)
      for other in others where !included.contains(where: { $0.isSameResource(as: other) }) {
        included.append(other)
      }
    }
    let hasNext = start + limit < all.count || distortion == .endless
    let next = hasNext ? Cursor.text(query.place + limit) : nil
    let others = items.filter { $0.name != "cursor" }
    func address(_ items: [(name: String, value: String)]) -> String {
      base + path + Self.text(of: items)
    }
    return .members([
      "data": .array(data), "included": included.isEmpty ? nil : .array(included),
      "links": .members([
        "self": .string(address(items)),
        "first": start > 0 ? .string(address(others)) : nil,
        "next": next.map { .string(address(others + [("cursor", $0)])) },
      ]),
      "meta": .members([
        "paging": .members([
          "total": .integer(all.count), "limit": .integer(limit),
          "nextCursor": next.map { .string($0) },
        ])
      ]),
    ])
  }

  /// Returns a percent-encoded query.
  static func text(of items: [(name: String, value: String)]) -> String {
    guard !items.isEmpty else { return "" }
    let parts = items.map { "\(percentEncoded($0.name.utf8))=\(percentEncoded($0.value.utf8))" }
    return "?" + parts.joined(separator: "&")
  }

  static func linkage(_ kind: ResourceKind, _ id: String) -> JSONValue {
    .members(["type": .string(kind.rawValue), "id": .string(id)])
  }

  // MARK: Resources

  func app(_ app: MockApp) -> JSONValue {
    resource(
      .apps, app.id,
      [
        "name": .string(app.name), "bundleId": .string(app.bundleID),
        "sku": .string("SKU\(app.id)"), "primaryLocale": .string("en-US"),
      ], [("backgroundAssets", .many)])
  }

  func pack(_ pack: MockPack) -> JSONValue {
    resource(
      .packs, pack.id,
      [
        "archived": .bool(pack.isArchived), "assetPackIdentifier": .string(pack.identifier),
        "createdDate": date(pack.created, 0),
        "usedBytes": .integer(store.usedBytes(of: pack)),
      ],
      [
        ("app", .one(.apps, pack.appID)), ("versions", .many),
        ("appStoreVersion", .one(.versions, pack.appStoreVersion)),
        ("internalBetaVersion", .one(.versions, pack.internalBetaVersion)),
        ("externalBetaVersion", .one(.versions, pack.externalBetaVersion)),
      ])
  }

  func version(_ version: MockVersion) -> JSONValue {
    let state = distortion?.state(of: version) ?? version.state
    var name = state.rawValue
    if switches.unknownStates, state == .processing { name = "NEW_STATE" }
    var details = version.details
    var hasDetails = true
    if case .failed(let hasReason) = distortion {
      hasDetails = hasReason
      if details.errors.isEmpty { details.errors = [Distortion.detail] }
    }
    let before: JSONValue = switches.platformsBefore == .empty ? .array([]) : .null
    let release = { (kind: MockRelease.Kind) -> Relation in
      if kind == .internalBeta, case .noRelease = distortion { return .one(.init(kind), nil) }
      return .one(.init(kind), store.release(kind, of: version.id)?.id)
    }
    return resource(
      .versions, version.id,
      [
        "createdDate": date(version.created, 1),
        "platforms": version.platforms.map { .strings($0) } ?? before,
        "state": .string(name),
        "stateDetails": hasDetails
          ? .members([
            "errors": .array(details.errors.map(Self.detail)),
            "warnings": .array(details.warnings.map(Self.detail)), "infos": .array([]),
          ]) : .null,
        "version": .string("\(version.number)"), "locale": .optional(version.locale),
      ],
      [
        ("backgroundAsset", .one(.packs, version.packID)),
        ("internalBetaRelease", release(.internalBeta)),
        ("externalBetaRelease", release(.externalBeta)),
        ("appStoreRelease", release(.appStore)),
        ("assetFile", .one(.files, version.assetFile)),
        ("manifestFile", .one(.files, version.manifestFile)),
        ("backgroundAssetUploadFiles", .many),
      ])
  }

  private static func detail(_ detail: Details.Detail) -> JSONValue {
    .members([
      "code": .string(detail.code), "description": .string(detail.description),
    ])
  }

  func file(_ file: MockFile) -> JSONValue {
    var state = file.state.rawValue
    var errors = file.errors
    if case .fileFailed = distortion {
      state = MockFile.State.failed.rawValue
      if errors.isEmpty { errors = [Distortion.detail] }
    }
    let composite: JSONValue =
      file.composite.map {
        .members(["hash": .string($0), "algorithm": .string("MD5")])
      } ?? .null
    let declared: JSONValue =
      file.md5.map { .members(["hash": .string($0), "algorithm": .string("MD5")]) } ?? .null
    let sums: JSONValue =
      distortion == .noChecksums ? .null : .members(["file": declared, "composite": composite])
    return resource(
      .files, file.id,
      [
        "assetDeliveryState": .members([
          "errors": .array(errors.map(Self.detail)), "warnings": .array([]),
          "state": .string(state),
        ]),
        "assetToken": .string(file.token), "assetType": .string(file.kind.rawValue),
        "fileName": .string(file.name), "fileSize": .integer(file.size),
        "sourceFileChecksum": .null,
        "sourceFileChecksums": sums,
        "uploadOperations": file.isCommitted ? .null : .array(operations(of: file)),
      ], [])
  }

  /// An additional header field of an upload.
  static let extraField = (name: "X-Ba-Mock-Tier", value: "s3; \"quoted\", and more")

  private func operations(of file: MockFile) -> [JSONValue] {
    var parts = file.parts
    if switches.operationOrder == .shuffled {
      // A fixed order, which differs from the usual one for three or more parts.
      parts = parts.enumerated().sorted {
        (($0.offset + 1) * 7919 % 10_007) < (($1.offset + 1) * 7919 % 10_007)
      }.map(\.element)
      if parts.count > 1, parts.first?.number == 1 { parts.append(parts.removeFirst()) }
    }
    var fields: [JSONValue] = [
      .members([
        "name": .string("Content-Type"), "value": .string("application/octet-stream"),
      ])
    ]
    if switches.extraHeader {
      fields.append(
        .members([
          "name": .string(Self.extraField.name), "value": .string(Self.extraField.value),
        ]))
    }
    var operations = parts.map { part -> UploadOperation in
      let address = UploadAddress(file: file.id, part: part.number, expires: file.expires.seconds)
      return UploadOperation(
        url: storage + address.path(seed: store.seed), length: part.length, offset: part.offset,
        number: part.number)
    }
    distortion?.change(&operations)
    // Clients compare the time with their own clock, which does not have the advanced time.
    let expiration = file.expires.adding(seconds: -store.ahead)
    return operations.map { operation in
      .members([
        "method": .string(operation.method), "url": .string(operation.url),
        "length": .integer(operation.length), "offset": .integer(operation.offset),
        "requestHeaders": .array(fields), "expiration": date(expiration, 2),
        "partNumber": .integer(operation.number),
        "entityTag": .string("\(file.token.prefix(8))-\(operation.number)"),
      ])
    }
  }

  func release(_ release: MockRelease) -> JSONValue {
    resource(
      .init(release.kind), release.id, ["state": .string(release.state.rawValue)],
      [("backgroundAssetVersion", .one(.versions, release.versionID))])
  }

  func submission(_ submission: ReviewSubmission) -> JSONValue {
    resource(
      .submissions, submission.id,
      [
        "platform": .optional(submission.platform),
        "submittedDate": submission.submitted.map { date($0, 0) } ?? .null,
        "state": .string(submission.state.rawValue),
      ],
      [
        ("app", .one(.apps, submission.appID)),
        (
          "items",
          .list(
            .items,
            store.items(of: submission.id).prefix(query.itemLimit ?? 50).map(\.id))
        ),
      ])
  }

  func item(_ item: ReviewItem) -> JSONValue {
    resource(
      .items, item.id, ["state": .string(item.state.rawValue)],
      [
        ("backgroundAssetVersion", .one(.versions, item.versionID)),
        ("appStoreVersion", .one(.appVersions, item.appStoreVersionID)),
      ])
  }

  // MARK: Parts of resources

  /// A relationship.
  enum Relation {
    case one(ResourceKind, String?)
    /// Many resources; a response contains only their address.
    case many
    /// Many resources, which can be included.
    case list(ResourceKind, [String])
  }

  func resource(
    _ kind: ResourceKind, _ id: String, _ attributes: KeyValuePairs<String, JSONValue>,
    _ relations: [(name: String, relation: Relation)]
  ) -> JSONValue {
    let requested = query.fields(kind)
    let path = "\(base)/v1/\(kind.rawValue)/\(id)"
    var members: [JSONValue.Member] = attributes.compactMap { key, value in
      guard requested?.contains(key) ?? true else { return nil }
      if value == .null, switches.nullAttributes == .absent { return nil }
      return .init(key, value)
    }
    if switches.unknownMembers { members.append(.init("futureField", .integer(1))) }
    var relationships: [JSONValue.Member] = []
    for (name, relation) in relations where requested?.contains(name) ?? true {
      let links = JSONValue.members([
        "self": .string("\(path)/relationships/\(name)"), "related": .string("\(path)/\(name)"),
      ])
      switch relation {
      case .many: relationships.append(.init(name, .members(["links": links])))
      case .list(let kind, let ids):
        let data: JSONValue? =
          query.includes(name) ? .array(ids.map { Self.linkage(kind, $0) }) : nil
        relationships.append(.init(name, .members(["links": links, "data": data])))
      case .one(let kind, let id):
        if query.includes(name) {
          // A relationship without a target has null as its data, or no data.
          if let id {
            relationships.append(.init(name, .members(["data": Self.linkage(kind, id)])))
          } else if switches.nullAttributes == .null {
            relationships.append(.init(name, .members(["data": .null])))
          }
        } else if switches.toOneRelationships == .links {
          relationships.append(.init(name, .members(["links": links])))
        }
      }
    }
    return .members([
      "type": .string(kind.rawValue), "id": .string(id), "attributes": .object(members),
      "relationships": relationships.isEmpty ? nil : .object(relationships),
      "links": .members(["self": .string(path)]),
    ])
  }

  /// Returns a date; if time zones are mixed, `place` selects one.
  private func date(_ moment: Moment, _ place: Int) -> JSONValue {
    let zones = switches.dates.zones
    return .string(moment.text(in: zones[place % zones.count]))
  }

  // MARK: Included resources

  func included(with pack: MockPack) -> [JSONValue] {
    query.include.compactMap { inclusion -> JSONValue? in
      switch inclusion {
      case .app: store.apps[pack.appID].map(app)
      case .appStoreVersion: store.versions[pack.appStoreVersion].map(version)
      case .internalBetaVersion: store.versions[pack.internalBetaVersion].map(version)
      case .externalBetaVersion: store.versions[pack.externalBetaVersion].map(version)
      case .backgroundAsset, .internalBetaRelease, .externalBetaRelease, .appStoreRelease,
        .assetFile, .manifestFile, .backgroundAssetVersion, .items:
        nil
      }
    }.withoutRepetitions
  }

  func included(with version: MockVersion) -> [JSONValue] {
    query.include.compactMap { inclusion -> JSONValue? in
      switch inclusion {
      case .backgroundAsset: store.packs[version.packID].map(pack)
      case .assetFile: store.files[version.assetFile].map(file)
      case .manifestFile: store.files[version.manifestFile].map(file)
      case .internalBetaRelease:
        distortion == .noRelease
          ? nil : store.release(.internalBeta, of: version.id).map(release)
      case .externalBetaRelease: store.release(.externalBeta, of: version.id).map(release)
      case .appStoreRelease: store.release(.appStore, of: version.id).map(release)
      case .app, .appStoreVersion, .internalBetaVersion, .externalBetaVersion,
        .backgroundAssetVersion, .items:
        nil
      }
    }.withoutRepetitions
  }

  func included(with release: MockRelease) -> [JSONValue] {
    query.include.isEmpty ? [] : store.versions[release.versionID].map { [version($0)] } ?? []
  }

  func included(with submission: ReviewSubmission) -> [JSONValue] {
    let app = query.includes("app") ? store.apps[submission.appID].map(app) : nil
    let items = query.includes("items") ? store.items(of: submission.id) : []
    return (app.map { [$0] } ?? []) + items.prefix(query.itemLimit ?? 50).map(item)
  }

  func included(with item: ReviewItem) -> [JSONValue] {
    [
      query.includes("backgroundAssetVersion") ? store.versions[item.versionID].map(version) : nil,
      query.includes("appStoreVersion")
        ? store.appVersion(item.appStoreVersionID).map(appVersion) : nil,
    ].compactMap { $0 }
  }
}

extension JSONValue {
  private func member(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == name }?.value
  }

  fileprivate func isSameResource(as other: JSONValue) -> Bool {
    member("type") == other.member("type") && member("id") == other.member("id")
  }
}

extension [JSONValue] {
  fileprivate var withoutRepetitions: [JSONValue] {
    var kept: [JSONValue] = []
    for value in self where !kept.contains(where: { $0.isSameResource(as: value) }) {
      kept.append(value)
    }
    return kept
  }
}

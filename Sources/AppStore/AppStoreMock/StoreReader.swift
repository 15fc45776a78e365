import SourceDiagnostics

/// The responses to read requests.
struct StoreReader {
  let call: Call
  let rendering: Rendering
  private var store: MockStore { rendering.store }
  private var query: Query { call.query }

  func read(_ reading: Endpoint.Reading) throws(APIErrors) -> JSONValue {
    switch reading {
    case .apps:
      return list(apps) { (rendering.app($0), []) }
    case .app: return one(rendering.app(try found(store.apps[call.id])))
    case .appVersions:
      let app = try found(store.apps[call.id])
      return list(versions(of: app)) { (rendering.appVersion($0), []) }
    case .packs:
      let app = try found(store.apps[call.id])
      return list(packs(of: app)) {
        (rendering.pack($0), rendering.included(with: $0))
      }
    case .packLinkages:
      let app = try found(store.apps[call.id])
      return linkages(.packs, store.packs(of: app.id).map(\.id))
    case .pack:
      let pack = try found(store.packs[call.id])
      return one(rendering.pack(pack), rendering.included(with: pack))
    case .versions:
      let pack = try found(store.packs[call.id])
      return list(versions(of: pack)) {
        (rendering.version($0), rendering.included(with: $0))
      }
    case .versionLinkages:
      let pack = try found(store.packs[call.id])
      return linkages(.versions, store.versions(of: pack.id).map(\.id))
    case .version:
      let version = try found(store.versions[call.id])
      return one(rendering.version(version), rendering.included(with: version))
    case .files:
      let version = try found(store.versions[call.id])
      return list(store.files(of: version.id)) { (rendering.file($0), []) }
    case .fileLinkages:
      let version = try found(store.versions[call.id])
      return linkages(.files, store.files(of: version.id).map(\.id))
    case .file: return one(rendering.file(try found(store.files[call.id])))
    case .release(let kind):
      let release = try found(store.releases[call.id])
      guard release.kind == kind else { throw APIErrors(.notFound(kind.rawValue, call.id)) }
      return one(rendering.release(release), rendering.included(with: release))
    case .submissions:
      return list(submissions) { (rendering.submission($0), rendering.included(with: $0)) }
    case .submission:
      let submission = try found(store.submissions[call.id])
      return one(rendering.submission(submission), rendering.included(with: submission))
    case .items:
      let submission = try found(store.submissions[call.id])
      return list(store.items(of: submission.id)) {
        (rendering.item($0), rendering.included(with: $0))
      }
    }
  }

  // MARK: The form of responses

  private func found<Row>(_ row: Row?) throws(APIErrors) -> Row {
    guard let row else { throw APIErrors(.notFound(call.endpoint.path[1] ?? "", call.id)) }
    return row
  }

  private func one(_ value: JSONValue, _ included: [JSONValue] = []) -> JSONValue {
    rendering.document(value, including: included, at: call.own)
  }

  private func list<Row>(_ rows: [Row], _ render: (Row) -> (JSONValue, [JSONValue])) -> JSONValue {
    rendering.list(rows, at: call.path, call.items, render: render)
  }

  private func linkages(_ kind: ResourceKind, _ ids: [String]) -> JSONValue {
    list(ids) { (Rendering.linkage(kind, $0), []) }
  }

  // MARK: Filters

  private var apps: [MockApp] {
    store.apps.all.filter { query.passes("bundleId", $0.bundleID) && query.passes("id", $0.id) }
  }

  private func versions(of app: MockApp) -> [MockAppVersion] {
    MockStore.versions(of: app).filter {
      query.passes("id", $0.id) && query.passes("versionString", MockAppVersion.number)
        && query.passes("platform", $0.platform)
        && query.passes("appVersionState", store.state(of: $0).rawValue)
    }
  }

  private var submissions: [ReviewSubmission] {
    store.submissions.all.filter {
      query.passes("app", $0.appID) && query.passes("platform", $0.platform)
        && query.passes("state", $0.state.rawValue)
    }
  }

  private func packs(of app: MockApp) -> [MockPack] {
    let found = store.packs(of: app.id).filter { pack in
      let complete = store.versions(of: pack.id).filter { $0.state == .complete }
      return query.passes("archived", pack.isArchived ? "true" : "false")
        && query.passes("assetPackIdentifier", pack.identifier)
        && query.passes("versions.locale", anyOf: complete.compactMap(\.locale))
        && query.passes("versions.platforms", anyOf: complete.flatMap { $0.platforms ?? [] })
    }
    let isFalling = query.sort?.isDescending ?? true
    let isByDate = query.sort.map { $0.key == .createdDate } ?? true
    // Rows are in the order of creation, which determines the order of equal elements.
    let sorted = found.enumerated().sorted { left, right in
      let order: Bool
      let isEqual: Bool
      if isByDate {
        order = left.element.created < right.element.created
        isEqual = left.element.created == right.element.created
      } else {
        let (a, b) = (left.element.identifier, right.element.identifier)
        order = a.utf8.lexicographicallyPrecedes(b.utf8)
        isEqual = a == b
      }
      if isEqual { return isFalling ? left.offset > right.offset : left.offset < right.offset }
      return order != isFalling
    }
    return sorted.map(\.element)
  }

  private func versions(of pack: MockPack) -> [MockVersion] {
    var found = store.versions(of: pack.id).filter { version in
      let state = rendering.distortion?.state(of: version) ?? version.state
      let releases = MockRelease.Kind.allCases.allSatisfy { kind in
        query.passes(
          "\(kind.relationship).state", store.release(kind, of: version.id)?.state.rawValue)
      }
      return releases && query.passes("locale", version.locale)
        && query.passes("platforms", anyOf: version.platforms)
        && query.passes("state", state.rawValue) && query.passes("version", "\(version.number)")
    }
    found.sort { $0.number < $1.number }
    if query.sort?.isDescending ?? true { found.reverse() }
    return found
  }
}

import Faults
import SourceDiagnostics
import SystemIO

/// The operations of the requests.
extension AppStoreMock {
  func run(_ call: Call, _ distortion: Distortion?) throws(APIErrors) -> MockResponse {
    if case .webhooks(let operation) = call.endpoint.action {
      return try run(operation, call, distortion)
    }
    let renews = options.switches.uploadAddresses == .renewed
    let (response, isChanged) = try with {
      contents throws(APIErrors) -> (MockResponse?, isChanged: Bool) in
      switch call.endpoint.action {
      case .updateFile, .webhooks: return (nil, false)
      case .read(let reading):
        let isAdmitted = options.hasEveryApp && contents.store.admitApp(of: call)
        if renews, reading == .file { contents.store.renew(call.id, at: call.now) }
        let rendering = rendering(contents.store, call, distortion)
        let value = try StoreReader(call: call, rendering: rendering).read(reading)
        return (MockResponse(200, value), isAdmitted)
      case .change(let change):
        if options.hasEveryApp { _ = contents.store.admitApp(of: call) }
        return (try make(change, call, &contents.store, distortion), true)
      }
    }
    guard let response else { return try commit(call, distortion) }
    if isChanged { keep() }
    return response
  }

  private func run(
    _ operation: Endpoint.Webhooks, _ call: Call, _ distortion: Distortion?
  ) throws(APIErrors) -> MockResponse {
    let store = with { contents -> MockStore in
      if options.hasEveryApp { _ = contents.store.admitApp(of: call) }
      return contents.store
    }
    let rendering = self.rendering(store, call, distortion)
    switch operation {
    case .list:
      guard rendering.store.apps[call.id] != nil else {
        throw APIErrors(.notFound("apps", call.id))
      }
      let own = with { $0.webhooks }.filter { $0.appID == call.id }
      return MockResponse(
        200, rendering.list(own, at: call.path, call.items) { (rendering.webhook($0), []) })
    case .create:
      let webhook = try createWebhook(call.document)
      return MockResponse(
        201,
        rendering.document(rendering.webhook(webhook), including: [], at: call.base + call.path))
    case .delete:
      try deleteWebhook(call.id)
      return MockResponse(204, nil)
    }
  }

  private func rendering(_ store: MockStore, _ call: Call, _ distortion: Distortion?) -> Rendering {
    Rendering(
      store: store, switches: options.switches, query: call.query, base: call.base,
      storage: options.storage, now: call.now, distortion: distortion)
  }

  // MARK: Changing

  private func make(
    _ change: Endpoint.Change, _ call: Call, _ store: inout MockStore, _ distortion: Distortion?
  ) throws(APIErrors) -> MockResponse {
    let (document, switches, now) = (call.document, options.switches, call.now)
    func made(_ value: JSONValue, _ rendering: Rendering) -> MockResponse {
      // The response to a POST contains the address of the collection.
      MockResponse(201, rendering.document(value, including: [], at: call.base + call.path))
    }
    func changed(_ value: JSONValue, _ rendering: Rendering) -> MockResponse {
      MockResponse(200, rendering.document(value, including: [], at: call.own))
    }
    switch change {
    case .createPack:
      let pack = try store.createPack(document, switches, at: now)
      let rendering = rendering(store, call, distortion)
      return made(rendering.pack(pack), rendering)
    case .updatePack:
      let pack = try store.updatePack(call.id, document)
      let rendering = rendering(store, call, distortion)
      return changed(rendering.pack(pack), rendering)
    case .createVersion:
      let version = try store.createVersion(document, at: now)
      let rendering = rendering(store, call, distortion)
      return made(rendering.version(version), rendering)
    case .createFile:
      let file = try store.createFile(document, switches, at: now)
      let rendering = rendering(store, call, distortion)
      return made(rendering.file(file), rendering)
    case .createSubmission:
      let submission = try store.createSubmission(document)
      let rendering = rendering(store, call, distortion)
      return made(rendering.submission(submission), rendering)
    case .updateSubmission:
      let submission = try store.updateSubmission(call.id, document, switches, at: now)
      let rendering = rendering(store, call, distortion)
      return changed(rendering.submission(submission), rendering)
    case .createItem:
      let item = try store.createItem(document)
      let rendering = rendering(store, call, distortion)
      return made(rendering.item(item), rendering)
    case .updateItem:
      let item = try store.updateItem(call.id, document)
      let rendering = rendering(store, call, distortion)
      return changed(rendering.item(item), rendering)
    case .createBetaReview:
      let release = try store.createBetaReview(document, switches, at: now)
      let rendering = rendering(store, call, distortion)
      return made(rendering.betaReview(of: release), rendering)
    case .deleteItem:
      try store.deleteItem(call.id)
      return MockResponse(204, nil)
    }
  }

  /// Commits a file, if the document requests it.
  private func commit(_ call: Call, _ distortion: Distortion?) throws(APIErrors) -> MockResponse {
    let (id, document, switches) = (call.id, call.document, options.switches)
    let received = try with { contents throws(APIErrors) in
      let isCommit = try contents.store.checkCommit(id, document, switches) != nil
      return isCommit ? contents.receptions[id]?.bytes : nil
    }
    if let received {
      try received.commits.with { _ throws(APIErrors) in
        try complete(call, fails: distortion == .processingFails)
      }
      keep()
    }
    return try with { contents throws(APIErrors) in
      guard let file = contents.store.files[id] else {
        throw APIErrors(.notFound("backgroundAssetUploadFiles", id))
      }
      let rendering = rendering(contents.store, call, distortion)
      return MockResponse(
        200, rendering.document(rendering.file(file), including: [], at: call.own))
    }
  }

  /// Compares the stored bytes with the declared checksums and the sent bytes, inspects them, and
  /// commits the file.
  ///
  /// During this time no part is accepted; other requests do not wait.
  private func complete(_ call: Call, fails: Bool) throws(APIErrors) {
    let (id, document, switches) = (call.id, call.document, options.switches)
    let found = try with {
      contents throws(APIErrors) -> (MockStore.Commit, Reception, ContentCheck)? in
      guard let commit = try contents.store.checkCommit(id, document, switches),
        let reception = contents.receptions[id], let check = contents.store.check(for: commit.file)
      else { return nil }
      contents.receptions[id]?.isClosed = true
      return (commit, reception, check)
    }
    guard let (commit, reception, check) = found else { return }
    do throws(APIErrors) {
      let (sums, judgement) = try read(commit.file, reception, check)
      try compare(commit, sums)
      // The reception leaves the closure: it may be the last owner of the file.
      _ = with { contents in
        contents.store.commit(
          commit, composite: sums.composite, fails ? .requested : judgement, switches, at: call.now)
        return contents.receptions.removeValue(forKey: id)
      }
    } catch {
      with { $0.receptions[id]?.isClosed = false }
      throw error
    }
  }

  private func read(
    _ file: MockFile, _ reception: Reception, _ check: ContentCheck
  ) throws(APIErrors) -> (StoredSums, Judgement) {
    do throws(Failure) {
      let source = try reception.source(of: file)
      let sums = try StoredSums(of: source, file.parts)
      return (sums, check.inspect(source))
    } catch {
      throw APIErrors(.unexpected("The received bytes cannot be read: \(error.reason)"))
    }
  }

  private func compare(_ commit: MockStore.Commit, _ sums: StoredSums) throws(APIErrors) {
    let (file, declared) = (commit.file, commit.declared)
    let wrong = file.parts.indices.filter { file.parts[$0].tag != sums.parts[$0] }
    guard wrong.isEmpty, sums.size == file.size else {
      with { contents in
        for index in wrong { contents.store.files[file.id]?.parts[index].tag = nil }
      }
      throw APIErrors(
        .notUploaded(
          "The stored bytes of \(wrong.count) of \(file.parts.count) parts differ from the sent "
            + "bytes"))
    }
    let pointer = "/data/attributes/sourceFileChecksums"
    if let composite = declared.composite, composite != sums.composite {
      throw APIErrors(
        .invalidAttribute(
          "hash", "The checksum of the parts does not match the received bytes",
          at: "\(pointer)/composite/hash"))
    }
    if let md5 = declared.file, md5 != sums.file {
      throw APIErrors(
        .invalidAttribute(
          "sourceFileChecksums", "The checksum of the file does not match the received bytes",
          at: "\(pointer)/file/hash"))
    }
  }
}

extension MockStore {
  /// Adds the app whose Apple ID a request contains, or whose bundle ID it filters by.
  fileprivate mutating func admitApp(of call: Call) -> Bool {
    if call.endpoint.action == .read(.apps) {
      let added = (call.query.filter("bundleId") ?? []).filter { admitApp(bundleID: $0) }
      return !added.isEmpty
    }
    if call.endpoint.path.dropFirst().first == "apps" { return admitApp(id: call.id) }
    if let id = call.document.target("app") { return admitApp(id: id) }
    if let id = call.query.filter("app")?.first { return admitApp(id: id) }
    return false
  }

  /// The check of a file's bytes.
  fileprivate func check(for file: MockFile) -> ContentCheck? {
    guard let version = versions[file.versionID], let pack = packs[version.packID],
      let app = apps[pack.appID]
    else { return nil }
    return ContentCheck(
      kind: file.kind, identifier: pack.identifier, appPlatforms: app.platforms)
  }
}

extension Judgement {
  /// The failure that a fault causes.
  fileprivate static var requested: Judgement {
    var judgement = Judgement()
    judgement.details.errors = [Distortion.detail]
    return judgement
  }
}

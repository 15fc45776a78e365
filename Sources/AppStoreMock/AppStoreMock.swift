package import BAPackKit
package import HTTPServer
import SourceDiagnostics
package import SystemIO

/// The interface of App Store Connect for asset packs, for tests: as strict as Apple's, and stricter
/// where nobody knows.
///
/// It answers at two addresses, as the service does: that of the interface, where every request needs a
/// token, and that of the storage, where none may have one. What it knows is a value; bytes that come
/// are put aside in files without names.
package final class AppStoreMock: Sendable {
  /// What it is made of.
  package struct Options: Sendable {
    package var apps: [App]
    package var switches = Switches()
    package var faults: [MockFault] = []
    package var clock = MockClock()
    /// What IDs and the signatures of addresses are made of.
    package var seed: String
    /// The address of the interface, `https://127.0.0.1:8443`, without a slash at its end.
    package var base: String
    /// Other names under which the interface may be called, with the port: `localhost:8443`.
    package var otherHosts: Set<String> = []
    /// The address of the storage.
    package var storage: String
    /// The file in which it is kept what there is, for the next run.
    package var state: String?
    /// Told of every request that was answered.
    package var log: @Sendable (MockEvent) -> Void = { _ in }
    /// Told of every request to the interface and its answer, but for those that a fault touched.
    package var record: (@Sendable (MockExchange) -> Void)?

    package init(apps: [App], seed: String, base: String, storage: String) {
      self.apps = apps
      self.seed = seed
      self.base = base
      self.storage = storage
    }
  }

  let options: Options
  let keys: MockKeys
  private let world: World

  /// Goes on from the kept state, if there is one and no other mock has it.
  package init(_ options: Options, keys: MockKeys) throws(PackError) {
    let right = try options.state.map { path throws(PackError) in try KeptState.Right(to: path) }
    self.options = options
    self.keys = keys
    var store = Store(apps: options.apps, seed: options.seed)
    if let path = options.state, let kept = try KeptState.read(path) {
      store = kept
      // What was put aside of an upload under way went with the run that had it.
      store.forgetParts()
      for app in options.apps where store.apps[app.id] == nil { store.apps.add(app) }
    }
    world = World(store, MockFaultBoard(options.faults), right)
  }

  /// All that changes, behind one lock.
  final class World: @unchecked Sendable {
    private let lock = Lock()
    private var contents: Contents

    struct Contents {
      var store: Store
      var faults: MockFaultBoard
      var budgets = Budgets()
      var parts: [String: PartsFile] = [:]
      var judging: Set<String> = []
      var violations: [String] = []
      var events: [MockEvent] = []
      var eventCount = 0
      var errorCount = 0
      /// Why the state could not be kept.
      var trouble: PackError?
      /// The right to the file of the state, until the mock ends.
      var right: KeptState.Right?
    }

    init(_ store: Store, _ faults: MockFaultBoard, _ right: KeptState.Right?) {
      contents = Contents(store: store, faults: faults, right: right)
    }

    func with<Success, Thrown: Error>(
      _ body: (inout Contents) throws(Thrown) -> Success
    ) throws(Thrown) -> Success {
      try lock.with { () throws(Thrown) in try body(&contents) }
    }
  }

  func with<Success, Thrown: Error>(
    _ body: (inout World.Contents) throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    try world.with(body)
  }

  /// What requests did that no client should do, such as showing a token to the storage.
  package var violations: [String] { with { $0.violations } }

  /// The requests that were answered, the last ones of them.
  package var events: [MockEvent] { with { $0.events } }

  /// Why the state could not be kept; nil if it was, or after this was asked.
  package func takeTrouble() -> PackError? {
    with { contents in
      defer { contents.trouble = nil }
      return contents.trouble
    }
  }

  // MARK: Handlers

  /// How many bytes the body of a request to the interface may have.
  static let bodyLimit = 1 << 20

  /// What answers at the address of the interface.
  package var interface: HTTPServer.Handler {
    HTTPServer.Handler(bodyLimit: { $0["content-length"] == nil ? nil : Self.bodyLimit }) {
      [self] request in
      respond(to: request)
    }
  }

  /// What answers at the address of the storage.
  package var storage: HTTPServer.Handler {
    HTTPServer.Handler(
      receive: { [self] (request, reader) throws(Failure) in try receive(request, &reader) },
      takesChunks: true
    ) { [self] request in
      // Whatever has no body is no part.
      var event = MockEvent(request, at: options.clock.now)
      let response = StorageAnswer.refusal(405, "MethodNotAllowed", "Parts are sent with PUT.")
      event.status = response.status
      note(event)
      return response
    }
  }

  /// Keeps and tells what was asked and answered.
  func note(_ event: MockEvent) {
    let numbered = with { contents in
      var event = event
      contents.eventCount += 1
      event.number = contents.eventCount
      if contents.events.count >= Self.mostEvents {
        contents.events.removeFirst(Self.mostEvents / 4)
      }
      contents.events.append(event)
      return event
    }
    options.log(numbered)
  }

  private static let mostEvents = 20_000

  // MARK: Time

  /// Lets everything happen whose time has come.
  ///
  /// Looking into files may take long, so that is done without the lock; a second request that finds the
  /// same file looks, too, and the first one's result holds.
  func settle() {
    let now = options.clock.now
    guard with({ $0.store.hasDue(at: now) }) else { return }
    let due = with { contents in
      contents.store.dueFiles(at: now).compactMap { file in
        check(for: file, in: contents.store).map { (file, $0, contents.parts[file.id]) }
      }
    }
    for (file, check, parts) in due {
      let judgement = check.judge(parts)
      with { contents in
        contents.store.settle(file.id, judgement, options.switches, at: now)
        contents.parts[file.id] = nil
      }
    }
    with { $0.store.settleReviews(at: now) }
    keep()
  }

  private func check(for file: UploadFile, in store: Store) -> ContentCheck? {
    guard let version = store.versions[file.versionID], let pack = store.packs[version.packID],
      let app = store.apps[pack.appID]
    else { return nil }
    let earlier = store.versions(of: pack.id).last {
      $0.state == .complete && $0.number < version.number
    }
    return ContentCheck(
      kind: file.kind, identifier: pack.identifier, appPlatforms: app.platforms,
      earlierPlatforms: earlier?.platforms ?? [], idMismatch: options.switches.idMismatch)
  }

  /// Moves the clock, and lets happen what then has its time.
  package func advance(seconds: Int64) {
    options.clock.advance(seconds: seconds)
    settle()
  }

  /// Lets everything be looked at that was committed, whatever the clock says: nothing of it can be
  /// looked at later.
  ///
  /// From then on another mock may go on with the state.
  package func end() {
    guard options.state != nil else { return }
    let waiting = with { contents in
      contents.store.files.all.filter { $0.due != nil }.compactMap { file in
        check(for: file, in: contents.store).map { (file, $0, contents.parts[file.id]) }
      }
    }
    for (file, check, parts) in waiting {
      let judgement = check.judge(parts)
      with {
        $0.store.settle(
          file.id, judgement, options.switches, at: max(options.clock.now, file.due ?? .now))
      }
    }
    keep()
    with { $0.right = nil }
  }

  /// Switches all faults off.
  package func stopFaults() { with { $0.faults.removeAll() } }

  /// Forgets everything that was uploaded.
  func reset() {
    with { contents in
      contents.store = Store(apps: contents.store.apps.all, seed: contents.store.seed)
      contents.faults.removeAll()
      contents.budgets = Budgets()
      contents.parts = [:]
      contents.violations = []
      contents.events = []
    }
    keep()
  }

  /// Writes down what there is, if somebody wants that.
  func keep() {
    guard let path = options.state else { return }
    with { contents in
      do throws(PackError) {
        try KeptState.write(contents.store, to: path)
      } catch {
        contents.trouble = error
      }
    }
  }
}

/// A request and what was answered, without anything that is secret.
package struct MockEvent: Sendable {
  package var number = 0
  package let time: Moment
  package let method: String
  package let path: String
  /// The names of the parameters with their values; the signature of an address is left out.
  package let query: String
  package var status = 0
  /// How many bytes of a body came.
  package var received: UInt64 = 0
  /// What a client is not told.
  package var remark: String?
  package var fault: String?
  package let isForStorage: Bool
  package let hasToken: Bool
  /// The fields of the head, without what 'Authorization' has.
  package let fields: [(name: String, value: String)]
  /// The body, where it is a text for the interface and no part of a file.
  package let body: String?

  /// Longer ones are no documents of a client.
  private static let longestBody = 16 << 10

  init(_ request: Request, at time: Moment, forStorage isForStorage: Bool = false) {
    self.time = time
    self.isForStorage = isForStorage
    method = request.head.method
    path = request.head.pathText
    hasToken = request.head["authorization"] != nil
    let items = request.head.queryItems.map { item in
      // Whoever writes the name in another way has a signature all the same.
      item.name.lowercased() == "signature" ? "\(item.name)=…" : "\(item.name)=\(item.value)"
    }
    query = items.joined(separator: "&")
    received = UInt64(request.body.count)
    fields = request.head.fields.map { field in
      (field.name, field.name == "authorization" ? "…" : field.value)
    }
    body =
      request.body.isEmpty
      ? nil : String(decoding: request.body.prefix(Self.longestBody), as: UTF8.self)
  }
}

package import BAPackKit
package import Faults
package import HTTPServer
import SourceDiagnostics
package import SystemIO

/// A mock of the interface of App Store Connect for asset packs.
///
/// It is as strict as Apple's service, and stricter where the service is undocumented. It has two
/// addresses: the interface, where every request requires a token, and the storage, where no
/// request may have one. Its state is a value; received bytes are stored in files without names.
package final class AppStoreMock: Sendable {
  package struct Options: Sendable {
    package var apps: [MockApp]
    /// Whether every other app that a client requests exists as well.
    package var hasEveryApp = false
    package var switches = MockSettings()
    package var faults: [ServiceFault] = []
    package var clock = MockClock()
    /// The seed of IDs and of the signatures of addresses.
    package var seed: String
    /// The address of the interface, `https://127.0.0.1:8443`, without a slash at its end.
    package var base: String
    /// Other host names of the interface, with the port: `localhost:8443`.
    package var otherHosts: Set<String> = []
    /// The address of the storage.
    package var storage: String
    /// The file in which the state is saved for the next run.
    package var state: String?
    /// Called for every request, with the response.
    package var log: @Sendable (MockEvent) -> Void = { _ in }
    /// Called for every request to the interface, with the response, except those changed by a
    /// fault.
    package var record: (@Sendable (MockExchange) -> Void)?
    /// Sends a request to a webhook; called on any thread, without a lock.
    package var send: @Sendable (WebhookRequest) -> Void = { _ in }

    package init(apps: [MockApp], seed: String, base: String, storage: String) {
      self.apps = apps
      self.seed = seed
      self.base = base
      self.storage = storage
    }
  }

  let options: Options
  let keys: MockKeys
  private let contents: Guarded<Contents>
  private let keeper: InTurn<Keeper?>

  /// Loads the kept state, if there is one; throws if another mock uses it.
  package init(_ options: Options, keys: MockKeys) throws(PackError) {
    self.options = options
    self.keys = keys
    var store = MockStore(apps: options.apps, seed: options.seed)
    var keeper: Keeper?
    if let path = options.state { keeper = Keeper(hold: try KeptState.hold(path)) }
    if let kept = keeper?.hold.document {
      store = kept.store
      // The bytes of unfinished uploads were lost with the run that received them.
      store.discardParts()
      for app in options.apps where store.apps[app.id] == nil { store.apps.add(app) }
    }
    contents = Guarded(Contents(store: store, faults: FaultBoard(options.faults)))
    self.keeper = InTurn(keeper)
  }

  /// All mutable state.
  struct Contents: Sendable {
    var store: MockStore
    var faults: FaultBoard<ServiceEffect>
    var budgets = Budgets()
    var receptions: [String: Reception] = [:]
    var webhooks: [Webhook] = []
    var violations: [String] = []
    var events: [MockEvent] = []
    var eventCount = 0
    var errorCount = 0
    /// The number of changes of the store, compared with the one in the file.
    var revision = 0
    /// The error of the last write of the state.
    var failure: PackError?
  }

  /// The lock of the state file, which the mock holds until it ends.
  private struct Keeper: ~Copyable {
    var hold: StateHold<KeptState>
    /// The revision that is in the file.
    var written = 0
  }

  /// Runs `body` with the mutable state; `body` must not wait.
  func with<Success: Sendable, Thrown: Error>(
    _ body: (inout Contents) throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    try contents.with { (contents) throws(Thrown) in try body(&contents) }
  }

  /// The violations of clients, such as a token sent to the storage.
  package var violations: [String] { with { $0.violations } }

  /// The last requests.
  package var events: [MockEvent] { with { $0.events } }

  /// The ID of this service; it is independent of the port, and changes when the uploads are
  /// removed.
  package var serviceID: String { with { $0.store.service } }

  /// Returns the error of the last write of the state, once; nil if there is none since the last
  /// call.
  package func removeFailure() -> PackError? {
    with { contents in
      defer { contents.failure = nil }
      return contents.failure
    }
  }

  // MARK: Handlers

  /// The maximum size of the body of a request to the interface in bytes.
  static let bodyLimit = 1 << 20

  /// The handler at the address of the interface.
  package var interface: HTTPServer.Handler {
    HTTPServer.Handler(bodyLimit: { $0["content-length"] == nil ? nil : Self.bodyLimit }) {
      [self] request in
      respond(to: request)
    }
  }

  /// The handler at the address of the storage.
  package var storage: HTTPServer.Handler {
    HTTPServer.Handler(
      receive: { [self] (request, reader) throws(Failure) in try receive(request, &reader) },
      acceptsChunks: true
    ) { [self] request in
      // A request without a body is not a part.
      var event = MockEvent(request, at: options.clock.now)
      let response = StorageResponse.refusal(405, "MethodNotAllowed", "Parts are sent with PUT.")
      event.status = response.status
      note(event)
      return response
    }
  }

  /// Records and logs a request.
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

  /// The time that determines transitions: the clock's time plus the advanced time.
  ///
  /// Tokens are checked with the clock's time, because clients use the same clock.
  var now: Moment {
    let clock = options.clock.now
    return with { $0.store.time(at: clock) }
  }

  /// Applies every transition that is due.
  func settle() {
    let (clock, switches) = (options.clock.now, options.switches)
    let isChanged = with { contents in
      contents.store.settle(switches, at: contents.store.time(at: clock))
    }
    if isChanged { keep() }
  }

  /// Advances the time, and applies every transition that is due.
  package func advance(seconds: Int64) {
    with { $0.store.ahead.addSaturated(max(0, seconds)) }
    settle()
    keep()
  }

  // MARK: State

  /// Unlocks the state, so that another mock can use it.
  package func end() {
    keep()
    keeper.with { $0 = nil }
  }

  /// Makes a change of the faults that a client requests.
  package func apply(_ change: FaultChange<ServiceEffect>) throws(ControlError) {
    try with { (contents) throws(ControlError) in try contents.faults.apply(change) }
  }

  /// Removes all uploads, and creates a new service ID.
  func reset() {
    let service = MockStore.makeServiceID()
    // The old contents leave the closure: they own the files of the received bytes.
    _ = with { contents in
      let replaced = contents
      contents.store = MockStore(
        apps: contents.store.apps.all, seed: contents.store.seed, service: service)
      contents.faults.removeAll()
      contents.budgets = Budgets()
      contents.receptions = [:]
      contents.webhooks = []
      contents.violations = []
      contents.events = []
      return replaced
    }
    keep()
  }

  /// Informs webhooks of changes, and writes the state to its file, if there is one, before it
  /// returns.
  ///
  /// If several callers wait for their turn, the first one writes the changes of all callers.
  func keep() {
    announce()
    guard options.state != nil else { return }
    let wanted = with { contents in
      contents.revision += 1
      return contents.revision
    }
    keeper.with { keeper in
      guard let written = keeper?.written, written < wanted else { return }
      let (store, revision) = with { ($0.store, $0.revision) }
      do throws(Failure) {
        try keeper?.hold.keep(KeptState(store: store))
        keeper?.written = revision
      } catch {
        let failure = PackError(error, while: .writing)
        with { $0.failure = failure }
      }
    }
  }
}

/// A request and its response, without secrets.
package struct MockEvent: Sendable {
  package var number = 0
  package let time: Moment
  package let method: String
  package let path: String
  /// The query, without the signature of an address.
  package let query: String
  package var status = 0
  /// The number of received bytes of the body.
  package var received: UInt64 = 0
  /// A reason that the client does not get.
  package var remark: String?
  package var fault: String?
  package let isForStorage: Bool
  package let hasToken: Bool
  /// The header fields, without the value of 'Authorization'.
  package let fields: [(name: String, value: String)]
  /// The body, if it is a text for the interface.
  package let body: String?

  /// The maximum size of a recorded body in bytes.
  private static let longestBody = 16 << 10

  init(_ request: Request, at time: Moment, forStorage isForStorage: Bool = false) {
    self.time = time
    self.isForStorage = isForStorage
    method = request.head.method
    path = request.head.pathText
    hasToken = request.head["authorization"] != nil
    let items = request.head.queryItems.map { item in
      // The name is compared without case, so that no spelling reveals a signature.
      item.name.lowercased() == "signature" ? "\(item.name)=…" : "\(item.name)=\(item.value)"
    }
    query = items.joined(separator: "&")
    received = UInt64(request.body.count)
    fields = request.head.fields.map { field in
      (field.name, field.name == "authorization" ? "…" : field.value)
    }
    // The document of a webhook contains its secret.
    body =
      request.body.isEmpty || path.hasPrefix("/v1/webhooks")
      ? nil : String(decoding: request.body.prefix(Self.longestBody), as: UTF8.self)
  }
}

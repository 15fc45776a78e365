import AppStoreMock
import Arguments
import AssetServer
import BAPackKit
import HTTPServer
import SourceDiagnostics
import SystemIO
import TLSIdentity
import TerminalText
import Transfers

/// One run of the mock, from opening its ports to closing them.
struct MockRun {
  private let settings: MockRunSettings
  private let console: Console
  private let ready: ReadyFile<ReadyMock>?
  private let log: RequestLog
  private let switches: MockSettings?
  private let folder: IdentityFolder
  private let authority: Authority
  private let keys: MockKeys
  private let keyPath: String

  init(_ settings: MockRunSettings, _ console: Console) throws(PackError) {
    self.settings = settings
    self.console = console
    ready = try settings.readyFile.map { path throws(PackError) in try ReadyFile(path) }
    log = try RequestLog(
      console, as: settings.format, in: settings.log, aside: !settings.command.isEmpty)
    switches = try Self.switches(settings.switches, console)
    let given: String
    if let named = settings.identityFolder {
      given = named
    } else {
      given = try UserFolders.data(console).appending(FileName("app-store-mock".utf8)).text
    }
    let (folder, kept, found) = try mapFailure(.publishing) { () throws(Failure) in
      // This fails first if libcrypto cannot be loaded: a file with a key is then not damaged.
      let authority = try IdentityFolder(given).authority(
        called: "ba-package mock of App Store Connect", at: .now, for: Self.hosts, console.work)
      let keys = try MockKeys.kept(in: given, console.work)
      // A client may have another working directory.
      let path = try realPath(of: given)
      let keyPath = FilePath(path).appending(FilePath(keys.path).name).text
      return (IdentityFolder(path), authority, (keys.keys, keyPath))
    }
    for host in Self.hosts { try kept.authority.check(for: host, at: .now, in: folder) }
    self.folder = folder
    authority = kept.authority
    (keys, keyPath) = found
  }

  private static let hosts: [HostName] = [.name("localhost"), .address([127, 0, 0, 1])]

  /// Returns the switches in a file; nil after errors, which were reported.
  private static func switches(
    _ path: String?, _ console: Console
  ) throws(PackError) -> MockSettings? {
    guard let path else { return MockSettings() }
    let bytes = try mapFailure(.reading) { () throws(Failure) in
      try FileDescriptor.open(path, for: .waiting(console.work)).readToEnd(atMost: 1 << 20)
    }
    let document = MockSettings.read(SourceText(bytes, named: path))
    console.report(document.findings, as: .text, of: RuleCatalogue.all)
    return document.findings.hasErrors ? nil : document.switches
  }

  func run() throws(PackError) -> ExitStatus {
    guard let switches else { return .failed }
    defer { log.end() }
    let listener = try openPort(settings.port)
    let storageListener = try openPort(settings.storagePort)
    let (port, storagePort) = (listener.address.port, storageListener.address.port)
    let base = "https://127.0.0.1:\(port)"
    let storage = "https://localhost:\(storagePort)"
    var options = AppStoreMock.Options(
      apps: settings.apps, seed: "ba-package", base: base, storage: storage)
    options.hasEveryApp = settings.hasEveryApp
    options.switches = switches
    options.faults = settings.faults
    options.otherHosts = ["localhost:\(port)"]
    options.state = settings.state
    let log = log
    options.log = { log.note($0) }
    if let path = settings.exchanges {
      options.record = try mapFailure(.writing) { () throws(Failure) in
        try MockExchange.recorder(into: path)
      }
    }
    options.send = { [console] in Self.send($0, log, console.work) }
    let mock = try AppStoreMock(options, keys: keys)
    let interface = try start(listener, mock.interface)
    let parts = try start(storageListener, mock.storage)
    log.report(MockLines.ready, base, "Serving a mock of App Store Connect at \(base).")
    let ending = Result { () throws(PackError) in try work(base, storage, port) }
    interface.stop(within: .seconds(1))
    parts.stop()
    mock.end()
    for violation in mock.violations { log.perform { $0.warning(violation) } }
    if let trouble = mock.removeFailure() { throw trouble }
    return try ending.get()
  }

  /// Sends a request to a webhook, once.
  private static func send(_ request: WebhookRequest, _ log: RequestLog, _ work: Work) {
    var options = Transfers.Options()
    options.allowsHTTP = true
    options.proxies = Proxies()
    options.backoff.attempts = 1
    options.stallTime = .seconds(5)
    let exchange = Exchange(
      "POST", request.url, fields: request.fields.map { HeaderField($0.name, $0.value) },
      body: .bytes(request.body))
    do throws(Failure) {
      let status = try Transfers(options).exchange(exchange, work).status
      log.show("webhook: status \(status)")
    } catch {
      let reason = error.reason
      log.show("webhook: not sent: \(reason)")
    }
  }

  /// Listens on the loopback addresses only.
  private func openPort(_ port: UInt16) throws(PackError) -> Listener {
    try mapFailure(.writing) { () throws(Failure) in try Listener(at: .loopback(port: port)) }
  }

  private func start(
    _ listener: consuming Listener, _ handler: HTTPServer.Handler
  ) throws(PackError) -> HTTPServer {
    var handler = handler
    let log = log
    handler.refused = { log.note(RequestEvent(refused: $1, from: $0, $2)) }
    handler.handshakeFailed = { peer, why in
      guard case .distrust = why else { return }
      log.note(RequestEvent(handshakeFailure: why, from: peer, advice: "see 'caFile'"))
    }
    let (folder, authority, work) = (folder, authority, console.work)
    do throws(Failure) {
      let tls = try TLSContext { name, address throws(Failure) in
        let asked = name.flatMap { HostName($0) }
        let host = asked.flatMap { Self.hosts.contains($0) ? $0 : nil } ?? .address([127, 0, 0, 1])
        return try folder.identity(for: host, by: authority, at: .now, work)
      }
      let server = try HTTPServer(listener, tls: tls, handler)
      try server.start()
      return server
    } catch {
      throw PackError(error, while: .writing)
    }
  }

  private func work(
    _ base: String, _ storage: String, _ port: UInt16
  ) throws(PackError) -> ExitStatus {
    log.flush()
    let written = try ready?.write(
      ReadyMock(
        url: base, storageURL: storage, port: Int(port), caFile: folder.rootPath,
        keyID: keys.teamKeyID, issuer: keys.issuer, keyPath: keyPath,
        individualKeyID: keys.individualKeyID))
    defer { written?.remove() }
    guard !settings.command.isEmpty else { try ServingTime.waitForSignal(console.work) }
    let state = try ClientState(beside: settings.state, in: FilePath(folder.rootPath).folder)
    var variables: [String: String?] = [
      "ASC_API_URL": base, "ASC_CA_FILE": folder.rootPath, "ASC_KEY_ID": keys.teamKeyID,
      "ASC_ISSUER_ID": keys.issuer, "ASC_KEY_PATH": keyPath, "XDG_STATE_HOME": state.path,
    ]
    // Real keys are removed from the environment of a test.
    for name in Self.realKeys { variables[name] = .some(nil) }
    let ending = Result { () throws(PackError) in
      try ServingTime.run(settings.command, changing: variables, log, console.work)
    }
    state.end()
    return try ending.get()
  }

  private static let realKeys = [
    "ASC_KEY", "APP_STORE_CONNECT_API_KEY_KEY_ID", "APP_STORE_CONNECT_API_KEY_ISSUER_ID",
    "APP_STORE_CONNECT_API_KEY_KEY", "APP_STORE_CONNECT_API_KEY_KEY_FILEPATH",
    "API_PRIVATE_KEYS_DIR",
  ]
}

/// The contents of the ready file of the mock.
struct ReadyMock: Described {
  var url = ""
  var storageURL = ""
  var port = 0
  var caFile = ""
  var keyID = ""
  var issuer = ""
  var keyPath = ""
  var individualKeyID = ""

  static let table = Table("a ready file", blank: Self()) {
    Key("apiURL", \.url, .text, "The address of the mock.")
    Key("storageURL", \.storageURL, .text, "The address for uploads of parts.")
    Key("port", \.port, .count, "The port of the mock.")
    Key("caFile", \.caFile, .text, "The file of the certificate that clients must trust.")
    Key("keyID", \.keyID, .text, "The ID of the team's key.")
    Key("issuer", \.issuer, .text, "The issuer of the team's key.")
    Key("keyPath", \.keyPath, .text, "The file of the private key.")
    Key("individualKeyID", \.individualKeyID, .text, "The ID of the individual key.")
  }
}

/// The lines of standard output and of the log of the mock.
enum MockLines {
  static let ready = ServerEvent.table("ready") {
    Key<String>("url", written: { $0 }, .text, "The address of the mock.")
  }
  static let request = ServerEvent.table("request") { members }
  static let logged = Table<MockEvent>(written: "a request") { members }

  private static let members = Key<MockEvent>(members: []) { event, members in
    members += event.members
  }
}

/// The folder in which a client of the mock records its uploads, instead of the user's state
/// folder.
///
/// With a state file, the folder is next to that file and is kept. Otherwise it is removed with
/// this value.
private struct ClientState: ~Copyable {
  let path: String
  /// The temporary folder; if this run is killed, another run removes the folder.
  private let staged: StagedFolder?

  init(beside state: String?, in identity: FilePath) throws(PackError) {
    if let state {
      path = try mapFailure(.writing) { () throws(Failure) in
        _ = try FileDescriptor.openFolder(making: state + ".client")
        return try realPath(of: state + ".client")
      }
      staged = nil
    } else {
      let made: StagedFolder = try mapFailure(.writing) { () throws(Failure) in
        let runs = try FileDescriptor.openFolder(
          making: identity.appending(FileName("runs".utf8)).text)
        _ = try runs.removeLeftovers()
        return try StagedFolder(in: runs, for: "the state of a client")
      }
      path = made.contents.path
      staged = consume made
    }
  }

  /// Removes the folder if it is temporary.
  consuming func end() {}
}

extension RequestLog {
  /// Logs a request to the mock after its response.
  func note(_ event: MockEvent) {
    write(event, MockLines.logged, MockLines.request) { Self.line(event) }
  }

  private static func line(_ event: MockEvent) -> String {
    var parts = [event.time.timeOfDay, "\(event.method) \(event.path)"]
    if !event.query.isEmpty { parts[1] += "?\(event.query)" }
    parts.append(event.status == 0 ? "no response" : "\(event.status)")
    if event.isForStorage { parts.append(Quantity.bytes(event.received)) }
    if let fault = event.fault { parts.append("fault: \(fault)") }
    if let remark = event.remark { parts.append(remark) }
    return parts.joined(separator: "  ")
  }
}

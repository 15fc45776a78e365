import AppStoreConnect
import Arguments
import BAPackKit
import HTTPServer
import SourceDiagnostics
import SystemIO
import TLSIdentity

/// `app-store webhook`: runs a command for each change in App Store Connect.
struct AppStoreWebhookCommand: Subcommand {
  private static let port = DefaultedOption(
    "port", .port, called: "port", in: .server, default: 8492, shownAs: "8492",
    "Set the port.", details: "0 selects a free port.")
  private static let address = Option(
    "listen", .host, called: "address", in: .server,
    "Listen on this IP address (default: 127.0.0.1).",
    details: "The connection has no encryption: use it only behind a reverse proxy.")
  private static let secretFile = Option(
    "secret-file", .file(), called: "path", in: .server,
    "Read the secret from this file (default: BA_WEBHOOK_SECRET).")
  private static let once = Flag(
    "once", in: .server, "Stop after one event, with the exit status of its command.")
  private static let readyFile = Option(
    "ready-file", .file("json"), called: "path", in: .output,
    "Write the URL to this file when the receiver is ready.",
    details: "The file is removed at the end; see 'ba-package schema --for webhook-ready'.")
  private static let exec = Flag(
    "exec", in: .server, "Run a command for each event.",
    details: "The command follows '--' and runs without a shell.")
  private static let command = TrailingWords("command", with: exec, "The command to run.")

  static let definition = Command(
    "webhook", overview: "Run a command when App Store Connect reports a change.",
    discussion: [
      """
      Receives the requests of a webhook of App Store Connect, so that CI does not have to poll. \
      The webhook has the public URL of a tunnel or reverse proxy that forwards to this port, and \
      the same secret. Create it in App Store Connect (Users and Access > Integrations > Webhooks).
      """,
      """
      Only requests with a valid signature are accepted: 'x-apple-signature' has the HMAC with \
      SHA-256 of the body, with or without the prefix 'hmacsha256='. Apple does not document \
      which. Events that are not about packs are accepted, but start no command.
      """,
      """
      The command reads the event from standard input, and has BA_WEBHOOK_TYPE, BA_WEBHOOK_ID, \
      BA_WEBHOOK_TIME, BA_WEBHOOK_OLD_STATE, BA_WEBHOOK_NEW_STATE and BA_WEBHOOK_INSTANCE in its \
      environment, but not the secret. Commands run one after the other. The event is only a hint: \
      read the state with 'app-store status'.
      """,
    ],
    [port, address, secretFile, exec, once, readyFile, command],
    examples: [
      Term(
        "ba-package app-store webhook --exec -- ./on-change.sh",
        "Run a script for each change."),
      Term(
        "ba-package app-store webhook --once --exec -- ba-package app-store status",
        "Wait for one change, and show the states."),
    ])

  private let settings: WebhookSettings

  init(_ arguments: ParsedArguments) throws(UsageError) {
    settings = WebhookSettings(
      port: UInt16(arguments[Self.port]), host: arguments[Self.address],
      secretFile: arguments[Self.secretFile], isOnce: arguments[Self.once],
      readyFile: arguments[Self.readyFile], command: arguments[Self.command])
    if let host = settings.host, SocketAddress("\(host)", port: 0) == nil {
      throw UsageError("'--listen' requires an IP address, and '\(host)' is a name")
    }
    if settings.command.isEmpty {
      throw UsageError("Missing command after '--', for example '--exec -- ./on-change.sh'")
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    return try WebhookRun(settings, console).run()
  }
}

/// The options of `app-store webhook`.
private struct WebhookSettings: Sendable {
  let port: UInt16
  let host: HostName?
  let secretFile: String?
  let isOnce: Bool
  let readyFile: String?
  let command: [String]
}

/// The contents of the ready file of a webhook's receiver.
struct ReadyWebhook: Described {
  var url = ""

  static let table = Table("a ready file", blank: Self()) {
    Key("url", \.url, .text, "The address of the receiver.")
  }
}

/// One run of the receiver, from opening its port to closing it.
private struct WebhookRun {
  private static let secretVariable = "BA_WEBHOOK_SECRET"
  /// The maximum size of a body in bytes; an event has less than 1 KiB.
  private static let bodyLimit = 64 << 10

  private let settings: WebhookSettings
  private let console: Console
  private let secret: WebhookSecret
  private let ready: ReadyFile<ReadyWebhook>?

  init(_ settings: WebhookSettings, _ console: Console) throws(PackError) {
    self.settings = settings
    self.console = console
    ready = try settings.readyFile.map { path throws(PackError) in try ReadyFile(path) }
    let text: String?
    if let path = settings.secretFile {
      text = try mapFailure(.reading) { () throws(Failure) in
        let file = try FileDescriptor.open(path, for: .waiting(console.work))
        return String(decoding: try file.readToEnd(atMost: 1 << 12), as: UTF8.self)
      }
    } else {
      text = console.environment(Self.secretVariable)
    }
    guard let secret = text.flatMap({ WebhookSecret($0) }) else {
      throw PackError(
        .missing, "the secret of the webhook is missing",
        remedy: .advice("set \(Self.secretVariable) in the environment, or use --secret-file"))
    }
    self.secret = secret
  }

  func run() throws(PackError) -> ExitStatus {
    let log = try RequestLog(console, as: .text, in: nil, aside: true)
    defer { log.end() }
    let listener = try mapFailure(.writing) { () throws(Failure) in
      let address = settings.host.flatMap { SocketAddress("\($0)", port: settings.port) }
      return try Listener(at: address ?? .loopback(port: settings.port))
    }
    let url = "http://\(listener.address)/"
    let inbox: WebhookInbox
    let server: HTTPServer
    do throws(Failure) {
      inbox = try WebhookInbox()
      var limits = HTTPServer.Limits()
      limits.connections = 64
      let handler = handler(inbox, log)
      server = try HTTPServer(listener, limits: limits, handler)
      try server.start()
    } catch {
      throw PackError(error, while: .writing)
    }
    let written = try ready?.write(ReadyWebhook(url: url))
    defer { written?.remove() }
    log.show("Receiving webhooks at \(url).")
    let ending = Result { () throws(PackError) in try perform(inbox, log) }
    server.stop(within: .seconds(1))
    return try ending.get()
  }

  private func handler(_ inbox: WebhookInbox, _ log: RequestLog) -> HTTPServer.Handler {
    let secret = secret
    return HTTPServer.Handler(
      bodyLimit: { $0["content-length"] == nil ? nil : Self.bodyLimit }
    ) { request in
      let response = Self.respond(to: request, secret, inbox)
      if response.status != 200 {
        log.show("refused a request of \(request.peerHost): status \(response.status)")
      }
      return response
    }
  }

  private static func respond(
    to request: Request, _ secret: WebhookSecret, _ inbox: WebhookInbox
  ) -> Response {
    guard request.head.method == "POST" else {
      return .text(405, "Webhooks are sent with POST.", fields: [("Allow", "POST")])
    }
    guard
      let isOurs = try? secret.admits(request.head[WebhookSecret.field], of: request.body)
    else { return .text(500, "The signature cannot be computed.") }
    guard isOurs else { return .text(401, "The signature is missing or invalid.") }
    guard let event = WebhookEvent(request.body) else {
      return .text(400, "The body is not an event.")
    }
    // The sender repeats a request that was not accepted.
    guard inbox.add(event, request.body) else { return .text(503, "Too many events wait.") }
    return .text(200, "Accepted.")
  }

  /// Runs the command for each event until a signal, or once.
  private func perform(_ inbox: WebhookInbox, _ log: RequestLog) throws(PackError) -> ExitStatus {
    while true {
      let (event, body) = try ServingTime.mappingInterrupt { () throws(Failure) in
        try inbox.next(console.work)
      }
      let state = event.newState.map { ": \($0.phrase)" } ?? ""
      log.show("\(event.type) \(event.instance?.text ?? event.id)\(state)")
      guard event.isAboutPacks else { continue }
      let status = try ServingTime.run(
        settings.command, changing: variables(of: event), input: body, log, console.work)
      if settings.isOnce { return status }
      if status != .done { log.show("the command ended with status \(status.rawValue)") }
    }
  }

  private func variables(of event: WebhookEvent) -> [String: String?] {
    let variables: [String: String?] = [
      "BA_WEBHOOK_TYPE": event.type, "BA_WEBHOOK_ID": event.id,
      "BA_WEBHOOK_TIME": event.time ?? "", "BA_WEBHOOK_OLD_STATE": event.oldState?.name ?? "",
      "BA_WEBHOOK_NEW_STATE": event.newState?.name ?? "",
      "BA_WEBHOOK_INSTANCE": event.instance?.text ?? "",
      Self.secretVariable: Optional<String>.none,
    ]
    return variables
  }
}

/// The events that wait for the command.
private final class WebhookInbox: Sendable {
  private typealias Entry = (event: WebhookEvent, body: [UInt8])
  private static let most = 256

  private let bell: Bell
  private let entries = Guarded<[Entry]>([])

  init() throws(Failure) { bell = try Bell() }

  /// Adds an event; returns false if too many wait.
  func add(_ event: WebhookEvent, _ body: [UInt8]) -> Bool {
    let isAdded = entries.with { entries in
      guard entries.count < Self.most else { return false }
      entries.append((event, body))
      return true
    }
    if isAdded { bell.ring() }
    return isAdded
  }

  /// Returns the oldest event; waits for one.
  func next(_ work: Work) throws(Failure) -> (event: WebhookEvent, body: [UInt8]) {
    while true {
      let entry = entries.with { $0.isEmpty ? nil : $0.removeFirst() }
      if let entry { return entry }
      _ = try bell.wait(until: nil, "", work)
    }
  }
}

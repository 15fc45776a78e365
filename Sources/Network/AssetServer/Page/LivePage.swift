import BAPackKit
import Faults
package import HTTPServer
import SourceDiagnostics
import SystemIO
import TerminalText

/// The page that shows the requests of devices, with switches for faults.
///
/// It is served in two forms: with switches to the host of the server only (``handler``), and
/// without switches to all clients of the server (``withoutSwitches(_:)``). The page does not
/// contain the token of the switches, because every user of the host can request it: a browser gets
/// the token from the fragment of the printed address.
package final class LivePage: Sendable {
  /// The properties of the server that the page shows.
  package struct Facts: Sendable {
    /// The time when the server started.
    let started = Moment.now
    /// The address for the URL override on a device: `https://192.168.1.10:8443`.
    package var overrideURL: String
    /// The address of the enrolment page: `http://192.168.1.10:8480`.
    package var enrolmentURL: String?
    /// The SHA-256 digest of the root certificate, as the terminal shows it.
    package var rootDigest: String?
    /// The rows of the QR code of the enrolment address, from top to bottom; true is dark.
    package var code: [[Bool]]?

    package init(overrideURL: String) { self.overrideURL = overrideURL }
  }

  let facts: Facts
  let catalogue: Catalogue
  let switches: LiveFaults
  let access: PageAccess
  let history = RequestHistory()
  /// The last build of the project; nil if there was none.
  private let build = Guarded<PageState.Build?>(nil)

  /// Creates the page of a server; requests that change a switch require `token`.
  package init(_ facts: Facts, catalogue: Catalogue, switches: LiveFaults, token: String) {
    self.facts = facts
    self.catalogue = catalogue
    self.switches = switches
    access = PageAccess(token: token)
    catalogue.observeChanges { [history] in history.notify() }
  }

  /// Records that a request begins, progresses or ends.
  package func note(_ event: RequestEvent) { history.note(event) }

  /// Shows the findings of a build with errors; nil after a build without errors.
  package func show(findings: String?) {
    build.with { $0 = PageState.Build(findings: findings) }
    history.notify()
  }

  /// Ends all event streams, when the server stops.
  package func end() { history.end() }

  /// The handler for a listener without TLS on the loopback address: the page with its switches.
  package var handler: HTTPServer.Handler {
    HTTPServer.Handler(
      bodyLimit: { head in
        head.bodySize == nil && !head.isChunked ? nil : SwitchInterface.bodyLimit
      },
      respond: { [self] request in SwitchInterface(self).respond(to: request) })
  }

  /// Returns the page without switches, for `/` of the server itself.
  package func withoutSwitches(_ request: Request) -> Response {
    switch request.head.query {
    case "events": events(forSwitches: false)
    case "state": .json(200, PageState.table, state())
    default: document(withSwitches: false)
    }
  }

  // MARK: The page

  func document(withSwitches: Bool) -> Response {
    let nonce = Self.nonce()
    let page = html(nonce: nonce, withSwitches: withSwitches)
    return Response(
      200,
      fields: [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Security-Policy", Self.policy(nonce)),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
      ] + Self.strictFields, body: .bytes(page.bytes))
  }

  /// The header fields of all responses for browsers.
  static let strictFields: ResponseFields = [
    ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  /// Allows only the page's own script and style sheet, and no text as a script.
  private static func policy(_ nonce: String) -> String {
    [
      "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'",
      "img-src data:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
      "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")
  }

  /// Returns a random text of 128 bits.
  private static func nonce() -> String {
    (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
  }

  // MARK: State and events

  /// The complete state of the page.
  func state() -> PageState { state(history.news(after: 0)) }

  private func state(_ news: RequestHistory.News) -> PageState {
    var state = PageState()
    state.server = facts
    state.packs = catalogue.all
    state.build = build.with { $0 }
    state.switches = switchState()
    state.devices = news.devices ?? []
    state.requests = news.lines
    return state
  }

  func switchState() -> PageState.Switches {
    PageState.Switches(status: switches.status, packs: catalogue.all)
  }

  /// The maximum number of open event streams of one kind of page.
  static let mostWatchers = 32

  /// Returns an event stream: first the complete state, then each change.
  func events(forSwitches: Bool) -> Response {
    guard history.watcherCount < Self.mostWatchers * (forSwitches ? 2 : 1) else {
      return .refusal(503, "too many pages are open; close one")
    }
    return Response(
      200, fields: [("Content-Type", "text/event-stream")] + Self.strictFields,
      body: .writingToEnd { [self] writer throws(Failure) in
        // The page with switches can open a stream even if all streams of the other page are open.
        guard
          let watcher = try history.watch(atMost: Self.mostWatchers * (forSwitches ? 2 : 1))
        else { return }
        defer { history.leave(watcher) }
        try report(watcher, &writer)
      })
  }

  /// The minimum time between two events of one stream.
  private static let shortestPause = Duration.milliseconds(100)
  /// The time after which an empty event is sent.
  private static let heartbeat = Duration.seconds(15)

  private func report(
    _ watcher: RequestHistory.Watcher, _ writer: inout BodyWriter
  ) throws(Failure) {
    var packs = catalogue.all
    var build = self.build.with { $0 }
    var switches = self.switches.status
    var news = history.news(after: 0, for: watcher)
    let all = PageState.table.members(of: state(news))
    try writer.write(Array("retry: 1000\n".utf8) + Self.event("state", all))
    while !news.isOver {
      guard try writer.wait(for: watcher.bell, until: .now + Self.heartbeat) else {
        // Only a write detects that the client closed the connection.
        try writer.write(Array(":\n\n".utf8))
        continue
      }
      news = history.news(after: news.change, for: watcher)
      let (newPacks, newSwitches) = (catalogue.all, self.switches.status)
      var changed = PageState()
      let arePacksNew = !newPacks.elementsEqual(packs, by: { $0.isShownLike($1) })
      if arePacksNew { changed.packs = newPacks }
      let newBuild = self.build.with { $0 }
      if newBuild != build { changed.build = newBuild }
      if newSwitches != switches || arePacksNew && !newSwitches.faults.isEmpty {
        changed.switches = PageState.Switches(status: newSwitches, packs: newPacks)
      }
      changed.devices = news.devices
      if !news.lines.isEmpty { changed.requests = news.lines }
      (packs, build, switches) = (newPacks, newBuild, newSwitches)
      let members = PageState.table.members(of: changed)
      if !members.isEmpty { try writer.write(Self.event("change", members)) }
      // Several requests often arrive together: one event reports them.
      if !news.isOver { try writer.pause(for: Self.shortestPause) }
    }
  }

  private static func event(_ name: String, _ members: [JSONValue.Member]) -> [UInt8] {
    Array("event: \(name)\ndata: ".utf8) + JSONWriter.bytes(.object(members), .compact)
      + Array("\n\n".utf8)
  }
}

extension ServedPack {
  /// Returns whether the page shows the same for both packs.
  fileprivate func isShownLike(_ other: ServedPack) -> Bool {
    id == other.id && version == other.version && archive.sha256 == other.archive.sha256
      && outage == other.outage
  }
}

extension Response {
  static func json<Subject>(
    _ status: Int, _ table: Table<Subject>, _ subject: Subject,
    fields: ResponseFields = []
  ) -> Response {
    Response(
      status,
      fields: [("Content-Type", "application/json")] + LivePage.strictFields + fields,
      body: .bytes(table.bytes(of: subject, .readable)))
  }

  /// Returns an error response with the reason and a hint.
  static func refusal(
    _ status: Int, _ reason: String, fields: ResponseFields = []
  ) -> Response {
    json(status, ControlError.table, ControlError(status, reason), fields: fields)
  }
}

import BAPackKit
package import HTTPServer
import SourceDiagnostics
import SystemIO
import TerminalText

/// The page that shows what devices ask of a server, with switches for faults on it.
///
/// It is served twice: with its switches to this machine alone (``handler``), and without them to
/// everybody whom the server itself serves (``withoutSwitches(_:)``).
package final class LivePage: Sendable {
  /// What the page says of the server itself.
  package struct Facts: Sendable {
    /// The time when the server started.
    let started = Moment.now
    /// What is entered on a device: `https://192.168.1.10:8443`.
    package var overrideURL: String
    /// Where a device learns to trust the server: `http://192.168.1.10:8480`.
    package var enrolmentURL: String?
    /// The SHA-256 of the root, as the terminal shows it.
    package var rootDigest: String?
    /// The rows of the QR code of the enrolment's address, from above; true is dark.
    package var code: [[Bool]]?

    package init(overrideURL: String) { self.overrideURL = overrideURL }
  }

  let facts: Facts
  let catalogue: Catalogue
  let switches: ServerSwitches
  let door: PageDoor
  let token: String
  let history = RequestHistory()

  /// Makes the page of a server; `token` is what who uses a switch must know.
  package init(_ facts: Facts, catalogue: Catalogue, switches: ServerSwitches, token: String) {
    self.facts = facts
    self.catalogue = catalogue
    self.switches = switches
    self.token = token
    door = PageDoor(token: token)
    catalogue.observeChanges { [history] in history.notify() }
  }

  /// Told of every request that begins, goes on and ends.
  package func note(_ event: RequestEvent) { history.note(event) }

  /// Ends all streams of events, when the server stops.
  package func end() { history.end() }

  /// What a plain listener on the loopback address serves: the page with its switches.
  package var handler: HTTPServer.Handler {
    HTTPServer.Handler(
      bodyLimit: { head in
        head.bodySize == nil && !head.isChunked ? nil : SwitchInterface.bodyLimit
      },
      respond: { [self] request in SwitchInterface(self).respond(to: request) })
  }

  /// The page without any switch, for `/` of the server itself.
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
    let page = html(nonce: nonce, token: withSwitches ? token : nil)
    return Response(
      200,
      fields: [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Security-Policy", Self.policy(nonce)),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
      ] + Self.strictFields, body: .bytes(page.bytes))
  }

  /// What every answer says to browsers.
  static let strictFields: [(name: String, value: String)] = [
    ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  /// Nothing from outside, no script but ours, and no text that becomes a script.
  private static func policy(_ nonce: String) -> String {
    [
      "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'",
      "img-src data:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
      "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")
  }

  /// A word that nobody can guess.
  private static func nonce() -> String {
    (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
  }

  // MARK: State and events

  /// All that the page shows.
  func state() -> PageState { state(history.news(after: 0)) }

  private func state(_ news: RequestHistory.News) -> PageState {
    var state = PageState()
    state.server = facts
    state.packs = catalogue.all
    state.switches = switchState()
    state.devices = news.devices ?? []
    state.requests = news.lines
    return state
  }

  func switchState() -> PageState.Switches {
    PageState.Switches(status: switches.status, packs: catalogue.all)
  }

  /// How many pages of a kind may be open at once.
  static let mostWatchers = 32

  /// A stream of what changes: first all there is, then whatever has become different.
  func events(forSwitches: Bool) -> Response {
    guard history.watcherCount < Self.mostWatchers * (forSwitches ? 2 : 1) else {
      return .refusal(503, "too many pages are open; close one")
    }
    return Response(
      200, fields: [("Content-Type", "text/event-stream")] + Self.strictFields,
      body: .writingToEnd { [self] writer throws(Failure) in
        // Those who may use switches find room also when everybody else looks.
        guard
          let watcher = try history.watch(atMost: Self.mostWatchers * (forSwitches ? 2 : 1))
        else { return }
        defer { history.leave(watcher) }
        try report(watcher, &writer)
      })
  }

  /// How often somebody who looks is told of what changes, and how often that there is nothing new.
  private static let shortestPause = Duration.milliseconds(100)
  private static let heartbeat = Duration.seconds(15)

  private func report(
    _ watcher: RequestHistory.Watcher, _ writer: inout BodyWriter
  ) throws(Failure) {
    var packs = catalogue.all
    var switches = self.switches.status
    var news = history.news(after: 0, for: watcher)
    let all = PageState.table.members(of: state(news))
    try writer.write(Array("retry: 1000\n".utf8) + Self.event("state", all))
    while !news.isOver {
      guard try writer.wait(for: watcher.bell, until: .now + Self.heartbeat) else {
        // Only who writes learns that a reader has gone.
        try writer.write(Array(":\n\n".utf8))
        continue
      }
      news = history.news(after: news.change, for: watcher)
      let (newPacks, newSwitches) = (catalogue.all, self.switches.status)
      var changed = PageState()
      let arePacksNew = !newPacks.elementsEqual(packs, by: { $0.isShownLike($1) })
      if arePacksNew { changed.packs = newPacks }
      if newSwitches != switches || arePacksNew && !newSwitches.faults.isEmpty {
        changed.switches = PageState.Switches(status: newSwitches, packs: newPacks)
      }
      changed.devices = news.devices
      if !news.lines.isEmpty { changed.requests = news.lines }
      (packs, switches) = (newPacks, newSwitches)
      let members = PageState.table.members(of: changed)
      if !members.isEmpty { try writer.write(Self.event("change", members)) }
      // Requests come in bunches.
      if !news.isOver { try writer.pause(for: Self.shortestPause) }
    }
  }

  private static func event(_ name: String, _ members: [JSONValue.Member]) -> [UInt8] {
    Array("event: \(name)\ndata: ".utf8) + JSONWriter.bytes(.object(members), .compact)
      + Array("\n\n".utf8)
  }
}

extension ServedPack {
  /// Whether the page says the same of both.
  fileprivate func isShownLike(_ other: ServedPack) -> Bool {
    id == other.id && version == other.version && archive.sha256 == other.archive.sha256
      && outage == other.outage
  }
}

extension Response {
  /// An answer for a program.
  static func json<Subject>(
    _ status: Int, _ table: Table<Subject>, _ subject: Subject,
    fields: [(name: String, value: String)] = []
  ) -> Response {
    Response(
      status,
      fields: [("Content-Type", "application/json")] + LivePage.strictFields + fields,
      body: .bytes(table.bytes(of: subject, .readable)))
  }

  /// Tells a program why something was not done, and what to do.
  static func refusal(
    _ status: Int, _ reason: String, fields: [(name: String, value: String)] = []
  ) -> Response {
    json(status, PageRefusal.table, PageRefusal(status, reason), fields: fields)
  }
}

/// Why a request to the page has no effect.
struct PageRefusal: Error, Described {
  let status: Int
  let reason: String

  static let table = Table<Self>(written: "a refusal") {
    Key("error", written: \.reason, .text, "The reason, with a hint.")
  }

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}

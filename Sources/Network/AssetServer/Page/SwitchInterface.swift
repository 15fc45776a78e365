import BAPackKit
import Faults
import HTTPServer
import SourceDiagnostics
import SystemIO

/// The HTTP interface of the page's listener, for the page itself and for scripts.
///
/// | request | body | response |
/// |---|---|---|
/// | `GET /` | | the page |
/// | `GET /api/state` | | ``PageState`` |
/// | `GET /api/events` | | server-sent events: `state`, then `change` with changed members |
/// | `POST /api/faults` | ``FaultChange`` | the switches |
/// | `DELETE /api/faults` | the same, or none for all of them | the switches |
/// | `PUT /api/offline` | ``SwitchBody/offline`` | the switches |
/// | `PUT /api/latency` | ``SwitchBody/latency`` | the switches |
/// | `PUT /api/throttle` | ``SwitchBody/throttle`` | the switches |
/// | `POST /api/packs/ID/raise` | | ``RaisedPack`` |
///
/// Every request that changes something requires `Authorization: Bearer TOKEN`. A wrong token is
/// refused for all requests. An error response is a ``ControlError``: 400 invalid request, 401 no
/// token, 403 other origin, 404 not found, 405 method not allowed, 409 not possible now.
struct SwitchInterface {
  /// The maximum size of a body in bytes.
  static let bodyLimit = 4096

  private let page: LivePage

  init(_ page: LivePage) { self.page = page }

  /// The resource at a path.
  private enum PageRoute {
    case page, state, events, faults, offline, latency, throttle
    case raise(PackID)

    init?(_ path: String) {
      switch path {
      case "/": self = .page
      case "/api/state": self = .state
      case "/api/events": self = .events
      case "/api/faults": self = .faults
      case "/api/offline": self = .offline
      case "/api/latency": self = .latency
      case "/api/throttle": self = .throttle
      default:
        let (start, end) = ("/api/packs/", "/raise")
        guard path.hasPrefix(start), path.hasSuffix(end), path.count > start.count + end.count
        else { return nil }
        self = .raise(PackID(String(path.dropFirst(start.count).dropLast(end.count))))
      }
    }

    var methods: [String] {
      switch self {
      case .page, .state, .events: ["GET", "HEAD"]
      case .faults: ["POST", "DELETE"]
      case .offline, .latency, .throttle: ["PUT"]
      case .raise: ["POST"]
      }
    }
  }

  func respond(to request: Request) -> Response {
    let head = request.head
    if let reason = page.access.refusal(of: head, from: request.peer, at: request.ownAddress) {
      return .refusal(403, reason)
    }
    guard let route = PageRoute(head.pathText) else {
      return .refusal(
        404,
        "unknown path; paths are /, /api/state, /api/events, /api/faults, /api/offline, "
          + "/api/latency, /api/throttle and /api/packs/ID/raise")
    }
    guard route.methods.contains(head.method) else {
      return .refusal(
        405, "method '\(head.method)' not allowed; use \(route.methods.joined(separator: " or "))",
        fields: [("Allow", route.methods.joined(separator: ", "))])
    }
    let isReading = ["GET", "HEAD"].contains(head.method)
    let authorization = head["authorization"]
    guard isReading && authorization == nil || page.access.admits(authorization) else {
      return .refusal(
        401, "this request requires 'Authorization: Bearer' with the token of this server run",
        fields: [("WWW-Authenticate", "Bearer")])
    }
    do throws(ControlError) {
      return try response(for: route, head.method, request.body)
    } catch {
      return .refusal(error.status, error.reason)
    }
  }

  private func response(
    for route: PageRoute, _ method: String, _ body: [UInt8]
  ) throws(ControlError) -> Response {
    let switches = page.switches
    switch route {
    case .page: return page.document(withSwitches: true)
    case .state: return .json(200, PageState.table, page.state())
    case .events: return page.events(forSwitches: true)
    case .raise(let id): return try raise(id)
    case .faults: try switches.apply(FaultChange(method, body))
    case .offline: switches.isOffline = try ControlError.read(body, SwitchBody.offline).isOffline
    case .latency: switches.latency = try ControlError.read(body, SwitchBody.latency).latency
    case .throttle:
      switches.bytesPerSecond = try ControlError.read(body, SwitchBody.throttle).bytesPerSecond
    }
    page.history.notify()
    var state = PageState()
    state.switches = page.switchState()
    return .json(200, PageState.table, state)
  }

  private func raise(_ id: PackID) throws(ControlError) -> Response {
    guard let version = page.catalogue.raise(id) else {
      guard page.catalogue[id] == nil else {
        throw ControlError(409, "'\(id)' already has the highest possible version")
      }
      let names = page.catalogue.all.map { "'\($0.id)'" }.joined(separator: ", ")
      throw ControlError(
        404, "no pack '\(id)'; \(names.isEmpty ? "the server has no packs" : "packs: \(names)")")
    }
    page.history.notify()
    return .json(200, RaisedPack.table, RaisedPack(id: id, version: version))
  }
}

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
/// | `POST /api/faults` | ``SwitchBody/fault`` | the switches |
/// | `DELETE /api/faults` | the same, or none for all of them | the switches |
/// | `PUT /api/offline` | ``SwitchBody/offline`` | the switches |
/// | `PUT /api/latency` | ``SwitchBody/latency`` | the switches |
/// | `PUT /api/throttle` | ``SwitchBody/throttle`` | the switches |
/// | `POST /api/packs/ID/raise` | | ``PackVersion`` |
///
/// Every request that changes something requires `Authorization: Bearer TOKEN`. A wrong token is
/// refused for all requests. An error response is a ``PageRefusal``: 400 invalid request, 401 no
/// token, 403 other origin, 404 not found, 405 method not allowed, 409 not possible now.
struct SwitchInterface {
  /// The maximum size of a body in bytes.
  static let bodyLimit = 4096

  private let page: LivePage

  init(_ page: LivePage) { self.page = page }

  /// The resource at a path.
  private enum Place {
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
    guard let place = Place(head.pathText) else {
      return .refusal(
        404,
        "unknown path; paths are /, /api/state, /api/events, /api/faults, /api/offline, "
          + "/api/latency, /api/throttle and /api/packs/ID/raise")
    }
    guard place.methods.contains(head.method) else {
      return .refusal(
        405, "method '\(head.method)' not allowed; use \(place.methods.joined(separator: " or "))",
        fields: [("Allow", place.methods.joined(separator: ", "))])
    }
    let isReading = ["GET", "HEAD"].contains(head.method)
    let authorization = head["authorization"]
    guard isReading && authorization == nil || page.access.admits(authorization) else {
      return .refusal(
        401, "this request requires 'Authorization: Bearer' with the token of this server run",
        fields: [("WWW-Authenticate", "Bearer")])
    }
    do throws(PageRefusal) {
      return try response(for: place, head.method, request.body)
    } catch {
      return .refusal(error.status, error.reason)
    }
  }

  private func response(
    for place: Place, _ method: String, _ body: [UInt8]
  ) throws(PageRefusal) -> Response {
    let switches = page.switches
    switch place {
    case .page: return page.document(withSwitches: true)
    case .state: return .json(200, PageState.table, page.state())
    case .events: return page.events(forSwitches: true)
    case .raise(let id): return try raise(id)
    case .faults where method == "POST":
      guard switches.add(try fault(body)) else {
        throw PageRefusal(409, "at most \(FaultBoard.capacity) faults can be on; switch some off")
      }
    case .faults where body.isEmpty: switches.removeAllFaults()
    case .faults:
      let fault = try fault(body)
      guard switches.remove(fault) else {
        let names = switches.faults.map { "'\($0)'" }.joined(separator: ", ")
        throw PageRefusal(
          404, "'\(fault)' is not on; \(names.isEmpty ? "no faults are on" : "faults: \(names)")")
      }
    case .offline: switches.isOffline = try read(body, SwitchBody.offline).isOffline
    case .latency: switches.latency = try read(body, SwitchBody.latency).latency
    case .throttle:
      switches.bytesPerSecond = try read(body, SwitchBody.throttle).bytesPerSecond
    }
    page.history.notify()
    var state = PageState()
    state.switches = page.switchState()
    return .json(200, PageState.table, state)
  }

  private func raise(_ id: PackID) throws(PageRefusal) -> Response {
    guard let version = page.catalogue.raise(id) else {
      guard page.catalogue[id] == nil else {
        throw PageRefusal(409, "'\(id)' already has the highest possible version")
      }
      let names = page.catalogue.all.map { "'\($0.id)'" }.joined(separator: ", ")
      throw PageRefusal(
        404, "no pack '\(id)'; \(names.isEmpty ? "the server has no packs" : "packs: \(names)")")
    }
    page.history.notify()
    return .json(200, PackVersion.table, PackVersion(id: id, version: version))
  }

  // MARK: Reading bodies

  private func fault(_ body: [UInt8]) throws(PageRefusal) -> Fault {
    let text = try read(body, SwitchBody.fault)
    do throws(FaultMistake) {
      return try Fault(parsing: text, in: .downloads)
    } catch {
      let place = error.place.map { " (character \($0.lowerBound + 1))" } ?? ""
      let parts = error.parts.map { "'\($0)'" }.joined(separator: ", then ")
      throw PageRefusal(
        400, error.reason + place + (parts.isEmpty ? "" : "; send one at a time: \(parts)"))
    }
  }

  private func read<Subject>(
    _ body: [UInt8], _ table: Table<Subject>
  ) throws(PageRefusal) -> Subject {
    var limits = JSONLimits()
    limits.depth = 8
    let document = JSONDocument(parsing: SourceText(body, named: "body"), limits: limits)
    var findings = document.findings
    let subject = document.root.flatMap { table.read($0, into: &findings) }
    let error = findings.all.first { $0.severity == .error }
    if let subject, error == nil { return subject }
    let example = table.record.keys.map { "\"\($0.name)\": \($0.example)" }
    throw PageRefusal(
      400,
      (error.map { "\($0.message); " } ?? "")
        + "send {\(example.joined(separator: ", "))}")
  }
}

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
/// | `GET /api/state` | | the complete state: `server`, `packs`, `switches`, `devices`, `requests` |
/// | `GET /api/events` | | server-sent events: `state` as above, then `change` with the changed keys; `requests` contains only changed requests |
/// | `POST /api/faults` | `{"fault": "level-*: cut 60%"}` | `switches`; `matches` of a fault is 0 if it matches no pack |
/// | `DELETE /api/faults` | `{"fault": "…"}`, or none for all of them | `switches` |
/// | `PUT /api/offline` | `{"offline": true}` | `switches` |
/// | `PUT /api/latency` | `{"latency": "200ms"}`, or null | `switches` |
/// | `PUT /api/throttle` | `{"throttle": "3mbit"}`, or null | `switches` |
/// | `POST /api/packs/ID/raise` | | `id` and its new `version` |
///
/// Every request that changes something requires `Authorization: Bearer TOKEN`. A wrong token is
/// refused for all requests. An error response contains `error`, a text with a hint: 400 invalid
/// request, 401 no token, 403 other origin, 404 not found, 405 method not allowed, 409 not possible
/// now.
struct SwitchInterface {
  /// How many bytes a body may have.
  static let bodyLimit = 4096

  private let page: LivePage

  init(_ page: LivePage) { self.page = page }

  /// Why something is not done.
  private struct Refusal: Error {
    let status: Int
    let reason: String

    init(_ status: Int, _ reason: String) {
      self.status = status
      self.reason = reason
    }
  }

  /// What a path stands for.
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
    if let reason = page.door.refusal(of: head, from: request.peer, at: request.ownAddress) {
      return .refusal(403, reason)
    }
    guard let place = Place(head.pathText) else {
      return .refusal(404, "there is nothing at this path; '/api/state' says what there is")
    }
    guard place.methods.contains(head.method) else {
      return .refusal(
        405, "'\(head.method)' is not answered here; \(place.methods.joined(separator: ", "))",
        fields: [("Allow", place.methods.joined(separator: ", "))])
    }
    let isReading = ["GET", "HEAD"].contains(head.method)
    let authorization = head["authorization"]
    guard isReading && authorization == nil || page.door.admits(authorization) else {
      return .refusal(
        401, "'Authorization: Bearer' with the token of this run of the server is needed",
        fields: [("WWW-Authenticate", "Bearer")])
    }
    do throws(Refusal) {
      return try answer(place, head.method, request.body)
    } catch {
      return .refusal(error.status, error.reason)
    }
  }

  private func answer(
    _ place: Place, _ method: String, _ body: [UInt8]
  ) throws(Refusal) -> Response {
    let switches = page.switches
    switch place {
    case .page: return page.document(withSwitches: true)
    case .state: return .json(200, .object(page.state()))
    case .events: return page.events(forSwitches: true)
    case .raise(let id): return try raise(id)
    case .faults where method == "POST":
      guard switches.add(try fault(body)) else {
        throw Refusal(409, "\(FaultBoard.capacity) faults are on; switch some off")
      }
    case .faults where body.isEmpty: switches.removeAllFaults()
    case .faults:
      let fault = try fault(body)
      guard switches.remove(fault) else {
        let names = switches.faults.map { "'\($0)'" }.joined(separator: ", ")
        throw Refusal(
          404, "'\(fault)' is not on; \(names.isEmpty ? "no fault is" : "on are \(names)")")
      }
    case .offline:
      guard let isOffline = try value("offline", of: body, example: "true").bool else {
        throw Refusal(400, "'offline' takes true or false")
      }
      switches.isOffline = isOffline
    case .latency:
      guard let text = try text("latency", of: body, example: #""200ms""#) else {
        switches.latency = .zero
        break
      }
      guard let latency = Duration(written: text) else {
        throw Refusal(400, "'\(text)' is no time; 200ms, 1.5s and 2m are, and null for none")
      }
      switches.latency = latency
    case .throttle:
      guard let text = try text("throttle", of: body, example: #""3mbit""#) else {
        switches.bytesPerSecond = nil
        break
      }
      guard let rate = BitRate.bytesPerSecond(written: text) else {
        throw Refusal(400, "'\(text)' is no rate; 3mbit and 500kbit are, and null for none")
      }
      switches.bytesPerSecond = rate
    }
    page.history.tell()
    return .json(200, .object([.switches(switches.status, among: page.catalogue.all)]))
  }

  private func raise(_ id: PackID) throws(Refusal) -> Response {
    guard let version = page.catalogue.raise(id) else {
      guard page.catalogue[id] == nil else {
        throw Refusal(409, "'\(id)' has the highest version there is")
      }
      let names = page.catalogue.all.map { "'\($0.id)'" }.joined(separator: ", ")
      throw Refusal(404, "there is no pack '\(id)'; there are \(names.isEmpty ? "none" : names)")
    }
    page.history.tell()
    return .json(
      200, .object([.init("id", .string(id.text)), .init("version", .integer(version))]))
  }

  // MARK: Reading bodies

  private func fault(_ body: [UInt8]) throws(Refusal) -> Fault {
    guard let text = try text("fault", of: body, example: #""level-*: cut 60%""#) else {
      throw Refusal(400, "'fault' takes a string")
    }
    do throws(FaultMistake) {
      return try Fault(parsing: text, in: .downloads)
    } catch {
      let place = error.place.map { " (character \($0.lowerBound + 1))" } ?? ""
      let parts = error.parts.map { "'\($0)'" }.joined(separator: ", then ")
      throw Refusal(
        400, error.reason + place + (parts.isEmpty ? "" : "; send one at a time: \(parts)"))
    }
  }

  /// The string of a key; nil for null.
  private func text(
    _ key: String, of body: [UInt8], example: String
  ) throws(Refusal) -> String? {
    let value = try value(key, of: body, example: example)
    guard value.kind == .string || value.kind == .null else {
      throw Refusal(400, "'\(key)' takes a string, as in {\"\(key)\": \(example)}")
    }
    return value.string
  }

  /// The value of the one key that a body has.
  private func value(
    _ key: String, of body: [UInt8], example: String
  ) throws(Refusal) -> JSONNode {
    let form = "{\"\(key)\": \(example)}"
    var limits = JSONLimits()
    limits.depth = 8
    let document = JSONDocument(parsing: SourceText(body, named: "body"), limits: limits)
    var findings = document.findings
    guard let root = document.root, root.kind == .object else {
      throw Refusal(400, "the body is no object; send \(form)")
    }
    let reader = JSONObjectReader(
      root, keys: [JSONKey(key, .anything, "")], owner: "the body", into: &findings)
    if let finding = findings.first(where: { $0.severity == .error }) {
      throw Refusal(400, "\(finding.message); send \(form)")
    }
    guard let value = reader[key] else { throw Refusal(400, "send \(form)") }
    return value
  }
}

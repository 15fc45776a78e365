import BAPackKit
import Faults
import HTTPServer
import SourceDiagnostics
import SystemIO

/// The control interface for tests; the real service does not have it.
///
/// | request | body | response |
/// |---|---|---|
/// | `GET /__mock/service` | | `{"service": "ID"}`: the ID in clients' upload journals |
/// | `GET /__mock/state` | | the complete state |
/// | `POST /__mock/advance` | `{"seconds": 600}` | the time |
/// | `POST /__mock/fault` | `{"fault": "PUT /upload/*: status 503 once"}` | the faults |
/// | `DELETE /__mock/fault` | the same, or no body for all faults | the faults |
/// | `POST /__mock/review` | `{"submission": "ID", "decision": "accept"}` | |
/// | `POST /__mock/review` | `{"version": "ID", "beta": "submit"}` | |
/// | `POST /__mock/reset` | | |
///
/// An error response is `{"error": "…"}` with a hint. Requests from pages of other sites, and
/// requests for a foreign host name, are refused.
struct ControlDesk {
  static let root = "/__mock/"

  private let mock: AppStoreMock

  init(_ mock: AppStoreMock) { self.mock = mock }

  private struct ControlRefusal: Error {
    let status: Int
    let reason: String

    init(_ status: Int, _ reason: String) {
      self.status = status
      self.reason = reason
    }
  }

  func respond(to request: Request) -> Response {
    do throws(ControlRefusal) {
      if let reason = request.head.foreignSiteReason(isSecure: request.isSecure) {
        throw ControlRefusal(403, reason)
      }
      return Self.response(200, try value(for: request))
    } catch {
      return Self.response(error.status, DeskResponse(error: error.reason).value)
    }
  }

  private static func response(_ status: Int, _ value: JSONValue) -> Response {
    Response(
      status, fields: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
      body: .bytes(JSONWriter.bytes(value, .readable)))
  }

  private func value(for request: Request) throws(ControlRefusal) -> JSONValue {
    let body = request.body
    switch (request.head.method, request.head.pathText.dropFirst(Self.root.count)) {
    case ("GET", "service"):
      return DeskResponse(service: mock.serviceID).value
    case ("GET", "state"):
      mock.settle()
      return MockState.table.value(of: mock.state)
    case ("POST", "advance"):
      mock.advance(seconds: Int64(try member(\.seconds, of: body)))
      return DeskResponse(now: mock.now).value
    case ("POST", "fault"):
      let fault = try fault(body)
      guard mock.with({ $0.faults.add(fault) }) else {
        throw ControlRefusal(
          409, "at most \(FaultBoard.capacity) faults can be on; switch some off")
      }
      return faults
    case ("DELETE", "fault") where body.isEmpty:
      mock.removeAllFaults()
      return faults
    case ("DELETE", "fault"):
      let fault = try fault(body)
      guard mock.with({ $0.faults.remove(fault) }) else {
        throw ControlRefusal(404, "the fault '\(fault)' is not on")
      }
      return faults
    case ("POST", "review"):
      try review(try read(body))
      return DeskResponse(isDone: true).value
    case ("POST", "reset"):
      mock.reset()
      return DeskResponse(isDone: true).value
    default:
      throw ControlRefusal(
        404,
        "unknown path; '\(Self.root)' supports GET service and state, "
          + "POST advance, fault, review and reset, and DELETE fault")
    }
  }

  private var faults: JSONValue {
    DeskResponse(faults: mock.with { $0.faults.all.map(\.description) }).value
  }

  private func fault(_ body: [UInt8]) throws(ControlRefusal) -> Fault {
    let text = try member(\.fault, of: body)
    do throws(FaultMistake) {
      return try Fault(parsing: text, in: .service)
    } catch {
      throw ControlRefusal(400, error.reason)
    }
  }

  private func review(_ body: DeskRequest) throws(ControlRefusal) {
    let (switches, now) = (mock.options.switches, mock.now)
    let problem: String?
    if let version = body.version, let step = body.beta {
      problem = mock.with { $0.store.decideBeta(step, on: version, switches, at: now) }
    } else if let submission = body.submission, let decision = body.decision {
      problem = mock.with { $0.store.decide(decision, on: submission, switches, at: now) }
    } else {
      throw ControlRefusal(
        400,
        "send \(DeskRequest.example(\.submission, \.decision)), or "
          + DeskRequest.example(\.version, \.beta))
    }
    if let problem { throw ControlRefusal(409, problem) }
    mock.keep()
  }

  private func read(_ body: [UInt8]) throws(ControlRefusal) -> DeskRequest {
    let source = SourceText(body, named: "body")
    let document = JSONDocument(parsing: source)
    guard !document.findings.hasErrors, let root = document.root, root.kind == .object else {
      throw ControlRefusal(400, "the body is not a JSON object")
    }
    var findings = Ledger(about: source)
    guard let request = DeskRequest.table.read(root, into: &findings), !findings.hasErrors else {
      throw ControlRefusal(400, findings.all.first?.message ?? "")
    }
    return request
  }

  private func member<Value>(
    _ property: any KeyPath<DeskRequest, Value?> & Sendable, of body: [UInt8]
  ) throws(ControlRefusal) -> Value {
    guard let value = try read(body)[keyPath: property] else {
      throw ControlRefusal(400, "send \(DeskRequest.example(property))")
    }
    return value
  }
}

/// The body of a request to the control interface; each request has some of the members.
private struct DeskRequest: Described {
  var seconds: Int?
  var fault: String?
  var submission: String?
  var decision: Store.Decision?
  var version: String?
  var beta: Store.BetaStep?

  static let table = Table("a request", blank: Self()) {
    Key(
      "seconds", \.seconds, .integer(in: 0...1 << 40), "The seconds to advance.", example: "600")
    Key(
      "fault", \.fault, .text, "The fault.", example: #""PUT /upload/*: status 503 once""#)
    Key("submission", \.submission, .text, "The ID of a submission.", example: #""ID""#)
    Key("decision", \.decision, .word, "The step of its review.", example: #""accept""#)
    Key("version", \.version, .text, "The ID of a version.", example: #""ID""#)
    Key("beta", \.beta, .word, "The step of its review for TestFlight.", example: #""submit""#)
  }

  /// An example of a body with the members for these properties.
  static func example(_ properties: PartialKeyPath<Self>...) -> String {
    let members = table.keys.compactMap { key -> String? in
      guard let json = key.json, let property = key.property, properties.contains(property) else {
        return nil
      }
      return "\"\(json.name)\": \(json.example)"
    }
    return "{\(members.joined(separator: ", "))}"
  }
}

/// A response of the control interface, except the state; each response has one of the members.
private struct DeskResponse: Described {
  var service: String?
  var now: Moment?
  var faults: [String]?
  var isDone: Bool?
  var error: String?

  static let table = Table<Self>(written: "a response") {
    Key("service", written: \.service, .text, "The ID of the service.")
    Key("now", written: \.now, .moment, "The time that determines transitions.")
    Key("faults", written: \.faults, .list(of: .text), "The faults that are on.")
    Key("done", written: \.isDone, .flag, "Whether the request succeeded.")
    Key("error", written: \.error, .text, "The reason why the request was refused.")
  }

  var value: JSONValue { Self.table.value(of: self) }
}

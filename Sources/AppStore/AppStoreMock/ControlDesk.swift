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

  func respond(to request: Request) -> Response {
    do throws(ControlError) {
      if let reason = request.head.foreignSiteReason(isSecure: request.isSecure) {
        throw ControlError(403, reason)
      }
      return Self.response(200, try value(for: request))
    } catch {
      return Self.response(error.status, ControlError.table.value(of: error))
    }
  }

  private static func response(_ status: Int, _ value: JSONValue) -> Response {
    Response(
      status, fields: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
      body: .bytes(JSONWriter.bytes(value, .readable)))
  }

  private func value(for request: Request) throws(ControlError) -> JSONValue {
    let body = request.body
    switch (request.head.method, request.head.pathText.dropFirst(Self.root.count)) {
    case ("GET", "service"):
      return DeskResponse(service: mock.serviceID).value
    case ("GET", "state"):
      mock.settle()
      return MockState.table.value(of: mock.state)
    case ("POST", "advance"):
      mock.advance(seconds: Int64(try ControlError.read(body, Self.seconds)))
      return DeskResponse(now: mock.now).value
    case (let method, "fault") where ["POST", "DELETE"].contains(method):
      try mock.apply(FaultChange(method, body))
      return DeskResponse(faults: mock.with { $0.faults.all.map(\.description) }).value
    case ("POST", "review"):
      try review(try ControlError.read(body, DeskReview.table, example: DeskReview.examples))
      return DeskResponse(isDone: true).value
    case ("POST", "reset"):
      mock.reset()
      return DeskResponse(isDone: true).value
    default:
      throw ControlError(
        404,
        "unknown path; '\(Self.root)' supports GET service and state, "
          + "POST advance, fault, review and reset, and DELETE fault")
    }
  }

  private func review(_ body: DeskReview) throws(ControlError) {
    let (switches, now) = (mock.options.switches, mock.now)
    let problem: String?
    if let version = body.version, let step = body.beta {
      problem = mock.with { $0.store.decideBeta(step, on: version, switches, at: now) }
    } else if let submission = body.submission, let decision = body.decision {
      problem = mock.with { $0.store.decide(decision, on: submission, switches, at: now) }
    } else {
      throw ControlError(400, "send \(DeskReview.examples)")
    }
    if let problem { throw ControlError(409, problem) }
    mock.keep()
  }

  /// The body of `advance`.
  private static let seconds = Table("the body", blank: 0, unknown: .refused) {
    Key(
      "seconds", \.self, .integer(in: 0...1 << 40), "The seconds to advance.", example: "600")
  }
}

/// The body of `review`, which has two of the members.
private struct DeskReview: Described {
  var submission: String?
  var decision: MockStore.Decision?
  var version: String?
  var beta: MockStore.BetaStep?

  static let table = Table("the body", blank: Self(), unknown: .refused) {
    Key("submission", \.submission, .text, "The ID of a submission.", example: #""ID""#)
    Key("decision", \.decision, .word, "The step of its review.", example: #""accept""#)
    Key("version", \.version, .text, "The ID of a version.", example: #""ID""#)
    Key("beta", \.beta, .word, "The step of its review for TestFlight.", example: #""submit""#)
  }

  /// The two forms of a body.
  static var examples: String {
    "\(example(\.submission, \.decision)), or \(example(\.version, \.beta))"
  }

  /// An example of a body with the members for these properties.
  private static func example(_ properties: PartialKeyPath<Self>...) -> String {
    let members = table.keys.compactMap { key -> String? in
      guard let json = key.json, let property = key.property, properties.contains(property) else {
        return nil
      }
      return "\"\(json.name)\": \(json.example)"
    }
    return "{\(members.joined(separator: ", "))}"
  }
}

/// A response of the control interface, except the state and errors; each response has one of
/// the members.
private struct DeskResponse: Described {
  var service: String?
  var now: Moment?
  var faults: [String]?
  var isDone: Bool?

  static let table = Table<Self>(written: "a response") {
    Key("service", written: \.service, .text, "The ID of the service.")
    Key("now", written: \.now, .moment, "The time that determines transitions.")
    Key("faults", written: \.faults, .list(of: .text), "The faults that are on.")
    Key("done", written: \.isDone, .flag, "Whether the request succeeded.")
  }

  var value: JSONValue { Self.table.value(of: self) }
}

import Faults
import HTTPServer
package import SourceDiagnostics
import SystemIO

/// The control interface for tests; the real service does not have it.
///
/// | request | body | response |
/// |---|---|---|
/// | `GET /__mock/service` | | `{"service": "ID"}`: the ID in clients' records of uploads |
/// | `GET /__mock/state` | | all there is |
/// | `POST /__mock/advance` | `{"seconds": 600}` | the time |
/// | `POST /__mock/fault` | `{"fault": "PUT /upload/*: status 503 once"}` | the faults |
/// | `DELETE /__mock/fault` | the same, or nothing for all faults | the faults |
/// | `POST /__mock/review` | `{"submission": "ID", "decision": "accept"}`, or `{"version": "ID", "beta": "submit"}` | |
/// | `POST /__mock/reset` | | |
///
/// A refusal is `{"error": "…"}` with a hint. Requests from pages of other sites are refused, and requests
/// for a name that does not belong to this machine.
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
      return Self.answer(200, try answer(request))
    } catch {
      return Self.answer(error.status, .members(["error": .string(error.reason)]))
    }
  }

  private static func answer(_ status: Int, _ value: JSONValue) -> Response {
    Response(
      status, fields: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
      body: .bytes(JSONWriter.bytes(value, .readable)))
  }

  private func answer(_ request: Request) throws(ControlRefusal) -> JSONValue {
    let body = request.body
    switch (request.head.method, request.head.pathText.dropFirst(Self.root.count)) {
    case ("GET", "service"):
      return .members(["service": .string(mock.serviceID)])
    case ("GET", "state"):
      mock.settle()
      return mock.state
    case ("POST", "advance"):
      let text = try member("seconds", of: body, example: "600").number
      guard let text, let seconds = Int64(text), (0...1 << 40).contains(seconds) else {
        throw ControlRefusal(400, "'seconds' takes a whole number from 0 on")
      }
      mock.advance(seconds: seconds)
      return .members(["now": .string(mock.now.description)])
    case ("POST", "fault"):
      let fault = try fault(body)
      guard mock.with({ $0.faults.add(fault) }) else {
        throw ControlRefusal(409, "\(FaultBoard.capacity) faults are on; switch them off")
      }
      return faults
    case ("DELETE", "fault") where body.isEmpty:
      mock.removeAllFaults()
      return faults
    case ("DELETE", "fault"):
      let fault = try fault(body)
      guard mock.with({ $0.faults.remove(fault) }) else {
        throw ControlRefusal(404, "'\(fault)' is not on")
      }
      return faults
    case ("POST", "review"):
      try review(body)
      return .members(["done": .bool(true)])
    case ("POST", "reset"):
      mock.reset()
      return .members(["done": .bool(true)])
    default:
      throw ControlRefusal(
        404,
        "'\(Self.root)' has GET service and state, POST advance, fault, review and reset, and DELETE fault"
      )
    }
  }

  private var faults: JSONValue {
    .members(["faults": .strings(mock.with { $0.faults.all.map(\.description) })])
  }

  private func fault(_ body: [UInt8]) throws(ControlRefusal) -> Fault {
    let text = try member("fault", of: body, example: #""PUT /upload/*: status 503 once""#)
    do throws(FaultMistake) {
      return try Fault(parsing: text.string ?? "", in: .service)
    } catch {
      throw ControlRefusal(400, error.reason)
    }
  }

  private func review(_ body: [UInt8]) throws(ControlRefusal) {
    let root = try object(body)
    let (switches, now) = (mock.options.switches, mock.now)
    let trouble: String?
    if let version = root["version"]?.string {
      guard let step = root["beta"]?.string.flatMap({ Store.BetaStep(rawValue: $0) }) else {
        let all = Store.BetaStep.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw ControlRefusal(400, "'beta' takes one of \(all)")
      }
      trouble = mock.with { $0.store.decideBeta(step, on: version, switches, at: now) }
    } else if let submission = root["submission"]?.string {
      guard let decision = root["decision"]?.string.flatMap({ Store.Decision(rawValue: $0) }) else {
        let all = Store.Decision.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw ControlRefusal(400, "'decision' takes one of \(all)")
      }
      trouble = mock.with { $0.store.decide(decision, on: submission, switches, at: now) }
    } else {
      throw ControlRefusal(
        400, "send {\"submission\": \"ID\", \"decision\": \"accept\"}, or a 'version' and 'beta'")
    }
    if let trouble { throw ControlRefusal(409, trouble) }
    mock.keep()
  }

  private func object(_ body: [UInt8]) throws(ControlRefusal) -> JSONNode {
    let document = JSONDocument(parsing: SourceText(body, named: "body"))
    guard !document.findings.hasErrors, let root = document.root, root.kind == .object else {
      throw ControlRefusal(400, "the body is no JSON object")
    }
    return root
  }

  private func member(
    _ name: String, of body: [UInt8], example: String
  ) throws(ControlRefusal) -> JSONNode {
    guard let value = try object(body)[name] else {
      throw ControlRefusal(400, "send {\"\(name)\": \(example)}")
    }
    return value
  }
}

extension AppStoreMock {
  /// All there is, for tests: nothing in it is secret.
  var state: JSONValue {
    let (now, contents) = (now, with { $0 })
    let store = contents.store
    return .members([
      "service": .string(store.service),
      "now": .string(now.description),
      "apps": .array(
        store.apps.all.map { app in
          .members([
            "id": .string(app.id), "bundleId": .string(app.bundleID),
            "appStoreVersion": .string(Store.appStoreVersion(of: app)),
            "platforms": .strings(app.platforms),
          ])
        }),
      "packs": .array(
        store.packs.all.map { pack in
          .members([
            "id": .string(pack.id), "app": .string(pack.appID),
            "identifier": .string(pack.identifier), "archived": .bool(pack.isArchived),
            "usedBytes": .integer(store.usedBytes(of: pack)),
            "versions": .array(store.versions(of: pack.id).map { Self.version($0, store) }),
          ])
        }),
      "submissions": .array(
        store.submissions.all.map { submission in
          .members([
            "id": .string(submission.id), "app": .string(submission.appID),
            "platform": .optional(submission.platform),
            "state": .string(submission.state.rawValue),
            "items": .array(
              store.items(of: submission.id).map { item in
                .members([
                  "id": .string(item.id), "state": .string(item.state.rawValue),
                  "version": .optional(item.versionID),
                  "appStoreVersion": .optional(item.appStoreVersionID),
                ])
              }),
          ])
        }),
      "faults": .strings(contents.faults.all.map(\.description)),
      "violations": .strings(contents.violations),
      "requests": .array(contents.events.map { .object($0.members) }),
    ])
  }

  private static func version(_ version: Version, _ store: Store) -> JSONValue {
    .members([
      "id": .string(version.id), "number": .integer(version.number),
      "state": .string(version.state.rawValue),
      "errors": .strings(version.details.errors.map(\.code)),
      "warnings": .strings(version.details.warnings.map(\.code)),
      "releases": .object(
        MockRelease.Kind.allCases.compactMap { kind in
          store.release(kind, of: version.id).map {
            .init(kind.relationship, .string($0.state.rawValue))
          }
        }),
      "files": .array(
        store.files(of: version.id).map { file in
          .members([
            "id": .string(file.id), "type": .string(file.kind.rawValue),
            "name": .string(file.name), "size": .integer(file.size),
            "state": .string(file.state.rawValue), "parts": .integer(file.parts.count),
            "missing": .array(
              file.parts.filter { $0.tag == nil }.map { .integer($0.number) }),
          ])
        }),
    ])
  }
}

extension MockEvent {
  /// The request as the log has it.
  package var members: [JSONValue.Member] {
    let members: [(String, JSONValue?)] = [
      ("number", .integer(number)), ("time", .string(time.description)),
      ("method", .string(method)), ("path", .string(path)),
      ("query", query.isEmpty ? nil : .string(query)), ("status", .integer(status)),
      ("bytes", .integer(received)), ("to", .string(isForStorage ? "storage" : "interface")),
      ("token", .bool(hasToken)), ("fault", fault.map { .string($0) }),
      ("remark", remark.map { .string($0) }),
      ("fields", .object(fields.map { .init($0.name, .string($0.value)) })),
      ("body", body.map { .string($0) }),
    ]
    return members.compactMap { key, value in value.map { .init(key, $0) } }
  }
}

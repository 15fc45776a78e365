import Faults
package import HTTPServer
import SourceDiagnostics
import SystemIO

extension AppStoreMock {
  /// A response before its conversion to HTTP.
  struct MockResponse: Sendable {
    var status: Int
    var value: JSONValue?
    var fields: ResponseFields = []
    /// The body, if it is not JSON.
    var raw: (type: String, bytes: [UInt8])?

    init(_ status: Int, _ value: JSONValue?) {
      self.status = status
      self.value = value
    }

    /// Returns an HTML page, as a proxy of the service sends it.
    static func page(_ status: Int, retryAfter seconds: Int?) -> MockResponse {
      var response = MockResponse(status, nil)
      if let seconds { response.fields.append(("Retry-After", "\(seconds)")) }
      let text =
        "<html><head><title>\(status)</title></head><body><h1>\(status)</h1></body></html>\n"
      response.raw = ("text/html", Array(text.utf8))
      return response
    }

    var bytes: [UInt8] { raw?.bytes ?? value.map { JSONWriter.bytes($0, .compact) } ?? [] }
  }

  /// Returns the response to a request to the interface.
  package func respond(to request: Request) -> Response {
    let head = request.head
    if head.path.starts(with: ControlDesk.root.utf8) {
      return ControlDesk(self).respond(to: request)
    }
    var event = MockEvent(request, at: options.clock.now)
    let fault = with { $0.faults.strike(.init(head.method, head.path)) }
    event.fault = fault?.description
    if fault?.effect == .drop {
      note(event)
      return Response(503, body: .noResponse)
    }
    var (reply, remark) = makeResponse(to: request, fault)
    event.remark = remark
    event.status = reply.status
    if let record = options.record, !head.pathText.hasPrefix("/v1/webhooks") {
      record(
        MockExchange(
          method: head.method, path: head.pathText, body: request.body, status: reply.status,
          response: reply.bytes, fault: fault?.description))
    }
    if fault?.effect == .applyAndDrop {
      note(event)
      return Response(503, body: .noResponse)
    }
    if fault?.effect == .truncate {
      let bytes = reply.bytes
      reply.raw = ("application/json", Array(bytes.prefix(bytes.count / 2)))
    }
    note(event)
    return response(reply, fault)
  }

  private func response(_ reply: MockResponse, _ fault: ServiceFault?) -> Response {
    var fields = reply.fields
    let bytes = reply.bytes
    if !bytes.isEmpty {
      fields.append(("Content-Type", reply.raw?.type ?? "application/json"))
    }
    if case .slow(let time) = fault?.effect {
      // Eight pieces, each after one eighth of the time.
      let step = time / 8
      return Response(
        reply.status, fields: fields,
        body: .writing(UInt64(bytes.count)) { writer throws(Failure) in
          let size = max(1, (bytes.count + 7) / 8)
          var place = 0
          while place < bytes.count {
            try writer.pause(for: step)
            try writer.write(Array(bytes[place..<min(bytes.count, place + size)]))
            place += size
          }
        })
    }
    return Response(reply.status, fields: fields, body: bytes.isEmpty ? .none : .bytes(bytes))
  }

  /// Returns the response, and a remark for the log.
  private func makeResponse(to request: Request, _ fault: ServiceFault?) -> (MockResponse, String?)
  {
    settle()
    let head = request.head
    let clock = options.clock.now
    let now = now
    let switches = options.switches
    let key = TokenCheck.keyID(in: head["authorization"]) ?? ""
    let (left, wait) = with { contents in
      let left = contents.budgets.count(key, limit: switches.rateLimit, at: now)
      return (left, contents.budgets.seconds(untilRoomFor: key, at: now))
    }
    var reply: MockResponse
    var remark: String?
    do throws(APIErrors) {
      if case .status(let status, let seconds) = fault?.effect {
        reply = .page(status, retryAfter: seconds)
      } else if case .tooMany(let wait) = fault?.effect {
        reply = refusal(APIErrors(.tooManyRequests))
        if let field = retryAfter(wait) { reply.fields.append(("Retry-After", field)) }
      } else if fault?.effect == .unauthorized {
        throw APIErrors(.notAuthorized("requested by a fault"))
      } else {
        reply =
          left == nil
          ? exhausted(wait, clock) : try perform(request, fault, clock, at: now)
      }
    } catch {
      remark = error.all.compactMap(\.secret).first
      var all = error.all
      if fault?.effect == .noSource {
        for index in all.indices { all[index].source = nil }
      }
      reply = refusal(APIErrors(all))
    }
    if let limit = switches.rateLimit(left: left ?? 0) {
      reply.fields.append(("X-Rate-Limit", limit))
    }
    return (reply, remark)
  }

  /// The response to a key with too many requests.
  private func exhausted(_ wait: Int64, _ clock: Moment) -> MockResponse {
    var reply = refusal(APIErrors(.tooManyRequests))
    switch options.switches.retryAfter {
    case .seconds: reply.fields.append(("Retry-After", "\(wait)"))
    case .date: reply.fields.append(("Retry-After", clock.adding(seconds: wait).httpText))
    case .none: break
    }
    return reply
  }

  /// The value of 'Retry-After'; a date follows the clock, because clients use the same clock.
  func retryAfter(_ wait: ServiceEffect.Wait) -> String? {
    switch wait {
    case .none: nil
    case .seconds(let seconds): "\(seconds)"
    case .date: options.clock.now.adding(seconds: 5).httpText
    case .past: options.clock.now.adding(seconds: -3600).httpText
    }
  }

  private func refusal(_ errors: APIErrors) -> MockResponse {
    // Errors have separate IDs, so that the other IDs do not depend on the number of errors.
    let value = JSONValue.members([
      "errors": .array(errors.all.map { error in error.value(id: makeErrorID) })
    ])
    return MockResponse(errors.status, value)
  }

  private func makeErrorID() -> String {
    with { contents in
      contents.errorCount += 1
      return MockStore.id(of: "\(contents.store.seed)/error/\(contents.errorCount)")
    }
  }

  // MARK: The steps of a request

  private func perform(
    _ request: Request, _ fault: ServiceFault?, _ clock: Moment, at now: Moment
  ) throws(APIErrors) -> MockResponse {
    let head = request.head
    let check = TokenCheck(keys: keys)
    if let problem = check.problem(with: head["authorization"], for: head.method, at: clock) {
      throw APIErrors(.notAuthorized(problem))
    }
    let (endpoint, id) = try Endpoint.find(head.method, head.path)
    if endpoint.action == .change(.createBetaReview),
      options.switches.betaReviewSubmissions == .absent
    {
      throw APIErrors(.pathNotFound)
    }
    let items = head.queryItems
    let query = try Query(items, for: endpoint)
    var document: CheckedDocument?
    if let table = endpoint.document {
      guard Self.isJSON(head["content-type"]) else { throw APIErrors(.wrongMediaType) }
      document = try table.check(request.body, id: id)
    } else if !request.body.isEmpty {
      throw APIErrors(.noDocument("This request cannot have a body.", at: ""))
    }
    let call = Call(
      endpoint: endpoint, id: id, query: query, items: items, path: head.pathText,
      base: base(for: head), document: document ?? CheckedDocument(), now: now)
    return try run(call, fault?.effect.distortion)
  }

  private static func isJSON(_ type: String?) -> Bool {
    type?.split(separator: ";").first?.lowercased().filter { $0 != " " } == "application/json"
  }

  /// Returns the address of the interface with the host of the request, if that is a valid name.
  private func base(for head: RequestHead) -> String {
    guard let host = head.host, options.otherHosts.contains(host) else { return options.base }
    return "https://\(host)"
  }
}

extension MockSettings {
  /// The value of 'X-Rate-Limit' with this number of requests left.
  fileprivate func rateLimit(left: Int) -> String? {
    switch rateLimitHeader {
    case .present: "user-hour-lim:\(rateLimit);user-hour-rem:\(left);"
    case .malformed: "user-hour-lim:;user-hour-rem=many"
    case .absent: nil
    }
  }
}

/// A request that passed all checks except those of the store.
struct Call: Sendable {
  let endpoint: Endpoint
  let id: String
  let query: Query
  let items: [(name: String, value: String)]
  let path: String
  let base: String
  let document: CheckedDocument
  let now: Moment

  /// The address of the request.
  var own: String { base + path + Rendering.text(of: items) }
}

import Faults
package import HTTPServer
import SourceDiagnostics
import SystemIO

extension AppStoreMock {
  /// An answer before it is one of HTTP.
  struct MockResponse: Sendable {
    var status: Int
    var value: JSONValue?
    var fields: [(name: String, value: String)] = []
    /// What goes out, where that is no JSON.
    var raw: (type: String, bytes: [UInt8])?

    init(_ status: Int, _ value: JSONValue?) {
      self.status = status
      self.value = value
    }

    /// A page of a server in front of the service.
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

  /// The answer to a request to the interface.
  package func respond(to request: Request) -> Response {
    let head = request.head
    if head.path.starts(with: ControlDesk.root.utf8) {
      return ControlDesk(self).respond(to: request)
    }
    var event = MockEvent(request, at: options.clock.now)
    let fault = with { $0.faults.strike(.request(method: head.method, path: head.path)) }
    event.fault = fault?.description
    if fault?.effect == .service(.drop) {
      note(event)
      return Response(503, body: .silence)
    }
    var (answer, remark) = self.answer(request, fault)
    event.remark = remark
    event.status = answer.status
    if let record = options.record {
      record(
        MockExchange(
          method: head.method, path: head.pathText, body: request.body, status: answer.status,
          answer: answer.bytes, fault: fault?.description))
    }
    if fault?.effect == .service(.applyAndDrop) {
      note(event)
      return Response(503, body: .silence)
    }
    if fault?.effect == .truncate {
      let bytes = answer.bytes
      answer.raw = ("application/json", Array(bytes.prefix(bytes.count / 2)))
    }
    note(event)
    return response(answer, fault)
  }

  private func response(_ answer: MockResponse, _ fault: Fault?) -> Response {
    var fields = answer.fields
    let bytes = answer.bytes
    if !bytes.isEmpty {
      fields.append(("Content-Type", answer.raw?.type ?? "application/json"))
    }
    if case .slow(let time) = fault?.effect.ofService {
      // Eight pieces, each after an eighth of the time.
      let step = time / 8
      return Response(
        answer.status, fields: fields,
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
    return Response(answer.status, fields: fields, body: bytes.isEmpty ? .none : .bytes(bytes))
  }

  /// The answer, and what is only for the log.
  private func answer(_ request: Request, _ fault: Fault?) -> (MockResponse, String?) {
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
    var answer: MockResponse
    var remark: String?
    do throws(APIErrors) {
      switch fault?.effect {
      case .status(let status, let seconds):
        answer = .page(status, retryAfter: seconds)
      case .service(.tooMany(let wait)):
        answer = refusal(APIErrors(.tooManyRequests))
        if let field = retryAfter(wait) { answer.fields.append(("Retry-After", field)) }
      case .service(.unauthorized):
        throw APIErrors(.notAuthorized("this fault was asked for"))
      case .cut, .reset, .stall, .truncate, .corrupt, .stale, .notJSON, .tlsClose, nil,
        .service(.drop), .service(.applyAndDrop), .service(.storage), .service(.noTag),
        .service(.noSource), .service(.slow), .service(.expired), .service(.distorted):
        answer =
          left == nil
          ? exhausted(wait, clock) : try perform(request, fault, clock, at: now)
      }
    } catch {
      remark = error.all.compactMap(\.secret).first
      var all = error.all
      if fault?.effect == .service(.noSource) {
        for index in all.indices { all[index].source = nil }
      }
      answer = refusal(APIErrors(all))
    }
    if let limit = switches.rateLimit(left: left ?? 0) {
      answer.fields.append(("X-Rate-Limit", limit))
    }
    return (answer, remark)
  }

  /// The response to a key with too many requests.
  private func exhausted(_ wait: Int64, _ clock: Moment) -> MockResponse {
    var answer = refusal(APIErrors(.tooManyRequests))
    switch options.switches.retryAfter {
    case .seconds: answer.fields.append(("Retry-After", "\(wait)"))
    case .date: answer.fields.append(("Retry-After", clock.adding(seconds: wait).httpText))
    case .none: break
    }
    return answer
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
    // Errors have IDs of their own, so that the others do not depend on how many there were.
    let value = JSONValue.members([
      "errors": .array(errors.all.map { error in error.value(id: makeErrorID) })
    ])
    return MockResponse(errors.status, value)
  }

  private func makeErrorID() -> String {
    with { contents in
      contents.errorCount += 1
      return Store.id(of: "\(contents.store.seed)/error/\(contents.errorCount)")
    }
  }

  // MARK: The steps of a request

  private func perform(
    _ request: Request, _ fault: Fault?, _ clock: Moment, at now: Moment
  ) throws(APIErrors) -> MockResponse {
    let head = request.head
    let check = TokenCheck(keys: keys)
    if let trouble = check.trouble(with: head["authorization"], for: head.method, at: clock) {
      throw APIErrors(.notAuthorized(trouble))
    }
    let (endpoint, id) = try Endpoint.find(head.method, head.path)
    let items = head.queryItems
    let query = try Query(items, for: endpoint)
    var document: CheckedDocument?
    if let table = endpoint.document {
      guard Self.isJSON(head["content-type"]) else { throw APIErrors(.wrongMediaType) }
      document = try table.check(request.body, id: id)
    } else if !request.body.isEmpty {
      throw APIErrors(.noDocument("This request takes no body.", at: ""))
    }
    let call = Call(
      endpoint: endpoint, id: id, query: query, items: items, path: head.pathText,
      base: base(for: head), document: document ?? CheckedDocument(), now: now)
    return try run(call, fault?.effect.ofService?.distortion)
  }

  private static func isJSON(_ type: String?) -> Bool {
    type?.split(separator: ";").first?.lowercased().filter { $0 != " " } == "application/json"
  }

  /// Our address as the client called it, if that is one of our names.
  private func base(for head: RequestHead) -> String {
    guard let host = head.host, options.otherHosts.contains(host) else { return options.base }
    return "https://\(host)"
  }
}

extension Switches {
  /// The value of 'X-Rate-Limit' with this number of requests left.
  fileprivate func rateLimit(left: Int) -> String? {
    switch rateLimitHeader {
    case .present: "user-hour-lim:\(rateLimit);user-hour-rem:\(left);"
    case .malformed: "user-hour-lim:;user-hour-rem=many"
    case .absent: nil
    }
  }
}

/// A request that passed all checks but those of the store.
struct Call: Sendable {
  let endpoint: Endpoint
  let id: String
  let query: Query
  let items: [(name: String, value: String)]
  let path: String
  let base: String
  let document: CheckedDocument
  let now: Moment

  /// The address that was asked for.
  var own: String { base + path + Rendering.text(of: items) }
}

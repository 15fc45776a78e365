import SystemIO
import TerminalText

/// The exchange of requests and responses with one client.
struct Conversation {
  private let wire: Wire
  private let shared: HTTPServer.Shared
  private let ownAddress: SocketAddress
  private let peerHost: String

  private var handler: HTTPServer.Handler { shared.handler }
  private var limits: HTTPServer.Limits { shared.limits }

  init(_ connection: consuming Connection, _ shared: HTTPServer.Shared) {
    self.shared = shared
    ownAddress = (try? connection.ownAddress()) ?? .loopback()
    peerHost = connection.peer.hostText
    wire = Wire(connection, pieces: shared.pieces)
  }

  /// Responds to requests until one side closes the connection.
  func run(isTooMany: Bool) {
    var discards = false
    do throws(Failure) {
      if try !encrypt(isTooMany ? Self.refusalTime : limits.headTime) {
        discards = true
        try refuse(RequestError(400, "this port requires TLS; use https://\(ownAddress)"))
      } else if isTooMany {
        discards = true
        try refuse(RequestError(503, "too many connections; try again later"))
      } else {
        while try respondToNext(&discards) {}
      }
    } catch {
      // The client closed the connection, or the server stops.
    }
    wire.close(discarding: discards && !wire.isBroken)
  }

  private static let refusalTime = Duration.seconds(2)

  /// Starts TLS if the server uses it; returns false for a client that sends plain HTTP.
  private func encrypt(_ time: Duration) throws(Failure) -> Bool {
    guard let tls = shared.tls else { return true }
    wire.set(deadline: .now + time, timeout: nil, shared.cut.current)
    do throws(Failure) {
      return try wire.encrypt(tls, at: ownAddress)
    } catch {
      // A client that closes the connection before the handshake is not reported.
      if error.isAboutBytes {
        handler.handshakeFailed(wire.peer, wire.isDistrusted ? .distrust : .other(error))
      }
      throw error
    }
  }

  /// Responds to one request; returns false after the last one.
  private func respondToNext(_ discards: inout Bool) throws(Failure) -> Bool {
    wire.set(deadline: .now + limits.idleTime, timeout: nil, shared.idle)
    do throws(Failure) {
      guard try wire.waitForRequest() else { return false }
    } catch {
      // Without a request there is no response.
      return false
    }
    var read: RequestHead?
    do {
      read = try readHead()
      guard let head = read else { return false }
      if let outcome = try respondWhileReceiving(head) {
        discards = outcome.leavesBody
        return outcome.continues
      }
      if hasUnexpectedBody(head) {
        discards = true
        return try respond(to: head, [], last: true)
      }
      guard let body = try readBody(of: head) else { return false }
      return try respond(to: head, body)
    } catch let error as RequestError {
      discards = true
      try refuse(error, read)
      return false
    } catch let failure as Failure {
      throw failure
    } catch {
      return false
    }
  }

  private func readHead() throws -> RequestHead? {
    wire.set(deadline: .now + limits.headTime, timeout: nil, shared.idle)
    let bytes: [UInt8]?
    do throws(Failure) {
      bytes = try wire.head(atMost: limits.request.headSize)
    } catch {
      if case .timedOut = error.kind {
        throw RequestError(408, "timed out reading the request header")
      }
      throw error
    }
    guard let bytes else { return nil }
    var request = limits.request
    // The method and the path decide whether a body is allowed. Both are checked later.
    request.acceptsChunks = true
    return try RequestHead(parsing: bytes[...], limits: request)
  }

  /// Whether a request other than `GET` and `HEAD` has a body that the handler does not expect.
  ///
  /// The response of the handler then reports the error of the request, such as its method. The
  /// body is not read, so the connection is closed after the response.
  private func hasUnexpectedBody(_ head: RequestHead) -> Bool {
    guard head.isChunked || head.bodySize ?? 0 > 0, head.method != "GET", head.method != "HEAD"
    else { return false }
    return handler.bodyLimit(head) == nil
  }

  private func respond(
    to head: RequestHead, _ body: [UInt8], last isLast: Bool = false
  ) throws(Failure) -> Bool {
    let request = Request(
      head: head, body: body, peer: wire.peer, peerHost: peerHost, ownAddress: ownAddress,
      isSecure: shared.tls != nil)
    // Read before the handler runs: from here on, a call that ends all responses also ends this
    // one.
    let cut = shared.cut.current
    wire.set(deadline: nil, timeout: limits.stallTime, cut)
    return try send(handler.respond(request), to: head, cut, last: isLast)
  }

  private func readBody(of head: RequestHead) throws -> [UInt8]? {
    let limit = handler.bodyLimit(head)
    guard let size = head.bodySize else {
      if limit != nil || head.isChunked {
        throw RequestError(411, "a request body requires 'Content-Length'")
      }
      return []
    }
    guard size <= UInt64(limit ?? 0) else {
      throw RequestError(
        413, limit.map { "the body exceeds \($0) bytes" } ?? "this request cannot have a body")
    }
    if let expectation = head["expect"], !head.expectsContinue {
      throw RequestError(417, "unsupported expectation '\(expectation)'")
    }
    if size == 0 { return [] }
    wire.set(deadline: .now + limits.bodyTime, timeout: nil, shared.cut.current)
    if head.expectsContinue { try wire.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    do throws(Failure) {
      return try wire.body(Int(size))
    } catch {
      if case .timedOut = error.kind {
        throw RequestError(408, "timed out reading the request body")
      }
      throw error
    }
  }

  /// Responds to a request whose body is read in pieces; returns nil for other requests.
  private func respondWhileReceiving(
    _ head: RequestHead
  ) throws -> (continues: Bool, leavesBody: Bool)? {
    guard let receive = handler.receive, !head.isChunked || handler.acceptsChunks else {
      return nil
    }
    let request = Request(
      head: head, body: [], peer: wire.peer, peerHost: peerHost, ownAddress: ownAddress,
      isSecure: shared.tls != nil)
    let cut = shared.cut.current
    wire.set(deadline: nil, timeout: limits.stallTime, cut)
    var reader = BodyReader(wire, for: head)
    let response: Response?
    do throws(Failure) {
      response = try receive(request, &reader)
    } catch {
      switch error.kind {
      case .timedOut: throw RequestError(408, "timed out reading the request body")
      case .malformed(let reason): throw RequestError(400, reason)
      default: throw error
      }
    }
    guard let response else { return nil }
    // Unread bytes of the body must not be parsed as the next request.
    let isRead = reader.left == 0
    return (try send(response, to: head, cut, last: !isRead), !isRead)
  }

  // MARK: Responses

  /// Sends a response; returns false if it ends the connection.
  private func send(
    _ response: Response, to head: RequestHead, _ cut: Work, last isLast: Bool = false
  ) throws(Failure) -> Bool {
    let start = ContinuousClock.now
    let size = response.body.size
    let keepsAlive = head.keepsAlive && size != nil && !isLast
    let isHeadOnly = head.method == "HEAD" || response.status == 304 || response.status == 204
    let bytes = Self.head(
      response, date: shared.date.now,
      size: response.status == 204 || response.status == 304 ? nil : size, keepsAlive: keepsAlive)
    var sent: UInt64 = 0
    var isWhole = false
    defer {
      response.onEnd?(
        Response.Outcome(
          status: wire.hasSentHead ? response.status : nil, bodyBytes: sent, isWhole: isWhole,
          duration: .now - start))
    }
    wire.hold(bytes)
    if response.delay > .zero { try wire.pause(until: .now + response.delay, cut) }
    if case .noResponse = response.body {
      wire.end(by: .cut)
      return false
    }
    if isHeadOnly {
      try wire.flush()
      isWhole = true
      return keepsAlive
    }
    switch response.body {
    case .none, .noResponse:
      try wire.flush()
      isWhole = true
    case .bytes(let body):
      try wire.write(body)
      sent = UInt64(body.count)
      isWhole = true
    case .writing(_, let write), .writingToEnd(let write):
      let end = size == nil ? shared.idle : cut
      if size == nil {
        // The next write can be at any time.
        wire.set(deadline: nil, timeout: limits.stallTime, end)
        try wire.flush()
      }
      var writer = BodyWriter(wire, room: size, cut: end)
      do throws(Failure) {
        try write(&writer)
        try wire.flush()
      } catch {
        sent = writer.count
        // The response is shorter than its announced size.
        wire.end(by: .cut)
        throw error
      }
      sent = writer.count
      isWhole = writer.isWhole && !wire.isEnding
      if !isWhole, !wire.isEnding { wire.end(by: .cut) }
    }
    return keepsAlive && isWhole
  }

  private static let okLine = Array("HTTP/1.1 200 OK\r\n".utf8)
  private static let lengthName = Array("Content-Length: ".utf8)
  private static let lineEnd = Array("\r\n".utf8)
  private static let keepAliveLine = Array("Connection: keep-alive\r\n\r\n".utf8)
  private static let closeLine = Array("Connection: close\r\n\r\n".utf8)

  private static func head(
    _ response: Response, date: [UInt8], size: UInt64?, keepsAlive: Bool
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    if response.status == 200 {
      bytes += okLine
    } else {
      bytes += "HTTP/1.1 \(response.status) \(HTTPStatus.phrase(for: response.status))\r\n".utf8
    }
    bytes += date
    bytes += response.fields.bytes
    if let size {
      bytes += lengthName
      bytes += String(size).utf8
      bytes += lineEnd
    }
    bytes += keepsAlive ? keepAliveLine : closeLine
    return bytes
  }

  /// Sends an error response, and ends the connection.
  private func refuse(_ error: RequestError, _ head: RequestHead? = nil) throws(Failure) {
    handler.refused(wire.peer, error, head)
    wire.set(deadline: .now + Self.refusalTime, timeout: nil, shared.cut.current)
    let response = Response.text(error.status, error.reason)
    guard case .bytes(let body) = response.body else { return }
    let head = Self.head(
      response, date: shared.date.now, size: UInt64(body.count), keepsAlive: false)
    try wire.write(head + body)
  }
}

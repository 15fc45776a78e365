import SystemIO
import TerminalText

/// What a server and one client say to each other, from the first byte to the last.
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

  /// Answers requests until one side ends.
  func run(isTooMany: Bool) {
    var discards = false
    do throws(Failure) {
      if try !encrypt(isTooMany ? Self.refusalTime : limits.headTime) {
        discards = true
        try refuse(RequestFault(400, "this port speaks TLS: ask for https://\(ownAddress)"))
      } else if isTooMany {
        discards = true
        try refuse(RequestFault(503, "there are too many connections; come again"))
      } else {
        while try answerNext(&discards) {}
      }
    } catch {
      // The client has gone, or the server stops: there is nobody to tell.
    }
    wire.close(discarding: discards && !wire.isBroken)
  }

  private static let refusalTime = Duration.seconds(2)

  /// Encrypts the connection, where that is wanted; false for a client that asks without.
  private func encrypt(_ time: Duration) throws(Failure) -> Bool {
    guard let tls = shared.tls else { return true }
    wire.set(deadline: .now + time, timeout: nil, shared.cut.current)
    do throws(Failure) {
      return try wire.encrypt(tls, at: ownAddress)
    } catch {
      // Who just hangs up has said nothing.
      if error.isAboutBytes {
        handler.unagreed(wire.peer, wire.isDistrusted ? .distrust : .other(error))
      }
      throw error
    }
  }

  /// Answers one request; false when it was the last one.
  private func answerNext(_ discards: inout Bool) throws(Failure) -> Bool {
    wire.set(deadline: .now + limits.idleTime, timeout: nil, shared.idle)
    do throws(Failure) {
      guard try wire.waitForRequest() else { return false }
    } catch {
      // Nothing was asked, and nothing needs to be said.
      return false
    }
    var read: RequestHead?
    do {
      read = try readHead()
      guard let head = read else { return false }
      if let outcome = try answerReceiving(head) {
        discards = outcome.leavesBody
        return outcome.goesOn
      }
      if hasUnexpectedBody(head) {
        discards = true
        return try respond(to: head, [], last: true)
      }
      guard let body = try readBody(of: head) else { return false }
      return try respond(to: head, body)
    } catch let fault as RequestFault {
      discards = true
      try refuse(fault, read)
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
        throw RequestFault(408, "the head of the request took too long")
      }
      throw error
    }
    guard let bytes else { return nil }
    var request = limits.request
    // The method and the path decide whether a body is allowed. Both are checked later.
    request.takesChunks = true
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
    return try answer(handler.respond(request), to: head, cut, last: isLast)
  }

  private func readBody(of head: RequestHead) throws -> [UInt8]? {
    let limit = handler.bodyLimit(head)
    guard let size = head.bodySize else {
      if limit != nil || head.isChunked { throw RequestFault(411, "a body needs 'Content-Length'") }
      return []
    }
    guard size <= UInt64(limit ?? 0) else {
      throw RequestFault(
        413, limit.map { "a body of more than \($0) bytes" } ?? "no body is expected here")
    }
    if let expectation = head["expect"], !head.expectsContinue {
      throw RequestFault(417, "'\(expectation)' is not understood")
    }
    if size == 0 { return [] }
    wire.set(deadline: .now + limits.bodyTime, timeout: nil, shared.cut.current)
    if head.expectsContinue { try wire.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    do throws(Failure) {
      return try wire.body(Int(size))
    } catch {
      if case .timedOut = error.kind { throw RequestFault(408, "the body took too long") }
      throw error
    }
  }

  /// Answers a request whose body is taken piece by piece; nil for any other one.
  private func answerReceiving(
    _ head: RequestHead
  ) throws -> (goesOn: Bool, leavesBody: Bool)? {
    guard !head.isChunked || handler.takesChunks else { return nil }
    let request = Request(
      head: head, body: [], peer: wire.peer, peerHost: peerHost, ownAddress: ownAddress,
      isSecure: shared.tls != nil)
    let cut = shared.cut.current
    wire.set(deadline: nil, timeout: limits.stallTime, cut)
    var reader = BodyReader(wire, for: head)
    let response: Response?
    do throws(Failure) {
      response = try handler.receive(request, &reader)
    } catch {
      switch error.kind {
      case .timedOut: throw RequestFault(408, "the body took too long")
      case .malformed(let reason): throw RequestFault(400, reason)
      default: throw error
      }
    }
    guard let response else { return nil }
    // What is left of the body would be taken for the next request.
    let isTaken = reader.left == 0
    return (try answer(response, to: head, cut, last: !isTaken), !isTaken)
  }

  // MARK: Answering

  /// Sends an answer; false when the connection ends with it.
  private func answer(
    _ response: Response, to head: RequestHead, _ cut: Work, last isLast: Bool = false
  ) throws(Failure) -> Bool {
    let start = ContinuousClock.now
    let size = response.body.size
    let goesOn = head.keepsAlive && size != nil && !isLast
    let isHeadOnly = head.method == "HEAD" || response.status == 304 || response.status == 204
    let bytes = Self.head(
      response, date: shared.date.now,
      size: response.status == 204 || response.status == 304 ? nil : size, keepsAlive: goesOn)
    var sent: UInt64 = 0
    var isWhole = false
    defer {
      response.whenOver?(
        Response.Outcome(
          status: wire.hasSentHead ? response.status : nil, bodyBytes: sent, isWhole: isWhole,
          duration: .now - start))
    }
    wire.hold(bytes)
    if response.delay > .zero { try wire.pause(until: .now + response.delay, cut) }
    if case .silence = response.body {
      wire.end(by: .cut)
      return false
    }
    if isHeadOnly {
      try wire.flush()
      isWhole = true
      return goesOn
    }
    switch response.body {
    case .none, .silence:
      try wire.flush()
      isWhole = true
    case .bytes(let body):
      try wire.write(body)
      sent = UInt64(body.count)
      isWhole = true
    case .writing(_, let write), .writingToEnd(let write):
      let end = size == nil ? shared.idle : cut
      if size == nil {
        // Nobody knows when there is something to say.
        wire.set(deadline: nil, timeout: limits.stallTime, end)
        try wire.flush()
      }
      var writer = BodyWriter(wire, room: size, cut: end)
      do throws(Failure) {
        try write(&writer)
        try wire.flush()
      } catch {
        sent = writer.count
        // The client was promised more than there is.
        wire.end(by: .cut)
        throw error
      }
      sent = writer.count
      isWhole = writer.isWhole && !wire.isEnding
      if !isWhole, !wire.isEnding { wire.end(by: .cut) }
    }
    return goesOn && isWhole
  }

  private static func head(
    _ response: Response, date: [UInt8], size: UInt64?, keepsAlive: Bool
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    bytes += "HTTP/1.1 ".utf8
    bytes += String(response.status).utf8
    bytes.append(UInt8(ascii: " "))
    bytes += HTTPStatus.phrase(for: response.status).utf8
    bytes += "\r\n".utf8
    bytes += date
    for (name, value) in response.fields {
      bytes += name.utf8
      bytes += ": ".utf8
      bytes += value.utf8
      bytes += "\r\n".utf8
    }
    if let size {
      bytes += "Content-Length: ".utf8
      bytes += String(size).utf8
      bytes += "\r\n".utf8
    }
    bytes += (keepsAlive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n").utf8
    return bytes
  }

  /// Tells a client why its request is not answered, and ends.
  private func refuse(_ fault: RequestFault, _ head: RequestHead? = nil) throws(Failure) {
    handler.refused(wire.peer, fault, head)
    wire.set(deadline: .now + Self.refusalTime, timeout: nil, shared.cut.current)
    let response = Response.text(fault.status, fault.reason)
    guard case .bytes(let body) = response.body else { return }
    let head = Self.head(
      response, date: shared.date.now, size: UInt64(body.count), keepsAlive: false)
    try wire.write(head + body)
  }
}

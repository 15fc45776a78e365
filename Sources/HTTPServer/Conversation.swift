import SystemIO

/// What a server and one client say to each other, from the first byte to the last.
struct Conversation {
  private let wire: Wire
  private let tls: TLSContext?
  private let handler: HTTPServer.Handler
  private let limits: HTTPServer.Limits
  private let idleEnd: Alarm
  private let cut: Alarm
  private let ownAddress: SocketAddress

  init(
    _ connection: consuming Connection, tls: TLSContext?, handler: HTTPServer.Handler,
    limits: HTTPServer.Limits, idleEnd: Alarm, cut: Alarm
  ) {
    self.tls = tls
    self.handler = handler
    self.limits = limits
    self.idleEnd = idleEnd
    self.cut = cut
    var connection = connection
    connection.hearsSignals = false
    ownAddress = (try? connection.ownAddress()) ?? .loopback()
    wire = Wire(connection)
  }

  /// Answers requests until one side ends.
  func run(isTooMany: Bool) {
    var discards = false
    do throws(Failure) {
      if let tls {
        wire.set(deadline: .now + limits.headTime, timeout: nil, alarm: cut)
        try wire.encrypt(tls, at: ownAddress)
      }
      if isTooMany {
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

  /// Answers one request; false when it was the last one.
  private func answerNext(_ discards: inout Bool) throws(Failure) -> Bool {
    wire.set(deadline: .now + limits.idleTime, timeout: nil, alarm: idleEnd)
    do throws(Failure) {
      guard try wire.waitForRequest() else { return false }
    } catch {
      // Nothing was asked, and nothing needs to be said.
      return false
    }
    do {
      let head = try readHead()
      guard let head else { return false }
      let body = try readBody(of: head)
      guard let body else { return false }
      let request = Request(
        head: head, body: body, peer: wire.peer, ownAddress: ownAddress, isSecure: tls != nil)
      wire.set(deadline: nil, timeout: limits.stallTime, alarm: cut)
      return try answer(handler.respond(request), to: head)
    } catch let fault as RequestFault {
      discards = true
      try refuse(fault)
      return false
    } catch let failure as Failure {
      throw failure
    } catch {
      return false
    }
  }

  private func readHead() throws -> RequestHead? {
    wire.set(deadline: .now + limits.headTime, timeout: nil, alarm: idleEnd)
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
    return try RequestHead(parsing: bytes[...], limits: limits.request)
  }

  private func readBody(of head: RequestHead) throws -> [UInt8]? {
    let limit = handler.bodyLimit(head)
    guard let size = head.bodySize else {
      if limit != nil { throw RequestFault(411, "a body needs 'Content-Length'") }
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
    wire.set(deadline: .now + limits.headTime + .seconds(45), timeout: nil, alarm: cut)
    if head.expectsContinue { try wire.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    do throws(Failure) {
      return try wire.body(Int(size))
    } catch {
      if case .timedOut = error.kind { throw RequestFault(408, "the body took too long") }
      throw error
    }
  }

  // MARK: Answering

  /// Sends an answer; false when the connection ends with it.
  private func answer(_ response: Response, to head: RequestHead) throws(Failure) -> Bool {
    let start = ContinuousClock.now
    let size = response.body.size
    let goesOn = head.keepsAlive && size != nil
    let isHeadOnly = head.method == "HEAD" || response.status == 304 || response.status == 204
    var bytes = Self.head(
      response, size: response.status == 204 || response.status == 304 ? nil : size,
      keepsAlive: goesOn)
    var sent: UInt64 = 0
    var isWhole = false
    defer {
      response.whenOver?(
        Response.Outcome(
          status: response.status, bodyBytes: sent, isWhole: isWhole, duration: .now - start))
    }
    if response.delay > .zero {
      let writer = BodyWriter(wire, room: 0, cut: cut)
      try writer.pause(for: response.delay)
    }
    if case .silence = response.body {
      wire.end(by: .cut)
      return false
    }
    if isHeadOnly {
      try wire.write(bytes)
      isWhole = true
      return goesOn
    }
    switch response.body {
    case .none, .silence:
      try wire.write(bytes)
      isWhole = true
    case .bytes(let body):
      // One write, so that it goes out in one piece.
      bytes += body
      try wire.write(bytes)
      sent = UInt64(body.count)
      isWhole = true
    case .writing(_, let write), .writingToEnd(let write):
      try wire.write(bytes)
      let end = size == nil ? idleEnd : cut
      if size == nil { wire.set(deadline: nil, timeout: limits.stallTime, alarm: end) }
      var writer = BodyWriter(wire, room: size, cut: end)
      do throws(Failure) {
        try write(&writer)
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

  private static func head(_ response: Response, size: UInt64?, keepsAlive: Bool) -> [UInt8] {
    var text = "HTTP/1.1 \(response.status) \(HTTPStatus.words(for: response.status))\r\n"
    text += "Date: \(Moment.now.httpText)\r\n"
    for (name, value) in response.fields { text += "\(name): \(value)\r\n" }
    if let size { text += "Content-Length: \(size)\r\n" }
    text += keepsAlive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n"
    return Array(text.utf8)
  }

  /// Tells a client why its request is not answered, and ends.
  private func refuse(_ fault: RequestFault) throws(Failure) {
    handler.refused(wire.peer, fault)
    wire.set(deadline: .now + .seconds(2), timeout: nil, alarm: cut)
    let response = Response.text(fault.status, fault.reason)
    guard case .bytes(let body) = response.body else { return }
    try wire.write(Self.head(response, size: UInt64(body.count), keepsAlive: false) + body)
  }
}

extension Wire {
  func write(_ bytes: [UInt8]) throws(Failure) { try unsafe write(bytes.span.bytes) }
}

package import SystemIO

/// A server for HTTP/1.1, independent of the content that it serves.
///
/// Each connection has its own thread, which can block; ``Limits/connections`` bounds their number.
package final class HTTPServer: Sendable {
  /// Limits of a server: connections, header size, timeouts.
  package struct Limits: Sendable {
    package var request = RequestLimits()
    /// The maximum number of open connections; further clients get status 503.
    package var connections = 1024
    /// The maximum duration of the TLS handshake, and of receiving a request header.
    package var headTime: Duration = .seconds(15)
    /// The maximum duration of receiving a request body.
    package var bodyTime: Duration = .seconds(60)
    /// The maximum idle time between two requests.
    package var idleTime: Duration = .seconds(60)
    /// The maximum time without progress while a response is sent.
    package var stallTime: Duration = .seconds(60)

    package init() {}
  }

  /// The functions that respond to requests.
  package struct Handler: Sendable {
    package typealias Receiver =
      @Sendable (Request, inout BodyReader) throws(Failure) -> Response?

    /// Returns the maximum size of a body; nil if the request cannot have a body.
    package var bodyLimit: @Sendable (RequestHead) -> Int?
    /// Responds to a request with a body that is too large for memory, and reads it in pieces.
    ///
    /// Returns nil, without reading the body, for other requests.
    package var receive: Receiver?
    /// Whether `receive` also gets bodies in chunks, whose size is unknown; otherwise these
    /// requests are refused.
    package var acceptsChunks: Bool
    /// Responds to a request; called on the threads of the connections.
    package var respond: @Sendable (Request) -> Response
    /// Called for each request that is refused before `respond`, with its head if the head was
    /// valid.
    package var refused: @Sendable (SocketAddress, RequestError, RequestHead?) -> Void
    /// Called for each client with which the TLS handshake fails, with the reason.
    package var handshakeFailed: @Sendable (SocketAddress, HandshakeFailure) -> Void
    /// Called once, before the first request, with the object that ends responses in progress.
    package var attached: @Sendable (ResponseCut) -> Void = { _ in }

    package init(
      bodyLimit: @escaping @Sendable (RequestHead) -> Int? = { _ in nil },
      receive: Receiver? = nil,
      acceptsChunks: Bool = false,
      refused: @escaping @Sendable (SocketAddress, RequestError, RequestHead?) -> Void = {
        _, _, _ in
      },
      handshakeFailed: @escaping @Sendable (SocketAddress, HandshakeFailure) -> Void = { _, _ in },
      respond: @escaping @Sendable (Request) -> Response
    ) {
      self.bodyLimit = bodyLimit
      self.receive = receive
      self.acceptsChunks = acceptsChunks
      self.refused = refused
      self.handshakeFailed = handshakeFailed
      self.respond = respond
    }
  }

  /// The reason why a TLS handshake failed.
  package enum HandshakeFailure: Sendable {
    /// The client does not trust the certificate of the server.
    case distrust
    case other(Failure)
  }

  /// The listener, until the accepting thread removes it.
  private let listener: Guarded<Listener?>
  /// The address of the listener.
  package let address: SocketAddress
  /// Ends the wait for connections.
  private let end: Alarm
  private let shared: Shared
  private let connections: OpenConnections

  /// The shared state of all connections of a server.
  struct Shared: Sendable {
    let tls: TLSContext?
    let handler: Handler
    let limits: Limits
    /// Ends the waits of idle connections and of responses without an end.
    let idleEnd: Alarm
    var idle: Work { Work(until: idleEnd) }
    /// Ends the responses in progress.
    let cut: ResponseCut
    let pieces = Piece.pool()
    let date = DateLine()
  }

  /// Creates a server for the connections of a listener, with TLS if there is a context.
  ///
  /// The process ignores `SIGPIPE` and `SIGXFSZ` after this call: a write to a closed connection
  /// fails instead of ending the process.
  package init(
    _ listener: consuming Listener, tls: TLSContext? = nil, limits: Limits = Limits(),
    _ handler: Handler
  ) throws(Failure) {
    ProcessState.failInsteadOfEnding()
    address = listener.address
    end = listener.alarm
    self.listener = Guarded(listener)
    shared = Shared(
      tls: tls, handler: handler, limits: limits, idleEnd: try Alarm(), cut: try ResponseCut())
    handler.attached(shared.cut)
    connections = OpenConnections(atMost: limits.connections, try Alarm())
  }

  /// Starts accepting connections on a separate thread.
  package func start() throws(Failure) {
    ProcessState.allowOpenFiles(shared.limits.connections + Self.mostRefusals + Self.otherFiles)
    connections.begin()
    do throws(Failure) {
      try WorkerThreads.startAlone { [self] in
        // Closing the listener frees the port immediately.
        if let listener = listener.with({ $0.take() }) { acceptAll(listener) }
        connections.end()
      }
    } catch {
      connections.end()
      throw error
    }
  }

  /// Whether no connection is open.
  package var isIdle: Bool { connections.isIdle }

  /// Stops the server: it accepts no connections, closes idle ones, waits at most `time` for the
  /// others, closes them, and waits until all have ended.
  package func stop(within time: Duration = .zero) {
    connections.willStop()
    end.ring()
    shared.idleEnd.ring()
    if time > .zero, connections.wait(until: .now + time) { return }
    shared.cut.endPermanently()
    _ = connections.wait(until: nil)
  }

  private func acceptAll(_ listener: borrowing Listener) {
    while true {
      do throws(Failure) {
        // Excess connections get an error response, a limited number of them at the same time.
        while connections.refused >= Self.mostRefusals {
          guard pause(for: .milliseconds(5)) else { return }
        }
        guard let connection = try listener.accept() else { return }
        serve(connection)
      } catch {
        // The cause, such as too many open files, is transient.
        guard pause(for: .milliseconds(50)) else { return }
      }
    }
  }

  /// Waits; returns false if the server stops.
  private func pause(for time: Duration) -> Bool {
    (try? Work(until: end).pause(until: .now + time)) != nil
  }

  /// Serves a connection on a separate thread.
  private func serve(_ connection: consuming Connection) {
    let isTooMany = !connections.begin()
    let connection = Guarded<Connection?>(connection)
    do throws(Failure) {
      try WorkerThreads.startAlone(stackSize: Self.stackSize) { [self] in
        if let connection = connection.with({ $0.take() }) {
          let conversation = Conversation(connection, shared)
          conversation.run(isTooMany: isTooMany)
        }
        connections.end(isTooMany: isTooMany)
      }
    } catch {
      connections.end(isTooMany: isTooMany)
    }
  }

  private static let stackSize = 256 << 10
  private static let mostRefusals = 128
  /// The number of file descriptors for purposes other than connections.
  private static let otherFiles = 512
}

/// Ends the responses in progress, any number of times: when the server stops, and when a simulated
/// network outage begins.
package final class ResponseCut: Sendable {
  private let state: Guarded<State>

  private struct State {
    /// The alarm that ends the responses that begin now.
    var alarm: Alarm
    var isPermanent = false
  }

  init() throws(Failure) { state = Guarded(State(alarm: try Alarm())) }

  var current: Work { Work(until: state.with { $0.alarm }) }

  /// Ends all responses in progress.
  ///
  /// Responses that begin later are not affected. If no file descriptor is available for the next
  /// alarm, no response is ended.
  package func end() {
    guard let next = try? Alarm() else { return }
    let before = state.with { state in
      defer { if !state.isPermanent { state.alarm = next } }
      return state.alarm
    }
    before.ring()
  }

  /// Ends all responses in progress, and every later one.
  func endPermanently() {
    let last = state.with { state in
      state.isPermanent = true
      return state.alarm
    }
    last.ring()
  }
}

/// The number of open connections, with a wait until all have ended.
private final class OpenConnections: Sendable {
  private let most: Int
  private let allEnded: Alarm
  private let state = Guarded(State())

  private struct State {
    /// The served connections with the accepting thread, and the excess connections.
    var count = 0
    var refused = 0
    var isStopping = false

    var haveAllEnded: Bool { count == 0 && isStopping }
  }

  init(atMost most: Int, _ allEnded: Alarm) {
    // The count includes the accepting thread.
    self.most = most + 1
    self.allEnded = allEnded
  }

  var isIdle: Bool { state.with { $0.count <= 1 } }

  /// The number of excess connections without a response.
  var refused: Int { state.with { $0.refused } }

  /// Counts a connection; returns false if there are too many.
  @discardableResult
  func begin() -> Bool {
    state.with { state in
      state.count += 1
      guard state.count - state.refused > most else { return true }
      state.refused += 1
      return false
    }
  }

  func end(isTooMany: Bool = false) {
    change { state in
      state.count -= 1
      if isTooMany { state.refused -= 1 }
    }
  }

  func willStop() { change { $0.isStopping = true } }

  private func change(_ body: (inout State) -> Void) {
    let haveAllEnded = state.with { state in
      body(&state)
      return state.haveAllEnded
    }
    if haveAllEnded { allEnded.ring() }
  }

  /// Waits until no connection is open; returns false at the time limit.
  func wait(until end: ContinuousClock.Instant?) -> Bool {
    (try? waitUntil(.readable, allEnded.number, "", until: end, .unstoppable)) == true
  }
}

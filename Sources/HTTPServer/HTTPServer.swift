package import SystemIO

/// A server for HTTP/1.1: transport, which knows nothing of what it serves.
///
/// Each connection has a thread that may block; a thousand of them take little more than their
/// stacks.
package final class HTTPServer: Sendable {
  /// What a server bears.
  package struct Limits: Sendable {
    package var request = RequestLimits()
    /// How many connections there may be at once; further ones are told to come again.
    package var connections = 1024
    /// How long a head, or shaking hands, may take.
    package var headTime: Duration = .seconds(15)
    /// How long a body may take.
    package var bodyTime: Duration = .seconds(60)
    /// How long a connection may do nothing between two requests.
    package var idleTime: Duration = .seconds(60)
    /// How long a client may take nothing of what it is sent.
    package var stallTime: Duration = .seconds(60)

    package init() {}
  }

  /// What is served.
  package struct Handler: Sendable {
    /// How large a body may be; nil where none is expected.
    package var bodyLimit: @Sendable (RequestHead) -> Int?
    /// The answer to a request whose body is too large to be held, and is taken piece by piece;
    /// nil, with nothing taken, for every other one.
    package var receive: @Sendable (Request, inout BodyReader) throws(Failure) -> Response?
    /// Whether `receive` is also given what comes in chunks, without a size; else that is refused.
    package var takesChunks: Bool
    /// The answer to a request; called on the threads of connections.
    package var respond: @Sendable (Request) -> Response
    /// Called for each request that is refused before `respond`, with its head if the head was
    /// valid.
    package var refused: @Sendable (SocketAddress, RequestFault, RequestHead?) -> Void
    /// Told of clients with whom no encryption could be agreed, and why.
    package var unagreed: @Sendable (SocketAddress, Disagreement) -> Void
    /// Called once, before the first request, with the object that ends responses in progress.
    package var attached: @Sendable (ResponseCut) -> Void = { _ in }

    package init(
      bodyLimit: @escaping @Sendable (RequestHead) -> Int? = { _ in nil },
      receive: @escaping @Sendable (Request, inout BodyReader) throws(Failure) -> Response? = {
        (_, _) throws(Failure) in nil
      },
      takesChunks: Bool = false,
      refused: @escaping @Sendable (SocketAddress, RequestFault, RequestHead?) -> Void = {
        _, _, _ in
      },
      unagreed: @escaping @Sendable (SocketAddress, Disagreement) -> Void = { _, _ in },
      respond: @escaping @Sendable (Request) -> Response
    ) {
      self.bodyLimit = bodyLimit
      self.receive = receive
      self.takesChunks = takesChunks
      self.refused = refused
      self.unagreed = unagreed
      self.respond = respond
    }
  }

  /// Why no encryption could be agreed with a client.
  package enum Disagreement: Sendable {
    /// The client does not trust our certificate.
    case distrust
    case other(Failure)
  }

  /// The listener, until the thread that accepts connections takes it.
  private let listener: Guarded<Listener?>
  /// Where it listens.
  package let address: SocketAddress
  /// Ends the wait for connections.
  private let end: Alarm
  private let shared: Shared
  private let connections: OpenConnections

  /// What all connections of a server share.
  struct Shared: Sendable {
    let tls: TLSContext?
    let handler: Handler
    let limits: Limits
    /// Ends the waits of connections that have nothing to do, or would go on forever.
    let idleEnd: Alarm
    var idle: Work { Work(until: idleEnd) }
    /// Ends the responses in progress.
    let cut: ResponseCut
    let pieces = Piece.pool()
    let date = DateLine()
  }

  /// Takes connections of a listener, encrypted when there is a context for that.
  ///
  /// A write to a client that has gone must fail, and not end the program: that is how signals are
  /// set from now on.
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

  /// Begins to take connections, on a thread of its own.
  package func start() throws(Failure) {
    ProcessState.allowOpenFiles(shared.limits.connections + Self.mostRefusals + Self.otherFiles)
    connections.begin()
    do throws(Failure) {
      try WorkerThreads.startAlone { [self] in
        // The port is free again as soon as nobody takes connections.
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

  /// Takes no more connections, ends those that have nothing to do, gives the others some time, and
  /// then ends them, too; comes back when all is over.
  package func stop(within time: Duration = .zero) {
    connections.willStop()
    end.ring()
    shared.idleEnd.ring()
    if time > .zero, connections.wait(until: .now + time) { return }
    shared.cut.endForGood()
    _ = connections.wait(until: nil)
  }

  private func acceptAll(_ listener: borrowing Listener) {
    while true {
      do throws(Failure) {
        // Of those that are too many, some are told so at once; the others wait for their turn.
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

  /// Serves a connection on a thread of its own.
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
  /// What a program has open besides connections.
  private static let otherFiles = 512
}

/// Ends the responses in progress, any number of times: when the server stops, and when a simulated
/// network outage begins.
package final class ResponseCut: Sendable {
  private let state: Guarded<State>

  private struct State {
    /// The alarm that ends the responses that begin now.
    var alarm: Alarm
    var isForGood = false
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
      defer { if !state.isForGood { state.alarm = next } }
      return state.alarm
    }
    before.ring()
  }

  /// Ends all responses in progress, and every later one.
  func endForGood() {
    let last = state.with { state in
      state.isForGood = true
      return state.alarm
    }
    last.ring()
  }
}

/// How many connections there are, for whoever waits until there are none.
private final class OpenConnections: Sendable {
  private let most: Int
  private let allEnded: Alarm
  private let state = Guarded(State())

  private struct State {
    /// Those that are served, those that are too many, and the thread that takes them.
    var count = 0
    var refused = 0
    var isStopping = false

    var haveAllEnded: Bool { count == 0 && isStopping }
  }

  init(atMost most: Int, _ allEnded: Alarm) {
    // The thread that takes connections is one of them.
    self.most = most + 1
    self.allEnded = allEnded
  }

  var isIdle: Bool { state.with { $0.count <= 1 } }

  /// How many that are too many have not been told so yet.
  var refused: Int { state.with { $0.refused } }

  /// Counts one more; false if it is too many.
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

  /// Waits until there are none; false when there are some at the end of the time.
  func wait(until end: ContinuousClock.Instant?) -> Bool {
    (try? waitUntil(.readable, allEnded.number, "", until: end, .unstoppable)) == true
  }
}

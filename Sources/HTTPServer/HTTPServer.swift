package import SystemIO

/// A server for HTTP/1.1: transport, which knows nothing of what it serves.
///
/// Each connection has a thread that may block; a thousand of them take little more than their stacks.
package final class HTTPServer: Sendable {
  /// What a server bears.
  package struct Limits: Sendable {
    package var request = RequestLimits()
    /// How many connections there may be at once; further ones are told to come again.
    package var connections = 1024
    /// How long a head, or shaking hands, may take.
    package var headTime: Duration = .seconds(15)
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
    /// The answer to a request; called on the threads of connections.
    package var respond: @Sendable (Request) -> Response
    /// Told of requests that were refused before they could be answered.
    package var refused: @Sendable (SocketAddress, RequestFault) -> Void

    package init(
      bodyLimit: @escaping @Sendable (RequestHead) -> Int? = { _ in nil },
      refused: @escaping @Sendable (SocketAddress, RequestFault) -> Void = { _, _ in },
      respond: @escaping @Sendable (Request) -> Response
    ) {
      self.bodyLimit = bodyLimit
      self.refused = refused
      self.respond = respond
    }
  }

  private let listener: Handover<Listener>
  /// Where it listens.
  package let address: SocketAddress
  /// Ends the wait for connections.
  private let end: Alarm
  private let tls: TLSContext?
  private let handler: Handler
  private let limits: Limits
  /// Ends the waits of connections that have nothing to do, or would go on forever.
  private let idleEnd: Alarm
  /// Ends all waits of connections.
  private let cut: Alarm
  private let connections: OpenConnections

  /// Takes connections of a listener, encrypted when there is a context for that.
  ///
  /// A write to a client that has gone must fail, and not end the program: that is how signals are set
  /// from now on.
  package init(
    _ listener: consuming Listener, tls: TLSContext? = nil, limits: Limits = Limits(),
    _ handler: Handler
  ) throws(Failure) {
    ProcessState.failInsteadOfEnding()
    address = listener.address
    end = listener.alarm
    self.listener = Handover(listener)
    self.tls = tls
    self.limits = limits
    self.handler = handler
    idleEnd = try Alarm()
    cut = try Alarm()
    connections = OpenConnections(try Alarm())
  }

  /// Begins to take connections, on a thread of its own.
  package func start() throws(Failure) {
    connections.begin()
    do throws(Failure) {
      try WorkerThreads.startAlone { [self] in
        // The port is free again as soon as nobody takes connections.
        if let listener = listener.take() { acceptAll(listener) }
        connections.end()
      }
    } catch {
      connections.end()
      throw error
    }
  }

  /// Takes no more connections, ends those that have nothing to do, gives the others some time, and
  /// then ends them, too; comes back when all is over.
  package func stop(within time: Duration = .zero) {
    connections.willStop()
    end.ring()
    idleEnd.ring()
    if time > .zero, connections.wait(until: .now + time) { return }
    cut.ring()
    _ = connections.wait(until: nil)
  }

  private func acceptAll(_ listener: borrowing Listener) {
    while true {
      do throws(Failure) {
        guard let connection = try listener.accept() else { return }
        serve(connection)
      } catch {
        // A signal is for whoever runs us; what else there is, such as too many open files, passes.
        if error.kind == .interrupted { return }
        let pause = try? waitUntil(
          .readable, -1, "", until: .now + .milliseconds(50), unless: end)
        if pause == .alarmed || pause == nil { return }
      }
    }
  }

  /// Serves a connection on a thread of its own.
  private func serve(_ connection: consuming Connection) {
    let count = connections.begin()
    // Of those that are too many, some are told so; the rest would only cost more.
    guard count <= limits.connections + Self.mostRefusals else {
      connections.end()
      return
    }
    let isTooMany = count > limits.connections
    let connection = Handover(connection)
    do throws(Failure) {
      try WorkerThreads.startAlone(stackSize: Self.stackSize) { [self] in
        if let connection = connection.take() {
          let conversation = Conversation(
            connection, tls: tls, handler: handler, limits: limits, idleEnd: idleEnd, cut: cut)
          conversation.run(isTooMany: isTooMany)
        }
        connections.end()
      }
    } catch {
      connections.end()
    }
  }

  private static let stackSize = 256 << 10
  private static let mostRefusals = 32
}

/// Hands something that has one owner over to another thread.
private final class Handover<Value: ~Copyable & Sendable>: @unchecked Sendable {
  private let lock = Lock()
  private var value: Value?

  init(_ value: consuming Value) { self.value = consume value }

  func take() -> Value? {
    lock.take()
    defer { lock.giveBack() }
    return value.take()
  }
}

/// How many connections there are, for whoever waits until there are none.
private final class OpenConnections: @unchecked Sendable {
  private let lock = Lock()
  private let allEnded: Alarm
  private var count = 0
  private var isStopping = false

  init(_ allEnded: Alarm) { self.allEnded = allEnded }

  @discardableResult
  func begin() -> Int {
    lock.with {
      count += 1
      // The thread that takes connections is one of them.
      return count - 1
    }
  }

  func end() {
    lock.with {
      count -= 1
      if count == 0, isStopping { allEnded.ring() }
    }
  }

  func willStop() {
    lock.with {
      isStopping = true
      if count == 0 { allEnded.ring() }
    }
  }

  /// Waits until there are none; false when there are some at the end of the time.
  func wait(until end: ContinuousClock.Instant?) -> Bool {
    let awakening = try? waitUntil(
      .readable, allEnded.number, "", until: end, hearingSignals: false)
    return awakening == .ready
  }
}

import CSystem
import Glibc

/// A stream of bytes to another program and back (TCP), closed when the value is destroyed.
///
/// A function that waits throws ``Failure/Kind/interrupted`` when its ``work`` must stop. After
/// ``timeout`` or at ``deadline`` it throws ``Failure/Kind/timedOut(_:)``.
package struct Connection: ~Copyable, Sendable {
  private let socket: FileDescriptor
  /// The address of the other side.
  package let peer: SocketAddress
  /// The timeout of one wait for the other side; nil for no limit.
  package var timeout: Duration?
  /// The time when all waits end; nil for no limit.
  package var deadline: ContinuousClock.Instant?
  /// The operation of the connection; all waits end when it must stop.
  package var work: Work

  /// Creates a connection that owns a connected, non-blocking socket.
  init(
    _ socket: consuming FileDescriptor, to peer: SocketAddress, timeout: Duration?, _ work: Work
  ) {
    // Each message is written with one call, so Nagle's algorithm would only delay it.
    _ = try? socket.setOption(Int32(IPPROTO_TCP), TCP_NODELAY, to: 1)
    self.socket = socket
    self.peer = peer
    self.timeout = timeout
    self.work = work
  }

  /// The descriptor number, for a C library that reads and writes directly; the library must not
  /// close it.
  ///
  /// No call on this socket blocks: use ``wait(until:)`` when the library would have to wait.
  package var number: Int32 { socket.number }

  /// The other side as text: `127.0.0.1:53412`.
  package var peerText: String { socket.path }

  /// Returns the local address of the connection (`getsockname`).
  package func ownAddress() throws(Failure) -> SocketAddress { try socket.ownAddress() }

  /// Makes closing discard unsent bytes and reset the connection (`setsockopt` with `SO_LINGER`).
  package func resetWhenClosed() {
    var choice = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(
      socket.number, SOL_SOCKET, SO_LINGER, &choice, socklen_t(MemoryLayout<linger>.size))
  }

  /// Closes the socket (`close`); the system still sends the written bytes.
  package consuming func close() throws(Failure) { try socket.close() }
}

// MARK: - Reading and writing

extension Connection {
  /// The result of a call that would have to wait.
  private static let wouldBlock = -2

  /// Reads at least one byte into the free space of `output` (`recv`); 0 is the end.
  package func read(into output: inout OutputRawSpan) throws(Failure) -> Int {
    try unsafe output.fill { (free, room) throws(Failure) in
      var hasYielded = false
      while true {
        let count = try move(.receive, room) { unsafe recv(socket.number, free, $0, 0) }
        if count != Self.wouldBlock { return count }
        if hasYielded {
          try wait(until: .readable)
        } else {
          WorkerThreads.letOthersRun()
          hasYielded = true
        }
      }
    }
  }

  /// Reads at least one byte and at most `count`; an empty array is the end.
  package func read(atMost count: Int) throws(Failure) -> [UInt8] {
    try [UInt8](capacity: count) { (output) throws(Failure) in _ = try read(into: &output) }
  }

  /// Writes all of `bytes` (`send`); if the reader has closed the connection, this throws, and no
  /// signal is raised.
  package func write(_ bytes: RawSpan) throws(Failure) {
    var written = 0
    while written < bytes.byteCount {
      let rest = bytes.extracting(written..<bytes.byteCount)
      if let count = try writeSome(rest) {
        written += count
      } else {
        try wait(until: .writable)
      }
    }
  }

  /// Writes as many of `bytes` as the system accepts without waiting (`send`); returns their
  /// number, or nil if it accepts none now.
  package func writeSome(_ bytes: RawSpan) throws(Failure) -> Int? {
    try unsafe bytes.withUnsafeBytes { (buffer) throws(Failure) in
      let count = try move(.send, buffer.count) {
        unsafe send(socket.number, buffer.baseAddress, $0, Int32(MSG_NOSIGNAL))
      }
      return count == Self.wouldBlock ? nil : count
    }
  }

  /// Writes all of `bytes`.
  package func write(_ bytes: [UInt8]) throws(Failure) { try unsafe write(bytes.span.bytes) }

  /// Makes a call that transfers up to `count` bytes; returns ``wouldBlock`` if the call
  /// would have to wait.
  private func move(
    _ call: SystemCall, _ count: Int, _ body: (Int) -> Int
  ) throws(Failure) -> Int {
    try explaining(Failure.asTimeout) { () throws(Failure) in
      try transfer(call, socket.path, count) {
        let moved = body($0)
        return moved == -1 && errno == EAGAIN ? Self.wouldBlock : moved
      }
    }
  }

  /// Waits until the socket can be read from or written to (`poll`).
  package func wait(until readiness: Readiness) throws(Failure) {
    try wait(until: readiness, for: readiness == .readable ? .receive : .send)
  }

  /// Returns whether the socket can be read from or written to before the timeout (`poll`).
  package func isReady(
    _ readiness: Readiness, within time: Duration
  ) throws(Failure) -> Bool {
    try wait(until: readiness, at: Self.earlier(deadline, .now + time))
  }

  private func wait(until readiness: Readiness, for call: SystemCall) throws(Failure) {
    let end = Self.earlier(deadline, timeout.map { .now + $0 })
    guard try wait(until: readiness, at: end) else {
      throw Failure(.timedOut(.call(call)), socket.path)
    }
  }

  private func wait(
    until readiness: Readiness, at end: ContinuousClock.Instant?
  ) throws(Failure) -> Bool {
    try waitUntil(readiness, socket.number, socket.path, until: end, work)
  }

  private static func earlier(
    _ one: ContinuousClock.Instant?, _ other: ContinuousClock.Instant?
  ) -> ContinuousClock.Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// Ends writing, so that the other side reads the end (`shutdown`).
  package func finishWriting() throws(Failure) { try shutDown(Int32(SHUT_WR)) }

  /// Ends reading and writing, also for another thread that waits for either (`shutdown`).
  package func shutDown() throws(Failure) { try shutDown(Int32(SHUT_RDWR)) }

  private func shutDown(_ how: Int32) throws(Failure) {
    do throws(Failure) {
      _ = try perform(.shutDown, socket.path) { shutdown(socket.number, how) }
    } catch {
      // The other side has already closed the connection.
      if error.code != ENOTCONN { throw error }
    }
  }
}

// MARK: - Connecting

extension Connection {
  /// Connects to a host by name or address.
  ///
  /// If a name has several addresses, they are tried in order.
  package static func connect(
    to host: String, port: UInt16, timeout: Duration? = nil, _ work: Work
  ) throws(Failure) -> Connection {
    let text = SocketAddress.text(host, port)
    let end = timeout.map { .now + $0 } as ContinuousClock.Instant?
    let addresses = try SocketAddress.resolve(host, port: port, until: end, work)
    var refusal: Failure?
    for address in addresses {
      do throws(Failure) {
        let socket = try connect(to: address, until: end, work)
        return Connection(socket, to: address, timeout: timeout, work)
      } catch {
        if error.kind == .interrupted { throw error }
        // The first address is the preferred one, so its failure is reported.
        refusal = refusal ?? error.withPath(text)
      }
    }
    throw refusal ?? Failure(.unresolved("it has no IP address"), host)
  }

  /// Connects to one address (`socket`, `connect` and, if that takes time, `poll` and
  /// `getsockopt`).
  private static func connect(
    to address: SocketAddress, until deadline: ContinuousClock.Instant?, _ work: Work
  ) throws(Failure) -> FileDescriptor {
    let name = address.description
    func refused(_ code: Int32) -> Failure {
      Failure(.connect, name, code: code).asTimeout
    }
    return try explaining({ $0.isFromSystem ? refused($0.code) : $0 }) { () throws(Failure) in
      let socket = try FileDescriptor.socket(for: address)
      let code = try perform(.connect, name) {
        let result = unsafe address.withSystemAddress {
          unsafe Glibc.connect(socket.number, $0, $1)
        }
        // After a signal, the system continues to connect.
        let isUnderWay = [EINPROGRESS, EALREADY, EINTR].contains(errno)
        return result == -1 && isUnderWay ? 1 : result
      }
      guard code == 1 else { return socket }
      guard try waitUntil(.writable, socket.number, name, until: deadline, work) else {
        throw Failure(.timedOut(.call(.connect)), name)
      }
      let result = try socket.readError()
      guard result == 0 else { throw refused(result) }
      return socket
    }
  }
}

// MARK: - Sockets

extension FileDescriptor {
  /// Returns a TCP socket that never blocks and that child processes do not inherit (`socket`).
  static func socket(for address: SocketAddress) throws(Failure) -> FileDescriptor {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let name = address.description
    let number = try perform(.socket, name) {
      Glibc.socket(address.family, Int32(kind), 0)
    }
    return FileDescriptor(owning: number, path: name)
  }

  /// Sets an option to a number (`setsockopt`).
  func setOption(_ level: Int32, _ name: Int32, to value: Int32) throws(Failure) {
    var value = value
    _ = try perform(.socketOption, path) {
      unsafe setsockopt(number, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  /// Returns the pending error of the socket (`getsockopt` with `SO_ERROR`).
  fileprivate func readError() throws(Failure) -> Int32 {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    _ = try perform(.socketOption, path) {
      unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size)
    }
    return code
  }
}

extension Failure {
  /// Whether the operating system reported the failure.
  var isFromSystem: Bool {
    if case .refused = kind { true } else { false }
  }

  /// The same failure; ``Kind/timedOut(_:)`` if the system's own limit was reached (`ETIMEDOUT`).
  var asTimeout: Failure {
    guard case .refused(let operation, ETIMEDOUT) = kind else { return self }
    return Failure(.timedOut(operation), path)
  }

  static func asTimeout(_ failure: Failure) -> Failure { failure.asTimeout }
}

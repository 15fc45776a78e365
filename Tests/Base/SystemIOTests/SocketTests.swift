import Glibc
import Synchronization
import SystemIO
import TestSupport
import Testing

/// Tests of connections over the loopback interface.
///
/// No test sleeps, and no wait is unlimited: the timeout is ``patience``.
@Suite(.mustEnd)
struct SocketTests {
  static let patience = Duration.seconds(600)

  /// One end of a connection, for two concurrent threads.
  final class End: Sendable {
    let connection: Connection

    init(_ connection: consuming Connection) { self.connection = connection }

    /// The far end of the next connection.
    static func next(of listener: borrowing Listener, timeout: Duration = patience) throws -> End {
      guard let connection = try listener.accept(timeout: timeout) else {
        throw Failure(.interrupted)
      }
      return End(connection)
    }
  }

  /// A listener that threads share, with the failure of one of them.
  final class Server: Sendable {
    let listener: Listener
    private let failures = Noted<Failure>()

    init(at address: SocketAddress = .loopback()) throws { listener = try Listener(at: address) }

    var refusals: [Failure] { failures.all }

    /// Calls `answer` with each connection, until the listener is stopped.
    func serve(_ answer: (borrowing Connection) throws(Failure) -> Void) {
      do throws(Failure) {
        while let connection = try listener.accept(timeout: patience) { try answer(connection) }
      } catch {
        failures.add(error)
      }
    }

    /// Sends back the received bytes until the end of the input.
    static func echo(_ connection: borrowing Connection) throws(Failure) {
      while case let bytes = try connection.read(atMost: 1 << 16), !bytes.isEmpty {
        try connection.write(bytes)
      }
    }
  }

  /// Returns both ends of a new connection, each with this timeout.
  static func pair(timeout: Duration = patience) throws -> (near: End, far: End) {
    let listener = try Listener()
    let near = End(try Self.connect(to: listener.address, timeout: timeout))
    return (near, try End.next(of: listener, timeout: timeout))
  }

  static func connect(
    to address: SocketAddress, timeout: Duration = patience, _ work: Work = .unstoppable
  ) throws(Failure) -> Connection {
    try Connection.connect(to: address.hostText, port: address.port, timeout: timeout, work)
  }

  static func readToEnd(_ connection: borrowing Connection) throws(Failure) -> [UInt8] {
    var all: [UInt8] = []
    while case let bytes = try connection.read(atMost: 1 << 16), !bytes.isEmpty { all += bytes }
    return all
  }

  /// The loopback addresses of this host; some hosts have no IP version 6.
  static let addresses: [SocketAddress] =
    [.loopback()] + (((try? Listener(at: .loopback6())) != nil) ? [.loopback6()] : [])

  @Test(arguments: addresses)
  func `sent bytes are received, and both sides have the other's address`(
    _ address: SocketAddress
  ) throws {
    let server = try Server(at: address)
    let thread = try WorkerThreads(1, stop: {}) {
      server.serve(Server.echo)
    }
    #expect(server.listener.address.port != 0)
    for round in 1...3 {
      let connection = try Self.connect(to: server.listener.address)
      #expect(connection.peer == server.listener.address)
      #expect(connection.peerText == server.listener.address.description)
      try connection.write(Array("round \(round)".utf8))
      try connection.finishWriting()
      #expect(try Self.readToEnd(connection) == Array("round \(round)".utf8))
      try connection.close()
    }
    server.listener.alarm.ring()
    thread.join()
    #expect(server.refusals == [])
  }

  @Test func `many bytes are written completely to a slow reader`() throws {
    let (near, far) = try Self.pair()
    let bytes = (0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let refusals = Noted<Failure>()
    let thread = try WorkerThreads(1, stop: {}) {
      do throws(Failure) {
        try far.connection.write(bytes)
        try far.connection.finishWriting()
      } catch {
        refusals.add(error)
      }
    }
    #expect(try Self.readToEnd(near.connection) == bytes)
    thread.join()
    #expect(refusals.all == [])
  }

  @Test func `calls that transfer fewer bytes lose none`() throws {
    let (near, far) = try Self.pair()
    let bytes = Array("what was written before is read".utf8)
    try ForcedFailures.inject(
      ForcedFailure(.send, .shorten(to: 3)), ForcedFailure(.receive, .shorten(to: 2)),
      .twice(.send, EINTR), .twice(.receive, EINTR), .twice(.poll, EINTR)
    ) {
      try near.connection.write(bytes)
      try near.connection.finishWriting()
      #expect(try Self.readToEnd(far.connection) == bytes)
    }
  }

  @Test func `stopping ends the wait of every thread for a connection, and every later one`() throws
  {
    let server = try Server()
    let ended = Atomic(0)
    let ready = Semaphore()
    let threads = try WorkerThreads(3, stop: {}) {
      ready.signal()
      server.serve { _ throws(Failure) in }
      ended.add(1, ordering: .relaxed)
    }
    for _ in 0..<3 { ready.wait() }
    server.listener.alarm.ring()
    threads.join()
    #expect(ended.load(ordering: .relaxed) == 3)
    #expect(server.refusals == [])
    let isOver = try server.listener.accept() == nil
    #expect(isOver)
  }

  @Test func `a bell ends one wait for all its rings, and an alarm has priority`() throws {
    let bell = try Bell()
    #expect(try !bell.wait(until: .now + .milliseconds(10), "a bell", .unstoppable))
    bell.ring()
    bell.ring()
    #expect(try bell.wait(until: nil, "a bell", .unstoppable))
    #expect(try !bell.wait(until: .now, "a bell", .unstoppable))
    try WorkerThreads.startAlone { bell.ring() }
    #expect(try bell.wait(until: nil, "a bell", .unstoppable))
    let alarm = try Alarm()
    alarm.ring()
    bell.ring()
    let failure = #expect(throws: Failure.self) {
      _ = try bell.wait(until: nil, "a bell", Work(until: alarm))
    }
    #expect(failure?.kind == .interrupted)
  }

  @Test func `an alarm ends a read, a write and a name lookup`() throws {
    let alarm = try Alarm()
    let listener = try Listener()
    let port = listener.address.port
    let near = try Connection.connect(to: "127.0.0.1", port: port, Work(until: alarm))
    alarm.ring()
    #expect(throws: Failure(.interrupted, near.peerText)) { try near.read(atMost: 1) }
    #expect(throws: Failure(.interrupted, near.peerText)) {
      while true { try near.write([UInt8](repeating: 0, count: 1 << 16)) }
    }
    #expect(throws: Failure(.interrupted, "localhost")) {
      try SocketAddress.resolve("localhost", port: port, Work(until: alarm))
    }
  }

  @Test func `an idle client times out`() throws {
    let (near, far) = try Self.pair(timeout: .milliseconds(20))
    let read = #expect(throws: Failure.self) { try near.connection.read(atMost: 1) }
    let peer = near.connection.peerText
    #expect(read == Failure(.timedOut(.call(.receive)), peer))
    #expect(read?.description == "cannot receive from '\(peer)': timed out")
    let write = #expect(throws: Failure.self) {
      while true { try near.connection.write([UInt8](repeating: 0, count: 1 << 16)) }
    }
    #expect(write == Failure(.timedOut(.call(.send)), peer))
    try far.connection.shutDown()
  }

  @Test func `a deadline limits the timeout of one wait`() throws {
    let listener = try Listener()
    var near = try Self.connect(to: listener.address)
    near.deadline = .now
    #expect(throws: Failure(.timedOut(.call(.receive)), near.peerText)) {
      try near.read(atMost: 1)
    }
  }

  @Test func `a timeout of the system is a timeout`() throws {
    let listener = try Listener()
    let name = listener.address.description
    #expect(throws: Failure(.timedOut(.call(.connect)), name)) {
      try ForcedFailures.inject(.once(.connect, ETIMEDOUT)) {
        _ = try Self.connect(to: listener.address)
      }
    }
    let near = try Self.connect(to: listener.address)
    #expect(throws: Failure(.timedOut(.call(.receive)), name)) {
      try ForcedFailures.inject(.once(.receive, ETIMEDOUT)) { _ = try near.read(atMost: 1) }
    }
  }

  @Test func `without a listener, a connection is refused`() throws {
    let address = try Listener().address
    let error = #expect(throws: Failure.self) { _ = try Self.connect(to: address) }
    #expect(error == Failure(.connect, address.description, code: ECONNREFUSED))
    #expect(error?.description == "cannot connect to '\(address)': Connection refused")
  }

  @Test func `a port in use is an error with its number, and is free afterwards`()
    throws
  {
    let first = try Listener()
    let address = first.address
    let error = #expect(throws: Failure.self) { _ = try Listener(at: address) }
    #expect(error?.description == "cannot listen on port \(address.port): Address already in use")
    // A connection that the server ended keeps the port busy for a minute, but for no new listener.
    let near = try Self.connect(to: address)
    try first.accept()?.close()
    try near.close()
    try first.close()
    #expect(try Listener(at: address).address == address)
  }

  @Test func `an address that this host does not have is in the error`() throws {
    let address = SocketAddress.loopback(port: 8443)
    let error = #expect(throws: Failure.self) {
      try ForcedFailures.inject(.once(.bind, EADDRNOTAVAIL)) { _ = try Listener(at: address) }
    }
    #expect(
      error?.description == "cannot listen on '127.0.0.1:8443': Cannot assign requested address")
  }

  @Test func `child processes inherit no sockets`() throws {
    let (near, far) = try Self.pair()
    for number in [near.connection.number, far.connection.number] {
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
      #expect(fcntl(number, F_GETFL) & O_NONBLOCK != 0)
    }
  }
}

// MARK: - Addresses and names

extension SocketTests {
  @Test func `an address is read and written in the usual notation`() throws {
    for (text, whole) in [
      ("127.0.0.1", "127.0.0.1:80"), ("::1", "[::1]:80"),
      ("::ffff:127.0.0.1", "127.0.0.1:80"), ("0:0:0:0:0:0:0:1", "[::1]:80"),
    ] {
      let address = try #require(SocketAddress(text, port: 80))
      #expect(address.description == whole)
      #expect(address.isLoopback)
      #expect(!address.isEverywhere)
    }
    #expect(SocketAddress("localhost", port: 80) == nil)
    #expect(SocketAddress("127.1", port: 80) == nil)
    #expect(SocketAddress.everywhere().isEverywhere)
    #expect(!SocketAddress.everywhere().isLoopback)
  }

  @Test func `this host is resolved by its name`() throws {
    let addresses = try SocketAddress.resolve("localhost", port: 7, .unstoppable)
    #expect(!addresses.isEmpty)
    #expect(addresses.allSatisfy { $0.isLoopback && $0.port == 7 })
    let listener = try Listener()
    let near = try Connection.connect(
      to: "localhost", port: listener.address.port, timeout: Self.patience, .unstoppable)
    #expect(near.peer == listener.address)
  }

  @Test func `a name without an address is an error`() throws {
    // No name server is queried: a part of a name has at most 63 characters.
    let name = String(repeating: "x", count: 64)
    let error = #expect(throws: Failure.self) {
      _ = try SocketAddress.resolve(name, port: 1, .unstoppable)
    }
    guard case .unresolved(let words) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description == "cannot resolve '\(name)': \(words)")
  }

  @Test func `a name that cannot be resolved is an error`() throws {
    #expect(throws: Failure(.resolve, "localhost", code: EIO)) {
      try ForcedFailures.inject(.once(.resolve, EIO)) {
        _ = try SocketAddress.resolve("localhost", port: 1, .unstoppable)
      }
    }
    #expect(throws: Failure(.timedOut(.call(.resolve)), "localhost")) {
      while true { _ = try SocketAddress.resolve("localhost", port: 1, until: .now, .unstoppable) }
    }
  }
}

import Glibc
import SystemIO
import TestSupport
import Testing

/// Tests in which each call of a connection fails.
@Suite(.mustEnd)
struct SocketFaultTests {
  @Test(arguments: [.event, .socket, .socketOption, .bind, .listen, .socketName] as [SystemCall])
  func `a failed call during the creation of a listener is one error`(_ call: SystemCall) throws {
    let error = #expect(throws: Failure.self) {
      try ForcedFailures.inject(.once(call, ENOBUFS)) { _ = try Listener() }
    }
    #expect(error?.code == ENOBUFS)
    if call != .event {
      #expect(
        error?.description == "cannot listen on '127.0.0.1:0': No buffer space available")
    }
    try ForcedFailures.inject(.twice(call, EINTR)) { _ = try Listener() }
  }

  @Test(arguments: [.poll, .accept] as [SystemCall])
  func `a failed call during accept leaves the connection in the queue`(
    _ call: SystemCall
  ) throws {
    let listener = try Listener()
    let near = try SocketTests.connect(to: listener.address)
    try near.write([7])
    #expect(throws: Failure(call, listener.address.description, code: EMFILE)) {
      try ForcedFailures.inject(.once(call, EMFILE)) { _ = try listener.accept() }
    }
    let far = try SocketTests.End.next(of: listener)
    #expect(try far.connection.read(atMost: 10) == [7])
  }

  @Test(arguments: [ECONNABORTED, EAGAIN, EPROTO])
  func `a connection that is closed before it is accepted is skipped`(_ code: Int32) throws {
    let listener = try Listener()
    let near = try SocketTests.connect(to: listener.address)
    try ForcedFailures.inject(.once(.accept, code)) {
      let far = try SocketTests.End.next(of: listener)
      try far.connection.write([9])
    }
    #expect(try near.read(atMost: 10) == [9])
  }

  @Test(arguments: [.socket, .connect] as [SystemCall])
  func `a failed call during connect is one error`(_ call: SystemCall) throws {
    let listener = try Listener()
    let name = listener.address.description
    #expect(throws: Failure(.connect, name, code: ENOBUFS)) {
      try ForcedFailures.inject(.once(call, ENOBUFS)) {
        _ = try SocketTests.connect(to: listener.address)
      }
    }
    try ForcedFailures.inject(.twice(call, EINTR)) {
      _ = try SocketTests.connect(to: listener.address)
    }
  }

  @Test func `a socket that does not support an option is used`() throws {
    let listener = try Listener()
    ForcedFailures.inject(.always(.socketOption, ENOPROTOOPT)) {
      // Only if the system had to wait is its result read.
      do throws(Failure) {
        _ = try SocketTests.connect(to: listener.address)
      } catch {
        #expect(error.code == ENOPROTOOPT)
      }
    }
  }

  @Test func `a failed call on a connection is one error`() throws {
    let (near, far) = try SocketTests.pair()
    let peer = near.connection.peerText
    #expect(throws: Failure(.send, peer, code: ECONNRESET)) {
      try ForcedFailures.inject(.once(.send, ECONNRESET)) { try near.connection.write([1]) }
    }
    #expect(throws: Failure(.receive, peer, code: ECONNRESET)) {
      try ForcedFailures.inject(.once(.receive, ECONNRESET)) {
        _ = try near.connection.read(atMost: 1)
      }
    }
    #expect(throws: Failure(.poll, peer, code: ENOMEM)) {
      try ForcedFailures.inject(.once(.poll, ENOMEM)) { _ = try near.connection.read(atMost: 1) }
    }
    #expect(throws: Failure(.shutDown, peer, code: EIO)) {
      try ForcedFailures.inject(.once(.shutDown, EIO)) { try near.connection.shutDown() }
    }
    try near.connection.write([1])
    #expect(try far.connection.read(atMost: 10) == [1])
    // If the other side was faster, no direction is open any more.
    try ForcedFailures.inject(.once(.shutDown, ENOTCONN)) { try near.connection.finishWriting() }
  }

  @Test func `an error of closing is thrown`() throws {
    let listener = try Listener()
    let error = #expect(throws: Failure.self) {
      try ForcedFailures.inject(.once(.close, EIO)) {
        try SocketTests.connect(to: listener.address).close()
      }
    }
    #expect(error == Failure(.close, listener.address.description, code: EIO))
  }
}

import CSystem
import Glibc

/// A socket that clients connect to, closed when the value is destroyed.
///
/// Any number of threads may accept connections, until ``alarm`` rings.
package struct Listener: ~Copyable, Sendable {
  private let socket: FileDescriptor
  /// The address; if port 0 was requested, with the port that the system chose.
  package let address: SocketAddress
  /// Ends all waits for a connection.
  package let alarm: Alarm

  /// Listens on an address (`socket`, `bind`, `listen`, `getsockname`).
  ///
  /// A port can be used as soon as the program that listened on it has ended (`SO_REUSEADDR`).
  /// ``SocketAddress/everywhere(port:)`` accepts both versions of IP. At most `backlog` connections
  /// wait to be accepted.
  package init(
    at address: SocketAddress = .loopback(), backlog: Int32 = 256, alarm: Alarm? = nil
  ) throws(Failure) {
    let alarm = if let alarm { alarm } else { try Alarm() }
    let made = try explaining({ Self.refused($0, address) }) { () throws(Failure) in
      let socket = try FileDescriptor.socket(for: address)
      try socket.setOption(SOL_SOCKET, SO_REUSEADDR, to: 1)
      if address.isVersion6 {
        try socket.setOption(Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: address.isEverywhere ? 0 : 1)
      }
      _ = try perform(.bind, socket.path) {
        unsafe address.withSystemAddress { unsafe bind(socket.number, $0, $1) }
      }
      _ = try perform(.listen, socket.path) { listen(socket.number, backlog) }
      return socket
    }
    let bound = try explaining({ Self.refused($0, address) }) { () throws(Failure) in
      try made.ownAddress()
    }
    socket = made
    self.address = bound
    self.alarm = alarm
  }

  /// Returns the failure with the requested address.
  private static func refused(_ failure: Failure, _ address: SocketAddress) -> Failure {
    guard failure.isFromSystem else { return failure }
    // The user chose only the port.
    let isPortAlone = address.isLoopback || address.isEverywhere
    if isPortAlone, failure.code == EADDRINUSE || failure.code == EACCES {
      return Failure(.listenOnPort, "\(address.port)", code: failure.code)
    }
    return Failure(.listen, address.description, code: failure.code)
  }

  /// Waits for a connection and accepts it (`poll`, `accept4`); nil after ``alarm`` rang.
  ///
  /// Connections that the other side has closed are skipped. If too many files are open (`EMFILE`),
  /// this throws, and the connection remains in the queue.
  package func accept(timeout: Duration? = nil) throws(Failure) -> Connection? {
    while true {
      // Each round waits first, so that the alarm ends the loop also under constant load.
      do throws(Failure) {
        _ = try waitUntil(.readable, socket.number, address.description, Work(until: alarm))
      } catch {
        guard error.kind == .interrupted else { throw error }
        return nil
      }
      if let connection = try take(timeout) { return connection }
    }
  }

  /// Returns the next waiting connection; nil if there is none.
  private func take(_ timeout: Duration?) throws(Failure) -> Connection? {
    var number: Int32 = -1
    var failure: Failure?
    let peer = unsafe SocketAddress.made { (address, size) in
      do throws(Failure) {
        number = try perform(.accept, self.address.description) {
          unsafe accept4(
            socket.number, address, &size,
            Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue))
        }
      } catch {
        failure = error
      }
    }
    if let failure {
      if Self.passing.contains(failure.code) { return nil }
      throw failure
    }
    guard let peer else {
      _ = Glibc.close(number)
      return nil
    }
    return Connection(
      FileDescriptor(owning: number, path: peer.description), to: peer, timeout: timeout,
      .unstoppable)
  }

  /// Errors of one connection, not of the socket; `EAGAIN` means that another thread accepted it.
  private static let passing: Set<Int32> = [
    EAGAIN, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH,
    ENETUNREACH, ETIMEDOUT, EPERM,
  ]

  /// Closes the socket (`close`); connections that were not accepted are refused.
  package consuming func close() throws(Failure) { try socket.close() }
}

extension FileDescriptor {
  /// Returns the socket's own address (`getsockname`).
  func ownAddress() throws(Failure) -> SocketAddress {
    var failure: Failure?
    let address = unsafe SocketAddress.made { (address, size) in
      do throws(Failure) {
        _ = try perform(.socketName, path) { unsafe getsockname(number, address, &size) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    guard let address else { throw Failure(.socketName, path, code: EAFNOSUPPORT) }
    return address
  }
}

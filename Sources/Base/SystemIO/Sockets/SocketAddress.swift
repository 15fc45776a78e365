import CSystem
import Glibc

/// An IP address, version 4 or 6, and a port.
package struct SocketAddress: Sendable, Hashable {
  /// The bytes of the IP address in network byte order: four or sixteen.
  package let host: [UInt8]
  package let port: UInt16
  /// The index of the network interface of a link-local address of version 6.
  private let scope: UInt32

  private init(_ host: [UInt8], _ port: UInt16, scope: UInt32 = 0) {
    self.host = host
    self.port = port
    self.scope = scope
  }

  /// Returns the address that only this host can reach; with port 0 the system chooses a free port.
  package static func loopback(port: UInt16 = 0) -> SocketAddress {
    SocketAddress([127, 0, 0, 1], port)
  }

  /// Returns the loopback address in version 6.
  package static func loopback6(port: UInt16 = 0) -> SocketAddress {
    SocketAddress([UInt8](repeating: 0, count: 15) + [1], port)
  }

  /// Returns the address that represents all addresses of this host, in both versions of IP.
  package static func everywhere(port: UInt16 = 0) -> SocketAddress {
    SocketAddress([UInt8](repeating: 0, count: 16), port)
  }

  /// Returns the address that represents all addresses of this host in version 4 of IP, for a host
  /// without version 6.
  package static func everywhere4(port: UInt16 = 0) -> SocketAddress {
    SocketAddress([0, 0, 0, 0], port)
  }

  /// Returns the address at which other hosts can reach this one: the local address of its default
  /// route; nil if there is no such route.
  ///
  /// The system selects the route when a datagram socket is connected (`connect`). No data is sent,
  /// and the destination is an address reserved for documentation.
  package static func ofDefaultRoute() -> SocketAddress? {
    for text in ["192.0.2.1", "2001:db8::1"] {
      guard let address = SocketAddress(text, port: 9) else { continue }
      let number = socket(address.family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      guard number >= 0 else { continue }
      defer { _ = close(number) }
      let isRouted = unsafe address.withSystemAddress { unsafe connect(number, $0, $1) == 0 }
      guard isRouted else { continue }
      let own = unsafe made { unsafe getsockname(number, $0, &$1) }
      if let own, !own.isEverywhere, !own.isLoopback { return own.with(port: 0) }
    }
    return nil
  }

  /// Reads a numeric address (`inet_pton`); nil for other texts.
  package init?(_ text: String, port: UInt16) {
    for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
      var host = [UInt8](repeating: 0, count: size)
      let isRead = unsafe host.withUnsafeMutableBytes { bytes in
        unsafe inet_pton(family, text, bytes.baseAddress) == 1
      }
      if isRead {
        self.init(host, port)
        return
      }
    }
    return nil
  }

  /// Returns the same address with another port.
  package func with(port: UInt16) -> SocketAddress { SocketAddress(host, port, scope: scope) }

  /// Whether only this host can reach the address.
  package var isLoopback: Bool {
    if isVersion6 { return embedded?.first == 127 || host == Self.loopback6().host }
    return host.first == 127
  }

  /// Whether the address represents all addresses of this host.
  package var isEverywhere: Bool { host.isZero }

  package var isVersion6: Bool { host.count == 16 }

  var family: Int32 { isVersion6 ? AF_INET6 : AF_INET }

  /// The bytes of the version 4 address inside a version 6 address; nil if there is none.
  ///
  /// A socket for both versions reports clients with version 4 in this form.
  private var embedded: [UInt8]? {
    let start = [UInt8](repeating: 0, count: 10) + [255, 255]
    return isVersion6 && host.starts(with: start) ? Array(host.suffix(4)) : nil
  }

  /// The IP address as text, without the port (`inet_ntop`).
  package var hostText: String {
    let host = embedded ?? host
    let family = host.count == 16 ? AF_INET6 : AF_INET
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let isWritten = unsafe text.withUnsafeMutableBufferPointer { text in
      unsafe inet_ntop(family, host, text.baseAddress, socklen_t(text.count)) != nil
    }
    guard isWritten else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension SocketAddress: CustomStringConvertible {
  /// The address and the port in the usual notation: `127.0.0.1:8443`, `[::1]:8443`.
  package var description: String { Self.text(hostText, port) }

  /// Returns the text of a host name or address with a port.
  static func text(_ host: String, _ port: UInt16) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

// MARK: - For system calls

extension SocketAddress {
  /// Calls a function with the address in the form of system calls.
  func withSystemAddress<Success>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Success
  ) -> Success {
    if isVersion6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_scope_id = scope
      unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { unsafe $0.copyBytes(from: host) }
      return unsafe Self.lend(&address, body)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    unsafe withUnsafeMutableBytes(of: &address.sin_addr) { unsafe $0.copyBytes(from: host) }
    return unsafe Self.lend(&address, body)
  }

  private static func lend<Address, Success>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Success
  ) -> Success {
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  /// Returns the address that `fill` writes; nil if it is not an IP address.
  static func made(
    by fill: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Void
  ) -> SocketAddress? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe fill($0, &size) }
      return unsafe SocketAddress(UnsafeRawPointer(pointer), Int(size))
    }
  }

  /// Reads an address that the system wrote; nil if it is not an IP address.
  private init?(_ bytes: UnsafeRawPointer, _ size: Int) {
    guard size >= MemoryLayout<sockaddr_in>.size else { return nil }
    switch Int32(unsafe bytes.loadUnaligned(as: sa_family_t.self)) {
    case AF_INET:
      let address = unsafe bytes.loadUnaligned(as: sockaddr_in.self)
      let host = unsafe withUnsafeBytes(of: address.sin_addr) { unsafe Array($0) }
      self.init(host, UInt16(bigEndian: address.sin_port))
    case AF_INET6 where size >= MemoryLayout<sockaddr_in6>.size:
      let address = unsafe bytes.loadUnaligned(as: sockaddr_in6.self)
      let host = unsafe withUnsafeBytes(of: address.sin6_addr) { unsafe Array($0) }
      self.init(
        host, UInt16(bigEndian: address.sin6_port), scope: UInt32(address.sin6_scope_id))
    default: return nil
    }
  }
}

// MARK: - Names

extension SocketAddress {
  /// Returns the addresses of a host, in the order in which to try them (`getaddrinfo`).
  ///
  /// `getaddrinfo` cannot be interrupted. So another thread calls it, and this one waits. The
  /// wait ends at the deadline or when the operation must stop. The other thread ends when the call
  /// returns.
  package static func resolve(
    _ name: String, port: UInt16, until deadline: ContinuousClock.Instant? = nil, _ work: Work
  ) throws(Failure) -> [SocketAddress] {
    if let address = SocketAddress(name, port: port) { return [address] }
    let lookup = Guarded(Lookup())
    let done = try Alarm()
    _ = try perform(.resolve, name) { Int32(0) }
    try WorkerThreads.startAlone {
      let result = Lookup(name, port)
      lookup.with { $0 = result }
      done.ring()
    }
    guard try waitUntil(.readable, done.number, name, until: deadline, work) else {
      throw Failure(.timedOut(.call(.resolve)), name)
    }
    return try lookup.with { $0 }.addresses(of: name)
  }

  /// The result of `getaddrinfo`.
  private struct Lookup {
    private var found: [SocketAddress] = []
    private var code: Int32 = 0
    private var systemCode: Int32 = 0

    init() {}

    /// Calls `getaddrinfo`, which may take a long time.
    init(_ name: String, _ port: UInt16) {
      var hints = unsafe addrinfo()
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      var list: UnsafeMutablePointer<addrinfo>?
      code = unsafe getaddrinfo(name, nil, &hints, &list)
      systemCode = errno
      var next = unsafe list
      while let entry = unsafe next {
        if let address = unsafe SocketAddress(entry.pointee)?.with(port: port),
          !found.contains(address)
        {
          found.append(address)
        }
        unsafe next = entry.pointee.ai_next
      }
      if let list = unsafe list { unsafe freeaddrinfo(list) }
    }

    func addresses(of name: String) throws(Failure) -> [SocketAddress] {
      if code == EAI_SYSTEM { throw Failure(.resolve, name, code: systemCode) }
      guard code == 0 else {
        let phrase = unsafe gai_strerror(code).map { unsafe String(cString: $0) }
        throw Failure(.unresolved(phrase ?? "error \(code)"), name)
      }
      guard !found.isEmpty else { throw Failure(.unresolved("it has no IP address"), name) }
      return found
    }
  }

  private init?(_ entry: addrinfo) {
    guard let address = unsafe entry.ai_addr else { return nil }
    unsafe self.init(UnsafeRawPointer(address), Int(entry.ai_addrlen))
  }
}

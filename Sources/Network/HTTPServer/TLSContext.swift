import CTLS
import CryptoCalls
import Glibc
package import SystemIO
package import TLSIdentity

/// The TLS configuration of a server: versions 1.2 and 1.3, and the identity for each host.
@safe package final class TLSContext: Sendable {
  private let handle: SharedHandle<OpaquePointer>
  fileprivate var pointer: OpaquePointer { unsafe handle.pointer }
  /// Returns the identity for the host that a client requests, or for the address that it used.
  private let choose: @Sendable (String?, SocketAddress) throws(Failure) -> Identity
  private let known = Guarded(KnownIdentities())

  /// Creates a context; `choose` is called on the threads of the connections, and can be called
  /// several times for the same host.
  package init(
    choosing choose:
      @escaping @Sendable (String?, SocketAddress) throws(Failure) ->
      Identity
  ) throws(Failure) {
    try Self.library.load()
    let made = unsafe try CryptoCall.get("SSL_CTX_new") { unsafe SSL_CTX_new(TLS_server_method()) }
    unsafe handle = unsafe SharedHandle(made)
    self.choose = choose
    guard unsafe ba_SSL_CTX_set_min_proto_version(pointer) == 1,
      unsafe SSL_CTX_set_cipher_list(pointer, Self.ciphers) == 1,
      unsafe SSL_CTX_set_ciphersuites(pointer, Self.newCiphers) == 1,
      unsafe ba_SSL_CTX_set_groups(pointer, Self.groups) == 1
    else { throw tlsFailure("SSL_CTX_set_min_proto_version") }
    unsafe ba_SSL_CTX_set_server_options(pointer)
    unsafe SSL_CTX_set_alpn_select_cb(pointer, chooseProtocol, nil)
  }

  deinit { unsafe SSL_CTX_free(pointer) }

  private static let library = unsafe OpenedLibrary("libssl.so.3") { unsafe ba_tls_fill($0) }

  /// The ciphers of TLS 1.2 with forward secrecy and authenticated encryption.
  private static let ciphers =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:"
    + "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-CHACHA20-POLY1305"

  /// The ciphers of TLS 1.3; the first choice is the fastest one that is strong enough.
  private static let newCiphers =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"

  /// The groups for key agreement.
  ///
  /// Large prime fields are excluded, because they cost the server much more work than the client.
  private static let groups = "X25519:P-256:P-384:P-521"

  /// Returns the identity for the host that a client requests.
  fileprivate func identity(
    for name: String?, at address: SocketAddress
  ) throws(Failure) -> Identity {
    let key = KnownIdentities.Key(name: name?.lowercased(), address: address.with(port: 0))
    if let identity = known.with({ $0[key] }) { return identity }
    let identity = try choose(key.name, address)
    known.with { $0[key] = identity }
    return identity
  }
}

/// Selects HTTP/1.1 if the client offers it (ALPN).
private func chooseProtocol(
  _: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ size: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ count: UInt32,
  _: UnsafeMutableRawPointer?
) -> Int32 {
  guard let chosen = unsafe chosen, let size = unsafe size, let offered = unsafe offered else {
    return SSL_TLSEXT_ERR_NOACK
  }
  var place = 0
  while place < Int(count) {
    let length = unsafe Int(offered[place])
    guard place + 1 + length <= Int(count) else { break }
    let name = unsafe UnsafeBufferPointer(start: offered + place + 1, count: length)
    if unsafe name.elementsEqual("http/1.1".utf8) {
      unsafe chosen.pointee = name.baseAddress
      unsafe size.pointee = UInt8(length)
      return SSL_TLSEXT_ERR_OK
    }
    place += 1 + length
  }
  // Without a common protocol, the handshake continues: the client can use HTTP/1.1.
  return SSL_TLSEXT_ERR_NOACK
}

/// A cache of identities.
private struct KnownIdentities {
  struct Key: Hashable {
    let name: String?
    let address: SocketAddress
  }

  private var identities: [Key: Identity] = [:]

  /// The maximum number of entries: clients can request any number of names.
  private static let most = 64

  subscript(key: Key) -> Identity? {
    get { identities[key] }
    set {
      if identities.count >= Self.most { identities = [:] }
      identities[key] = newValue
    }
  }
}

/// Whether yielding the processor is likely to replace a wait for the client.
///
/// With two or more busy clients, one yield usually lets the next request arrive. With one client
/// it does not. After four failures, the next 16 waits are without a yield.
private struct YieldRecord {
  private static let patience = 4
  private static let pause = 16

  /// The number of failures until the pause; during the pause, the negative number of waits until
  /// the next attempt.
  private var credit = patience

  var isLikely: Bool { credit > 0 }

  mutating func recordSuccess() { credit = Self.patience }

  mutating func recordWait(afterYield: Bool) {
    if afterYield {
      credit -= 1
      if credit <= 0 { credit = -Self.pause }
    } else if credit <= 0 {
      credit += 1
      if credit == 0 { credit = 1 }
    }
  }
}

/// A TLS connection, used by one thread.
@safe struct TLSSession: ~Copyable {
  private let pointer: OpaquePointer
  /// The input and the result of the handshake, for the callback of the library.
  private let handshake: Handshake

  fileprivate final class Handshake {
    let context: TLSContext
    let ownAddress: SocketAddress
    /// The error of the callback that returns the identity.
    var failure: Failure?
    /// Whether the client reported that it does not trust the certificate.
    var isDistrusted = false
    /// Whether the client sent plain HTTP.
    var isPlain = false
    var yields = YieldRecord()

    init(_ context: TLSContext, _ ownAddress: SocketAddress) {
      self.context = context
      self.ownAddress = ownAddress
    }
  }

  init(
    _ context: TLSContext, on number: Int32, at ownAddress: SocketAddress
  ) throws(Failure) {
    ERR_clear_error()
    guard let made = unsafe SSL_new(context.pointer) else { throw tlsFailure("SSL_new") }
    guard unsafe SSL_set_fd(made, number) == 1 else {
      unsafe SSL_free(made)
      throw tlsFailure("SSL_set_fd")
    }
    let handshake = Handshake(context, ownAddress)
    unsafe SSL_set_cert_cb(
      made,
      { session, handshake in
        guard let session = unsafe session, let handshake = unsafe handshake else { return 0 }
        return unsafe Unmanaged<Handshake>.fromOpaque(handshake).takeUnretainedValue().use(session)
      }, Unmanaged.passUnretained(handshake).toOpaque())
    unsafe SSL_set_accept_state(made)
    unsafe pointer = unsafe made
    self.handshake = handshake
  }

  deinit { unsafe SSL_free(pointer) }

  /// Performs the handshake; returns false if the client sends plain HTTP.
  func performHandshake(_ connection: borrowing Connection) throws(Failure) -> Bool {
    do throws(Failure) {
      _ = try transfer(connection) { unsafe SSL_do_handshake(pointer) }
      return true
    } catch {
      if handshake.isPlain { return false }
      throw handshake.failure ?? error
    }
  }

  /// Whether the client reported that it does not trust the certificate.
  var isDistrusted: Bool { handshake.isDistrusted }

  /// The alerts with which clients report this.
  private static let distrust = [
    SSL_R_SSLV3_ALERT_BAD_CERTIFICATE, SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN,
    SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED, SSL_R_TLSV1_ALERT_UNKNOWN_CA,
  ]

  /// Reads received bytes; returns 0 at the end of the data.
  ///
  /// If the client has not sent data yet (`isIdle`), reading first would fail in most cases.
  func read(
    into output: inout OutputRawSpan, _ connection: borrowing Connection, isIdle: Bool = false
  ) throws(Failure) -> Int {
    let yields = isIdle && handshake.yields.isLikely
    if yields { WorkerThreads.letOthersRun() }
    return try unsafe output.fill { (free, room) throws(Failure) in
      try transfer(connection, hasYielded: yields) {
        unsafe SSL_read(pointer, free, Int32(clamping: room))
      }
    }
  }

  /// Writes as many bytes as possible without waiting; returns their number, or nil if there are
  /// none.
  ///
  /// The next call must pass the same bytes, and at least as many: they are already encrypted.
  func writeSome(
    _ bytes: RawSpan, _ connection: borrowing Connection
  ) throws(Failure) -> Int? {
    try unsafe bytes.withUnsafeBytes { (buffer) throws(Failure) in
      let count = try attempt(connection, waitingToWrite: false) {
        unsafe SSL_write(pointer, buffer.baseAddress, Int32(clamping: buffer.count))
      }
      guard count != 0 else {
        throw Failure(.refused(.call(.send), code: EPIPE), connection.peerText)
      }
      return count
    }
  }

  /// Sends the closing message of TLS, without waiting for the reply.
  func sendCloseNotify() {
    ERR_clear_error()
    _ = unsafe SSL_shutdown(pointer)
    ERR_clear_error()
  }

  private func transfer(
    _ connection: borrowing Connection, hasYielded: Bool = false, _ body: () -> Int32
  ) throws(Failure) -> Int {
    try attempt(connection, waitingToWrite: true, hasYielded: hasYielded, body) ?? 0
  }

  /// Makes a call that transfers bytes; returns nil if it would have to wait before a write.
  private func attempt(
    _ connection: borrowing Connection, waitingToWrite waits: Bool, hasYielded: Bool = false,
    _ body: () -> Int32
  ) throws(Failure) -> Int? {
    GuardedSection.checkThatWaitingIsAllowed()
    var hasYielded = hasYielded
    var hasWaited = false
    while true {
      // The error queue may contain errors of another connection of this thread.
      ERR_clear_error()
      let count = body()
      if count > 0 {
        if hasYielded, !hasWaited { handshake.yields.recordSuccess() }
        return Int(count)
      }
      let code = errno
      switch unsafe SSL_get_error(pointer, count) {
      case SSL_ERROR_WANT_READ:
        if !hasYielded, !hasWaited, handshake.yields.isLikely {
          WorkerThreads.letOthersRun()
          hasYielded = true
        } else {
          if !hasWaited { handshake.yields.recordWait(afterYield: hasYielded) }
          hasWaited = true
          try connection.wait(until: .readable)
        }
      case SSL_ERROR_WANT_WRITE:
        if !waits { return nil }
        try connection.wait(until: .writable)
      case SSL_ERROR_ZERO_RETURN: return 0
      case SSL_ERROR_SYSCALL:
        if code == 0 { return 0 }
        throw Failure(.refused(.call(.receive), code: code), connection.peerText)
      default:
        handshake.isPlain = ERR_GET_REASON(ERR_peek_error()) == SSL_R_HTTP_REQUEST
        handshake.isDistrusted = Self.distrust.contains(ERR_GET_REASON(ERR_peek_error()))
        throw tlsFailure("TLS", connection.peerText)
      }
    }
  }
}

extension TLSSession.Handshake {
  /// Sets the identity of a session for the host that the client requests.
  fileprivate func use(_ session: OpaquePointer) -> Int32 {
    let name = unsafe ba_SSL_server_name(session).map { unsafe String(cString: $0) }
    do throws(Failure) {
      let identity = try context.identity(for: name, at: ownAddress)
      let isUsed =
        unsafe SSL_use_cert_and_key(
          session, identity.certificate.pointer, identity.key.pointer, nil, 1) == 1
        && identity.chain.allSatisfy { unsafe ba_SSL_add_issuer(session, $0.pointer) == 1 }
      return isUsed ? 1 : 0
    } catch {
      failure = error
      return 0
    }
  }
}

/// Returns the error of the last failed call.
private func tlsFailure(_ call: String, _ path: String = "") -> Failure {
  Failure(.malformed(CryptoCall.nextReason().map { "\(call): \($0)" } ?? call), path)
}

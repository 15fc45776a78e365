import CTLS
import Glibc
package import SystemIO
package import TLSIdentity

/// What all encrypted connections of a server have in common: TLS 1.2 and 1.3, and whom the server
/// is for whom.
@safe package final class TLSContext: Sendable {
  private let handle: SharedHandle<OpaquePointer>
  fileprivate var pointer: OpaquePointer { unsafe handle.pointer }
  /// The identity for the host that a client names, or for the address of ours that it called.
  private let choose: @Sendable (String?, SocketAddress) throws(Failure) -> Identity
  private let known = Guarded(KnownIdentities())

  /// Makes a context; `choose` is asked on the threads of connections, again and again for the same
  /// hosts.
  package init(
    choosing choose:
      @escaping @Sendable (String?, SocketAddress) throws(Failure) ->
      Identity
  ) throws(Failure) {
    ERR_clear_error()
    guard let made = unsafe SSL_CTX_new(TLS_server_method()) else {
      throw tlsFailure("SSL_CTX_new")
    }
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

  /// Of TLS 1.2 only what keeps earlier connections secret when a key becomes known, and checks
  /// what it encrypts.
  private static let ciphers =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:"
    + "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-CHACHA20-POLY1305"

  /// The same for TLS 1.3: the fastest of those that are strong enough for anything, on both sides
  /// of a download, is the first choice.
  private static let newCiphers =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"

  /// How keys are agreed on: without the large prime fields, with which a client can make us work
  /// for much longer than itself.
  private static let groups = "X25519:P-256:P-384:P-521"

  /// The identity for the host that a client names.
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

/// Says that HTTP/1.1 is spoken here, to whom asks for that or for something newer besides.
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
  // Who offers nothing that we speak is answered all the same: it may fall back.
  return SSL_TLSEXT_ERR_NOACK
}

/// The identities that were needed so far.
private struct KnownIdentities {
  struct Key: Hashable {
    let name: String?
    let address: SocketAddress
  }

  private var identities: [Key: Identity] = [:]

  /// Clients can make up any number of names; they must not fill the memory.
  private static let most = 64

  subscript(key: Key) -> Identity? {
    get { identities[key] }
    set {
      if identities.count >= Self.most { identities = [:] }
      identities[key] = newValue
    }
  }
}

/// One encrypted connection, used by one thread.
@safe struct TLSSession: ~Copyable {
  private let pointer: OpaquePointer
  /// The input and the result of the handshake, for the callback of the library.
  private let handshake: Handshake

  fileprivate final class Handshake {
    let context: TLSContext
    let ownAddress: SocketAddress
    /// Why there was no identity.
    var failure: Failure?
    /// Whether the client said that it does not trust it.
    var isDistrusted = false
    /// Whether the client asks for something without TLS.
    var isPlain = false

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

  /// Agrees with the other side on how to encrypt; false when it speaks HTTP without TLS.
  func shakeHands(_ connection: borrowing Connection) throws(Failure) -> Bool {
    do throws(Failure) {
      _ = try transfer(connection) { unsafe SSL_do_handshake(pointer) }
      return true
    } catch {
      if handshake.isPlain { return false }
      throw handshake.failure ?? error
    }
  }

  /// Whether the client said that it does not trust our certificate.
  var isDistrusted: Bool { handshake.isDistrusted }

  /// The alerts by which clients say that.
  private static let distrust = [
    SSL_R_SSLV3_ALERT_BAD_CERTIFICATE, SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN,
    SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED, SSL_R_TLSV1_ALERT_UNKNOWN_CA,
  ]

  /// Reads what has come; 0 when nothing more will come.
  func read(
    into output: inout OutputRawSpan, _ connection: borrowing Connection
  ) throws(Failure) -> Int {
    try unsafe output.fill { (free, room) throws(Failure) in
      try transfer(connection) { unsafe SSL_read(pointer, free, Int32(clamping: room)) }
    }
  }

  /// Writes as many of the bytes as go out without waiting, and says how many; nil if none do for
  /// now.
  ///
  /// Whoever tries again must have at least as many bytes, the same ones: they are encrypted
  /// already.
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

  /// Says that nothing more will be written; nobody waits for what the other side says to that.
  func sendCloseNotify() {
    ERR_clear_error()
    _ = unsafe SSL_shutdown(pointer)
    ERR_clear_error()
  }

  private func transfer(
    _ connection: borrowing Connection, _ body: () -> Int32
  ) throws(Failure) -> Int {
    try attempt(connection, waitingToWrite: true, body) ?? 0
  }

  /// Makes a call that moves bytes; nil if there is no room to write, and nobody waits for that.
  private func attempt(
    _ connection: borrowing Connection, waitingToWrite waits: Bool, _ body: () -> Int32
  ) throws(Failure) -> Int? {
    GuardedSection.checkThatWaitingIsAllowed()
    var hasYielded = false
    while true {
      // What another connection of this thread left would be taken for this one's.
      ERR_clear_error()
      let count = body()
      if count > 0 { return Int(count) }
      let code = errno
      switch unsafe SSL_get_error(pointer, count) {
      case SSL_ERROR_WANT_READ:
        if hasYielded {
          try connection.wait(until: .readable)
        } else {
          WorkerThreads.letOthersRun()
          hasYielded = true
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
  /// Gives a session the identity for the host that its client names.
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

/// What the library says about the call that failed last.
private func tlsFailure(_ call: String, _ path: String = "") -> Failure {
  Failure(.malformed(CryptoCall.takeReason().map { "\(call): \($0)" } ?? call), path)
}

import CCrypto
import CryptoCalls
package import SystemIO

/// The identity of a server: a certificate, its issuers, and the private key.
package struct Identity: Sendable {
  package let certificate: Certificate
  /// The issuers, from the certificate to the root.
  package let chain: [Certificate]
  package let key: PrivateKey

  init(certificate: Certificate, chain: [Certificate], key: PrivateKey) {
    self.certificate = certificate
    self.chain = chain
    self.key = key
  }

  /// Creates an identity from the PEM text of a certificate and its issuers; throws if the key does
  /// not match the certificate.
  package init(certificate pem: [UInt8], key: PrivateKey) throws(Failure) {
    let all = try Certificate.readAll(pem: pem)
    guard let first = all.first else { throw .malformed("no certificate in PEM format") }
    guard first.matches(key) else {
      throw .malformed("the private key does not match the certificate")
    }
    certificate = first
    chain = Array(all.dropFirst())
    self.key = key
  }

  /// Returns the reason why the identity cannot be used at a time; nil if it can be used.
  package func problem(at now: Moment) -> String? {
    if let begin = certificate.begin, now < begin { return "it is not valid before \(begin.day)" }
    if let end = certificate.end, end < now { return "it expired on \(end.day)" }
    if certificate.isAuthority { return "it is a certificate authority, not a server certificate" }
    if certificate.hosts.isEmpty { return "it contains no host name" }
    return nil
  }

  /// Whether a client that trusts only the root accepts the identity at a time.
  ///
  /// If the time is nil, the dates are not checked.
  package func isTrusted(by root: Certificate, at now: Moment?) throws(Failure) -> Bool {
    let store = unsafe try CryptoCall.get("X509_STORE_new") { unsafe X509_STORE_new() }
    defer { unsafe X509_STORE_free(store) }
    try CryptoCall.check("X509_STORE_add_cert") { unsafe X509_STORE_add_cert(store, root.pointer) }
    let context = unsafe try CryptoCall.get("X509_STORE_CTX_new") { unsafe X509_STORE_CTX_new() }
    defer { unsafe X509_STORE_CTX_free(context) }
    try CryptoCall.check("X509_STORE_CTX_init") {
      unsafe X509_STORE_CTX_init(context, store, certificate.pointer, nil)
    }
    let flags = X509_V_FLAG_X509_STRICT | (now == nil ? X509_V_FLAG_NO_CHECK_TIME : 0)
    unsafe X509_STORE_CTX_set_flags(context, UInt(flags))
    if let now { unsafe X509_STORE_CTX_set_time(context, 0, Int(now.seconds)) }
    defer { ERR_clear_error() }
    return unsafe X509_verify_cert(context) == 1
  }

  /// The encryption of a PKCS #12 file.
  package enum PKCS12: Sendable {
    /// AES and PBKDF2.
    case modern
    /// Triple DES, for systems that do not support AES.
    case legacy
  }

  /// Returns the certificate, its issuers and the key as a PKCS #12 file with a password.
  package func pkcs12(
    _ form: PKCS12, password: String, called name: String
  ) throws(Failure) -> [UInt8] {
    var others: OpaquePointer?
    if let next = chain.first {
      unsafe others = try CryptoCall.get("sk_X509_push") { unsafe ba_X509_stack(next.pointer) }
    }
    defer { unsafe ba_X509_stack_free(others) }
    let cipher = form == .modern ? NID_aes_256_cbc : NID_pbe_WithSHA1And3_Key_TripleDES_CBC
    let file = unsafe try CryptoCall.get("PKCS12_create") {
      unsafe PKCS12_create(
        password, name, key.pointer, certificate.pointer, others, cipher, cipher, 2048,
        // -1: no MAC. It is added below, with the digest that the form requires.
        -1, 0)
    }
    defer { unsafe PKCS12_free(file) }
    try CryptoCall.check("PKCS12_set_mac") {
      unsafe PKCS12_set_mac(
        file, password, -1, nil, 0, 2048, form == .modern ? EVP_sha256() : EVP_sha1())
    }
    return try unsafe CryptoCall.bytes("i2d_PKCS12_bio") { unsafe i2d_PKCS12_bio($0, file) }
  }
}

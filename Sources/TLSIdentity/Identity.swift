import CCrypto
package import SystemIO

/// What a server shows to prove who it is: a certificate, who signed it, and the key.
package struct Identity: Sendable {
  package let certificate: Certificate
  /// Who signed it, from the next one up.
  package let chain: [Certificate]
  package let key: PrivateKey

  init(certificate: Certificate, chain: [Certificate], key: PrivateKey) {
    self.certificate = certificate
    self.chain = chain
    self.key = key
  }

  /// Takes an identity that somebody else made: its certificate, and behind it those who signed it;
  /// throws when key and certificate do not belong together.
  package init(certificate pem: [UInt8], key: PrivateKey) throws(Failure) {
    let all = try Certificate.readAll(pem: pem)
    guard let first = all.first else { throw .malformed("there is no certificate in PEM form") }
    guard first.matches(key) else {
      throw .malformed("the private key does not belong to the certificate")
    }
    certificate = first
    chain = Array(all.dropFirst())
    self.key = key
  }

  /// Why it is no use at a time; nil when it is.
  package func trouble(at now: Moment) -> String? {
    if let begin = certificate.begin, now < begin { return "it begins to hold on \(begin.day)" }
    if let end = certificate.end, end < now { return "it expired on \(end.day)" }
    if certificate.isAuthority { return "it is a certificate authority and no server's" }
    if certificate.hosts.isEmpty { return "it names no host that it is for" }
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

  /// The certificate, who signed it, and the key in one file that a password protects.
  package enum PKCS12: Sendable {
    /// AES and PBKDF2.
    case modern
    /// Triple DES, for systems that know nothing else.
    case legacy
  }

  /// Writes such a file.
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
        // Without a check sum it can be written again with the digest that the form wants.
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

extension Moment {
  /// The day of it in UTC, as ISO 8601 writes it.
  package var day: String { String(description.prefix { $0 != "T" }) }
}

import CCrypto
import CryptoCalls
import SystemIO

/// An unsigned certificate.
@safe struct CertificateDraft: ~Copyable {
  private let pointer: OpaquePointer
  private var issuer: Certificate?

  /// Creates a draft for a key, with a random serial number.
  init(of key: PrivateKey) throws(Failure) {
    let made = unsafe try CryptoCall.get("X509_new") { unsafe X509_new() }
    do throws(Failure) {
      try CryptoCall.check("X509_set_version") {
        unsafe X509_set_version(made, Int(X509_VERSION_3))
      }
      try CryptoCall.check("X509_set_pubkey") { unsafe X509_set_pubkey(made, key.pointer) }
      let number = unsafe try CryptoCall.get("BN_new") { unsafe BN_new() }
      defer { unsafe BN_free(number) }
      // With the first bit set, the number has a fixed length.
      try CryptoCall.check("BN_rand") {
        unsafe BN_rand(number, 127, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY)
      }
      guard unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(made)) != nil else {
        throw Failure(.outOfMemory)
      }
    } catch {
      unsafe X509_free(made)
      throw error
    }
    unsafe pointer = unsafe made
  }

  deinit { unsafe X509_free(pointer) }

  /// Sets the validity, with a precision of one second.
  mutating func setPeriod(from begin: Moment, to end: Moment) throws(Failure) {
    guard unsafe ASN1_TIME_set(X509_getm_notBefore(pointer), Int(begin.seconds)) != nil,
      unsafe ASN1_TIME_set(X509_getm_notAfter(pointer), Int(end.seconds)) != nil
    else { throw Failure(.outOfMemory) }
  }

  enum NameKind {
    /// A name that can be a host name (`CN`).
    case common
    /// A name that cannot be a host name (`O`).
    case organization
  }

  /// Sets the subject.
  mutating func setName(_ name: String, as kind: NameKind = .common) throws(Failure) {
    let subject = unsafe try CryptoCall.get("X509_get_subject_name") {
      unsafe X509_get_subject_name(pointer)
    }
    let number = kind == .common ? NID_commonName : NID_organizationName
    try CryptoCall.check("X509_NAME_add_entry_by_NID") {
      unsafe X509_NAME_add_entry_by_NID(subject, number, MBSTRING_UTF8, name, -1, -1, 0)
    }
  }

  /// Sets the issuer; nil for a self-signed certificate.
  mutating func setIssuer(_ issuer: Certificate?) throws(Failure) {
    self.issuer = issuer
    try CryptoCall.check("X509_set_issuer_name") {
      unsafe X509_set_issuer_name(pointer, X509_get_subject_name(issuer?.pointer ?? pointer))
    }
  }

  /// Adds an extension, in the syntax of the configuration of OpenSSL.
  mutating func add(_ kind: Int32, _ value: String) throws(Failure) {
    var context = unsafe X509V3_CTX()
    unsafe ba_X509V3_set_ctx_nodb(&context)
    unsafe X509V3_set_ctx(&context, issuer?.pointer ?? pointer, pointer, nil, nil, 0)
    let made = unsafe try CryptoCall.get("X509V3_EXT_conf_nid") {
      unsafe X509V3_EXT_conf_nid(nil, &context, kind, value)
    }
    defer { unsafe X509_EXTENSION_free(made) }
    try CryptoCall.check("X509_add_ext") { unsafe X509_add_ext(pointer, made, -1) }
  }

  consuming func signed(by key: PrivateKey) throws(Failure) -> Certificate {
    ERR_clear_error()
    guard unsafe X509_sign(pointer, key.pointer, EVP_sha256()) > 0 else {
      throw Failure(.library("X509_sign", status: 0))
    }
    guard unsafe X509_up_ref(pointer) == 1 else { throw Failure(.outOfMemory) }
    return unsafe Certificate(owning: pointer)
  }
}

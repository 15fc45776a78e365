import CCrypto
import CryptoCalls
package import SystemIO

/// A certificate.
///
/// It is immutable, so threads can share it.
@safe package final class Certificate: Sendable {
  private let handle: SharedHandle<OpaquePointer>
  /// The certificate for a C library; valid during the lifetime of this value.
  package var pointer: OpaquePointer { unsafe handle.pointer }

  init(owning pointer: OpaquePointer) { unsafe handle = unsafe SharedHandle(pointer) }

  deinit { unsafe X509_free(pointer) }

  /// Reads the first certificate of a PEM text.
  package static func read(pem: [UInt8]) throws(Failure) -> Certificate {
    guard let first = try readAll(pem: pem).first else {
      throw .malformed("no certificate in PEM format")
    }
    return first
  }

  /// Reads all certificates of a PEM text, in order.
  static func readAll(pem: [UInt8]) throws(Failure) -> [Certificate] {
    try unsafe CryptoCall.reading(pem) { (memory) throws(Failure) in
      var found: [Certificate] = []
      ERR_clear_error()
      while found.count < mostInChain, let next = unsafe PEM_read_bio_X509(memory, nil, nil, nil) {
        found.append(unsafe Certificate(owning: next))
      }
      ERR_clear_error()
      return found
    }
  }

  /// The maximum number of certificates in a chain.
  private static let mostInChain = 16

  package func pem() throws(Failure) -> [UInt8] {
    try unsafe CryptoCall.bytes("PEM_write_bio_X509") { unsafe PEM_write_bio_X509($0, pointer) }
  }

  package func der() throws(Failure) -> [UInt8] {
    try unsafe CryptoCall.bytes("i2d_X509_bio") { unsafe i2d_X509_bio($0, pointer) }
  }

  /// The SHA-256 digest of the certificate.
  package func fingerprint() throws(Failure) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    try CryptoCall.check("X509_digest") {
      unsafe X509_digest(pointer, EVP_sha256(), &digest, &count)
    }
    return Array(digest.prefix(Int(count)))
  }

  /// The start of the validity.
  package var begin: Moment? { unsafe Self.moment(X509_get0_notBefore(pointer)) }

  /// The end of the validity.
  package var end: Moment? { unsafe Self.moment(X509_get0_notAfter(pointer)) }

  private static func moment(_ time: UnsafePointer<ASN1_TIME>?) -> Moment? {
    guard let time = unsafe time, let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
    defer { unsafe ASN1_TIME_free(epoch) }
    var (days, seconds) = (Int32(0), Int32(0))
    guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
    return Moment(seconds: Int64(days) * 86_400 + Int64(seconds))
  }

  /// The host names and addresses of the certificate, in order.
  package var hosts: [HostName] {
    guard let found = unsafe X509_get_ext_d2i(pointer, NID_subject_alt_name, nil, nil) else {
      return []
    }
    let names = OpaquePointer(found)
    defer { unsafe GENERAL_NAMES_free(names) }
    var hosts: [HostName] = []
    for index in 0..<(unsafe ba_GENERAL_NAMES_count(names)) {
      guard let name = unsafe ba_GENERAL_NAMES_at(names, index) else { continue }
      var kind: Int32 = 0
      guard let value = unsafe GENERAL_NAME_get0_value(name, &kind) else { continue }
      let string = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
      let bytes = unsafe Array(
        UnsafeBufferPointer(
          start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
      if kind == GEN_IPADD {
        hosts.append(.address(bytes))
      } else if kind == GEN_DNS, let host = HostName(String(decoding: bytes, as: UTF8.self)) {
        hosts.append(host)
      }
    }
    return hosts
  }

  /// Whether the certificate can sign other certificates.
  package var isAuthority: Bool { unsafe X509_check_ca(pointer) == 1 }

  /// Whether the certificate can sign only for some hosts.
  package var isConstrained: Bool {
    unsafe X509_get_ext_by_NID(pointer, NID_name_constraints, -1) >= 0
  }

  /// Returns whether the key of `other` signed this certificate.
  package func isSigned(by other: Certificate) -> Bool {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard let key = unsafe X509_get0_pubkey(other.pointer) else { return false }
    return unsafe X509_verify(pointer, key) == 1
  }

  /// Returns whether the private key matches the public key of the certificate.
  package func matches(_ key: PrivateKey) -> Bool {
    ERR_clear_error()
    defer { ERR_clear_error() }
    return unsafe X509_check_private_key(pointer, key.pointer) == 1
  }
}

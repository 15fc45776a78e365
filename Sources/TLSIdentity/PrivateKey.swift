import CCrypto
package import SystemIO

/// The secret half of a key, which signs.
///
/// It can be shared: after it was made, nothing changes it.
@safe package final class PrivateKey: Sendable {
  private let handle: SharedHandle<OpaquePointer>
  /// The key for a C library, as long as this value is there.
  package var pointer: OpaquePointer { unsafe handle.pointer }

  private init(owning pointer: OpaquePointer) { unsafe handle = unsafe SharedHandle(pointer) }

  deinit { unsafe EVP_PKEY_free(pointer) }

  /// Makes a new one, on the curve P-256.
  package static func make() throws(Failure) -> PrivateKey {
    unsafe PrivateKey(
      owning: try CryptoCall.get("EVP_EC_gen") { unsafe ba_EVP_EC_gen("P-256") })
  }

  /// Reads one that is written as PEM and has no password.
  package static func read(pem: [UInt8]) throws(Failure) -> PrivateKey {
    let found: OpaquePointer? = unsafe try CryptoCall.reading(pem) { (memory) throws(Failure) in
      ERR_clear_error()
      // Without an answer of ours the library would ask for a password on the terminal.
      return unsafe PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in -1 }, nil)
    }
    guard let found = unsafe found else {
      ERR_clear_error()
      let text = String(decoding: pem, as: UTF8.self)
      throw text.contains("ENCRYPTED")
        ? Failure(EncryptedKey())
        : .malformed("there is no private key in PEM form")
    }
    return unsafe PrivateKey(owning: found)
  }

  /// The key as PEM, without a password.
  package func pem() throws(Failure) -> [UInt8] {
    try unsafe CryptoCall.bytes("PEM_write_bio_PrivateKey") {
      unsafe PEM_write_bio_PrivateKey($0, pointer, nil, nil, 0, nil, nil)
    }
  }
}

/// The reason for a private key that cannot be read without a password.
package struct EncryptedKey: FailureReason {
  package init() {}

  package var description: String { "the private key is encrypted" }
  package var isAboutBytes: Bool { true }
}

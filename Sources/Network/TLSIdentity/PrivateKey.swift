import CCrypto
import CryptoCalls
package import SystemIO

/// A private key.
///
/// It is immutable, so threads can share it.
@safe package final class PrivateKey: Sendable {
  private let handle: SharedHandle<OpaquePointer>
  /// The key for a C library; valid during the lifetime of this value.
  package var pointer: OpaquePointer { unsafe handle.pointer }

  private init(owning pointer: OpaquePointer) { unsafe handle = unsafe SharedHandle(pointer) }

  deinit { unsafe EVP_PKEY_free(pointer) }

  /// Creates a key on the curve P-256.
  package static func make() throws(Failure) -> PrivateKey {
    unsafe PrivateKey(
      owning: try CryptoCall.get("EVP_EC_gen") { unsafe ba_EVP_EC_gen("P-256") })
  }

  /// Reads a key in PEM format without a password.
  package static func read(pem: [UInt8]) throws(Failure) -> PrivateKey {
    let found: OpaquePointer? = unsafe try CryptoCall.reading(pem) { (memory) throws(Failure) in
      ERR_clear_error()
      // Without this callback, the library prompts for a password on the terminal.
      return unsafe PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in -1 }, nil)
    }
    guard let found = unsafe found else {
      ERR_clear_error()
      let text = String(decoding: pem, as: UTF8.self)
      throw text.contains("ENCRYPTED")
        ? Failure(EncryptedKey())
        : .malformed("no private key in PEM format")
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

/// The failure of reading a private key that requires a password.
package struct EncryptedKey: FailureReason {
  package init() {}

  package var description: String { "the private key is encrypted" }
  package var isAboutBytes: Bool { true }
}

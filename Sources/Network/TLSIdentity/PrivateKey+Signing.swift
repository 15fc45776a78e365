import CCrypto
import CryptoCalls
package import SystemIO

extension PrivateKey {
  /// The type of a key.
  package enum KeyType: Sendable, Equatable {
    /// A key on the curve P-256, like those of App Store Connect.
    case p256
    /// A key on another curve, with its name.
    case otherCurve(String)
    /// A key of another type, such as RSA.
    case other
  }

  /// The type of the key.
  package var type: KeyType {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard unsafe EVP_PKEY_get_id(pointer) == EVP_PKEY_EC else { return .other }
    var name = [CChar](repeating: 0, count: 80)
    var count = 0
    guard unsafe EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1 else {
      return .other
    }
    let text = String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text == "prime256v1" ? .p256 : .otherCurve(text)
  }

  /// Returns an ES256 signature (RFC 7518): two numbers of 32 bytes each.
  package func es256Signature(of message: [UInt8]) throws(Failure) -> [UInt8] {
    guard type == .p256 else { throw .malformed("the private key is not on the curve P-256") }
    let context = unsafe try CryptoCall.get("EVP_MD_CTX_new") { unsafe EVP_MD_CTX_new() }
    defer { unsafe EVP_MD_CTX_free(context) }
    try CryptoCall.check("EVP_DigestSignInit") {
      unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pointer)
    }
    // ASN.1 of two numbers; 72 bytes on this curve.
    var signature = [UInt8](repeating: 0, count: 128)
    var count = signature.count
    try CryptoCall.check("EVP_DigestSign") {
      unsafe EVP_DigestSign(context, &signature, &count, message, message.count)
    }
    let numbers = unsafe try CryptoCall.get("d2i_ECDSA_SIG") {
      unsafe signature.withUnsafeBufferPointer { bytes in
        var start = bytes.baseAddress
        return unsafe d2i_ECDSA_SIG(nil, &start, count)
      }
    }
    defer { unsafe ECDSA_SIG_free(numbers) }
    return unsafe try Self.bytes(of: ECDSA_SIG_get0_r(numbers))
      + Self.bytes(of: ECDSA_SIG_get0_s(numbers))
  }

  /// Returns a number in 32 bytes, with leading zeros.
  private static func bytes(of number: OpaquePointer?) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    guard unsafe BN_bn2binpad(number, &bytes, 32) == 32 else {
      throw Failure(.library("BN_bn2binpad", status: 0))
    }
    return bytes
  }
}

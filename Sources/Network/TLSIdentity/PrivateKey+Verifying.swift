import CCrypto
import CryptoCalls
import SystemIO

extension PrivateKey {
  /// Returns whether an ES256 signature (RFC 7518) of a message is valid: two numbers of 32 bytes
  /// each.
  ///
  /// Signatures of another size are invalid, such as those in ASN.1 format.
  package func isES256Signature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard signature.count == 64, type == .p256 else { return false }
    defer { ERR_clear_error() }
    guard let encoded = try? Self.asn1(ofES256: signature) else { return false }
    guard let context = unsafe EVP_MD_CTX_new() else { return false }
    defer { unsafe EVP_MD_CTX_free(context) }
    guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, pointer) == 1 else {
      return false
    }
    return unsafe EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
  }

  /// Returns the two numbers in ASN.1 format.
  private static func asn1(ofES256 signature: [UInt8]) throws(Failure) -> [UInt8] {
    let numbers = unsafe try CryptoCall.get("ECDSA_SIG_new") { unsafe ECDSA_SIG_new() }
    defer { unsafe ECDSA_SIG_free(numbers) }
    let halves = [Array(signature[..<32]), Array(signature[32...])]
    let first = unsafe try CryptoCall.get("BN_bin2bn") { unsafe BN_bin2bn(halves[0], 32, nil) }
    let second = unsafe BN_bin2bn(halves[1], 32, nil)
    // The pair now owns both numbers.
    guard let second = unsafe second, unsafe ECDSA_SIG_set0(numbers, first, second) == 1 else {
      unsafe BN_free(first)
      unsafe BN_free(second)
      throw Failure(.library("ECDSA_SIG_set0", status: 0))
    }
    // At most 72 bytes on this curve.
    var encoded = [UInt8](repeating: 0, count: 80)
    let count = unsafe encoded.withUnsafeMutableBufferPointer { bytes in
      var start = bytes.baseAddress
      return unsafe i2d_ECDSA_SIG(numbers, &start)
    }
    guard count > 0 else { throw Failure(.library("i2d_ECDSA_SIG", status: count)) }
    return Array(encoded.prefix(Int(count)))
  }
}

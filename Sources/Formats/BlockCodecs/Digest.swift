import CCrypto
import CryptoCalls
package import SystemIO

/// A digest of bytes that are added in pieces, computed with the processor's own instructions.
@safe package struct Digest: ~Copyable {
  /// The kind of digest.
  package enum Algorithm: Sendable, CaseIterable {
    case md5, sha1, sha256, sha384, sha512
  }

  private let context: OpaquePointer

  /// Starts a digest; throws if libcrypto cannot be loaded.
  package init(_ algorithm: Algorithm) throws(Failure) {
    let made = unsafe try CryptoCall.create { unsafe EVP_MD_CTX_new() }
    let kind =
      switch algorithm {
      case .md5: unsafe EVP_md5()
      case .sha1: unsafe EVP_sha1()
      case .sha256: unsafe EVP_sha256()
      case .sha384: unsafe EVP_sha384()
      case .sha512: unsafe EVP_sha512()
      }
    guard unsafe EVP_DigestInit_ex(made, kind, nil) == 1 else {
      unsafe EVP_MD_CTX_free(made)
      throw Failure(.library("EVP_DigestInit_ex", status: 0))
    }
    unsafe context = made
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Adds more bytes.
  package mutating func update(_ bytes: RawSpan) {
    // Fails only for a context that was not started.
    _ = unsafe bytes.withUnsafeBytes {
      unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
  }

  /// Returns the digest of all bytes.
  package consuming func finish() -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 64) { target, count in
      var size: UInt32 = 0
      _ = unsafe EVP_DigestFinal_ex(context, target.baseAddress, &size)
      count = Int(size)
    }
  }
}

/// Returns the SHA-256 digest of bytes in memory.
package func sha256(of bytes: [UInt8]) throws(Failure) -> [UInt8] {
  var digest = try Digest(.sha256)
  unsafe digest.update(bytes.span.bytes)
  return digest.finish()
}

/// Returns the HMAC with SHA-256 of these bytes and a key.
package func authenticationCode(of bytes: [UInt8], key: [UInt8]) throws(Failure) -> [UInt8] {
  var code = [UInt8](repeating: 0, count: 32)
  try CryptoCall.check("HMAC") {
    unsafe HMAC(
      EVP_sha256(), key, Int32(clamping: key.count), bytes, bytes.count, &code, nil) == nil ? 0 : 1
  }
  return code
}

/// The checksum of `cksum(1)`: a CRC of the bytes and of their number.
package struct Cksum: Sendable {
  private var value: UInt32 = 0
  private var count: UInt64 = 0

  package init() {}

  package mutating func update(_ bytes: RawSpan) {
    count += UInt64(bytes.byteCount)
    let table = Self.table
    for index in 0..<bytes.byteCount {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
      value = value << 8 ^ table[Int(UInt8(truncatingIfNeeded: value >> 24) ^ byte)]
    }
  }

  package consuming func finish() -> UInt32 {
    while count > 0 {
      let byte = UInt8(truncatingIfNeeded: count)
      value = value << 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: value >> 24) ^ byte)]
      count >>= 8
    }
    return ~value
  }

  private static let table: [UInt32] = (0..<256 as Range<UInt32>).map { index in
    (0..<8).reduce(index << 24) { value, _ in
      value & 1 << 31 == 0 ? value << 1 : value << 1 ^ 0x04C1_1DB7
    }
  }
}

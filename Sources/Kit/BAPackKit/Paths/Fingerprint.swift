/// Returns a hash of bytes (FNV-1a).
///
/// Equal bytes have equal hashes.
package func fingerprint(of bytes: some Sequence<UInt8>) -> UInt64 {
  fingerprint(0xcbf2_9ce4_8422_2325, followedBy: bytes)
}

/// Returns the hash of the bytes with the hash `start`, followed by `bytes`.
package func fingerprint(_ start: UInt64, followedBy bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
}

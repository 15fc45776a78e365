/// A number for bytes: different ones mean different bytes, equal ones hardly ever do (FNV-1a).
package func fingerprint(of bytes: some Sequence<UInt8>) -> UInt64 {
  fingerprint(0xcbf2_9ce4_8422_2325, followedBy: bytes)
}

/// The number for some bytes, followed by others.
package func fingerprint(_ start: UInt64, followedBy bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
}

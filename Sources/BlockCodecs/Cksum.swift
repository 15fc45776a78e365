/// The checksum of `cksum(1)`: a CRC of the bytes and of how many there are.
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

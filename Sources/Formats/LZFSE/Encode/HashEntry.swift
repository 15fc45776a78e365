/// The number of bits of a slot number in each table.
///
/// The tables use 128 KiB of memory for the effort `fast`, and 512 KiB for `default`.
enum HashBits {
  static let sixBytes: UInt64 = 15
  static let eightBytes: UInt64 = 16
  static let fourBytes: UInt32 = 16
}

/// An entry of a hash table: the low 18 bits of a position, and 14 more bits of the hash of its
/// bytes.
///
/// 18 bits are enough for every distance of the format. The other bits rule out most false
/// candidates without reading the input: those reads took a third of the search time. An entry may
/// be old or empty: its distance then leads to some earlier position, or to none. So each candidate
/// is compared with the input before it is used.
struct HashEntry: BitwiseCopyable {
  private let bits: UInt32

  @inline(__always)
  init(_ position: Int, tag: UInt32) {
    bits = UInt32(truncatingIfNeeded: position) &<< 14 | tag & 0x3fff
  }

  /// An empty slot; it resembles the start of the input.
  static let none = HashEntry(0, tag: 0)

  /// Returns the distance to the older entry, if both have the same tag and are near enough.
  @inline(__always)
  func distance(to older: HashEntry) -> Int? {
    let difference = bits &- older.bits
    guard difference & 0x3fff == 0 else { return nil }
    let distance = difference &>> 14
    guard distance &- 1 < UInt32(Format.maximumDistance) else { return nil }
    return Int(distance)
  }
}

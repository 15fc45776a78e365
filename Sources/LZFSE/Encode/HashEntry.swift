/// Bits of the hash that number the slots of each table: 128 KiB for `fast`, 512 for `default`.
enum HashBits {
  static let sixBytes: UInt64 = 15
  static let eightBytes: UInt64 = 16
  static let fourBytes: UInt32 = 16
}

/// An entry of a hash table: the low 18 bits of a position, and 14 more bits of what is there.
///
/// 18 bits say every distance that the format has. The other bits tell without a look at the input
/// that most entries lead nowhere; those looks were a third of the search's time. An entry may be
/// stale or zero: it then names some position in front of this one or the place itself, so what
/// it says is compared with the input before it is believed.
struct HashEntry: BitwiseCopyable {
  private let bits: UInt32

  @inline(__always)
  init(_ position: Int, tag: UInt32) {
    bits = UInt32(truncatingIfNeeded: position) &<< 14 | tag & 0x3fff
  }

  /// An empty slot, or the beginning of the input.
  static let none = HashEntry(0, tag: 0)

  /// How far back the older entry points, if it is about the same bytes and near enough.
  @inline(__always)
  func distance(to older: HashEntry) -> Int? {
    let difference = bits &- older.bits
    guard difference & 0x3fff == 0 else { return nil }
    let distance = difference &>> 14
    guard distance &- 1 < UInt32(Format.maximumDistance) else { return nil }
    return Int(distance)
  }
}

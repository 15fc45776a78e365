/// Writes a `bvxn` block: the form for inputs that are too small for tables.
enum VNEncoder {
  /// Inputs of this size and more get entropy coded blocks.
  static let limit = 4096
  /// How many entries of the hash table are used.
  static let slotCount = 4096
  private static let headerSize = 12
  private static let endMark: UInt64 = 6

  /// Writes the whole block to `target` and returns its size.
  ///
  /// An instruction is never longer than the bytes it stands for, except for one extra byte in
  /// front of up to 15 literals, so the writer's scratch memory is large enough. `table` has
  /// `slotCount` entries, and `target` has `room` bytes.
  @unsafe
  static func encode(
    _ source: UnsafeRawPointer, count: Int, _ table: UnsafeMutablePointer<HashEntry>,
    to target: UnsafeMutableRawPointer, room: Int
  ) -> Int {
    unsafe table.update(repeating: .none, count: slotCount)
    var out = unsafe VNInstructions(
      source: source, next: target + headerSize, room: room - headerSize)
    var literalStart = 0
    var position = 0
    while position + 8 <= count {
      let slot = unsafe Self.slot(source + position)
      let entry = HashEntry(position, tag: 0)
      let distance = unsafe entry.distance(to: table[slot]) ?? 0
      unsafe table[slot] = entry
      let length =
        distance == 0
        ? 0
        : unsafe MatchLength.of(
          source + position, source + (position - distance), limit: count - position)
      guard length >= 3 else {
        position += 1
        continue
      }
      unsafe out.add(
        literalStart..<position, match: length, distance: distance)
      let end = position + length
      position += 1
      while position < end, position + 8 <= count {
        unsafe table[Self.slot(source + position)] = HashEntry(position, tag: 0)
        position += 1
      }
      position = end
      literalStart = end
    }
    unsafe out.add(literals: literalStart..<count)
    unsafe out.expectRoom(8)
    unsafe out.next.storeBytes(of: endMark.littleEndian, as: UInt64.self)
    let size = unsafe out.next + 8 - target
    unsafe target.storeBytes(of: Magic.vn.littleEndian, as: UInt32.self)
    unsafe target.storeBytes(of: UInt32(count).littleEndian, toByteOffset: 4, as: UInt32.self)
    unsafe target.storeBytes(
      of: UInt32(size - headerSize).littleEndian, toByteOffset: 8, as: UInt32.self)
    return size
  }

  @unsafe
  private static func slot(_ bytes: UnsafeRawPointer) -> Int {
    let three = unsafe UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)) << 8
    return Int((three &* 0x9E37_79B1) >> 20)
  }
}

/// Chooses and writes the instructions for literals and matches.
@unsafe
private struct VNInstructions {
  let source: UnsafeRawPointer
  var next: UnsafeMutableRawPointer
  private var previousDistance = 0
  #if DEBUG
    private let end: UnsafeMutableRawPointer
  #endif

  init(source: UnsafeRawPointer, next: UnsafeMutableRawPointer, room: Int) {
    unsafe self.source = source
    unsafe self.next = next
    #if DEBUG
      unsafe end = next + room
    #endif
  }

  /// In a debug build, stops if there is no room for this many bytes.
  @inline(__always)
  func expectRoom(_ count: Int) {
    #if DEBUG
      unsafe assert(count >= 0 && count <= end - next, "instructions grow beyond their memory")
    #endif
  }

  private mutating func put(_ byte: Int) {
    unsafe expectRoom(1)
    unsafe next.storeBytes(of: UInt8(truncatingIfNeeded: byte), as: UInt8.self)
    unsafe next += 1
  }

  private mutating func copy(_ range: Range<Int>) {
    unsafe expectRoom(range.count)
    unsafe next.copyMemory(from: source + range.lowerBound, byteCount: range.count)
    unsafe next += range.count
  }

  mutating func add(literals range: Range<Int>) {
    var start = range.lowerBound
    while start < range.upperBound {
      let count = min(range.upperBound - start, 271)
      if count > 15 {
        unsafe put(0xe0)
        unsafe put(count - 16)
      } else {
        unsafe put(0xe0 + count)
      }
      unsafe copy(start..<start + count)
      start += count
    }
  }

  mutating func add(_ literals: Range<Int>, match: Int, distance: Int) {
    var literals = literals
    if literals.count > 3 {
      unsafe add(literals: literals)
      literals = literals.upperBound..<literals.upperBound
    }
    let run = literals.count
    // Longer matches in the first instruction would have the opcodes of other instructions.
    let first = min(match, 10 - 2 * run)
    var rest = match - first
    if unsafe distance == previousDistance {
      unsafe put(run == 0 ? 0xf0 + first : run << 6 | (first - 3) << 3 | 6)
    } else if distance < 0x600 {
      unsafe put(run << 6 | (first - 3) << 3 | distance >> 8)
      unsafe put(distance)
    } else if distance < 1 << 14, rest > 0, match <= 34 {
      let word = distance << 2 | (match - 3) & 3
      unsafe put(0xa0 | run << 3 | (match - 3) >> 2)
      unsafe put(word)
      unsafe put(word >> 8)
      rest = 0
    } else {
      unsafe put(run << 6 | (first - 3) << 3 | 7)
      unsafe put(distance)
      unsafe put(distance >> 8)
    }
    unsafe copy(literals)
    unsafe previousDistance = distance
    while rest > 15 {
      let count = min(rest, 271)
      unsafe put(0xf0)
      unsafe put(count - 16)
      rest -= count
    }
    if rest > 0 { unsafe put(0xf0 + rest) }
  }
}

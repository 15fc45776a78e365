/// Writes a `bvxn` block: the form for inputs that are too small for tables.
enum VNEncoder {
  /// The input size in bytes from which blocks are entropy-coded.
  static let limit = 4096
  private static let headerSize = 12
  private static let endMark: UInt64 = 6

  /// Writes the whole block to `target` and returns its size.
  ///
  /// The cheapest instructions are never longer than the literals alone, which use two bytes for
  /// each 271, so the writer's scratch memory is large enough. `target` has `room` bytes.
  @unsafe
  static func encode(
    _ source: UnsafeRawPointer, count: Int, _ parser: borrowing VNParser,
    to target: UnsafeMutableRawPointer, room: Int
  ) -> Int {
    var out = unsafe VNInstructions(
      source: source, next: target + headerSize, room: room - headerSize)
    var left = unsafe parser.parse(source, count: count)
    var place = 0
    while left > 0 {
      left -= 1
      let step = parser.steps[left]
      let literals = place..<place + step.literals
      if step.match == 0 {
        unsafe out.add(literals: literals)
      } else {
        unsafe out.add(literals, match: step.match, distance: step.distance)
      }
      place = literals.upperBound + step.match
    }
    assert(place == count)
    unsafe out.expectRoom(8)
    unsafe out.next.storeBytes(of: endMark.littleEndian, as: UInt64.self)
    let size = unsafe out.next + 8 - target
    unsafe target.storeBytes(of: Magic.vn.littleEndian, as: UInt32.self)
    unsafe target.storeBytes(of: UInt32(count).littleEndian, toByteOffset: 4, as: UInt32.self)
    unsafe target.storeBytes(
      of: UInt32(size - headerSize).littleEndian, toByteOffset: 8, as: UInt32.self)
    return size
  }
}

/// The limits of literals and matches in one instruction.
enum VNOpcode {
  /// The maximum number of literals, or of bytes of a repeated match, in an instruction with an
  /// opcode of one byte.
  static let longestShortRun = 15
  /// The maximum number of literals in an instruction with an opcode of two bytes.
  static let longestRun = 271
  /// The shortest match of an instruction that has literals or names a distance.
  static let shortestMatch = 3
  /// The longest match of an instruction with an opcode of three bytes, at any distance.
  static let longestFarMatch = 34

  /// Returns the length of the longest match after this number of literals: longer ones would have
  /// the opcodes of other instructions.
  static func longestMatch(after literals: Int) -> Int { 10 - 2 * literals }

  /// Returns the length of the longest match of an instruction with this distance in an opcode of
  /// two bytes; 0 if the distance needs an opcode of three bytes.
  static func longestMatch(after literals: Int, distance: Int) -> Int {
    distance < 0x600 ? longestMatch(after: literals) : 0
  }
}

/// Writes instructions for literals and matches.
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
      let count = min(range.upperBound - start, VNOpcode.longestRun)
      unsafe putOpcode(0xe0, count)
      unsafe copy(start..<start + count)
      start += count
    }
  }

  /// Writes the opcode of literals alone, or of a repeated match alone.
  private mutating func putOpcode(_ code: Int, _ count: Int) {
    if count > VNOpcode.longestShortRun {
      unsafe put(code)
      unsafe put(count - VNOpcode.longestShortRun - 1)
    } else {
      unsafe put(code + count)
    }
  }

  /// Writes one instruction: up to three literals, then a match.
  mutating func add(_ literals: Range<Int>, match: Int, distance: Int) {
    let run = literals.count
    let isRepeated = unsafe distance == previousDistance
    if isRepeated, run == 0 {
      unsafe putOpcode(0xf0, match)
    } else if isRepeated, match <= VNOpcode.longestMatch(after: run) {
      unsafe put(run << 6 | (match - 3) << 3 | 6)
    } else if match <= VNOpcode.longestMatch(after: run, distance: distance) {
      unsafe put(run << 6 | (match - 3) << 3 | distance >> 8)
      unsafe put(distance)
    } else {
      let word = distance << 2 | (match - 3) & 3
      unsafe put(0xa0 | run << 3 | (match - 3) >> 2)
      unsafe put(word)
      unsafe put(word >> 8)
    }
    unsafe copy(literals)
    unsafe previousDistance = distance
  }
}

extension Encoder {
  /// Encodes with the effort `default`: tries two candidates for each position, and the last
  /// distance.
  ///
  /// A match is not used if a better one begins at the next byte.
  @unsafe
  mutating func parseLazily(
    _ source: UnsafeRawPointer, count: Int, to output: inout OutputCursor
  ) -> Bool {
    unsafe hashSlots.base.update(repeating: .none, count: hashSlots.count)
    longMatchStarts.clear()
    let table = unsafe DoubleTable(hashSlots)
    block.begin(at: 0)
    var position = 1
    var literalStart = 0
    var repeated = 1
    // Wide loads must not read beyond the input.
    let last = count - 32
    var stride = Stride(before: last)
    while unsafe stride.reaches(&position, in: source) {
      guard var best = unsafe table.search(source, position, repeated, count) else {
        position &+= 1
        continue
      }
      assert(best.distance <= position && best.length <= count - position)
      // Two bytes after the latest search.
      var unsearched = position &+ 2
      while best.length < Self.goodLength, position &+ 1 < last {
        guard let next = unsafe table.search(source, position &+ 1, repeated, count),
          next.gain >= best.gain
        else {
          unsearched &+= 1
          break
        }
        best = next
        position &+= 1
        unsearched &+= 1
      }
      let before = unsafe MatchLength.before(
        source + position, best.distance, history: position &- best.distance,
        limit: min(position &- literalStart, position &- best.distance))
      let start = position &- before
      var (length, distance) = (best.length &+ before, best.distance)
      if length >= LongMatch.shortest {
        (length, distance) = unsafe longMatchStarts.enter(
          source, start, length: length, distance: distance, limit: count &- start)
      }
      assert(start >= literalStart && length <= count - start)
      guard
        unsafe add(
          source, literalStart, literals: start &- literalStart, match: length,
          distance: distance, end: count, to: &output)
      else { return false }
      repeated = distance
      position = start &+ length
      literalStart = position
      stride.restart(at: position, after: length)
      if position < last { unsafe table.insert(source, match: unsearched, to: position) }
    }
    return unsafe finish(source, literalsFrom: literalStart, count: count, to: &output)
  }

  /// The length from which a match is used without a further search.
  private static var goodLength: Int { 40 }
}

/// The latest position of each hash of eight bytes, and of each hash of four.
@unsafe
struct DoubleTable {
  let long: UnsafeMutablePointer<HashEntry>
  let short: UnsafeMutablePointer<HashEntry>

  /// Each hash has as many bits as there are in a slot number, so no further check is needed.
  @inline(__always)
  init(_ storage: borrowing Storage<HashEntry>) {
    assert(storage.count >= 1 << HashBits.eightBytes + 1 << HashBits.fourBytes)
    unsafe long = storage.base
    unsafe short = storage.base + 1 << Int(HashBits.eightBytes)
  }

  /// A match that was found.
  struct Match {
    let length: Int
    let distance: Int
    /// The gain of the match: five points for each byte, less one for each bit of the distance.
    let gain: Int

    @inline(__always)
    init(length: Int, distance: Int) {
      self.length = length
      self.distance = distance
      gain = length &* 5 &- (63 &- distance.leadingZeroBitCount)
    }

    @inline(__always)
    init(length: Int, repeated distance: Int) {
      self.length = length
      self.distance = distance
      gain = length &* 5 &+ 2
    }
  }

  /// Enters a position and returns its best match, of four bytes or more.
  @inline(__always)
  func search(
    _ source: UnsafeRawPointer, _ position: Int, _ repeated: Int, _ count: Int
  ) -> Match? {
    assert(position + 16 <= count && repeated <= position)
    let here = unsafe source + position
    let word = unsafe here.loadUnaligned(as: UInt64.self).littleEndian
    let entries = unsafe exchange(word, position)
    // An addition, because the subtraction of a number from a pointer checks for overflow.
    let there = unsafe here + (0 &- repeated)
    guard unsafe there.loadUnaligned(as: UInt32.self) == here.loadUnaligned(as: UInt32.self) else {
      return unsafe candidate(source, position, word, entries, count)
    }
    let difference = unsafe word ^ there.loadUnaligned(as: UInt64.self).littleEndian
    let length = unsafe MatchLength.of(
      here, there, difference: difference, limit: count &- position)
    let match = Match(length: length, repeated: repeated)
    guard let other = unsafe candidate(source, position, word, entries, count),
      other.gain > match.gain
    else { return match }
    return other
  }

  /// Returns the match with the older entry for eight bytes, or else with that for four.
  @inline(__always)
  private func candidate(
    _ source: UnsafeRawPointer, _ position: Int, _ word: UInt64, _ entries: Entries, _ count: Int
  ) -> Match? {
    let here = unsafe source + position
    if let distance = entries.new.distance(to: entries.oldLong),
      unsafe (here - distance).loadUnaligned(as: UInt64.self).littleEndian == word
    {
      assert(distance <= position)
      let length = unsafe MatchLength.of(
        here, here - distance, difference: 0, limit: count &- position)
      return Match(length: length, distance: distance)
    }
    guard let distance = entries.new.distance(to: entries.oldShort) else { return nil }
    assert(distance <= position)
    let difference = unsafe word ^ (here - distance).loadUnaligned(as: UInt64.self).littleEndian
    guard UInt32(truncatingIfNeeded: difference) == 0 else { return nil }
    let length = unsafe MatchLength.of(
      here, here - distance, difference: difference, limit: count &- position)
    return Match(length: length, distance: distance)
  }

  @inline(__always)
  func insert(_ source: UnsafeRawPointer, _ position: Int) {
    let word = unsafe source.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
    _ = unsafe exchange(word, position)
  }

  /// Enters positions of a match, from the first one that was not searched.
  ///
  /// Of most matches, only three are entered; entering all would cost a fifth of the speed.
  @inline(__always)
  func insert(_ source: UnsafeRawPointer, match start: Int, to end: Int) {
    LongMatch.positions(from: start, to: end &- 2) { unsafe insert(source, $0) }
    unsafe insert(source, start)
    unsafe insert(source, end &- 2)
    unsafe insert(source, end &- 1)
  }

  /// The new entry of a position, and the previous ones of the same slots.
  private struct Entries {
    let new: HashEntry
    let oldLong: HashEntry
    let oldShort: HashEntry
  }

  @inline(__always)
  private func exchange(_ word: UInt64, _ position: Int) -> Entries {
    let longHash = word &* 0xCF1B_BCDC_B7A5_6463
    let shortHash = UInt32(truncatingIfNeeded: word) &* 0x9E37_79B1
    let longSlot = unsafe long + Int(truncatingIfNeeded: longHash &>> (64 &- HashBits.eightBytes))
    let shortSlot = unsafe short + Int(truncatingIfNeeded: shortHash &>> (32 &- HashBits.fourBytes))
    // Both tables have the same entry. In the table for eight bytes, the hash of four is a good
    // tag: a wrong candidate needs the same four bytes in one slot of 65,536.
    let entry = HashEntry(position, tag: shortHash)
    let old = unsafe (longSlot.pointee, shortSlot.pointee)
    unsafe longSlot.pointee = entry
    unsafe shortSlot.pointee = entry
    return Entries(new: entry, oldLong: old.0, oldShort: old.1)
  }
}

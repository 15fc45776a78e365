extension Encoder {
  /// Encodes with the effort `fast`: one candidate for each position, the latest with the same six
  /// bytes; the first match is used.
  @unsafe
  mutating func parseFast(
    _ source: UnsafeRawPointer, count: Int, to output: inout OutputCursor
  ) -> Bool {
    unsafe hashSlots.base.update(repeating: .none, count: 1 << Int(HashBits.sixBytes))
    let table = unsafe SixByteTable(hashSlots)
    block.begin(at: 0)
    var position = 1
    var literalStart = 0
    var repeated = 1
    // Wide loads must not read beyond the input.
    let last = count - 32
    var stride = Stride(before: last)
    while unsafe stride.reaches(&position, in: source) {
      assert(repeated <= position && literalStart <= position)
      let here = unsafe source + position
      let word = unsafe here.loadUnaligned(as: UInt64.self).littleEndian
      let (entry, older) = unsafe table.exchange(word, position)
      var start = position
      let distance: Int
      var length = 4
      // At the next byte the last distance may match: trying that is almost free.
      if unsafe (here + 1 - repeated).loadUnaligned(as: UInt32.self)
        == (here + 1).loadUnaligned(as: UInt32.self)
      {
        start = position &+ 1
        distance = repeated
        length &+= unsafe MatchLength.of(
          here + 5, here + 5 - repeated, limit: count &- start &- length)
      } else if let candidate = entry.distance(to: older),
        unsafe (here - candidate).loadUnaligned(as: UInt32.self).littleEndian
          == UInt32(truncatingIfNeeded: word)
      {
        assert(candidate <= position)
        distance = candidate
        length &+= unsafe MatchLength.of(
          here + 4, here + 4 - distance, limit: count &- start &- length)
        let before = unsafe MatchLength.before(
          here, distance, history: start &- distance,
          limit: min(start &- literalStart, start &- distance))
        start &-= before
        length &+= before
      } else {
        position &+= 1
        continue
      }
      guard
        unsafe add(
          source, literalStart, literals: start &- literalStart, match: length,
          distance: distance, end: count, to: &output)
      else { return false }
      (repeated, position) = (distance, start &+ length)
      literalStart = position
      stride.restart(at: position, after: length)
      if position < last {
        LongMatch.positions(from: start, to: position &- 2) { unsafe table.insert(source, $0) }
        unsafe table.insert(source, position &- 2)
      }
    }
    return unsafe finish(source, literalsFrom: literalStart, count: count, to: &output)
  }
}

/// The latest position of each hash of six bytes.
@unsafe
struct SixByteTable {
  let slots: UnsafeMutablePointer<HashEntry>

  /// The hash has as many bits as there are in a slot number, so no further check is needed.
  @inline(__always)
  init(_ storage: borrowing Storage<HashEntry>) {
    assert(storage.count >= 1 << HashBits.sixBytes)
    unsafe slots = storage.base
  }

  /// Enters a position; returns its entry and the previous one.
  @inline(__always)
  func exchange(_ word: UInt64, _ position: Int) -> (new: HashEntry, old: HashEntry) {
    let hash = (word &<< 16) &* 0xCF1B_BCDC_BFA5_6391
    let slot = unsafe slots + Int(truncatingIfNeeded: hash &>> (64 &- HashBits.sixBytes))
    let entry = HashEntry(position, tag: UInt32(truncatingIfNeeded: hash &>> 32))
    let old = unsafe slot.pointee
    unsafe slot.pointee = entry
    return (entry, old)
  }

  @inline(__always)
  func insert(_ source: UnsafeRawPointer, _ position: Int) {
    let word = unsafe source.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
    _ = unsafe exchange(word, position)
  }
}

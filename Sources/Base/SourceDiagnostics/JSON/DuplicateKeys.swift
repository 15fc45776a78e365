/// The rule that each key of an object is listed only once.
enum DuplicateKeys {
  /// Checks all objects of a text, independently of their meaning.
  ///
  /// `span` returns the position of some bytes in the text that findings are about.
  static func check(
    _ slots: [JSONSlot], in bytes: [UInt8], into findings: inout Ledger,
    span: (Int, Int) -> SourceSpan
  ) {
    var keys: [Int] = []
    for index in slots.indices where slots[index].kind == .object {
      // The second word of a container looks like a null, so only first words are checked.
      let count = slots[index + 1].memberCount
      guard count > 1 else { continue }
      keys.removeAll(keepingCapacity: true)
      var position = index + 2
      for _ in 0..<count {
        keys.append(position)
        let value = slots[position + 1]
        position += 1 + (value.isContainer ? value.wordCount : 1)
      }
      compare(keys, slots, in: bytes, into: &findings, span: span)
    }
  }

  private static func compare(
    _ keys: [Int], _ slots: [JSONSlot], in bytes: [UInt8], into findings: inout Ledger,
    span: (Int, Int) -> SourceSpan
  ) {
    var seen = FirstOccurrences(count: keys.count)
    for (number, index) in keys.enumerated() where !slots[index].isDamaged {
      let slot = slots[index]
      let earlier = seen.firstOccurrence(of: number, hash: hash(of: slot, in: bytes)) {
        haveSameText(slots[keys[$0]], slot, in: bytes)
      }
      guard let earlier else { continue }
      guard !findings.isFull(of: .error) else {
        findings.leaveOut(.error)
        continue
      }
      let first = slots[keys[earlier]]
      findings.add(
        Finding(
          .duplicateKey, .error,
          "the key '\(JSONText.string(of: slot, in: bytes))' is listed twice",
          at: span(slot.start, slot.start + slot.byteLength),
          labels: [.init(span(first.start, first.start + first.byteLength), "first listed here")]))
    }
  }

  private static func hash(of slot: JSONSlot, in bytes: [UInt8]) -> Int {
    slot.needsDecoding
      ? FirstOccurrences.hash(of: Array(JSONText.string(of: slot, in: bytes).utf8)[...])
      : FirstOccurrences.hash(of: bytes[JSONText.range(of: slot, in: bytes)])
  }

  private static func haveSameText(_ left: JSONSlot, _ right: JSONSlot, in bytes: [UInt8]) -> Bool {
    if left.needsDecoding || right.needsDecoding {
      return JSONText.string(of: left, in: bytes).utf8
        .elementsEqual(JSONText.string(of: right, in: bytes).utf8)
    }
    return bytes[JSONText.range(of: left, in: bytes)] == bytes[JSONText.range(of: right, in: bytes)]
  }
}

/// Finds repetitions among many elements, with 8 bytes for each element and without copying them.
package struct FirstOccurrences {
  private var table: [Int32]
  private let mask: Int
  private var small: [Int32] = []

  /// Reserves memory for a number of elements.
  package init(count: Int) {
    // A few elements are compared with each other, which needs neither a table nor hashes.
    guard count > 8 else {
      table = []
      mask = 0
      return
    }
    var size = 16
    while size < count + count / 2 { size *= 2 }
    table = [Int32](repeating: -1, count: size)
    mask = size - 1
  }

  /// Returns the number of the first element that equals this one; if there is none, records this
  /// one and returns nil.
  package mutating func firstOccurrence(
    of number: Int, hash: @autoclosure () -> Int, isEqual: (Int) -> Bool
  ) -> Int? {
    guard !table.isEmpty else {
      for earlier in small where isEqual(Int(earlier)) { return Int(earlier) }
      small.append(Int32(number))
      return nil
    }
    var position = hash() & mask
    while table[position] >= 0 {
      let earlier = Int(table[position])
      if isEqual(earlier) { return earlier }
      position = (position + 1) & mask
    }
    table[position] = Int32(number)
    return nil
  }

  /// Returns the number of the element that equals this one; nil if there is none.
  package func find(hash: @autoclosure () -> Int, isEqual: (Int) -> Bool) -> Int? {
    guard !table.isEmpty else { return small.first { isEqual(Int($0)) }.map(Int.init) }
    var position = hash() & mask
    while table[position] >= 0 {
      let earlier = Int(table[position])
      if isEqual(earlier) { return earlier }
      position = (position + 1) & mask
    }
    return nil
  }

  /// Returns a hash of bytes that an attacker cannot predict, computed eight bytes at a time.
  package static func hash(of text: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    var word: UInt64 = 0
    for (number, byte) in text.enumerated() {
      word = word << 8 | UInt64(byte)
      if number & 7 == 7 { hasher.combine(word) }
    }
    hasher.combine(word)
    return hasher.finalize()
  }
}

extension Seeded {
  /// Returns incompressible bytes, like those of a texture or a sound.
  package mutating func noise(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 56) }
  }

  /// Returns lines of words with the frequencies of real text.
  package mutating func text(_ count: Int) -> [UInt8] {
    let words: [[UInt8]] = (0..<1_024).map { _ in
      let length = 2 + next(below: 8)
      return (0..<length).map { _ in UInt8(ascii: "a") + UInt8(next() % 26) }
    }
    var text: [UInt8] = []
    text.reserveCapacity(count + 16)
    while text.count < count {
      let dice = next()
      text += words[Int(dice & dice >> 10 & 1_023)]
      text.append(dice >> 60 == 0 ? UInt8(ascii: "\n") : UInt8(ascii: " "))
    }
    return Array(text.prefix(count))
  }

  /// Rows of slowly changing numbers, like the vertices of a mesh.
  package mutating func vertices(_ count: Int) -> [UInt8] {
    var row: [UInt32] = [1 << 20, 1 << 21, 1 << 22]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 4)
    while bytes.count < count {
      let axis = bytes.count / 4 % 3
      row[axis] &+= UInt32(truncatingIfNeeded: next() % 64) &- 31
      for shift in stride(from: 0, through: 24, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: row[axis] >> UInt32(shift)))
      }
    }
    return Array(bytes.prefix(count))
  }
}

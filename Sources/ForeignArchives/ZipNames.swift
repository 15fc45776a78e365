import SystemIO

/// The names in the central directory of a zip.
struct ZipNames {
  /// In the order in which libarchive hands out the entries.
  private(set) var names: [[UInt8]] = []

  /// Reads the central directory; without one, or with a strange one, there are simply no names.
  init(_ source: borrowing ByteSource) throws(SystemError) {
    let tailLength = 65_557
    let size = Int(clamping: source.size)
    guard size >= 22 else { return }
    let tailStart = max(0, size - tailLength)
    let tail = try source.read(at: UInt64(tailStart), count: size - tailStart)
    guard
      let end = tail.indices.dropLast(21).last(where: { tail.word32($0) == 0x0605_4B50 })
    else { return }
    var length = Int(tail.word32(end + 12))
    var start = Int(tail.word32(end + 16))
    if start == 0xFFFF_FFFF || length == 0xFFFF_FFFF {
      guard end >= 20, tail.word32(end - 20) == 0x0706_4B50 else { return }
      let record = try source.read(at: UInt64(clamping: tail.word64(end - 12)), count: 56)
      guard record.count == 56, record.word32(0) == 0x0606_4B50 else { return }
      length = record.word64(40)
      start = record.word64(48)
    }
    // A directory never takes more than 1 GiB of our memory: then names stay as libarchive says.
    guard start >= 0, (0...1 << 30).contains(length), length <= size, start <= size - length else {
      return
    }
    read(try source.read(at: UInt64(start), count: length))
  }

  private mutating func read(_ directory: [UInt8]) {
    var found: [(offset: Int, name: [UInt8])] = []
    var at = 0
    while at + 46 <= directory.count, directory.word32(at) == 0x0201_4B50 {
      let name = at + 46
      let extra = name + Int(directory.word16(at + 28))
      let next = extra + Int(directory.word16(at + 30)) + Int(directory.word16(at + 32))
      guard next <= directory.count else { return }
      var offset = Int(directory.word32(at + 42))
      if offset == 0xFFFF_FFFF {
        let end = extra + Int(directory.word16(at + 30))
        let skipped = [24, 20].count { directory.word32(at + $0) == 0xFFFF_FFFF } * 8
        guard let wide = directory.field(0x0001, in: extra..<end), wide.count >= skipped + 8 else {
          return
        }
        offset = directory.word64(wide.lowerBound + skipped)
      }
      found.append((offset, Array(directory[name..<extra])))
      at = next
    }
    // libarchive goes through a zip by where the contents are.
    names = found.sorted { $0.offset < $1.offset }.map(\.name)
  }
}

extension [UInt8] {
  /// The value of an extra field.
  fileprivate func field(_ id: UInt16, in range: Range<Int>) -> Range<Int>? {
    var at = range.lowerBound
    while at + 4 <= range.upperBound {
      let end = at + 4 + Int(word16(at + 2))
      guard end <= range.upperBound else { return nil }
      if word16(at) == id { return at + 4..<end }
      at = end
    }
    return nil
  }
}

/// The bytes of a zip archive with uncompressed files, which can contain more than programs write.
package struct ZipBytes {
  /// The differences of an entry from an entry that a program on Unix writes.
  package struct Oddity {
    /// The name before the contents.
    package var localName: String?
    /// The number of the system that wrote it: 3 is Unix, 0 is DOS.
    package var system: UInt8 = 3
    package var checkSum: UInt32?

    package init() {}
  }

  /// The bytes before the directory, and the directory.
  package private(set) var contents: [UInt8] = []
  package private(set) var directory: [UInt8] = []
  private var count = 0

  /// Creates a zip after other bytes, such as a program that unpacks it.
  package init(behind prefix: [UInt8] = []) { contents = prefix }

  /// Adds an entry: a file, unless the mode has another type.
  package mutating func add(
    _ name: String, contents text: String = "", mode: Int = 0o100644, _ oddity: Oddity = Oddity()
  ) {
    add(name, Array(text.utf8), mode: mode, oddity)
  }

  /// Adds an entry with these bytes.
  package mutating func add(
    _ name: String, _ data: [UInt8], mode: Int = 0o100644, _ oddity: Oddity = Oddity()
  ) {
    let offset = contents.count
    let sum = oddity.checkSum ?? Self.checkSum(data)
    // Version, flags (names are UTF-8), method, time, date, checksum, sizes.
    func common(_ name: String) -> [UInt8] {
      var fields = Self.numbers((20, 2), (0x800, 2), (0, 2), (0, 2), (0x2A21, 2), (Int(sum), 4))
      fields += Self.numbers((data.count, 4), (data.count, 4), (name.utf8.count, 2))
      return fields
    }
    let localName = oddity.localName ?? name
    contents += Self.numbers((0x0403_4B50, 4))
    contents += common(localName)
    contents += Self.numbers((0, 2))
    contents += Array(localName.utf8)
    contents += data
    directory += Self.numbers((0x0201_4B50, 4))
    directory += [30, oddity.system]
    directory += common(name)
    directory += Self.numbers((0, 2), (0, 2), (0, 2), (0, 2), (mode << 16, 4), (offset, 4))
    directory += Array(name.utf8)
    count += 1
  }

  /// Returns the zip with a comment at its end.
  package func archive(comment: [UInt8] = []) -> [UInt8] {
    var archive = contents
    archive += directory
    archive += Self.numbers((0x0605_4B50, 4), (0, 2), (0, 2), (count, 2), (count, 2))
    archive += Self.numbers((directory.count, 4), (contents.count, 4), (comment.count, 2))
    archive += comment
    return archive
  }

  private static func numbers(_ numbers: (Int, Int)...) -> [UInt8] {
    var bytes: [UInt8] = []
    for (number, size) in numbers {
      for place in 0..<size { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
    }
    return bytes
  }

  private static func checkSum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 {
        let carry = sum & 1
        sum >>= 1
        if carry == 1 { sum ^= 0xEDB8_8320 }
      }
    }
    return ~sum
  }
}

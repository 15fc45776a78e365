import SystemIO
import TerminalText

/// Checks the checksums in a cpio while it is read; libarchive does not check them.
///
/// `cpio -H crc` writes such a file: the header of each entry has the sum of its bytes.
struct CpioSums {
  private static let magic = Array("070702".utf8)
  private static let magicWithoutSums = Array("070701".utf8)
  private static let headerSize = 110
  private static let longestName = 1 << 20

  private enum Part { case header, name, data, lost, end }

  private var part = Part.header
  /// The number of bytes of this part that have not been read yet, and the number of padding bytes
  /// among them.
  private var left = headerSize
  private var padding = 0
  private var position: Int64 = 0
  private var start: Int64 = 0
  private var header: [UInt8] = []
  private var name: [UInt8] = []
  private var size = 0
  private var expected: UInt32?
  private var sum: UInt32 = 0
  private var wrong: Set<Int64> = []

  /// Returns whether a file that starts like this may be a cpio with checksums.
  static func mayBegin(_ start: [UInt8]) -> Bool { start.starts(with: magic) }

  /// Returns whether an entry has a wrong checksum; `start` is the offset of its header.
  func isWrong(at start: Int64) -> Bool {
    wrong.contains(start) || (part == .lost && start >= self.start)
  }

  /// Processes the next bytes of the file.
  mutating func follow(_ bytes: UnsafeRawBufferPointer) {
    var rest = unsafe bytes[...]
    while part != .lost, part != .end {
      if left == 0 {
        finishPart()
        continue
      }
      if unsafe rest.isEmpty { break }
      let piece = unsafe rest.prefix(left)
      switch part {
      case .header: unsafe header.append(contentsOf: piece)
      case .name: unsafe name.append(contentsOf: piece)
      case .data: unsafe add(piece.prefix(left - padding))
      case .lost, .end: break
      }
      left -= unsafe piece.count
      position += Int64(unsafe piece.count)
      unsafe rest = rest.dropFirst(piece.count)
    }
  }

  private mutating func add(_ piece: Slice<UnsafeRawBufferPointer>) {
    unsafe sum = piece.reduce(sum) { $0 &+ UInt32($1) }
  }

  private mutating func finishPart() {
    switch part {
    case .header: finishHeader()
    case .name:
      if name.starts(with: "TRAILER!!!\0".utf8) {
        part = .end
      } else {
        part = .data
        padding = (4 - size % 4) % 4
        left = size + padding
      }
    case .data:
      if let expected, expected != sum { wrong.insert(start) }
      part = .header
      left = Self.headerSize
      padding = 0
      header = []
      name = []
      start = position
    case .lost, .end: break
    }
  }

  /// Reads the header: a magic number, and thirteen numbers of eight hexadecimal digits.
  private mutating func finishHeader() {
    let isOfSums = header.starts(with: Self.magic)
    guard isOfSums || header.starts(with: Self.magicWithoutSums), let mode = number(1),
      let size = number(6), let nameSize = number(11), let sum = number(12),
      nameSize <= Self.longestName
    else {
      part = .lost
      return
    }
    self.size = Int(size)
    self.sum = 0
    // The header of a link has 0 as the sum of its target.
    expected = isOfSums && mode & 0o170_000 == 0o100_000 ? sum : nil
    part = .name
    left = Int(nameSize) + (4 - (Self.headerSize + Int(nameSize)) % 4) % 4
  }

  private func number(_ index: Int) -> UInt32? {
    UInt32(hexadecimal: header[6 + index * 8..<14 + index * 8])
  }
}

/// The part of the Mach-O format that contains the platform of a file.
enum MachOHeader {
  private static let loadVersionMinMacOS: UInt32 = 0x24
  private static let loadBuildVersion: UInt32 = 0x32
  private static let platformMacOS: UInt32 = 1
  private static let cpuIs64Bit: UInt32 = 0x0100_0000

  /// Whether the first four bytes are those of a Mach-O or a universal file.
  static func mayBegin(_ start: [UInt8]) -> Bool {
    isMachO(start, 0) || [0xCAFE_BABE, 0xCAFE_BABF].contains(word(start, 0, bigEndian: true))
  }

  /// Whether a file with this beginning is a Mach-O file for macOS, or a universal file with a
  /// slice for macOS.
  ///
  /// A file without a platform is from an old version of macOS: files for other systems always
  /// contain the platform.
  static func isForMacOS(_ start: [UInt8]) -> Bool {
    guard let magic = word(start, 0, bigEndian: true) else { return false }
    switch magic {
    case 0xFEED_FACE, 0xFEED_FACF: return isThinForMacOS(start, 0, bigEndian: true)
    case 0xCEFA_EDFE, 0xCFFA_EDFE: return isThinForMacOS(start, 0, bigEndian: false)
    case 0xCAFE_BABE, 0xCAFE_BABF:
      // Java class files have the same magic number. Their next word is a version, which is never
      // that small.
      guard let count = word(start, 4, bigEndian: true), (1...20).contains(count) else {
        return false
      }
      let size = magic == 0xCAFE_BABE ? 20 : 32
      var seen = false
      for part in 0..<Int(count) {
        let place = 8 + part * size + (size == 20 ? 8 : 12)
        guard let offset = word(start, place, bigEndian: true) else { return false }
        // A slice after the bytes that were read is unknown; such files are nearly always for
        // macOS.
        if Int(offset) + 28 > start.count {
          seen = true
        } else if isMachO(start, Int(offset)) {
          if isThinForMacOS(start, Int(offset), bigEndian: isBigEndian(start, Int(offset))) {
            return true
          }
        } else {
          return false
        }
      }
      return seen
    default: return false
    }
  }

  private static func isMachO(_ bytes: [UInt8], _ offset: Int) -> Bool {
    switch word(bytes, offset, bigEndian: true) {
    case 0xFEED_FACE, 0xFEED_FACF, 0xCEFA_EDFE, 0xCFFA_EDFE: true
    default: false
    }
  }

  private static func isBigEndian(_ bytes: [UInt8], _ offset: Int) -> Bool {
    bytes[offset] == 0xFE
  }

  private static func isThinForMacOS(_ bytes: [UInt8], _ offset: Int, bigEndian: Bool) -> Bool {
    guard let processor = word(bytes, offset + 4, bigEndian: bigEndian),
      let type = word(bytes, offset + 12, bigEndian: bigEndian),
      let count = word(bytes, offset + 16, bigEndian: bigEndian)
    else { return false }
    // An executable, a library, a bundle, or object code.
    guard (1...11).contains(type) else { return false }
    var place = offset + (processor & cpuIs64Bit != 0 ? 32 : 28)
    for _ in 0..<min(count, 1000) {
      guard let command = word(bytes, place, bigEndian: bigEndian),
        let length = word(bytes, place + 4, bigEndian: bigEndian), length >= 8
      else { return false }
      switch command {
      case loadVersionMinMacOS: return true
      case loadBuildVersion:
        return word(bytes, place + 8, bigEndian: bigEndian) == platformMacOS
      case 0x25, 0x2F, 0x30: return false  // iOS, tvOS, watchOS
      default: place += Int(length)
      }
    }
    return true
  }

  private static func word(_ bytes: [UInt8], _ offset: Int, bigEndian: Bool) -> UInt32? {
    guard offset >= 0, offset + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for index in 0..<4 {
      value = value << 8 | UInt32(bytes[offset + (bigEndian ? index : 3 - index)])
    }
    return value
  }
}

import Foundation
import TerminalText
import Testing

@Suite struct HexadecimalTests {
  @Test
  func `every byte is written with two digits and read back`() {
    for byte in UInt8.min...UInt8.max {
      let digits = String(format: "%02x", byte)
      #expect(hexadecimal([byte]) == digits)
      #expect(hexadecimal(byte, digits: 2) == digits.uppercased())
      #expect([UInt8](hexadecimal: digits, count: 1) == [byte])
      #expect([UInt8](hexadecimal: digits.uppercased(), count: 1) == [byte])
      #expect(UInt8(hexadecimal: digits.utf8) == byte)
    }
  }

  @Test
  func `the hexadecimal digits of all bytes agree with those of characters`() {
    for byte in UInt8.min...UInt8.max {
      let character = Character(UnicodeScalar(byte))
      #expect(byte.hexadecimalDigitValue.map { Int($0) } == character.hexDigitValue, "\(byte)")
      #expect(
        byte.isLowercaseHexadecimalDigit == (character.isHexDigit && !character.isUppercase),
        "\(byte)")
    }
  }

  @Test(arguments: ["", "+1", "-1", " 1", "1 ", "0x1", "g", "\u{FF11}", "1\u{301}", "100000000"])
  func `a plus sign, another character and a number that is too large are rejected`(text: String) {
    #expect(UInt32(hexadecimal: text.utf8) == nil)
  }

  @Test(arguments: ["", "0", "012", "+1", "\u{FF11}", "0g", "0001"])
  func `an odd number of digits, another number of bytes and other characters are rejected`(
    text: String
  ) {
    #expect([UInt8](hexadecimal: text, count: 1) == nil)
  }

  @Test
  func `the largest numbers are read`() {
    #expect(UInt32(hexadecimal: "fFfFfFfF".utf8) == .max)
    #expect(UInt64(hexadecimal: "000ffffffffffffffff".utf8) == .max)
    #expect(Int32(hexadecimal: "7fffffff".utf8) == .max)
    #expect(Int32(hexadecimal: "80000000".utf8) == nil)
  }
}

@Suite struct UUIDTextTests {
  @Test(arguments: [UInt8(4), 5, 8])
  func `a UUID has the form that Foundation reads, its version and the other bits`(version: UInt8)
    throws
  {
    let bytes = (0..<16).map { UInt8(truncatingIfNeeded: 0xF0 + $0 * 17) }
    let text = uuid(bytes, version: version)
    let read = try #require(UUID(uuidString: text))
    #expect(read.uuidString == uuid(bytes, version: version, uppercase: true))
    #expect(text == text.lowercased())
    let digits = text.filter { $0 != "-" }
    let found = try #require([UInt8](hexadecimal: digits, count: 16))
    #expect(found[6] >> 4 == version && found[8] >> 6 == 0b10)
    for (index, byte) in bytes.enumerated() where index != 6 && index != 8 {
      #expect(found[index] == byte)
    }
  }
}

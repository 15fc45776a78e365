import TerminalText
import Testing

@Suite struct ASCIITests {
  @Test
  func `the classes of all bytes agree with those of characters`() {
    for byte in UInt8.min...UInt8.max {
      let character = Character(UnicodeScalar(byte))
      let isLetter = character.isASCII && character.isLetter
      #expect(byte.isDigit == (character.isASCII && character.isNumber), "\(byte)")
      #expect(byte.isLetter == isLetter, "\(byte)")
      #expect(byte.isLetterOrDigit == (byte.isDigit || isLetter), "\(byte)")
      let lowercased = isLetter ? character.lowercased().utf8.first : byte
      #expect(byte.lowercased == lowercased, "\(byte)")
    }
  }
}

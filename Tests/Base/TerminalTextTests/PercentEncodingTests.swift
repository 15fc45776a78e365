import Foundation
import TerminalText
import Testing

@Suite struct PercentEncodingTests {
  @Test
  func `every byte is encoded as Foundation encodes it, and decoded again`() throws {
    let unreserved = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    for byte in UInt8.min..<0x80 {
      let text = String(UnicodeScalar(byte))
      #expect(
        percentEncoded([byte]) == text.addingPercentEncoding(withAllowedCharacters: unreserved))
    }
    for byte in UInt8.min...UInt8.max {
      #expect(percentDecoded(Array(percentEncoded([byte]).utf8)[...]) == [byte])
    }
  }

  @Test
  func `characters that are kept are not encoded`() {
    #expect(percentEncoded("a/b,c d".utf8) == "a%2Fb%2Cc%20d")
    #expect(percentEncoded("a/b,c d".utf8, keeping: "/") == "a/b%2Cc%20d")
    #expect(percentEncoded("a/b,c d".utf8, keeping: ",") == "a%2Fb,c%20d")
  }

  @Test(arguments: ["%", "%1", "a%", "%+1", "% 1", "%1g", "%%", "%1\u{FF11}"])
  func `a percent sign without two digits is rejected`(text: String) {
    #expect(percentDecoded(Array(text.utf8)[...]) == nil)
  }

  @Test
  func `digits in either case are decoded, and the result is not decoded again`() {
    #expect(percentDecoded(Array("%2f%2F%2541".utf8)[...]) == Array("//%41".utf8))
  }
}

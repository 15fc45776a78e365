/// Returns the number that the digits represent; nil for an empty text, for any character that is
/// not a digit, and for a number that is too large.
///
/// `UInt32(_:radix:)` alone would also accept a plus or minus sign.
package func number(ofDigits digits: some StringProtocol, radix: Int = 10) -> UInt32? {
  guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
    return nil
  }
  return UInt32(digits, radix: radix)
}

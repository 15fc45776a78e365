/// Returns the number that the digits represent; nil if there are no digits, or other characters
/// such as a plus sign.
///
/// `UInt32(_:radix:)` also accepts a plus sign.
package func number(ofDigits digits: some StringProtocol, radix: Int = 10) -> UInt32? {
  guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
    return nil
  }
  return UInt32(digits, radix: radix)
}

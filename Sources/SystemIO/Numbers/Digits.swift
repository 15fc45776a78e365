/// The number that digits stand for; nil if there is none, or anything else among them, such as a
/// sign.
///
/// `UInt32(_:radix:)` also accepts a sign.
package func number(ofDigits digits: some StringProtocol, radix: Int = 10) -> UInt32? {
  guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
    return nil
  }
  return UInt32(digits, radix: radix)
}

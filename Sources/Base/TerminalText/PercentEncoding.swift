// The encoding of bytes in URLs: `%20` for a space.

/// Returns the bytes in percent-encoding: each as `%` and two digits, except ASCII letters, digits,
/// `-._~` (the unreserved characters of RFC 3986) and the characters in `kept`.
package func percentEncoded(
  _ bytes: some Sequence<UInt8>, keeping kept: String = ""
) -> String {
  var text: [UInt8] = []
  for byte in bytes {
    if byte.isLetterOrDigit || "-._~".utf8.contains(byte) || kept.utf8.contains(byte) {
      text.append(byte)
    } else {
      text += "%\(hexadecimal(byte, digits: 2))".utf8
    }
  }
  return String(decoding: text, as: UTF8.self)
}

/// Returns the bytes that a percent-encoded text represents; nil if a `%` is not followed by two
/// hexadecimal digits.
package func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
  guard text.contains(UInt8(ascii: "%")) else { return Array(text) }
  var bytes: [UInt8] = []
  var rest = text.makeIterator()
  while let byte = rest.next() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte)
      continue
    }
    guard let high = rest.next()?.hexadecimalDigitValue,
      let low = rest.next()?.hexadecimalDigitValue
    else { return nil }
    bytes.append(high << 4 | low)
  }
  return bytes
}

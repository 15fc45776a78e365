// Searching and replacing by bytes.
//
// The standard library's `replacing(_:with:)`, `contains(_:)` with a text, `lastIndex(of:)` and
// `reversed()` go back from character to character. In a text of many flag emoji, each such step
// reads all of them, so these functions take quadratic time. They also do not find a character that
// is followed by a combining mark.

extension String {
  /// Returns the text with each occurrence of `old` replaced.
  package func replacingBytes(of old: String, with new: String) -> String {
    let (bytes, old) = (Array(utf8), Array(old.utf8))
    guard let first = old.first, bytes.contains(first) else { return self }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == first, bytes[index...].starts(with: old) {
        result += new.utf8
        index += old.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns whether `part` occurs in the text.
  package func containsBytes(of part: String) -> Bool {
    let (bytes, part) = (Array(utf8), Array(part.utf8))
    return bytes.indices.contains { bytes[$0] == part.first && bytes[$0...].starts(with: part) }
  }

  /// Returns the text without all occurrences of this ASCII character at its end.
  package func droppingTrailing(_ character: UnicodeScalar) -> String {
    guard utf8.last == UInt8(ascii: character) else { return self }
    let count = utf8.reversed().prefix { $0 == UInt8(ascii: character) }.count
    return String(decoding: utf8.dropLast(count), as: UTF8.self)
  }
}

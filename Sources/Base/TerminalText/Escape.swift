// The one escape for names and values that reach a terminal, a log or a report.

/// Returns the text on one line, with every character escaped that a terminal would interpret or
/// not show.
///
/// An ASCII control character becomes `\x1B`, any other such character `\u{202E}`. That covers
/// control characters, line ends, marks that reverse the direction of text, unusual spaces,
/// characters without width, placeholders for bytes that are not UTF-8, and combining marks without
/// a base character. Emoji keep their joiners. Escaping an escaped text does not change it.
package func shown(_ text: some StringProtocol) -> String {
  if text.utf8.allSatisfy(isPlain) { return String(text) }
  let scalars = Substring(text).unicodeScalars
  var escape = Escape()
  var index = scalars.startIndex
  while index < scalars.endIndex {
    if scalars[index].value >= 0x10FF80, let character = scalars[index...].characterOfBytes {
      if escape.isAsGiven { escape.begin(with: scalars[..<index]) }
      escape.addCharacter(character)
      index = scalars.index(index, offsetBy: 4)
      continue
    }
    let next = scalars.index(after: index)
    let following = next < scalars.endIndex ? scalars[next] : nil
    // Most texts need no escapes: they are not copied.
    if escape.isAsGiven, !escape.passes(scalars[index], before: following) {
      escape.begin(with: scalars[..<index])
    }
    if !escape.isAsGiven { escape.add(scalars[index], before: following) }
    index = next
  }
  return escape.isAsGiven ? String(text) : escape.result
}

/// Returns bytes that should be UTF-8, escaped as ``shown(_:)`` escapes text; a byte that is not
/// UTF-8 becomes an escape such as `\xFF`.
package func shown(bytes: some Sequence<UInt8>) -> String { shown(bytes: Array(bytes)) }

/// Returns the escaped bytes of a slice.
///
/// It is not generic: that would be slower for each byte.
package func shown(bytes: ArraySlice<UInt8>) -> String { shown(bytes: Array(bytes)) }

/// Returns the escaped bytes of an array.
package func shown(bytes: [UInt8]) -> String {
  if bytes.allSatisfy(isPlain) { return String(decoding: bytes, as: UTF8.self) }
  if let text = String(validating: bytes, as: UTF8.self), !text.hasCharacterForByte {
    return shown(text)
  }
  var escape = Escape()
  escape.begin(with: [])
  var rest = bytes[...]
  while let (scalar, length) = firstScalar(of: rest) {
    rest = rest.dropFirst(length)
    if let scalar, scalar.value >= 0x10FF80 {
      escape.addCharacter(scalar)
    } else if let scalar {
      escape.add(scalar, before: firstScalar(of: rest)?.scalar)
    } else {
      escape.addByte(bytes[rest.startIndex - 1])
    }
  }
  return escape.result
}

/// Returns a text of paths for programs.
///
/// In paths, each byte of U+10FF80 to U+10FFFF has a separate character, like a byte that is not
/// UTF-8. In the result, they are one character again.
package func restoringCharacters(in text: String) -> String {
  guard text.hasCharacterForByte else { return text }
  var restored = ""
  var scalars = text.unicodeScalars[...]
  while let scalar = scalars.first {
    let character = scalars.characterOfBytes
    restored.unicodeScalars.append(character ?? scalar)
    scalars = scalars.dropFirst(character == nil ? 1 : 4)
  }
  return restored
}

extension String {
  /// Whether a character represents a byte of a path.
  fileprivate var hasCharacterForByte: Bool {
    utf8.contains(0xF4) && unicodeScalars.contains { $0.value >= 0x10FF80 }
  }
}

extension Substring.UnicodeScalarView {
  /// The character from U+10FF80 to U+10FFFF whose four bytes the first characters represent.
  fileprivate var characterOfBytes: UnicodeScalar? {
    let bytes = prefix(4).compactMap { $0.value >= 0x10FF80 ? $0.standsForByte : nil }
    guard bytes.count == 4,
      let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first,
      scalar.value >= 0x10FF80
    else { return nil }
    return scalar
  }
}

private func isPlain(_ byte: UInt8) -> Bool { 0x20..<0x7F ~= byte }

/// Returns the first character of the bytes and its length; nil and 1 if they do not begin with
/// UTF-8.
private func firstScalar(of bytes: ArraySlice<UInt8>) -> (scalar: UnicodeScalar?, length: Int)? {
  guard !bytes.isEmpty else { return nil }
  for length in 1...4 where length <= bytes.count {
    if let scalar = String(validating: bytes.prefix(length), as: UTF8.self)?.unicodeScalars.first {
      return (scalar, length)
    }
  }
  return (nil, 1)
}

/// Escapes the characters of a text in order: the previous character determines whether the next
/// one may be shown.
private struct Escape {
  /// The escaped text.
  ///
  /// Texts are added to the string, never to its view of scalars: that would copy the whole string
  /// for each of them.
  private(set) var result = ""
  /// Whether no character has been escaped yet; the result is then still empty.
  private(set) var isAsGiven = true
  /// The previous character, if it was not escaped.
  private var previous: UnicodeScalar?

  /// Copies the characters before the first escape; from then on, all characters are copied.
  mutating func begin(with shown: some Sequence<UnicodeScalar>) {
    isAsGiven = false
    for scalar in shown { result.unicodeScalars.append(scalar) }
  }

  /// Returns whether a character is shown unchanged, and records it; false if it must be escaped.
  mutating func passes(_ scalar: UnicodeScalar, before next: UnicodeScalar?) -> Bool {
    guard isShown(scalar, before: next) else { return false }
    previous = scalar
    return true
  }

  mutating func add(_ scalar: UnicodeScalar, before next: UnicodeScalar?) {
    if passes(scalar, before: next) {
      result.unicodeScalars.append(scalar)
    } else if let byte = scalar.standsForByte {
      addByte(byte)
    } else {
      addCharacter(scalar)
    }
  }

  mutating func addCharacter(_ scalar: UnicodeScalar) {
    result += "\\u{\(hexadecimal(scalar.value, digits: 2))}"
    previous = nil
  }

  mutating func addByte(_ byte: UInt8) {
    result += "\\x\(hexadecimal(byte, digits: 2))"
    previous = nil
  }

  private func isShown(_ scalar: UnicodeScalar, before next: UnicodeScalar?) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: return true
    case 0..<0xA0: return false
    // The marks that select the style of an emoji, or join two into one.
    case 0xFE0E, 0xFE0F: return previous?.properties.isEmoji ?? false
    case 0x200D: return joinsEmoji(before: next)
    default: break
    }
    if scalar.isHiddenByValue { return false }
    switch scalar.properties.generalCategory {
    // The ideographic space is visible: it is two columns wide.
    case .spaceSeparator: return scalar.value == 0x3000
    case .control, .lineSeparator, .paragraphSeparator: return false
    case .nonspacingMark, .enclosingMark, .spacingMark: return canCarryMarks
    default: return true
    }
  }

  private func joinsEmoji(before next: UnicodeScalar?) -> Bool {
    guard let previous, let next, !next.isASCII, next.properties.isEmoji else { return false }
    return previous.value == 0xFE0F || (!previous.isASCII && previous.properties.isEmoji)
  }

  /// Whether a combining mark may be shown after the previous character: a mark on a quotation
  /// mark, for example, would be misleading.
  private var canCarryMarks: Bool {
    guard let previous else { return false }
    return !previous.isASCII || previous.properties.isAlphabetic
      || previous.properties.numericType != nil
  }
}

extension UnicodeScalar {
  /// The byte that a character is or represents: in paths, the last 128 code points represent bytes
  /// that are not UTF-8.
  fileprivate var standsForByte: UInt8? {
    isASCII || value >= 0x10FF80 ? UInt8(truncatingIfNeeded: value) : nil
  }

  /// Whether the character is invisible or resembles another, according to its range; its category
  /// is checked separately.
  fileprivate var isHiddenByValue: Bool {
    switch value {
    // A Braille pattern without dots, and the marks of annotations.
    case 0x2800, 0xFFF9...0xFFFB: true
    case 0x10FF80...: true
    // Code points that are not characters and never will be.
    case 0xFDD0...0xFDEF: true
    case _ where value & 0xFFFE == 0xFFFE: true
    default: isDefaultIgnorable
    }
  }

  /// Whether fonts without the character do not show it, according to Unicode.
  ///
  /// This is its property Default_Ignorable_Code_Point, which is much slower in the standard
  /// library.
  package var isDefaultIgnorable: Bool {
    switch value {
    case ..<0xAD: false
    case 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F: true
    case ..<0x200B: false
    case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F: true
    case ..<0x3164: false
    case 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFF8: true
    case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true
    default: false
    }
  }
}

/// Returns the code point of a character in the usual notation: `U+202E`.
package func codePoint(_ scalar: UnicodeScalar) -> String {
  "U+" + hexadecimal(scalar.value, digits: 4)
}

/// Returns the text with each character that is not ASCII as its code point (`e\u{301}`), to
/// distinguish two similar names.
package func codePoints(_ text: some StringProtocol) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0x20..<0x7F: result.unicodeScalars.append(scalar)
    case 0..<0x80: result += "\\x" + hexadecimal(scalar.value, digits: 2)
    default: result += "\\u{" + hexadecimal(scalar.value, digits: 2) + "}"
    }
  }
  return result
}

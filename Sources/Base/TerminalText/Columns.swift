// The number of terminal columns of a text.

/// The number of terminal columns of a character; a character may have several code points.
///
/// Modern terminals show a character that is drawn as one picture in two columns: an emoji, with a
/// skin tone or joined to others. Older ones count code points, so the result is a range.
package struct ColumnCount: Equatable, Sendable {
  /// The number of columns on modern terminals.
  package var columns: Int
  /// The number of columns on terminals that count code points.
  package var byCodePoints: Int

  /// Whether the number differs between terminals.
  package var isDisputed: Bool { columns != byCodePoints }
  /// The number of columns that is sufficient on any terminal.
  package var most: Int { max(columns, byCodePoints) }

  package init(_ character: Character) {
    byCodePoints = character.unicodeScalars.reduce(0) { $0 + columnsOfScalar($1) }
    columns = character.isPicture ? 2 : byCodePoints
  }

  package init(_ text: some StringProtocol) {
    (columns, byCodePoints) = (0, 0)
    for character in text {
      let count = ColumnCount(character)
      columns += count.columns
      byCodePoints += count.byCodePoints
    }
  }
}

/// Returns the longest prefix of the text that fits into this many columns on any terminal.
package func prefix(of text: String, columns: Int) -> Substring {
  var used = 0
  return text.prefix { character in
    used += ColumnCount(character).most
    return used <= columns
  }
}

extension Character {
  /// Whether several code points form one emoji.
  fileprivate var isPicture: Bool {
    let scalars = unicodeScalars
    guard let first = scalars.first, first.properties.isEmoji, scalars.count > 1 else {
      return false
    }
    // A flag is two letters of a special kind.
    if 0x1F1E6...0x1F1FF ~= first.value { return true }
    return scalars.dropFirst().contains {
      $0.value == 0xFE0F || $0.value == 0x200D || $0.properties.isEmojiModifier
    }
  }
}

/// Returns the columns of a single code point: none for a combining mark, two for East Asian
/// characters and for code points that are separate emoji.
private func columnsOfScalar(_ scalar: UnicodeScalar) -> Int {
  switch scalar.value {
  case 0..<0x300: return 1
  // Vowels and final consonants of Hangul syllables are drawn inside the preceding letter.
  case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
  // A letter of a flag; two letters make one flag.
  case 0x1F1E6...0x1F1FF: return 1
  case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
    0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265,
    0x20000...0x3FFFD:
    return 2
  default:
    if scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }
}

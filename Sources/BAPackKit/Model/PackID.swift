import SourceDiagnostics
import TerminalText

/// The ID of a pack: IDs that differ by a byte are different, however similar they look.
///
/// Devices, servers and records compare bytes, while Swift compares strings by what they look like.
package struct PackID: Sendable, Hashable, Comparable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The ID as it is written.
  package let text: String

  /// Makes an ID from its text.
  package init(_ text: String) { self.text = text }

  /// Makes an ID from its text.
  package init(stringLiteral text: String) { self.init(text) }

  /// Whether the bytes are the same.
  package static func == (left: PackID, right: PackID) -> Bool {
    // Spans, because 'elementsEqual' and 'lexicographicallyPrecedes' of UTF-8 views execute about
    // 70 instructions for each byte.
    let (left, right) = (left.text.utf8.span, right.text.utf8.span)
    guard left.count == right.count else { return false }
    for index in left.indices where left[index] != right[index] { return false }
    return true
  }

  /// The order of the bytes.
  package static func < (left: PackID, right: PackID) -> Bool {
    let (left, right) = (left.text.utf8.span, right.text.utf8.span)
    for index in 0..<min(left.count, right.count) where left[index] != right[index] {
      return left[index] < right[index]
    }
    return left.count < right.count
  }

  /// Equal bytes make equal strings, so the string's own hash can be used.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// The ID as it is written.
  package var description: String { text }

  /// The ID with full-width letters made ordinary and invisible characters removed.
  ///
  /// Swift compares strings without regard to normalisation, so IDs that a person cannot tell apart
  /// have equal appearances.
  var appearance: String {
    if text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) { return text }
    var visible = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
      switch scalar.value {
      // Full-width forms are in the order of ASCII.
      case 0xFF01...0xFF5E: visible.append(Unicode.Scalar(UInt8(scalar.value - 0xFF01 + 0x21)))
      default: visible.append(scalar)
      }
    }
    return String(visible)
  }

  /// The ID with its non-ASCII characters as numbers, to tell it from one that looks the same.
  var spelled: String {
    text.unicodeScalars.map { scalar in
      (0x21..<0x7F).contains(scalar.value)
        ? String(scalar) : "<\(codePoint(scalar))>"
    }.joined()
  }
}

extension Finding {
  /// The first names in quotes, and the number of the others: a list of thousands does not help.
  package static func list(_ names: [String], atMost count: Int) -> Message {
    guard names.count > count else { return list(names) }
    var phrase: Message = ""
    for name in names.prefix(count) { phrase = phrase + "'\(path: name)', " }
    return phrase + "and \(names.count - count) more"
  }
}

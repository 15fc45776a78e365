import SourceDiagnostics
import TerminalText

/// The ID of a pack, which is compared by its bytes.
///
/// Devices and servers compare bytes; Swift compares strings by canonical equivalence.
package struct PackID: Sendable, Hashable, Comparable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  package let text: String

  package init(_ text: String) { self.text = text }

  package init(stringLiteral text: String) { self.init(text) }

  /// Returns whether the bytes are equal.
  package static func == (left: PackID, right: PackID) -> Bool {
    // Spans, because 'elementsEqual' and 'lexicographicallyPrecedes' of UTF-8 views execute about
    // 70 instructions for each byte.
    let (left, right) = (left.text.utf8.span, right.text.utf8.span)
    guard left.count == right.count else { return false }
    for index in left.indices where left[index] != right[index] { return false }
    return true
  }

  /// Returns the lexicographical order of the bytes.
  package static func < (left: PackID, right: PackID) -> Bool {
    let (left, right) = (left.text.utf8.span, right.text.utf8.span)
    for index in 0..<min(left.count, right.count) where left[index] != right[index] {
      return left[index] < right[index]
    }
    return left.count < right.count
  }

  /// Hashes the text: equal bytes are equal strings, so their hashes are equal.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  package var description: String { text }

  /// The ID with ASCII instead of full-width letters, and without invisible characters.
  ///
  /// Swift compares strings by canonical equivalence, so IDs that look the same have equal
  /// appearances.
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

  /// The ID with code points for non-ASCII characters, to distinguish it from a similar ID.
  var spelled: String {
    text.unicodeScalars.map { scalar in
      (0x21..<0x7F).contains(scalar.value)
        ? String(scalar) : "<\(codePoint(scalar))>"
    }.joined()
  }
}

extension Finding {
  /// Returns the first names in quotes, and the number of the others.
  package static func list(_ names: [String], atMost count: Int) -> Message {
    guard names.count > count else { return list(names) }
    var phrase: Message = ""
    for name in names.prefix(count) { phrase = phrase + "'\(path: name)', " }
    return phrase + "and \(names.count - count) more"
  }
}

import SourceDiagnostics

/// The ID of a pack: what differs by a byte is another ID, however alike two may look.
///
/// Devices, servers and records compare bytes; strings of Swift compare what they look like.
public struct PackID: Sendable, Hashable, Comparable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The ID as it is written.
  public let text: String

  /// Takes an ID as it is written.
  public init(_ text: String) { self.text = text }

  /// Takes an ID as it is written.
  public init(stringLiteral text: String) { self.init(text) }

  /// Whether the bytes are the same.
  public static func == (left: PackID, right: PackID) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// The order of the bytes.
  public static func < (left: PackID, right: PackID) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// Equal bytes are equal strings, so that the string's own hash serves.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// The ID as it is written.
  public var description: String { text }

  /// What is left when full-width letters are made plain and characters that nobody sees go: equal, as
  /// strings are that differ by normalisation only, for IDs that a person cannot tell apart.
  var appearance: String {
    if text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) { return text }
    var visible = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
      switch scalar.value {
      // Full-width forms stand in the order of ASCII.
      case 0xFF01...0xFF5E: visible.append(Unicode.Scalar(UInt8(scalar.value - 0xFF01 + 0x21)))
      default: visible.append(scalar)
      }
    }
    return String(visible)
  }

  /// The ID with its characters beyond ASCII as numbers, for telling it from one that looks alike.
  var spelled: String {
    text.unicodeScalars.map { scalar in
      (0x21..<0x7F).contains(scalar.value)
        ? String(scalar) : "<U+" + Self.hexadecimal(scalar.value) + ">"
    }.joined()
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension Finding {
  /// The first names in quotes, and how many more there are: a list of thousands is no help.
  static func list(_ names: [String], atMost count: Int) -> Message {
    guard names.count > count else { return list(names) }
    var words: Message = ""
    for name in names.prefix(count) { words = words + "'\(path: name)', " }
    return words + "and \(names.count - count) more"
  }
}

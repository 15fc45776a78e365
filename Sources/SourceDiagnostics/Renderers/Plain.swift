/// Text that may be shown on a terminal.
enum Plain {
  /// The text on one line, with control characters, which could command a terminal, made visible.
  static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      result.append(contentsOf: isControl(scalar) ? escaped(scalar) : String(scalar).unicodeScalars)
    }
    return String(result)
  }

  static func isControl(_ scalar: UnicodeScalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    // Marks that turn the direction of the text around.
    case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func escaped(_ scalar: UnicodeScalar) -> String.UnicodeScalarView {
    "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
  }
}

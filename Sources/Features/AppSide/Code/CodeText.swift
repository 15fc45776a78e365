import TerminalText

/// The lines of a file in a programming language.
struct CodeText {
  private(set) var text = ""
  private var indentation = ""
  private let step: String

  /// Creates a text whose blocks are indented by a string.
  init(indentedBy step: String) { self.step = step }

  /// Adds a line.
  mutating func line(_ line: String) {
    if !line.isEmpty { text += indentation + line }
    text += "\n"
  }

  /// Adds the lines of a text.
  mutating func lines(_ lines: String) {
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
      self.line(String(line))
    }
  }

  /// Adds an opening line, indented lines, and a closing line.
  mutating func block(_ opening: String, _ closing: String?, _ body: (inout CodeText) -> Void) {
    line(opening)
    indentation += step
    body(&self)
    indentation.removeLast(step.count)
    if let closing { line(closing) }
  }
}

/// The escapes of string literals in a language.
enum LiteralEscapes {
  case swift, c, csharp, gdscript

  /// Returns the text between quotes; every character that an editor would not show is escaped.
  func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case _ where Self.isVisible(scalar): literal.unicodeScalars.append(scalar)
      default: literal += escape(scalar)
      }
    }
    return literal + "\""
  }

  /// A mark is not escaped, because it may follow a letter.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator, .spaceSeparator:
      false
    default: true
    }
  }

  private func escape(_ scalar: Unicode.Scalar) -> String {
    let isLong = scalar.value > 0xFFFF
    return switch self {
    case .swift: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    case .csharp: isLong ? "\\U" + hex(scalar, 8) : "\\u" + hex(scalar, 4)
    case .gdscript: isLong ? "\\U" + hex(scalar, 6) : "\\u" + hex(scalar, 4)
    // Octal escapes end after three digits; a number of a character below U+00A0 is an error.
    case .c:
      String(scalar).utf8.map { byte in
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }.joined()
    }
  }

  private func hex(_ scalar: Unicode.Scalar, _ count: Int) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}

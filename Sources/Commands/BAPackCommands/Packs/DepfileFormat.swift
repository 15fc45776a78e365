import BAPackKit
import SystemIO
import TerminalText

/// The build tool that reads a depfile.
enum DepfileFormat: String, CaseIterable, Sendable {
  /// GNU Make.
  case make
  case ninja
  /// CMake, which rewrites a depfile for Ninja or Make.
  case cmake

  var tool: String {
    switch self {
    case .make: "Make"
    case .ninja: "Ninja"
    case .cmake: "CMake"
    }
  }

  /// Returns the name of a file or folder in the syntax of the tool; nil if the tool has no syntax
  /// for it.
  func word(for input: PackDependencies.Input, asTarget: Bool) -> [UInt8]? {
    var name = input.path.bytes
    // Each tool fails for some characters at the end of a name.
    if input.isFolder, let last = name.last, Array(#"):\ "#.utf8).contains(last) {
      name.append(slash)
    }
    return switch self {
    case .make: Self.make(name, asTarget: asTarget)
    case .ninja: Self.ninja(name)
    case .cmake: Self.cmake(name)
    }
  }

  private static let backslash = UInt8(ascii: "\\")

  /// Returns a name in the syntax of Make; nil if Make has no syntax for it.
  ///
  /// Make expands variables, then removes backslashes before special characters, then matches names
  /// with wildcards against the existing files.
  ///
  /// A bracket expression therefore represents a character that Make cannot read in any other form.
  /// If the file was removed, rule and prerequisite have the same unmatched text, as Make requires.
  private static func make(_ name: [UInt8], asTarget: Bool) -> [UInt8]? {
    // Make interprets 'a(b)' as the member 'b' of the library 'a'.
    if name.last == UInt8(ascii: ")"), name.contains(UInt8(ascii: "(")) { return nil }
    let wildcards = Array("*?[".utf8)
    // '%' is special in targets, and '|' in prerequisites.
    let separator = asTarget ? UInt8(ascii: "%") : UInt8(ascii: "|")
    let isMatched =
      name.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: ";") || wildcards.contains($0) }
      || name.first == UInt8(ascii: "~") || name.last == UInt8(ascii: " ")
      || name.last == backslash
    var word: [UInt8] = []
    var backslashes = 0
    for (index, byte) in name.enumerated() {
      let isLast = index == name.count - 1
      switch byte {
      case 0..<0x20, 0x7F: word += Array(#"[[\:cntrl\:]]"#.utf8)
      // A range of ':', ';' and '<'.
      case UInt8(ascii: ";"): word += Array(#"[\:-<]"#.utf8)
      case UInt8(ascii: " ") where isLast: word += Array(#"[[\:blank\:]]"#.utf8)
      case UInt8(ascii: "~") where index == 0: word += Array("[~]".utf8)
      case backslash where isLast: word += Array(#"[\\]"#.utf8)
      case backslash:
        let pieces = isMatched ? 2 : 1
        word += [UInt8](repeating: byte, count: pieces)
        backslashes += pieces
        continue
      case _ where wildcards.contains(byte): word += [backslash, byte]
      case UInt8(ascii: "$"): word += [byte, byte]
      // Not an assignment.
      case UInt8(ascii: "="): word += Array("$(subst x,=,x)".utf8)
      case UInt8(ascii: " "), UInt8(ascii: "#"), UInt8(ascii: ":"), separator:
        word += [UInt8](repeating: backslash, count: backslashes + 1) + [byte]
      default: word.append(byte)
      }
      backslashes = 0
    }
    // '&:' begins a different type of rule.
    if asTarget, word.last == UInt8(ascii: "&") { word.append(UInt8(ascii: " ")) }
    return word
  }

  /// The characters that are not special for Ninja 1.10 and later, in addition to letters, digits
  /// and characters outside ASCII.
  private static let plain = Set("+,/_:.~()}{%=@[]!-".utf8)

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x80 || plain.contains(byte) || byte.isLetterOrDigit
  }

  private static func ninja(_ name: [UInt8]) -> [UInt8]? {
    var word: [UInt8] = []
    var backslashes = 0
    for byte in name {
      switch byte {
      case backslash:
        backslashes += 1
        word.append(byte)
        continue
      case UInt8(ascii: " "):
        word += [UInt8](repeating: backslash, count: backslashes + 1) + [byte]
      case UInt8(ascii: "#"), UInt8(ascii: ":"): word += [backslash, byte]
      case UInt8(ascii: "$") where backslashes == 0: word += [byte, byte]
      // Ninja keeps a backslash before a character that is not special.
      case _ where isPlain(byte) || backslashes > 0 && byte > 0x20 && byte != 0x7F:
        word.append(byte)
      default: return nil
      }
      backslashes = 0
    }
    let isClosed = backslashes.isMultiple(of: 2) && name.last != UInt8(ascii: ":")
    return isClosed ? word : nil
  }

  /// CMake writes '#', '$', '%', brackets and backslashes to the depfiles of Ninja and Make without
  /// escapes, and interprets parentheses and colons itself.
  private static let lostByCMake = Set("[]:%()".utf8)

  private static func cmake(_ name: [UInt8]) -> [UInt8]? {
    var word: [UInt8] = []
    for byte in name {
      switch byte {
      case UInt8(ascii: " "): word += [backslash, byte]
      case _ where isPlain(byte) && !lostByCMake.contains(byte): word.append(byte)
      default: return nil
      }
    }
    return word
  }
}

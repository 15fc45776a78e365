import SourceDiagnostics
import SystemIO

/// Corrections for a pattern in the syntax of a shell.
///
/// Special characters of other pattern languages are ordinary characters here, so only patterns
/// without matches are corrected.
struct PatternAdvice {
  /// One note for each construct that the pattern language does not support.
  private(set) var notes: [Finding.Message] = []
  /// The corrected pattern; nil if it is the same.
  private(set) var rewritten: String?

  init(on pattern: String) {
    var characters = pattern.unicodeScalars[...]
    var written = ""
    while let character = characters.popFirst() {
      switch character {
      case "\\":
        written.unicodeScalars.append(character)
        if let next = characters.popFirst() { written.unicodeScalars.append(next) }
      case "[": readClass(&characters, &written)
      case "{":
        if let alternatives = Self.alternatives(characters, after: written) {
          add("braces are not supported: write a selector for each alternative, \(alternatives)")
        }
        written.unicodeScalars.append(character)
      case "@", "+", "!", "?", "*":
        if characters.first == "(", characters.contains(")") {
          add("'\(character)(…)' is not supported: write a selector for each alternative")
        }
        written.unicodeScalars.append(character)
      default: written.unicodeScalars.append(character)
      }
    }
    for component in FilePath(pattern.utf8).components where component != "**" {
      let text = String(decoding: component.bytes, as: UTF8.self)
      guard let stars = text.range(of: "**") else { continue }
      let whole = text[..<stars.lowerBound] + "**/*" + text[stars.upperBound...]
      add("'**' matches folders only as a whole component: '\(whole)'")
    }
    if !written.utf8.elementsEqual(pattern.utf8) { rewritten = written }
  }

  private mutating func add(_ note: Finding.Message) {
    if !notes.contains(note) { notes.append(note) }
  }

  /// Reads a class after its bracket.
  private mutating func readClass(
    _ characters: inout Substring.UnicodeScalarView, _ written: inout String
  ) {
    let start = characters
    var text = "["
    if characters.first == "^" {
      characters.removeFirst()
      text += "!"
    } else if characters.first == "!" {
      characters.removeFirst()
      text += "!"
    }
    var isFirst = true
    while let character = characters.popFirst() {
      if character == "]" && !isFirst {
        if start.first == "^" { add("'!' negates a class: '\(text)]'") }
        written += text + "]"
        return
      }
      isFirst = false
      if character == "[", let (name, ranges) = Self.namedClass(characters) {
        add("named classes are not supported: write '\(ranges)' for '[:\(name):]'")
        characters = characters.dropFirst(name.unicodeScalars.count + 3)
        text += ranges
      } else {
        text.unicodeScalars.append(character)
        if character == "\\", let next = characters.popFirst() {
          text.unicodeScalars.append(next)
        }
      }
    }
    characters = start
    written += "["
  }

  /// Reads `:alpha:]` at the beginning; returns its name and the equivalent ranges.
  private static func namedClass(
    _ characters: Substring.UnicodeScalarView
  ) -> (name: String, ranges: String)? {
    guard characters.first == ":" else { return nil }
    let name = String(characters.dropFirst().prefix { $0 != ":" })
    guard characters.dropFirst(name.unicodeScalars.count + 1).starts(with: ":]".unicodeScalars),
      let ranges = classes[name]
    else { return nil }
    return (name, ranges)
  }

  private static let classes = [
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "lower": "a-z", "upper": "A-Z",
    "xdigit": "0-9a-fA-F", "word": "a-zA-Z0-9_", "space": " ", "blank": " ",
    "punct": "\\!-/:-@\\[-`{-~",
  ]

  /// Returns the patterns `'*.png', '*.jpg'` for `png,jpg}` after `*.{`.
  private static func alternatives(
    _ characters: Substring.UnicodeScalarView, after start: String
  ) -> String? {
    guard let end = characters.firstIndex(of: "}") else { return nil }
    let items = characters[..<end].split(separator: ",", omittingEmptySubsequences: false)
    let isRange = items.count == 1 && items[0].split(separator: ".").count > 1
    guard items.count > 1 || isRange else { return nil }
    let rest = String(characters[characters.index(after: end)...])
    let shown =
      isRange
      ? items[0].split(separator: ".").map { "'\(start)\(Substring($0))\(rest)'" }
      : items.prefix(3).map { "'\(start)\(Substring($0))\(rest)'" }
    return shown.joined(separator: ", ") + (items.count > 3 || isRange ? ", …" : "")
  }
}

extension String {
  /// Returns the first range of `text`, which is ASCII.
  fileprivate func range(of text: String) -> Range<Index>? {
    let scalars = unicodeScalars
    var start = scalars.startIndex
    while start < scalars.endIndex {
      if scalars[start...].starts(with: text.unicodeScalars) {
        return start..<scalars.index(start, offsetBy: text.unicodeScalars.count)
      }
      start = scalars.index(after: start)
    }
    return nil
  }
}

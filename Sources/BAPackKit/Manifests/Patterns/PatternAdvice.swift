import SourceDiagnostics
import SystemIO

/// What was probably meant by a pattern that is written as for a shell.
///
/// Signs that are special in other languages are ordinary here. A pattern that matches something is
/// right as it is, so this is asked only for patterns that match nothing.
struct PatternAdvice {
  /// What to write instead, one note for each sign that our language lacks.
  private(set) var notes: [Finding.Message] = []
  /// The pattern in our language; nil if it is the same.
  private(set) var rewritten: String?

  init(on pattern: String) {
    var signs = pattern.unicodeScalars[...]
    var written = ""
    while let sign = signs.popFirst() {
      switch sign {
      case "\\":
        written.unicodeScalars.append(sign)
        if let next = signs.popFirst() { written.unicodeScalars.append(next) }
      case "[": takeClass(&signs, &written)
      case "{":
        if let alternatives = Self.alternatives(signs, behind: written) {
          add("there are no alternatives in braces: write a selector for each, \(alternatives)")
        }
        written.unicodeScalars.append(sign)
      case "@", "+", "!", "?", "*":
        if signs.first == "(", signs.contains(")") {
          add("'\(sign)(…)' means nothing here: write a selector for each alternative")
        }
        written.unicodeScalars.append(sign)
      default: written.unicodeScalars.append(sign)
      }
    }
    for component in FilePath(pattern.utf8).components where component != "**" {
      let text = String(decoding: component.bytes, as: UTF8.self)
      guard let stars = text.range(of: "**") else { continue }
      let whole = text[..<stars.lowerBound] + "**/*" + text[stars.upperBound...]
      add("'**' crosses folders only as a whole component: '\(whole)'")
    }
    if !written.utf8.elementsEqual(pattern.utf8) { rewritten = written }
  }

  private mutating func add(_ note: Finding.Message) {
    if !notes.contains(note) { notes.append(note) }
  }

  /// Reads a class after its bracket.
  private mutating func takeClass(
    _ signs: inout Substring.UnicodeScalarView, _ written: inout String
  ) {
    let start = signs
    var text = "["
    if signs.first == "^" {
      signs.removeFirst()
      text += "!"
    } else if signs.first == "!" {
      signs.removeFirst()
      text += "!"
    }
    var isFirst = true
    while let sign = signs.popFirst() {
      if sign == "]" && !isFirst {
        if start.first == "^" { add("a class is negated by '!': '\(text)]'") }
        written += text + "]"
        return
      }
      isFirst = false
      if sign == "[", let (name, ranges) = Self.namedClass(signs) {
        add("classes have no names: write '\(ranges)' for '[:\(name):]'")
        signs = signs.dropFirst(name.unicodeScalars.count + 3)
        text += ranges
      } else {
        text.unicodeScalars.append(sign)
        if sign == "\\", let next = signs.popFirst() { text.unicodeScalars.append(next) }
      }
    }
    signs = start
    written += "["
  }

  /// Reads `:alpha:]` at the beginning; returns what stands for it.
  private static func namedClass(
    _ signs: Substring.UnicodeScalarView
  ) -> (name: String, ranges: String)? {
    guard signs.first == ":" else { return nil }
    let name = String(signs.dropFirst().prefix { $0 != ":" })
    guard signs.dropFirst(name.unicodeScalars.count + 1).starts(with: ":]".unicodeScalars),
      let ranges = classes[name]
    else { return nil }
    return (name, ranges)
  }

  private static let classes = [
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "lower": "a-z", "upper": "A-Z",
    "xdigit": "0-9a-fA-F", "word": "a-zA-Z0-9_", "space": " ", "blank": " ",
    "punct": "\\!-/:-@\\[-`{-~",
  ]

  /// The patterns `'*.png', '*.jpg'` for `png,jpg}` after `*.{`.
  private static func alternatives(
    _ signs: Substring.UnicodeScalarView, behind start: String
  ) -> String? {
    guard let end = signs.firstIndex(of: "}") else { return nil }
    let words = signs[..<end].split(separator: ",", omittingEmptySubsequences: false)
    let isRange = words.count == 1 && words[0].split(separator: ".").count > 1
    guard words.count > 1 || isRange else { return nil }
    let rest = String(signs[signs.index(after: end)...])
    let shown =
      isRange
      ? words[0].split(separator: ".").map { "'\(start)\(Substring($0))\(rest)'" }
      : words.prefix(3).map { "'\(start)\(Substring($0))\(rest)'" }
    return shown.joined(separator: ", ") + (words.count > 3 || isRange ? ", …" : "")
  }
}

extension String {
  /// The first place of `word`, which is ASCII.
  fileprivate func range(of word: String) -> Range<Index>? {
    let signs = unicodeScalars
    var start = signs.startIndex
    while start < signs.endIndex {
      if signs[start...].starts(with: word.unicodeScalars) {
        return start..<signs.index(start, offsetBy: word.unicodeScalars.count)
      }
      start = signs.index(after: start)
    }
    return nil
  }
}

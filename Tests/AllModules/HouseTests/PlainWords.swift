import Foundation

/// The words and patterns in PlainWords.txt that texts must not contain.
struct PlainWords {
  struct Occurrence {
    var line: Int
    /// The offset in the text of the line.
    var column: Int
    var word: String
    var advice: String
  }

  private let patterns: [(expression: NSRegularExpression, advice: String)]
  private let startOfDocumentation: NSRegularExpression

  /// Reads lines of a regular expression, a tab and the advice.
  init(_ text: String) throws {
    patterns = try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
      return (
        try NSRegularExpression(
          pattern: parts[0], options: [.caseInsensitive, .anchorsMatchLines]), parts[1]
      )
    }
    startOfDocumentation = try NSRegularExpression(
      pattern: """
        ^(What|Where|How|Who|Whom|Whose|Which|Why|Nothing|Nobody|Everything|Something|Anything\
        |Whatever|Whoever|All that|That|So)\\b
        """, options: .anchorsMatchLines)
  }

  /// Returns the occurrences in texts, in the order of the lines.
  func occurrences(in texts: [SourceText]) -> [Occurrence] {
    let beginnings = texts.filter { $0.kind == .documentation }
    let advice = "a noun phrase, or a third-person verb"
    return
      (occurrences(of: patterns, in: texts)
      + occurrences(of: [(startOfDocumentation, advice)], in: beginnings))
      .sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  // The texts of a file are searched as lines of one string: a string for each is ten times slower.
  private func occurrences(
    of patterns: [(expression: NSRegularExpression, advice: String)], in texts: [SourceText]
  ) -> [Occurrence] {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    for text in texts {
      starts.append(bytes.count)
      bytes += text.withoutQuotedData
      bytes.append(UInt8(ascii: "\n"))
    }
    let all = String(decoding: bytes, as: UTF8.self) as NSString
    var result: [Occurrence] = []
    for (expression, advice) in patterns {
      let range = NSRange(location: 0, length: all.length)
      for match in expression.matches(in: all as String, range: range) {
        let index = starts.lastIndex { $0 <= match.range.location } ?? 0
        let (line, column) = texts[index].position(at: match.range.location - starts[index])
        result.append(
          Occurrence(
            line: line, column: column, word: all.substring(with: match.range), advice: advice))
      }
    }
    return result
  }
}

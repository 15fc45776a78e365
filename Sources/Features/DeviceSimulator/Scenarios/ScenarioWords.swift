import SourceDiagnostics

/// A word of a scenario, and its place.
struct ScenarioWord {
  /// The text of the word, without quotes.
  var text: String
  var span: SourceSpan
}

/// A line of a scenario, split into words: `#` begins a comment, and quotes keep spaces and `#` in
/// a word.
struct ScenarioLine {
  var words: [ScenarioWord] = []
  /// A quote that is not closed.
  var openQuote: SourceSpan?
  /// The place of the line, without leading and trailing spaces.
  var span: SourceSpan

  /// Splits a text into the lines that contain words.
  static func lines(of source: SourceText) -> [ScenarioLine] {
    let bytes = source.bytes
    var lines: [ScenarioLine] = []
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      let line = ScenarioLine(bytes, start..<end)
      if !line.words.isEmpty || line.openQuote != nil { lines.append(line) }
      start = end + 1
    }
    return lines
  }

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    span = SourceSpan(range.lowerBound, range.lowerBound)
    var place = range.lowerBound
    while place < range.upperBound {
      let byte = bytes[place]
      if byte == space || byte == tab {
        place += 1
        continue
      }
      if byte == hash { break }
      let start = place
      var text: [UInt8] = []
      if byte == quote {
        place += 1
        while place < range.upperBound, bytes[place] != quote {
          text.append(bytes[place])
          place += 1
        }
        guard place < range.upperBound else {
          openQuote = SourceSpan(start, range.upperBound)
          break
        }
        place += 1
      } else {
        while place < range.upperBound, bytes[place] != space, bytes[place] != tab {
          text.append(bytes[place])
          place += 1
        }
        // Commas may separate the properties of a device.
        if text.count > 1, text.last == comma { text.removeLast() }
      }
      words.append(
        ScenarioWord(text: String(decoding: text, as: UTF8.self), span: SourceSpan(start, place)))
    }
    if let first = words.first, let last = words.last {
      span = SourceSpan(first.span.start, last.span.end)
    }
  }
}

private let space = UInt8(ascii: " ")
private let tab = UInt8(ascii: "\t")
private let comma = UInt8(ascii: ",")
private let hash = UInt8(ascii: "#")
private let quote = UInt8(ascii: "\"")

/// The texts of files in other languages than Swift.
extension SourceText {
  /// Returns the paragraphs of a page, without its blocks of code.
  static func paragraphs(of lines: [Substring]) -> [SourceText] {
    var result: [SourceText] = []
    var paragraph: SourceText?
    var isInFence = false
    for (index, line) in lines.enumerated() {
      let content = line.utf8.drop { $0 == UInt8(ascii: " ") }
      if content.starts(with: "```".utf8) {
        isInFence.toggle()
        continue
      }
      let isCode = isInFence || paragraph == nil && line.utf8.starts(with: "    ".utf8)
      if content.isEmpty, !isInFence {
        if let paragraph { result.append(paragraph) }
        paragraph = nil
      } else if !isCode {
        paragraph = paragraph ?? SourceText(kind: .paragraph)
        paragraph?.append(Array(content)[...], line: index + 1)
      }
    }
    return result + (paragraph.map { [$0] } ?? [])
  }

  /// Returns the comments of a script: the text after a `#` that follows a space or begins a line,
  /// and the lines of strings in three quotation marks that begin a line, as in Python.
  static func scriptComments(of lines: [Substring]) -> [SourceText] {
    var result: [SourceText] = []
    var isInString = false
    for (index, line) in lines.enumerated() where !line.utf8.starts(with: "#!".utf8) {
      let content = line.utf8.drop { $0 == UInt8(ascii: " ") }
      let body: [UInt8]
      if isInString || content.starts(with: "\"\"\"".utf8) {
        let marks = line.split(separator: "\"\"\"", omittingEmptySubsequences: false).count - 1
        if marks % 2 == 1 { isInString.toggle() }
        body = Array(String(content)?.replacing("\"\"\"", with: "").utf8 ?? "".utf8)
      } else if let comment = hashComment(in: Array(line.utf8)) {
        body = comment
      } else {
        continue
      }
      let joins = result.last.map { $0.lastLine == index && !body.isEmpty } ?? false
      if !joins { result.append(SourceText(kind: .comment)) }
      result[result.count - 1].append(body[...], line: index + 1)
    }
    return result
  }

  private static func hashComment(in bytes: [UInt8]) -> [UInt8]? {
    let start = bytes.indices.first {
      bytes[$0] == UInt8(ascii: "#") && ($0 == 0 || bytes[$0 - 1] == UInt8(ascii: " "))
    }
    return start.map {
      Array(bytes[$0...].drop { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: " ") })
    }
  }

  /// Returns the comments of a style sheet, and the comments and literals of a script in a page.
  static func webTexts(of lines: [Substring], isScript: Bool) -> [SourceText] {
    var result: [SourceText] = []
    var open: (text: SourceText, end: [UInt8])?
    for (index, line) in lines.enumerated() {
      let bytes = Array(line.utf8)
      var position = bytes.prefix { $0 == UInt8(ascii: " ") }.count
      var start = position
      func close(at end: Int) {
        guard var (text, _) = open else { return }
        text.append(bytes[min(start, end)..<end], line: index + 1)
        result.append(text)
        open = nil
      }
      while position < bytes.count {
        if let end = open?.end {
          if bytes[position] == UInt8(ascii: "\\") {
            position += 2
          } else if bytes[position...].starts(with: end) {
            close(at: position)
            position += end.count
          } else {
            position += 1
          }
          continue
        }
        if let (text, end) = opening(bytes[position...], isScript: isScript) {
          open = (text, end)
          position += text.kind == .comment ? 2 : 1
          start = position
        } else {
          position += 1
        }
      }
      // Only a comment between marks and a template continue on the next line.
      if let (text, end) = open {
        if end == [UInt8(ascii: "`")] || end.count == 2 {
          open?.text.append(bytes[min(start, bytes.count)...], line: index + 1)
        } else if text.kind == .comment {
          close(at: bytes.count)
        } else {
          open = nil
        }
      }
    }
    return result
  }

  /// Returns the text that begins with these bytes, and the bytes that end it.
  private static func opening(
    _ bytes: ArraySlice<UInt8>, isScript: Bool
  ) -> (SourceText, [UInt8])? {
    if bytes.starts(with: "/*".utf8) { return (SourceText(kind: .comment), Array("*/".utf8)) }
    guard isScript, let first = bytes.first else { return nil }
    if bytes.starts(with: "//".utf8) { return (SourceText(kind: .comment), [0x0A]) }
    return "\"'`".utf8.contains(first) ? (SourceText(kind: .literal), [first]) : nil
  }
}

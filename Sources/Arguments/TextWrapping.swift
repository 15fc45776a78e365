/// Breaks text at spaces into lines of at most `width` characters; a longer word gets its own line.
package func wrap(_ text: String, to width: Int) -> [String] {
  wrap(words: text.split(separator: " ").map(String.init), to: width)
}

/// Joins `words` by spaces into lines of at most `width` characters; no word is broken.
func wrap(words: [String], to width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in words {
    if !line.isEmpty, line.count + 1 + word.count > width {
      lines.append(line)
      line = ""
    }
    line += line.isEmpty ? word : " " + word
  }
  return line.isEmpty ? lines : lines + [line]
}

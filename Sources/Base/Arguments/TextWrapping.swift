/// Breaks text at spaces into lines of at most `width` characters; a longer word gets its own line.
///
/// Short text in single quotes, such as a command line, is not broken.
package func wrap(_ text: String, to width: Int) -> [String] {
  let words = text.split(separator: " ").map(String.init)
  var units: [String] = []
  var index = 0
  while index < words.count {
    let count = countOfQuotedWords(words[index...], atMost: width / 2)
    units.append(words[index..<index + count].joined(separator: " "))
    index += count
  }
  return wrap(words: units, to: width)
}

/// Returns the number of words up to the end of a quotation that starts with the first one; 1 if it
/// is not a quotation of at most `width` characters.
private func countOfQuotedWords(_ words: ArraySlice<String>, atMost width: Int) -> Int {
  guard let first = words.first, first.hasPrefix("'") || first.hasPrefix("('") else { return 1 }
  var size = -1
  for (count, word) in words.enumerated() {
    size += 1 + word.count
    if size > width { return 1 }
    let end = String(word.reversed().drop { ".,;:)".contains($0) }.reversed())
    if end.hasSuffix("'"), end.count > 1 { return count + 1 }
  }
  return 1
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

/// Breaks a command line into lines that a shell reads as one: all but the last end in a backslash.
///
/// Quoted words are not broken, and an option and its value are kept on one line.
func shellLines(_ command: String, to width: Int) -> [String] {
  guard command.count > width else { return [command] }
  var words: [String] = []
  var isQuoted = false
  for word in command.split(separator: " ").map(String.init) {
    let isValue =
      !word.hasPrefix("-")
      && words.last.map { $0.hasPrefix("-") && !$0.contains(" ") && $0 != "--" } ?? false
    if isQuoted || isValue, let last = words.popLast() {
      words.append(last + " " + word)
    } else {
      words.append(word)
    }
    if word.count(where: { $0 == "'" }) % 2 == 1 { isQuoted.toggle() }
  }
  var lines = wrap(words: words, to: width - 4)
  for index in lines.indices.dropFirst() { lines[index] = "  " + lines[index] }
  for index in lines.indices.dropLast() { lines[index] += " \\" }
  return lines
}

import TerminalText

/// A comment in Markdown with an upper limit of its length.
struct MarkdownPage {
  /// What a comment on GitHub may have is 65,536 characters: this leaves some to the program that
  /// posts it.
  static let longest = 65_000
  /// How many rows a table has at most, however much room there is.
  private static let mostRows = 200
  /// The longest name that is written in full.
  private static let longestName = 200

  private(set) var text = ""
  /// How many characters there is room for: GitHub counts at most UTF-16.
  private(set) var room: Int

  init(room: Int) { self.room = room }

  /// Adds a text if there is room for it; returns whether there was.
  @discardableResult
  mutating func add(_ phrase: String) -> Bool {
    let count = phrase.utf16.count
    guard count <= room else { return false }
    text += phrase
    room -= count
    return true
  }

  /// A table, as far as there is room for it, and how many rows were left out.
  ///
  /// A heading that begins with `>` is that of a column of numbers.
  mutating func add(_ title: String, _ heads: [String], _ rows: some Collection<[String]>) {
    guard !rows.isEmpty else { return }
    let head = "### \(title)\n\n" + Self.head(heads)
    guard room > head.utf16.count + 200 else {
      add("\n\(title): left out, there is no room.\n")
      return
    }
    add(head)
    // Each table leaves room for the next ones.
    let left = add(rows, atMost: room * 2 / 3)
    add(left > 0 ? "\n\(Quantity.count(left, "more row")) left out.\n\n" : "\n")
  }

  /// The head of a table.
  static func head(_ heads: [String]) -> String {
    let names = heads.map { $0.first == ">" ? String($0.dropFirst()) : $0 }
    let rules = heads.map { $0.first == ">" ? "--:" : ":--" }
    return "| \(names.joined(separator: " | ")) |\n| \(rules.joined(separator: " | ")) |\n"
  }

  /// Adds rows of a table up to a number of characters; returns how many were left out.
  mutating func add(_ rows: some Collection<[String]>, atMost most: Int) -> Int {
    let most = min(most, room - 100)
    var used = 0
    var count = 0
    for row in rows {
      let line = "| \(row.joined(separator: " | ")) |\n"
      used += line.utf16.count
      if used > most || count == Self.mostRows { break }
      add(line)
      count += 1
    }
    return rows.count - count
  }

  // MARK: Names

  /// A name as code; of a long one the middle is left out.
  static func code(_ name: String) -> String { codeInMarkdown(shortened(name)) }

  /// Text from outside; of a long one the middle is left out.
  static func phrase(_ text: String) -> String { inMarkdown(shortened(text)) }

  private static func shortened(_ text: String) -> String {
    let text = shown(text)
    guard text.utf16.count > longestName else { return text }
    let scalars = text.unicodeScalars
    let half = longestName / 2 - 1
    // Scalars have one or two units of UTF-16.
    return String(scalars.prefix(half)) + "…" + String(scalars.suffix(half))
  }
}

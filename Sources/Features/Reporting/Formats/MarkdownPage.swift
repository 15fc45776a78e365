import TerminalText

/// A Markdown comment with a maximum length.
package struct MarkdownPage {
  /// The maximum length: the limit of GitHub is 65,536 characters, and some are left for the
  /// program that posts the comment.
  package static let longest = 65_000
  /// The maximum number of rows of a table.
  private static let mostRows = 200
  /// The maximum length of a name that is not shortened.
  private static let longestName = 200

  private(set) var text = ""
  /// The remaining number of UTF-16 code units, as GitHub counts them.
  private(set) var room: Int

  init(room: Int) { self.room = room }

  /// Adds a text if there is room for it; returns whether it was added.
  @discardableResult
  mutating func add(_ phrase: String) -> Bool {
    let count = phrase.utf16.count
    guard count <= room else { return false }
    text += phrase
    room -= count
    return true
  }

  /// Adds a table, and the number of omitted rows.
  ///
  /// A heading that begins with `>` is that of a column of numbers.
  mutating func add(_ title: String, _ heads: [String], _ rows: some Collection<[String]>) {
    guard !rows.isEmpty else { return }
    let head = "### \(title)\n\n" + Self.head(heads)
    guard room > head.utf16.count + 200 else {
      add("\n\(title): omitted because of the size limit.\n")
      return
    }
    add(head)
    // Each table leaves room for the following tables.
    let left = add(rows, atMost: room * 2 / 3)
    add(left > 0 ? "\n\(Quantity.count(left, "more row")) omitted.\n\n" : "\n")
  }

  /// Returns the head of a table.
  static func head(_ heads: [String]) -> String {
    let names = heads.map { $0.first == ">" ? String($0.dropFirst()) : $0 }
    let rules = heads.map { $0.first == ">" ? "--:" : ":--" }
    return "| \(names.joined(separator: " | ")) |\n| \(rules.joined(separator: " | ")) |\n"
  }

  /// Adds rows of a table up to a maximum length; returns the number of omitted rows.
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

  /// Returns a name as code, with the middle of a long name omitted.
  static func code(_ name: String) -> String { codeInMarkdown(shortened(name)) }

  /// Returns escaped text, with the middle of a long text omitted.
  static func phrase(_ text: String) -> String { inMarkdown(shortened(text)) }

  private static func shortened(_ text: String) -> String {
    let text = shown(text)
    guard text.utf16.count > longestName else { return text }
    let scalars = text.unicodeScalars
    let half = longestName / 2 - 1
    // A scalar has one or two UTF-16 code units.
    return String(scalars.prefix(half)) + "…" + String(scalars.suffix(half))
  }
}

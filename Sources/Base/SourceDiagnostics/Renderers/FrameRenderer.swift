import TerminalText

/// Writes findings for a terminal: the line of the text, with carets below.
public struct FrameRenderer: FindingsRenderer {
  private let style: Style
  private let columns: Int
  private let hint: String

  /// Creates a renderer for a terminal of `columns` columns.
  ///
  /// `safeFixHint` is printed after a safe fix and describes how to apply it.
  public init(colored: Bool, columns: Int = 100, safeFixHint hint: String = "(safe)") {
    style = Style(isColored: colored)
    self.columns = columns
    self.hint = hint
  }

  /// Returns the text of all findings; each line, also the last, ends with a line feed.
  public func render(_ ledger: Ledger) -> String {
    var frames = Frames(style: style, columns: columns, hint: hint)
    for page in ledger.pages {
      for finding in page.findings { frames.add(finding, in: page.source) }
    }
    return frames.output
  }
}

/// The text of the frames of all findings that were added.
private struct Frames {
  let style: Style
  let columns: Int
  let hint: String
  private(set) var output = ""

  /// A line to show, and what to draw below it.
  private struct Mark {
    var line: Int
    var span: SourceSpan
    var character: Character
    var text: String
  }

  mutating func add(_ finding: Finding, in source: SourceText) {
    let severity = finding.severity
    write(
      style.severity(severity, "\(severity.rawValue):"), severity.rawValue.count + 2,
      finding.message, style.strong, after: "[\(finding.id.name)]")

    var marks: [Mark] = []
    if let span = finding.span {
      marks.append(mark(span, "^", "", in: source))
      marks += finding.labels.map { mark($0.span, "-", $0.text, in: source) }
    }
    // Sorted by line; on the same line, the finding itself is before its labels.
    marks = marks.enumerated().sorted {
      ($0.element.line, $0.offset) < ($1.element.line, $1.offset)
    }.map(\.element)
    let gutter = String(marks.map(\.line).max() ?? 0).count
    let margin = String(repeating: " ", count: gutter)

    if !source.name.isEmpty {
      write("\(margin)\(style.frame("-->")) \(place(of: finding.span, in: source))")
    }
    if !marks.isEmpty { write("\(margin) \(style.frame("|"))") }
    var shown: (line: Int, excerpt: Excerpt)?
    for mark in marks {
      if shown?.line != mark.line || shown?.excerpt.place(of: mark.span) == nil {
        if let shown, mark.line != shown.line + 1 { write("\(style.frame("..."))") }
        let excerpt = Excerpt(of: mark.span, in: source, columns: columns - gutter - 3)
        let number = String(mark.line).padded(to: gutter, .right)
        write("\(style.frame("\(number) |")) \(excerpt.text)")
        shown = (mark.line, excerpt)
      }
      guard let place = shown?.excerpt.place(of: mark.span) else { continue }
      let indent = place.gaps.map(style.gap).joined()
      let line = String(repeating: mark.character, count: place.width)
      let text = mark.text.isEmpty ? line : "\(line) \(mark.text)"
      let drawn = mark.character == "^" ? style.severity(severity, text) : style.frame(text)
      write("\(margin) \(style.frame("|")) \(indent)\(drawn)")
    }
    for note in finding.notes {
      write(
        "\(margin) \(style.frame("=")) \(style.strong("hint:"))", gutter + 9, note, { $0 },
        after: "")
    }
    for fix in finding.fixes {
      write(
        "\(margin) \(style.frame("=")) \(style.strong("fix:"))", gutter + 8, fix.message, { $0 },
        after: fix.grade == .safe ? hint : "")
    }
    write("")
  }

  private func mark(
    _ span: SourceSpan, _ character: Character, _ text: String, in source: SourceText
  ) -> Mark {
    Mark(line: source.position(of: span.start).line, span: span, character: character, text: text)
  }

  private func place(of span: SourceSpan?, in source: SourceText) -> String {
    let name = TerminalText.shown(source.name)
    guard let span else { return name }
    let position = source.position(of: span.start)
    return "\(name):\(position.line):\(position.column)"
  }

  private mutating func write(_ line: String) { output += line + "\n" }

  /// Writes a text after a heading of `indent` columns, broken at spaces; `end` is one faint word.
  private mutating func write(
    _ heading: String, _ indent: Int, _ text: String, _ paint: (String) -> String, after end: String
  ) {
    let width = max(columns - indent, 20)
    var lines = wrapped(text, to: width)
    let last = ColumnCount(lines.last ?? "").columns
    let isApart = !end.isEmpty && last > 0 && last + 1 + ColumnCount(end).columns > width
    if isApart { lines.append("") }
    for (index, line) in lines.enumerated() {
      let start = index == 0 ? heading + " " : String(repeating: " ", count: indent)
      let isLast = index == lines.count - 1 && !end.isEmpty
      write(
        start + (line.isEmpty ? "" : paint(line)) + (isLast && !line.isEmpty ? " " : "")
          + (isLast ? style.faint(end) : ""))
    }
  }

  /// Breaks a text at spaces; a longer word has its own line.
  private func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      let count = ColumnCount(word).columns
      if index > 0, used + 1 + count > width {
        lines.append(line)
        (line, used) = (String(word), count)
      } else {
        line += index == 0 ? String(word) : " " + word
        used += count + (index == 0 ? 0 : 1)
      }
    }
    return lines + [line]
  }
}

/// The colors of a terminal, or none.
private struct Style {
  let isColored: Bool

  func severity(_ severity: Finding.Severity, _ text: String) -> String {
    switch severity {
    case .error: paint("1;31", text)
    case .warning: paint("1;33", text)
    case .note: paint("1;36", text)
    }
  }

  func strong(_ text: String) -> String { paint("1", text) }
  func faint(_ text: String) -> String { paint("2", text) }
  func frame(_ text: String) -> String { paint("34", text) }

  /// Returns the text below the characters before a mark.
  ///
  /// If terminals disagree on a character's width, the same character is written below it,
  /// concealed, so that the mark is right in all of them. Without colors, the width on modern
  /// terminals is used.
  func gap(_ gap: Excerpt.Mark.Gap) -> String {
    switch gap {
    case .columns(let count): String(repeating: " ", count: count)
    case .sameAs(let text):
      isColored
        ? paint("8", text) : String(repeating: " ", count: ColumnCount(text).columns)
    }
  }

  private func paint(_ code: String, _ text: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

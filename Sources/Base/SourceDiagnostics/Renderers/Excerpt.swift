import TerminalText

/// The part of a line around a place that fits on a terminal.
///
/// Only a few hundred bytes of a line are read, independently of its length.
struct Excerpt {
  /// The text, with tabs as spaces, and with characters escaped that control a terminal.
  let text: String
  private let isCutBefore: Bool
  private let textStart: Int
  private let cells: ArraySlice<Cell>

  private static let reachBefore = 160
  private static let reachBehind = 240

  /// Creates an excerpt around the start of `span`, in at most `columns` columns.
  init(of span: SourceSpan, in source: SourceText, columns: Int) {
    let bytes = source.bytes
    // A byte order mark before the text is not shown.
    let mark = bytes.starts(with: SourceText.byteOrderMark) ? SourceText.byteOrderMark.count : 0
    textStart = mark
    let place = max(min(span.start, bytes.count), mark)
    var start = place
    while start > mark, place - start < Self.reachBefore, !Self.isLineEnd(bytes[start - 1]) {
      start -= 1
    }
    while start < place, bytes[start] & 0xC0 == 0x80 { start += 1 }
    var end = place
    while end < bytes.count, end - place < Self.reachBehind, !Self.isLineEnd(bytes[end]) {
      end += 1
    }
    let all = Self.cells(of: SourceSpan(start, end), in: source)
    let middle = all.firstIndex { $0.end > place } ?? all.endIndex
    // Two columns are for the characters that mark a cut.
    let room = max(columns - 2, 8)
    let before = Self.last(all[..<middle], columns: min(60, room * 2 / 3))
    let used = before.reduce(0) { $0 + $1.count.most }
    let behind = Self.first(all[middle...], columns: room - used)
    isCutBefore =
      before.startIndex > all.startIndex || start > mark && !Self.isLineEnd(bytes[start - 1])
    let isCutBehind =
      behind.endIndex < all.endIndex || end < bytes.count && !Self.isLineEnd(bytes[end])
    cells = all[before.startIndex..<behind.endIndex]
    text = (isCutBefore ? "…" : "") + cells.map(\.text).joined() + (isCutBehind ? "…" : "")
  }

  /// The place of a span below the text, and its number of columns.
  struct Mark {
    /// Columns to leave empty; or, if terminals disagree on a character's width, that character
    /// itself.
    enum Gap {
      case columns(Int)
      case sameAs(String)
    }
    var gaps: [Gap]
    var width: Int
  }

  /// Returns the place of a span below the text, at least one column wide; nil if its start is not
  /// shown.
  func place(of span: SourceSpan) -> Mark? {
    var free = isCutBefore ? 1 : 0
    var gaps: [Mark.Gap] = []
    guard let first = cells.first, let last = cells.last else {
      return Mark(gaps: [.columns(free)], width: 1)
    }
    let start = max(span.start, textStart)
    guard first.offset <= start, start <= last.end else { return nil }
    let before = cells.prefix { $0.end <= start }
    for cell in before {
      if cell.count.isDisputed {
        gaps += [.columns(free), .sameAs(cell.text)]
        free = 0
      } else {
        free += cell.count.columns
      }
    }
    let inside = cells[before.endIndex...].prefix { $0.offset < span.end }
    return Mark(
      gaps: gaps + [.columns(free)], width: max(1, inside.reduce(0) { $0 + $1.count.columns }))
  }

  /// One character, its place in the source, and how wide it is shown.
  private struct Cell {
    var text: String
    var count: ColumnCount
    var offset: Int
    var end: Int
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private static func cells(of span: SourceSpan, in source: SourceText) -> [Cell] {
    var cells: [Cell] = []
    var column = 0
    for piece in pieces(of: span, in: source) {
      let text = piece.text == "\t" ? String(repeating: " ", count: 4 - column % 4) : piece.shown
      let count = ColumnCount(text)
      cells.append(Cell(text: text, count: count, offset: piece.offset, end: piece.end))
      column += count.columns
    }
    return cells
  }

  /// Returns the visible characters: combined code points are one, and so is a byte that is not
  /// UTF-8.
  private static func pieces(
    of span: SourceSpan, in source: SourceText
  ) -> [(text: String, shown: String, offset: Int, end: Int)] {
    var pieces: [(text: String, shown: String, offset: Int, end: Int)] = []
    var offset = span.start
    while offset < span.end {
      let (length, isWellFormed) = UTF8Check.sequence(in: source.bytes, at: offset)
      let end = min(isWellFormed ? offset + length : offset + 1, span.end)
      let bytes = source.bytes[offset..<end]
      let text = isWellFormed ? String(decoding: bytes, as: UTF8.self) : ""
      if let last = pieces.last, !text.isEmpty, !last.text.isEmpty, (last.text + text).count == 1 {
        let whole = last.text + text
        pieces[pieces.count - 1] = (whole, shown(whole), last.offset, end)
      } else {
        pieces.append((text, shown(bytes: bytes), offset, end))
      }
      offset = end
    }
    return pieces
  }

  private static func first(_ cells: ArraySlice<Cell>, columns: Int) -> ArraySlice<Cell> {
    var used = 0
    return cells.prefix { cell in
      used += cell.count.most
      return used <= columns
    }
  }

  private static func last(_ cells: ArraySlice<Cell>, columns: Int) -> ArraySlice<Cell> {
    var used = 0
    let start = cells.lastIndex { cell in
      used += cell.count.most
      return used > columns
    }
    return cells[(start.map { $0 + 1 } ?? cells.startIndex)...]
  }
}

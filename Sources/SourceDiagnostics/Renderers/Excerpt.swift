/// The part of a line around a place, as wide as a terminal shows it, and where the place is in it.
///
/// However long the line is, only some hundred bytes of it are looked at.
struct Excerpt {
  /// The text, with tabs as spaces and without characters that command a terminal.
  private(set) var text = ""
  /// How many columns stand before the place.
  private(set) var indent = 0
  /// How many columns the place takes, at least 1.
  private(set) var width = 1

  private static let reachBefore = 160
  private static let reachBehind = 240
  private static let columnsBefore = 60
  private static let columnsBehind = 80

  init(of span: SourceSpan, in source: SourceText) {
    let bytes = source.bytes
    let place = min(span.start, bytes.count)
    var start = place
    while start > 0, place - start < Self.reachBefore, !Self.isLineEnd(bytes[start - 1]) {
      start -= 1
    }
    while start < place, bytes[start] & 0xC0 == 0x80 { start += 1 }
    var end = place
    while end < bytes.count, end - place < Self.reachBehind, !Self.isLineEnd(bytes[end]) {
      end += 1
    }
    let before = Self.cells(source.text(of: SourceSpan(start, place)), from: 0)
    let column = before.reduce(0) { $0 + $1.width }
    let spanEnd = min(max(span.end, place), end)
    let inside = Self.cells(source.text(of: SourceSpan(place, spanEnd)), from: column)
    let marked = inside.reduce(0) { $0 + $1.width }
    let behind = Self.cells(source.text(of: SourceSpan(spanEnd, end)), from: column + marked)

    let isCutBefore = start > 0 && !Self.isLineEnd(bytes[start - 1])
    let (left, leftIsCut) = Self.last(before, columns: Self.columnsBefore, isCut: isCutBefore)
    let isCutBehind = end < bytes.count && !Self.isLineEnd(bytes[end])
    let (right, rightIsCut) = Self.first(
      inside + behind, columns: Self.columnsBehind, isCut: isCutBehind)
    text = (leftIsCut ? "…" : "") + left.map(\.text).joined() + right.map(\.text).joined()
    if rightIsCut { text += "…" }
    indent = (leftIsCut ? 1 : 0) + left.reduce(0) { $0 + $1.width }
    width = max(1, min(marked, right.reduce(0) { $0 + $1.width }))
  }

  private struct Cell {
    var text: String
    var width: Int
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private static func cells(_ text: String, from column: Int) -> [Cell] {
    var cells: [Cell] = []
    var column = column
    for scalar in text.unicodeScalars {
      let cell: Cell =
        if scalar == "\t" {
          Cell(text: String(repeating: " ", count: 4 - column % 4), width: 4 - column % 4)
        } else if Plain.isControl(scalar) {
          Cell(text: "\u{FFFD}", width: 1)
        } else {
          Cell(text: String(scalar), width: Plain.columns(of: scalar))
        }
      column += cell.width
      cells.append(cell)
    }
    return cells
  }

  private static func first(
    _ cells: [Cell], columns: Int, isCut: Bool
  ) -> (cells: ArraySlice<Cell>, isCut: Bool) {
    var used = 0
    let end = cells.firstIndex { cell in
      used += cell.width
      return used > columns
    }
    return (cells[..<(end ?? cells.endIndex)], isCut || end != nil)
  }

  private static func last(
    _ cells: [Cell], columns: Int, isCut: Bool
  ) -> (cells: ArraySlice<Cell>, isCut: Bool) {
    var used = 0
    let start = cells.lastIndex { cell in
      used += cell.width
      return used > columns
    }
    return (cells[(start.map { $0 + 1 } ?? 0)...], isCut || start != nil)
  }
}

extension Plain {
  /// How many columns a terminal gives to a character: none to a mark that joins the one before,
  /// two to East Asian signs and pictures.
  static func columns(of scalar: UnicodeScalar) -> Int {
    switch scalar.value {
    case 0..<0x300: return 1
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: return 0
      default: return 1
      }
    }
  }
}

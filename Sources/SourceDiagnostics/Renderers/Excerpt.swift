/// The part of a line around a place, as wide as a terminal shows it.
///
/// However long the line is, only some hundred bytes of it are looked at.
struct Excerpt {
  /// The text, with tabs as spaces and without characters that command a terminal.
  let text: String
  private let isCutBefore: Bool
  private let cells: ArraySlice<Cell>

  private static let reachBefore = 160
  private static let reachBehind = 240

  /// Shows what is around the beginning of `span`, in at most `columns` columns.
  init(of span: SourceSpan, in source: SourceText, columns: Int) {
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
    let all = Self.cells(of: SourceSpan(start, end), in: source)
    let middle = all.firstIndex { $0.offset >= place } ?? all.endIndex
    // Two columns are for the signs that say that there is more.
    let room = max(columns - 2, 8)
    let before = Self.last(all[..<middle], columns: min(60, room * 2 / 3))
    let used = Self.width(before)
    let behind = Self.first(all[middle...], columns: room - used)
    isCutBefore =
      before.startIndex > all.startIndex || start > 0 && !Self.isLineEnd(bytes[start - 1])
    let isCutBehind =
      behind.endIndex < all.endIndex || end < bytes.count && !Self.isLineEnd(bytes[end])
    cells = all[before.startIndex..<behind.endIndex]
    text =
      (isCutBefore ? "…" : "") + cells.map(\.text).joined() + (isCutBehind ? "…" : "")
  }

  /// Where a span stands below the text: how many columns are before it, and how many it has, at
  /// least one; nil when its beginning is not shown.
  func columns(of span: SourceSpan) -> (indent: Int, width: Int)? {
    let margin = isCutBefore ? 1 : 0
    guard let first = cells.first, let last = cells.last else { return (margin, 1) }
    guard first.offset <= span.start, span.start <= last.end else { return nil }
    let before = cells.prefix { $0.offset < span.start }
    let inside = cells[before.endIndex...].prefix { $0.offset < span.end }
    return (margin + Self.width(before), max(1, Self.width(inside)))
  }

  private static func width(_ cells: ArraySlice<Cell>) -> Int { cells.reduce(0) { $0 + $1.width } }

  /// One character, its place in the source, and how wide it is shown.
  private struct Cell {
    var text: String
    var width: Int
    var offset: Int
    var end: Int
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private static func cells(of span: SourceSpan, in source: SourceText) -> [Cell] {
    var cells: [Cell] = []
    var column = 0
    var offset = span.start
    while offset < span.end {
      let length = max(1, (~source.bytes[offset]).leadingZeroBitCount)
      let end = min(offset + length, span.end)
      let scalars = source.text(of: SourceSpan(offset, end)).unicodeScalars
      // An ill-formed byte is shown as one sign.
      let scalar = scalars.count == 1 ? scalars.first ?? "\u{FFFD}" : "\u{FFFD}"
      var cell = Cell(
        text: String(scalar), width: Plain.columns(of: scalar), offset: offset,
        end: scalars.count == 1 ? end : offset + 1)
      if scalar == "\t" {
        cell.width = 4 - column % 4
        cell.text = String(repeating: " ", count: cell.width)
      } else if Plain.isControl(scalar) {
        cell.text = "\u{FFFD}"
        cell.width = 1
      }
      column += cell.width
      offset = cell.end
      cells.append(cell)
    }
    return cells
  }

  private static func first(_ cells: ArraySlice<Cell>, columns: Int) -> ArraySlice<Cell> {
    var used = 0
    return cells.prefix { cell in
      used += cell.width
      return used <= columns
    }
  }

  private static func last(_ cells: ArraySlice<Cell>, columns: Int) -> ArraySlice<Cell> {
    var used = 0
    let start = cells.lastIndex { cell in
      used += cell.width
      return used > columns
    }
    return cells[(start.map { $0 + 1 } ?? cells.startIndex)...]
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

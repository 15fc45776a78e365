/// A text of the user: its bytes, its name for messages, and the offsets of its lines.
public struct SourceText: Sendable {
  /// The name for messages: the path as given by the user, or `<stdin>`.
  public let name: String
  /// The bytes of the file; they may not be valid UTF-8.
  public let bytes: [UInt8]
  private let lines: LineTable

  /// Creates a text of these bytes.
  public init(_ bytes: [UInt8], named name: String) {
    self.name = name
    self.bytes = bytes
    lines = LineTable(bytes)
  }

  /// A line and a column, as editors number them.
  ///
  /// Both numbers start at 1; a column is one Unicode scalar, and a byte order mark before the text
  /// is not counted.
  public struct Position: Sendable, Equatable {
    /// The line; lines end with LF, CR LF or CR.
    public var line: Int
    /// The column in scalars; an invalid byte counts as one, unless it looks like a continuation
    /// byte.
    public var column: Int

    /// Creates a position.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The mark that some editors write before a text in UTF-8.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns the line and column of a byte offset; an offset after the end counts as the end.
  public func position(of offset: Int) -> Position {
    lines.position(of: min(max(offset, 0), bytes.count), in: bytes)
  }

  /// Returns the text of a span, with invalid UTF-8 replaced.
  public func text(of span: SourceSpan) -> String {
    let start = min(span.start, bytes.count)
    let end = min(max(span.end, start), bytes.count)
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}

extension SourceText: Equatable {
  /// Returns whether two texts have the same name and the same bytes.
  public static func == (left: SourceText, right: SourceText) -> Bool {
    left.name == right.name && left.bytes == right.bytes
  }
}

/// The line and column at every 4,096th byte.
///
/// Positions are computed from the nearest of these bytes, so a text that is one very long line, or
/// that consists only of line ends, needs no more time than other texts.
struct LineTable: Sendable {
  private static let stride = 4096
  private struct Checkpoint: Sendable {
    var line: UInt32
    var column: UInt32
  }
  private var checkpoints: [Checkpoint] = []

  init(_ bytes: [UInt8]) {
    checkpoints.reserveCapacity(bytes.count / Self.stride + 1)
    var position = SourceText.Position(line: 1, column: 1)
    var start = 0
    while true {
      checkpoints.append(
        Checkpoint(
          line: UInt32(clamping: position.line), column: UInt32(clamping: position.column)))
      guard start + Self.stride <= bytes.count else { break }
      Self.advance(&position, over: start..<start + Self.stride, of: bytes)
      start += Self.stride
    }
  }

  func position(of offset: Int, in bytes: [UInt8]) -> SourceText.Position {
    let index = min(offset / Self.stride, checkpoints.count - 1)
    var position = SourceText.Position(
      line: Int(checkpoints[index].line), column: Int(checkpoints[index].column))
    Self.advance(&position, over: index * Self.stride..<offset, of: bytes)
    return position
  }

  private static func advance(
    _ position: inout SourceText.Position, over range: Range<Int>, of bytes: [UInt8]
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + 8, range.upperBound)
      // Most parts of a text have only printable characters of ASCII.
      if end - start == 8, EightBytes(bytes, at: start).arePrintableASCII {
        position.column += 8
      } else {
        for index in start..<end { advance(&position, overByteAt: index, of: bytes) }
      }
      start = end
    }
  }

  private static func advance(
    _ position: inout SourceText.Position, overByteAt index: Int, of bytes: [UInt8]
  ) {
    let byte = bytes[index]
    // The first byte of a byte order mark, which editors do not count.
    if index == 0, byte == 0xEF, bytes.starts(with: SourceText.byteOrderMark) { return }
    let endsLine =
      byte == 0x0A
      || (byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A))
    if endsLine {
      position.line += 1
      position.column = 1
    } else if byte & 0xC0 != 0x80 {
      position.column += 1
    }
  }
}

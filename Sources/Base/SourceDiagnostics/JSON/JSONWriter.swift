import TerminalText

/// Writes strict JSON.
package struct JSONWriter {
  /// The layout of the text.
  package enum Layout: Sendable {
    /// On one line, without spaces.
    case compact
    /// On one line, with a space after each colon and comma.
    case line
    /// Two spaces for each level; empty objects and arrays are on one line.
    case indented
    /// Indented; but on one line with a line feed at its end, if the text is long and indentation
    /// would more than double its length.
    ///
    /// In deeply nested text, each value would need a line break and many spaces.
    case readable
  }

  private let layout: Layout
  private var output: [UInt8] = []

  /// Returns the text of a value; a layout with several lines ends with a line feed.
  package static func bytes(_ value: JSONValue, _ layout: Layout = .indented) -> [UInt8] {
    let used: Layout =
      switch layout {
      case .compact, .line, .indented: layout
      case .readable: JSONSize(of: value).isWorthIndenting ? .indented : .compact
      }
    var writer = JSONWriter(used)
    writer.write(value, level: 0)
    switch layout {
    case .compact, .line: break
    case .indented, .readable: writer.output.append(UInt8(ascii: "\n"))
    }
    return writer.output
  }

  /// Returns the text of a value as a string.
  package static func string(_ value: JSONValue, _ layout: Layout = .indented) -> String {
    String(decoding: bytes(value, layout), as: UTF8.self)
  }

  private init(_ layout: Layout) { self.layout = layout }

  private mutating func write(_ value: JSONValue, level: Int) {
    switch value {
    case .null: write("null")
    case .bool(let bool): write(bool ? "true" : "false")
    case .number(let text): write(text)
    case .string(let text): writeString(text)
    case .array(let elements):
      writeList("[", "]", count: elements.count, level: level) { writer, index in
        writer.write(elements[index], level: level + 1)
      }
    case .object(let members):
      writeList("{", "}", count: members.count, level: level) { writer, index in
        writer.writeString(members[index].key)
        writer.write(writer.layout == .compact ? ":" : ": ")
        writer.write(members[index].value, level: level + 1)
      }
    }
  }

  private mutating func writeList(
    _ open: String, _ close: String, count: Int, level: Int,
    _ element: (inout JSONWriter, Int) -> Void
  ) {
    write(open)
    for index in 0..<count {
      if index > 0 { write(layout == .line ? ", " : ",") }
      breakLine(level + 1)
      element(&self, index)
    }
    if count > 0 { breakLine(level) }
    write(close)
  }

  private mutating func breakLine(_ level: Int) {
    guard layout == .indented else { return }
    output.append(UInt8(ascii: "\n"))
    for _ in 0..<level { write("  ") }
  }

  private mutating func write(_ text: String) { output.append(contentsOf: text.utf8) }

  private mutating func writeString(_ text: String) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): write("\\\"")
      case UInt8(ascii: "\\"): write("\\\\")
      case 0x08: write("\\b")
      case 0x09: write("\\t")
      case 0x0A: write("\\n")
      case 0x0C: write("\\f")
      case 0x0D: write("\\r")
      case 0..<0x20:
        write("\\u" + hexadecimal(byte, digits: 4, uppercase: false))
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}

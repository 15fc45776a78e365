import TerminalText

/// A parser for property lists in XML that returns the place of each value, which decoders do not.
package struct XMLPropertyList {
  private let bytes: [UInt8]
  private var index = 0
  private var count = 0

  /// Parses a text and returns its value.
  package static func read(_ bytes: [UInt8]) throws(Unreadable) -> PlacedValue {
    var reader = XMLPropertyList(bytes: bytes)
    let value = try reader.document()
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  // MARK: Elements

  /// A tag: `<dict>`, `</dict>`, `<dict/>`.
  private struct Tag {
    var name: String
    var span: SourceSpan
    var isEnd = false
    var isEmpty = false
  }

  private mutating func document() throws(Unreadable) -> PlacedValue {
    let plist = try tag("where '<plist>' is expected")
    guard plist.name == "plist", !plist.isEnd, !plist.isEmpty else {
      throw Unreadable(
        plist.span, "'\(plist.name)' is not a property list",
        remedy: "specify a property list, which begins with '<plist>'")
    }
    let first = try tag("where a value is expected")
    let value = try value(first, depth: 1)
    let end = try tag("where '</plist>' is expected")
    guard end.isEnd, end.name == "plist" else { throw misplaced(end, "after the value") }
    return value
  }

  private mutating func value(_ tag: Tag, depth: Int) throws(Unreadable) -> PlacedValue {
    count += 1
    guard count <= PlacedValue.countLimit, depth <= PlacedValue.depthLimit else {
      throw Unreadable(
        tag.span, "it is nested too deeply, or has too many values",
        remedy: "specify a property list of Xcode")
    }
    guard !tag.isEnd else { throw misplaced(tag, "where a value is expected") }
    switch tag.name {
    case "dict": return try dictionary(tag, depth)
    case "array": return try array(tag, depth)
    case "true", "false":
      if !tag.isEmpty { try close(tag) }
      return PlacedValue(.bool(tag.name == "true"), at: SourceSpan(tag.span.start, index))
    case "string", "integer", "real", "date", "data":
      let text = try text(of: tag)
      let span = SourceSpan(tag.span.start, index)
      switch tag.name {
      case "string": return PlacedValue(.string(text), at: span)
      case "date": return PlacedValue(.date(text), at: span)
      case "data":
        guard let data = Self.bytes(inBase64: text) else {
          throw Unreadable(span, "the data is not base64", remedy: "write base64")
        }
        return PlacedValue(.data(data), at: span)
      default: return PlacedValue(.number(text.filter { !$0.isWhitespace }), at: span)
      }
    default: throw misplaced(tag, "where a value is expected")
    }
  }

  /// Decodes base64 with white space; nil if it is invalid.
  private static func bytes(inBase64 text: String) -> [UInt8]? {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let characters = text.utf8.filter { $0 > 0x20 }
    let values = characters.prefix { $0 != UInt8(ascii: "=") }
    let padding = characters.dropFirst(values.count)
    guard characters.count % 4 == 0, padding.count <= 2,
      padding.allSatisfy({ $0 == UInt8(ascii: "=") })
    else { return nil }
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for character in values {
      guard let value = digits.firstIndex(of: character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }

  private mutating func dictionary(_ open: Tag, _ depth: Int) throws(Unreadable) -> PlacedValue {
    var members: [PlacedValue.Member] = []
    while !open.isEmpty {
      let next = try tag("in a dictionary that is not closed")
      if next.isEnd {
        guard next.name == open.name else { throw misplaced(next, "where '</dict>' is expected") }
        break
      }
      guard next.name == "key" else { throw misplaced(next, "where a key is expected") }
      let key = try text(of: next)
      let span = SourceSpan(next.span.start, index)
      let value = try value(try tag("after a key without a value"), depth: depth + 1)
      members.append(.init(key: key, keySpan: span, value: value))
    }
    return PlacedValue(.dictionary(members), at: SourceSpan(open.span.start, index))
  }

  private mutating func array(_ open: Tag, _ depth: Int) throws(Unreadable) -> PlacedValue {
    var elements: [PlacedValue] = []
    while !open.isEmpty {
      let next = try tag("in an array that is not closed")
      if next.isEnd {
        guard next.name == open.name else { throw misplaced(next, "where '</array>' is expected") }
        break
      }
      elements.append(try value(next, depth: depth + 1))
    }
    return PlacedValue(.array(elements), at: SourceSpan(open.span.start, index))
  }

  private mutating func close(_ open: Tag) throws(Unreadable) {
    let end = try tag("where '</\(open.name)>' is expected")
    guard end.isEnd, end.name == open.name else {
      throw misplaced(end, "where '</\(open.name)>' is expected")
    }
  }

  // MARK: Text

  /// Reads the text up to the end of an element.
  private mutating func text(of open: Tag) throws(Unreadable) -> String {
    if open.isEmpty { return "" }
    var text = ""
    var start = index
    func piece(_ end: Int) throws(Unreadable) -> String {
      guard let piece = String(validating: bytes[start..<end], as: UTF8.self) else {
        throw Unreadable(
          SourceSpan(start, end), "the text is not UTF-8", remedy: "save the file as UTF-8")
      }
      return piece
    }
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "&") {
        text += try piece(index)
        text += try entity()
        start = index
      } else if bytes[index] != UInt8(ascii: "<") {
        index += 1
      } else if follows("<!--") {
        text += try piece(index)
        try skip(to: "-->")
        start = index
      } else if follows("<![CDATA[") {
        text += try piece(index)
        start = index + 9
        try skip(to: "]]>")
        text += try piece(index - 3)
        start = index
      } else {
        text += try piece(index)
        try close(open)
        return text
      }
    }
    throw Unreadable(
      open.span, "'<\(open.name)>' has no end", remedy: "complete the file; it may be truncated")
  }

  private mutating func entity() throws(Unreadable) -> String {
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: ";"), index - start < 12 { index += 1 }
    let name = String(decoding: bytes[(start + 1)..<index], as: UTF8.self)
    index = min(index + 1, bytes.count)
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let isHexadecimal = name.hasPrefix("#x")
      if name.hasPrefix("#"),
        let code = isHexadecimal
          ? UInt32(hexadecimal: name.utf8.dropFirst(2)) : Self.number(ofDigits: name.dropFirst()),
        let scalar = Unicode.Scalar(code)
      {
        return String(Character(scalar))
      }
      throw Unreadable(
        SourceSpan(start, index), "'&\(name);' is an unknown entity",
        remedy: "write the character itself, or '&amp;' for '&'")
    }
  }

  /// Parses decimal digits without `+` or `-`.
  private static func number(ofDigits digits: Substring) -> UInt32? {
    digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? UInt32(digits) : nil
  }

  // MARK: Tags

  /// Reads the next tag, after declarations and comments.
  private mutating func tag(_ place: Finding.Message) throws(Unreadable) -> Tag {
    while true {
      if index == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
      while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
      guard index < bytes.count else {
        throw Unreadable(
          SourceSpan(index, index), "the text ends \(place)",
          remedy: "complete the file; it may be truncated")
      }
      guard bytes[index] == UInt8(ascii: "<") else {
        var end = index
        while end < bytes.count, bytes[end] > 0x20, bytes[end] != UInt8(ascii: "<") { end += 1 }
        let word = String(decoding: bytes[index..<end], as: UTF8.self)
        throw Unreadable(
          SourceSpan(index, end), "unexpected '\(word)' \(place)",
          remedy: "put texts into '<string>'")
      }
      if follows("<?") {
        try skip(to: "?>")
      } else if follows("<!--") {
        try skip(to: "-->")
      } else if follows("<!DOCTYPE") {
        try skip(to: ">")
      } else if follows("<!") {
        throw Unreadable(
          SourceSpan(index, index + 2), "property lists do not support this declaration",
          remedy: "remove it")
      } else {
        return try plainTag()
      }
    }
  }

  private mutating func plainTag() throws(Unreadable) -> Tag {
    let start = index
    index += 1
    var tag = Tag(name: "", span: SourceSpan(start, start))
    if index < bytes.count, bytes[index] == UInt8(ascii: "/") {
      tag.isEnd = true
      index += 1
    }
    let name = index
    while index < bytes.count, UInt8(ascii: "a")...UInt8(ascii: "z") ~= bytes[index] { index += 1 }
    tag.name = String(decoding: bytes[name..<index], as: UTF8.self)
    while index < bytes.count, bytes[index] != UInt8(ascii: ">") { index += 1 }
    guard index < bytes.count else { throw unfinished(start, ">") }
    index += 1
    tag.isEmpty = bytes[index - 2] == UInt8(ascii: "/") && !tag.isEnd
    tag.span = SourceSpan(start, index)
    return tag
  }

  /// Whether a token begins at the current position.
  ///
  /// The second byte rejects most candidates.
  private func follows(_ token: String) -> Bool {
    guard let second = token.utf8.dropFirst().first, index + 1 < bytes.count,
      bytes[index + 1] == second
    else { return false }
    return bytes[index...].starts(with: token.utf8)
  }

  private mutating func skip(to token: String) throws(Unreadable) {
    let start = index
    let last = Array(token.utf8)
    while index < bytes.count {
      if bytes[index] == last[0], bytes[index...].starts(with: last) {
        index += last.count
        return
      }
      index += 1
    }
    throw unfinished(start, token)
  }

  private func unfinished(_ start: Int, _ token: String) -> Unreadable {
    Unreadable(
      SourceSpan(start, min(start + 1, bytes.count)), "expected '\(token)'",
      remedy: "complete the file; it may be truncated")
  }

  private func misplaced(_ tag: Tag, _ place: Finding.Message) -> Unreadable {
    Unreadable(
      tag.span, "unexpected '<\(tag.isEnd ? "/" : "")\(tag.name)>' \(place)",
      remedy: "correct the structure of the file")
  }
}

import BAPackKit
import SourceDiagnostics
import TerminalText

/// The text of a project file, and insertions into it in its own layout.
///
/// All other bytes are unchanged. A text whose layout is not one that Xcode and the tools for its
/// projects write is refused.
struct ProjectText {
  /// An object to insert.
  struct NewObject {
    var id: String
    /// The comment after the ID: the name of the object.
    var name: String
    var value: PlacedValue
    /// Whether the object is on one line, as Xcode writes files.
    var isOnOneLine = false

    var kind: String { value["isa"]?.text ?? "" }
  }

  private let bytes: [UInt8]
  private let objects: [PlacedValue.Member]
  /// The offset of the `}` after all objects.
  private let end: Int
  private var insertions: [(offset: Int, text: String)] = []
  /// The names in comments, keyed by the IDs of objects.
  private var names: [String: String] = [:]
  private let newline: String
  private let hasComments: Bool
  private let hasSections: Bool
  /// The blanks before an object, and those for one more level.
  private let objectIndent: String
  private let unit: String

  /// Reads the layout of a project.
  init(_ bytes: [UInt8], _ list: PlacedValue) throws(PackError) {
    guard let table = list["objects"], let root = list["rootObject"],
      let object = table.members.last(where: { $0.key == root.text }),
      let first = object.value.members.first
    else { throw PackError.refusal("it has no root object") }
    self.bytes = bytes
    objects = table.members
    end = table.span.end - 1
    newline = Self.newline(of: bytes)
    hasComments = bytes[root.span.end...].starts(with: " /*".utf8)
    hasSections = String(decoding: bytes, as: UTF8.self).contains("/* Begin PBX")
    guard let outer = Self.indent(before: object.keySpan.start, in: bytes),
      let inner = Self.indent(before: first.keySpan.start, in: bytes),
      Self.indent(before: end, in: bytes) != nil, inner.hasPrefix(outer), inner != outer
    else {
      throw PackError.refusal("its objects and their properties are not on lines of their own")
    }
    objectIndent = outer
    unit = String(inner.dropFirst(outer.count))
  }

  /// Returns the end of the first line.
  static func newline(of bytes: [UInt8]) -> String {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end > 0 else { return "\n" }
    return bytes[end - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
  }

  /// Sets the name of an object for comments.
  mutating func setName(_ name: String, of id: String) { names[id] = name }

  /// The text with all insertions.
  var result: [UInt8] {
    var result: [UInt8] = []
    var position = 0
    let order = insertions.indices.sorted {
      (insertions[$0].offset, $0) < (insertions[$1].offset, $1)
    }
    for index in order {
      result += bytes[position..<insertions[index].offset]
      result += Array(insertions[index].text.utf8)
      position = insertions[index].offset
    }
    return result + bytes[position...]
  }

  // MARK: Insertions

  /// Inserts objects at the ends of their sections, which are sorted by their kinds.
  mutating func insert(_ new: [NewObject]) throws(PackError) {
    for object in new { names[object.id] = object.name }
    for kind in Set(new.map(\.kind)).sorted() {
      let lines = new.filter { $0.kind == kind }.map { object in
        objectIndent + reference(object.id) + " = "
          + written(object.value, objectIndent, isOnOneLine: object.isOnOneLine) + ";" + newline
      }.joined()
      if let last = objects.last(where: { $0.value["isa"]?.text == kind }) {
        insert(lines, at: try lineEnd(after: last.value.span.end))
      } else {
        insertSection(kind, lines)
      }
    }
  }

  private mutating func insertSection(_ kind: String, _ lines: String) {
    let others = objects.filter { ($0.value["isa"]?.text ?? "") > kind }
    let next = others.min { left, right in
      (left.value["isa"]?.text ?? "", left.keySpan.start)
        < (right.value["isa"]?.text ?? "", right.keySpan.start)
    }
    let section = "/* Begin \(kind) section */\(newline)\(lines)/* End \(kind) section */\(newline)"
    guard let next else {
      insert(hasSections ? newline + section : lines, at: lineStart(end))
      return
    }
    let start = lineStart(next.keySpan.start)
    let head = Array("/* Begin \(next.value["isa"]?.text ?? "") section */\(newline)".utf8)
    guard hasSections, start >= head.count, bytes[(start - head.count)..<start].elementsEqual(head)
    else {
      insert(lines, at: start)
      return
    }
    insert(section + newline, at: start - head.count)
  }

  /// Inserts a reference into a list: before one of its elements, or at its end.
  mutating func insert(
    _ id: String, into list: PlacedValue, before other: PlacedValue? = nil
  ) throws(PackError) {
    if let other, let indent = Self.indent(before: other.span.start, in: bytes) {
      insert(indent + reference(id) + "," + newline, at: lineStart(other.span.start))
      return
    }
    let end = list.span.end - 1
    let last = list.elements.last
    let needsComma = last.map { !hasComma(between: $0.span.end, end) } ?? false
    guard let closing = Self.indent(before: end, in: bytes) else {
      insert((needsComma ? ", " : "") + reference(id) + ", ", at: end)
      return
    }
    if needsComma, let last { insert(",", at: last.span.end) }
    let indent = last.flatMap { Self.indent(before: $0.span.start, in: bytes) } ?? closing + unit
    insert(indent + reference(id) + "," + newline, at: lineStart(end))
  }

  /// Inserts a property into a dictionary, before the first one with a greater name.
  mutating func insert(
    _ key: String, _ value: PlacedValue, into dictionary: PlacedValue
  ) throws(PackError) {
    let end = dictionary.span.end - 1
    let quoted = Self.quoted(key)
    guard let closing = Self.indent(before: end, in: bytes) else {
      let text = written(value, "", isOnOneLine: true)
      insert("\(named(key, quoted)) = \(text); ", at: end)
      return
    }
    let members = dictionary.members
    let indent =
      members.first.flatMap { Self.indent(before: $0.keySpan.start, in: bytes) } ?? closing + unit
    let line =
      "\(indent)\(named(key, quoted)) = \(written(value, indent, isOnOneLine: false));\(newline)"
    let next = members.first { member in
      member.key != "isa" && member.key > key
        && Self.indent(before: member.keySpan.start, in: bytes) != nil
    }
    insert(line, at: lineStart(next?.keySpan.start ?? end))
  }

  private mutating func insert(_ text: String, at offset: Int) {
    insertions.append((offset, text))
  }

  // MARK: Places

  private func lineStart(_ offset: Int) -> Int {
    var start = offset
    while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    return start
  }

  /// Returns the offset after the line with the end of an object.
  private func lineEnd(after offset: Int) throws(PackError) -> Int {
    var end = offset
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
      guard bytes[end] <= 0x20 || bytes[end] == UInt8(ascii: ";") else {
        throw PackError.refusal("several objects are on one line")
      }
      end += 1
    }
    guard end < bytes.count else { throw PackError.refusal("its last line has no end") }
    return end + 1
  }

  /// Returns the blanks before an offset, if only blanks precede it on its line.
  private static func indent(before offset: Int, in bytes: [UInt8]) -> String? {
    var start = offset
    while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
    guard start == 0 || bytes[start - 1] == UInt8(ascii: "\n") else { return nil }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Whether a comma, outside of comments, is between two offsets.
  private func hasComma(between start: Int, _ end: Int) -> Bool {
    var rest = bytes[start..<end]
    while let byte = rest.first {
      if byte == UInt8(ascii: ",") { return true }
      rest.removeFirst()
      guard byte == UInt8(ascii: "/"), rest.first == UInt8(ascii: "*") else { continue }
      while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest.removeFirst() }
    }
    return false
  }

  // MARK: Values

  private func reference(_ text: String) -> String { named(text, Self.quoted(text)) }

  private func named(_ id: String, _ text: String) -> String {
    guard hasComments, let name = names[id] else { return text }
    // A name with `*/` would end the comment.
    return text + " /* \(name.split(separator: "*/").joined()) */"
  }

  private func written(_ value: PlacedValue, _ indent: String, isOnOneLine: Bool) -> String {
    let inner = indent + unit
    let (start, separator) = isOnOneLine ? ("", " ") : (inner, newline)
    let opening = isOnOneLine ? "" : newline
    let closing = isOnOneLine ? "" : indent
    switch value.kind {
    case .array(let elements):
      return "(" + opening
        + elements.map { start + written($0, inner, isOnOneLine: isOnOneLine) + "," + separator }
        .joined() + closing + ")"
    case .dictionary(let members):
      return "{" + opening
        + members.map { member in
          // The ID of another project's target is a plain text.
          let text =
            member.key == "remoteGlobalIDString"
            ? Self.quoted(member.value.text ?? "")
            : written(member.value, inner, isOnOneLine: isOnOneLine)
          return start + named(member.key, Self.quoted(member.key)) + " = " + text + ";" + separator
        }.joined() + closing + "}"
    default: return reference(value.text ?? "")
    }
  }

  /// Returns a string as Xcode writes it: with quotes if it has other characters than these.
  private static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && !text.contains("//") && !text.contains("___")
      && text.utf8.allSatisfy { $0.isLetterOrDigit || "_$/.".utf8.contains($0) }
    guard !isPlain else { return text }
    var quoted = "\""
    for character in text.unicodeScalars {
      switch character {
      case "\"", "\\": quoted += "\\" + String(character)
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(character)
      }
    }
    return quoted + "\""
  }
}

extension PlacedValue {
  private static let nowhere = SourceSpan(0, 0)

  /// Creates a value that has no place yet.
  static func new(_ text: String) -> PlacedValue { PlacedValue(.string(text), at: nowhere) }

  static func new(_ elements: [String]) -> PlacedValue {
    PlacedValue(.array(elements.map { new($0) }), at: nowhere)
  }

  static func new(_ members: KeyValuePairs<String, PlacedValue>) -> PlacedValue {
    new(Array(members))
  }

  static func new(_ members: [(key: String, value: PlacedValue)]) -> PlacedValue {
    PlacedValue(
      .dictionary(members.map { Member(key: $0.key, keySpan: nowhere, value: $0.value) }),
      at: nowhere)
  }
}

extension PackError {
  /// An error for a project that is not changed, because a part of it is not understood.
  static func refusal(_ reason: String, remedy: Remedy? = nil) -> PackError {
    PackError(.unsupported, reason, remedy: remedy)
  }
}

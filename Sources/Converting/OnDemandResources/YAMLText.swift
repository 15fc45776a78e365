// Long because a reader of YAML is one thing: each part of it moves the same place in the text.
import SourceDiagnostics
import SystemIO

/// Reads YAML as specs of XcodeGen are written: each value with its place.
///
/// It has mappings and lists in both styles, plain, quoted and block texts, comments, anchors and
/// merge keys. What it does not have (tags, keys that are no texts, several documents) is refused with
/// its place rather than read in another way.
package struct YAMLText {
  private let bytes: [UInt8]
  private let lineStarts: [Int]
  private var index = 0
  private var count = 0
  private var anchors: [String: (value: PlacedValue, count: Int)] = [:]

  /// The value in a text.
  package static func read(_ bytes: [UInt8]) throws(Unreadable) -> PlacedValue {
    var reader = YAMLText(bytes: bytes)
    guard bytes.count <= ReadingLimits.bytes else {
      throw reader.fault(
        0, "it has more than \(ReadingLimits.bytes >> 20) MiB", "name a smaller file")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw reader.fault(0, "the text is not UTF-8", "save it as UTF-8")
    }
    try reader.toContent()
    while reader.follows("%"), reader.column == 0 {
      reader.skipLine()
      try reader.toContent()
    }
    if reader.isMark("---") {
      reader.index += 3
      try reader.toContent()
    }
    let value = try reader.node(indent: 0, depth: 1, isInMapping: false)
    try reader.toContent()
    if reader.isMark("...") {
      reader.index += 3
      try reader.toContent()
    }
    guard reader.index == bytes.count else {
      throw reader.isMark("---")
        ? reader.fault(reader.index, "a second document", "put each spec into a file of its own")
        : reader.fault(reader.index, "this belongs to nothing above it", "mend the indentation")
    }
    return value
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    lineStarts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
  }

  // MARK: Nodes

  /// A value that is indented by at least `indent`.
  private mutating func node(
    indent: Int, depth: Int, isInMapping: Bool
  ) throws(Unreadable) -> PlacedValue {
    count += 1
    guard count <= ReadingLimits.values, depth <= ReadingLimits.depth else {
      throw fault(
        index, "it is nested too deeply, or has too many values", "name a spec of XcodeGen")
    }
    let before = index
    let line = lineStart
    try toContent()
    let isNewLine = lineStart != line || before == lineStart
    let isList = isInMapping && isNewLine && column == indent - 1 && isDash
    guard index < bytes.count, !isMark("---"), !isMark("..."),
      !isNewLine || column >= indent || isList
    else {
      index = before
      return PlacedValue(.null, at: SourceSpan(before, before))
    }
    switch bytes[index] {
    case UInt8(ascii: "&"):
      let name = try name()
      let start = count
      let value = try node(indent: indent, depth: depth + 1, isInMapping: isInMapping)
      anchors[name] = (value, count - start)
      return value
    case UInt8(ascii: "*"):
      if lineHasKey { return try mapping(depth) }
      return try alias()
    case UInt8(ascii: "!"):
      throw fault(index, "tags of YAML are not read", "write the value without '!'")
    case UInt8(ascii: "?") where isSign(at: index + 1):
      throw fault(index, "keys that begin with '?' are not read", "write 'key: value'")
    case UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"):
      throw fault(index, "a text cannot begin with this sign", "put the text in quotes")
    case UInt8(ascii: "|"), UInt8(ascii: ">"): return try blockText(indent)
    case UInt8(ascii: "-") where isSign(at: index + 1): return try list(depth)
    default: break
    }
    if lineHasKey { return try mapping(depth) }
    switch bytes[index] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try flow(depth)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try quoted()
    default: return plain(indent)
    }
  }

  private mutating func list(_ depth: Int) throws(Unreadable) -> PlacedValue {
    let start = index
    let place = column
    var elements: [PlacedValue] = []
    while index < bytes.count, column == place, isDash {
      index += 1
      elements.append(try node(indent: place + 1, depth: depth + 1, isInMapping: false))
      try toContent()
    }
    if index < bytes.count, column > place {
      throw fault(index, "this is indented as nothing above it is", "mend the indentation")
    }
    return PlacedValue(.array(elements), at: SourceSpan(start, index))
  }

  private mutating func mapping(_ depth: Int) throws(Unreadable) -> PlacedValue {
    let start = index
    let place = column
    var members: [PlacedValue.Member] = []
    var merged: [PlacedValue] = []
    while index < bytes.count, column == place, !isMark("---"), !isMark("...") {
      guard lineHasKey else {
        throw fault(index, "a key is missing here", "write 'key: value', or mend the indentation")
      }
      let key = try keyText()
      blanks()
      index += 1
      let value = try node(indent: place + 1, depth: depth + 1, isInMapping: true)
      if key.text == "<<" {
        merged += value.elements.isEmpty ? [value] : value.elements
      } else {
        members.append(.init(key: key.text, keySpan: key.span, value: value))
      }
      try toContent()
    }
    if index < bytes.count, column > place {
      throw fault(index, "this is indented as nothing above it is", "mend the indentation")
    }
    Self.merge(merged, into: &members)
    return PlacedValue(.dictionary(members), at: SourceSpan(start, index))
  }

  /// Adds the members of other mappings that are not there yet.
  private static func merge(_ others: [PlacedValue], into members: inout [PlacedValue.Member]) {
    guard !others.isEmpty else { return }
    var keys = Set(members.map(\.key))
    for member in others.flatMap(\.members) where keys.insert(member.key).inserted {
      members.append(member)
    }
  }

  private mutating func alias() throws(Unreadable) -> PlacedValue {
    let start = index
    let name = try name()
    guard let anchor = anchors[name] else {
      throw fault(start, "nothing above is called '&\(name)'", "name it before it is used")
    }
    count += anchor.count
    guard count <= ReadingLimits.values else {
      throw fault(start, "it has too many values", "name a spec of XcodeGen")
    }
    return anchor.value
  }

  private mutating func name() throws(Unreadable) -> String {
    let start = index
    index += 1
    while index < bytes.count, bytes[index] > 0x20, !Self.isFlowSign(bytes[index]) { index += 1 }
    guard index > start + 1 else { throw fault(start, "a name is missing here", "write '&name'") }
    return String(decoding: bytes[(start + 1)..<index], as: UTF8.self)
  }

  // MARK: Flow style

  private mutating func flow(_ depth: Int) throws(Unreadable) -> PlacedValue {
    count += 1
    guard count <= ReadingLimits.values, depth <= ReadingLimits.depth else {
      throw fault(
        index, "it is nested too deeply, or has too many values", "name a spec of XcodeGen")
    }
    try toContent()
    guard index < bytes.count else {
      throw fault(index, "the text ends in a list", "complete the file; perhaps it was cut off")
    }
    switch bytes[index] {
    case UInt8(ascii: "*"): return try alias()
    case UInt8(ascii: "&"):
      let name = try name()
      let start = count
      let value = try flow(depth + 1)
      anchors[name] = (value, count - start)
      return value
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try quoted()
    case UInt8(ascii: "["), UInt8(ascii: "{"): return try flowCollection(depth)
    case UInt8(ascii: "!"):
      throw fault(index, "tags of YAML are not read", "write the value without '!'")
    case UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"), UInt8(ascii: "|"),
      UInt8(ascii: ">"),
      UInt8(ascii: "?") where isSign(at: index + 1):
      throw fault(index, "a text cannot begin with this sign", "put the text in quotes")
    default: return plain(nil)
    }
  }

  private mutating func flowCollection(_ depth: Int) throws(Unreadable) -> PlacedValue {
    let start = index
    let isMapping = bytes[index] == UInt8(ascii: "{")
    let end = isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]")
    index += 1
    var elements: [PlacedValue] = []
    var members: [PlacedValue.Member] = []
    var merged: [PlacedValue] = []
    while true {
      try toContent()
      guard index < bytes.count else {
        throw fault(
          start, "this has no '\(isMapping ? "}" : "]")'",
          "complete the file; perhaps it was cut off")
      }
      if bytes[index] == end { break }
      guard bytes[index] != UInt8(ascii: ",") else {
        throw fault(index, "a value is missing before ','", "take the ',' away")
      }
      let value = try flow(depth + 1)
      try toContent()
      if follows(":") {
        index += 1
        let key = value
        let given = try flow(depth + 1)
        let member = PlacedValue.Member(key: key.text ?? "", keySpan: key.span, value: given)
        if !isMapping {
          elements.append(PlacedValue(.dictionary([member]), at: key.span))
        } else if member.key == "<<" {
          merged += given.elements.isEmpty ? [given] : given.elements
        } else {
          members.append(member)
        }
      } else if isMapping {
        members.append(
          .init(
            key: value.text ?? "", keySpan: value.span, value: PlacedValue(.null, at: value.span)))
      } else {
        elements.append(value)
      }
      try toContent()
      if follows(",") {
        index += 1
      } else if index < bytes.count, bytes[index] != end {
        throw fault(
          index, "',' or '\(isMapping ? "}" : "]")' is missing here", "separate values by ','")
      }
    }
    index += 1
    Self.merge(merged, into: &members)
    return PlacedValue(
      isMapping ? .dictionary(members) : .array(elements), at: SourceSpan(start, index))
  }

  // MARK: Texts

  /// A text without quotes; it goes on in lines that are indented by at least `indent`.
  private mutating func plain(_ indent: Int?) -> PlacedValue {
    let start = index
    var text = plainLine(inFlow: indent == nil)
    var end = index
    while true {
      let here = index
      guard indent != nil || bytes[start..<index].count > 0, (try? toContent()) != nil,
        index < bytes.count, lineStart > here, !isMark("---"), !isMark("..."),
        // A comment ends a text, and so does what is indented less.
        !bytes[here..<index].contains(UInt8(ascii: "#")),
        indent.map({ column >= $0 }) ?? !Self.isFlowSign(bytes[index]),
        bytes[index] != UInt8(ascii: ":")
      else {
        index = here
        break
      }
      let breaks = bytes[here..<index].count { $0 == 0x0A }
      text += breaks > 1 ? String(repeating: "\n", count: breaks - 1) : " "
      text += plainLine(inFlow: indent == nil)
      end = index
    }
    return PlacedValue(Self.kind(of: text), at: SourceSpan(start, end))
  }

  private mutating func plainLine(inFlow: Bool) -> String {
    let start = index
    var end = index
    while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D {
      let byte = bytes[index]
      if byte == UInt8(ascii: "#"), index == start || Self.isBlank(bytes[index - 1]) { break }
      if byte == UInt8(ascii: ":"), isSign(at: index + 1) { break }
      if inFlow, Self.isFlowSign(byte) { break }
      if inFlow, byte == UInt8(ascii: ":"), index + 1 < bytes.count,
        Self.isFlowSign(bytes[index + 1])
      {
        break
      }
      index += 1
      if !Self.isBlank(byte) { end = index }
    }
    index = end
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// What a text without quotes means.
  private static func kind(of text: String) -> PlacedValue.Kind {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON": return .bool(true)
    case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF": return .bool(false)
    default:
      let isNumber = text.utf8.allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "+-.".utf8.contains($0)
      }
      return isNumber && Double(text) != nil ? .number(text) : .string(text)
    }
  }

  private mutating func quoted() throws(Unreadable) -> PlacedValue {
    let start = index
    let quote = bytes[index]
    var text: [UInt8] = []
    index += 1
    while true {
      guard index < bytes.count else {
        throw fault(start, "a text without its second quote", "close the text")
      }
      let byte = bytes[index]
      if byte == quote {
        index += 1
        if quote == UInt8(ascii: "'"), follows("'") {
          text.append(quote)
          index += 1
          continue
        }
        break
      }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        try escape(into: &text)
      } else if byte == 0x0A || byte == 0x0D {
        fold(into: &text)
      } else {
        text.append(byte)
        index += 1
      }
    }
    return PlacedValue(
      .string(String(decoding: text, as: UTF8.self)), at: SourceSpan(start, index))
  }

  /// A line end in a quoted text is a blank; empty lines are line ends.
  private mutating func fold(into text: inout [UInt8]) {
    while let last = text.last, Self.isBlank(last) { text.removeLast() }
    var breaks = 0
    while index < bytes.count, bytes[index] <= 0x20 {
      if bytes[index] == 0x0A { breaks += 1 }
      index += 1
    }
    text += breaks > 1 ? Array(repeating: 0x0A, count: breaks - 1) : [0x20]
  }

  private mutating func escape(into text: inout [UInt8]) throws(Unreadable) {
    let start = index
    index += 1
    guard index < bytes.count else {
      throw fault(start, "an escape without a sign", "close the text")
    }
    let letter = bytes[index]
    index += 1
    let digits =
      switch letter {
      case UInt8(ascii: "x"): 2
      case UInt8(ascii: "u"): 4
      case UInt8(ascii: "U"): 8
      default: 0
      }
    if digits > 0 {
      let word = String(decoding: bytes[index..<min(index + digits, bytes.count)], as: UTF8.self)
      let code = word.utf8.count == digits ? SystemIO.number(ofDigits: word, radix: 16) : nil
      guard let scalar = code.flatMap(Unicode.Scalar.init) else {
        throw fault(start, "'\\' needs \(digits) hexadecimal digits here", "write '\\u00e9'")
      }
      index += digits
      text += Array(String(Character(scalar)).utf8)
      return
    }
    switch letter {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"), 0x09: text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "0"): text.append(0)
    case UInt8(ascii: "a"): text.append(7)
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "e"): text.append(0x1B)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "v"): text.append(11)
    case 0x0A:
      while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), 0x20: text.append(letter)
    default: throw fault(start, "this escape stands for nothing", "write '\\\\' for '\\'")
    }
  }

  /// A text of whole lines (`|`), or of lines that are joined (`>`).
  private mutating func blockText(_ indent: Int) throws(Unreadable) -> PlacedValue {
    let start = index
    let isJoined = bytes[index] == UInt8(ascii: ">")
    index += 1
    var keep: UInt8 = 0
    var given: Int?
    while index < bytes.count, bytes[index] > 0x20, bytes[index] != UInt8(ascii: "#") {
      if bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
        keep = bytes[index]
      } else if UInt8(ascii: "1")...UInt8(ascii: "9") ~= bytes[index] {
        given = Int(bytes[index] - UInt8(ascii: "0")) + max(indent - 1, 0)
      } else {
        throw fault(index, "'|' or '>' begins a text on the lines below", "put the text in quotes")
      }
      index += 1
    }
    skipLine()
    var lines: [String] = []
    var margin = given
    while index < bytes.count {
      var end = index
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      let line =
        bytes[index..<end].last == 0x0D ? bytes[index..<end].dropLast() : bytes[index..<end]
      let blanks = line.prefix { $0 == 0x20 }.count
      let isEmpty = blanks == line.count
      if !isEmpty {
        if margin == nil { margin = blanks }
        guard let margin, blanks >= margin, margin >= indent else { break }
      }
      lines.append(
        String(decoding: line.dropFirst(min(margin ?? blanks, line.count)), as: UTF8.self))
      index = min(end + 1, bytes.count)
      if end == bytes.count { break }
    }
    var empty = 0
    while lines.last?.isEmpty == true {
      lines.removeLast()
      empty += 1
    }
    var text = ""
    for (number, line) in lines.enumerated() {
      text += line
      guard number < lines.count - 1 else { break }
      let next = lines[number + 1]
      // Joined lines keep the breaks around indented ones; an empty line is one break.
      let behind = lines[(number + 1)...].first { !$0.isEmpty } ?? ""
      let isApart = line.hasPrefix(" ") || behind.hasPrefix(" ")
      if !isJoined || isApart || line.isEmpty {
        text += "\n"
      } else if !next.isEmpty {
        text += " "
      }
    }
    // A text that ends with the file, and without a line end, has none.
    let hasEnd = index < bytes.count || bytes.last == 0x0A || empty > 0
    if keep != UInt8(ascii: "-"), !lines.isEmpty, hasEnd { text += "\n" }
    if keep == UInt8(ascii: "+") { text += String(repeating: "\n", count: empty) }
    return PlacedValue(.string(text), at: SourceSpan(start, index))
  }

  private mutating func keyText() throws(Unreadable) -> (text: String, span: SourceSpan) {
    let start = index
    if follows("\"") || follows("'") {
      let value = try quoted()
      return (value.text ?? "", value.span)
    }
    if follows("*") {
      let value = try alias()
      return (value.text ?? "", SourceSpan(start, index))
    }
    let text = plainLine(inFlow: false)
    return (text, SourceSpan(start, index))
  }

  // MARK: Blanks and signs

  /// Moves to what comes next, past blanks, comments and empty lines.
  private mutating func toContent() throws(Unreadable) {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D: index += 1
      case 0x09:
        let start = lineStart
        if bytes[start..<index].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
          var end = index
          while end < bytes.count, Self.isBlank(bytes[end]) { end += 1 }
          if end < bytes.count, ![0x0A, 0x0D, UInt8(ascii: "#")].contains(bytes[end]) {
            throw fault(index, "a tab indents this line", "indent with blanks")
          }
        }
        index += 1
      case UInt8(ascii: "#") where index == 0 || bytes[index - 1] <= 0x20: skipLine()
      default: return
      }
    }
  }

  private mutating func skipLine() {
    while index < bytes.count, bytes[index] != 0x0A { index += 1 }
    if index < bytes.count { index += 1 }
  }

  private mutating func blanks() {
    while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
  }

  /// Where the line begins.
  private var lineStart: Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= index { low = middle } else { high = middle }
    }
    return lineStarts[low]
  }

  private var column: Int {
    let start = lineStart
    return index - start - (start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
  }

  /// Whether a key and ':' stand here.
  private var lineHasKey: Bool {
    var end = index
    guard end < bytes.count else { return false }
    if bytes[end] == UInt8(ascii: "\"") || bytes[end] == UInt8(ascii: "'") {
      let quote = bytes[end]
      end += 1
      while end < bytes.count, bytes[end] != quote, bytes[end] != 0x0A {
        end += bytes[end] == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
      }
      end += 1
      while end < bytes.count, Self.isBlank(bytes[end]) { end += 1 }
      return end < bytes.count && bytes[end] == UInt8(ascii: ":") && isSign(at: end + 1)
    }
    if bytes[end] == UInt8(ascii: "{") || bytes[end] == UInt8(ascii: "[") { return false }
    while end < bytes.count, bytes[end] != 0x0A {
      if bytes[end] == UInt8(ascii: ":"), isSign(at: end + 1) { return true }
      if bytes[end] == UInt8(ascii: "#"), end > index, Self.isBlank(bytes[end - 1]) { return false }
      end += 1
    }
    return false
  }

  private var isDash: Bool { follows("-") && isSign(at: index + 1) }

  /// Whether a sign before this place stands by itself.
  private func isSign(at place: Int) -> Bool { place >= bytes.count || bytes[place] <= 0x20 }

  private func follows(_ sign: String) -> Bool {
    index < bytes.count && bytes[index...].starts(with: sign.utf8)
  }

  private func isMark(_ mark: String) -> Bool {
    follows(mark) && column == 0 && isSign(at: index + 3)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func isFlowSign(_ byte: UInt8) -> Bool { ",[]{}".utf8.contains(byte) }

  private func fault(
    _ offset: Int, _ reason: Finding.Message, _ remedy: Finding.Message
  ) -> Unreadable {
    let start = min(offset, bytes.count)
    return Unreadable(SourceSpan(start, min(start + 1, bytes.count)), reason, remedy: remedy)
  }
}

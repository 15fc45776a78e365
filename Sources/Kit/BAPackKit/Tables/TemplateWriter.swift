import SourceDiagnostics
import TerminalText

/// Comments about the values of a text: at its start, before keys, and before the elements of its
/// list of objects.
///
/// They may contain names of files: characters that could end a comment are escaped.
package struct TextComments: Sendable {
  /// The comments before the first key, each on separate lines.
  package var start: [String]
  /// The comments of keys, by name.
  package var keys: [String: String]
  /// The comments of the elements, by index.
  package var elements: [Int: String]

  package init(
    start: [String] = [], keys: [String: String] = [:], elements: [Int: String] = [:]
  ) {
    self.start = start
    self.keys = keys
    self.elements = elements
  }
}

/// A writer of indented lines, and of comments that are wrapped at a fixed width.
struct TemplateWriter {
  private static let width = 96
  /// Whether the text shows and explains all keys, and not only those with values.
  let isTeaching: Bool
  /// The comments of the caller.
  private var comments = TextComments()
  private(set) var text = ""
  var level = 0

  init(isTeaching: Bool) { self.isTeaching = isTeaching }

  /// Returns the text of a value.
  ///
  /// A tutorial text explains every key in a comment. Optional keys are commented out.
  static func text<Subject: Keyed>(
    of subject: Subject, isTeaching: Bool, schema: String?, introduction: String, advice: String?
  ) -> String {
    var writer = TemplateWriter(isTeaching: isTeaching)
    if isTeaching {
      writer.comment(
        introduction + " Comments and trailing commas are allowed."
          + (advice.map { " " + $0 } ?? ""))
    }
    writer.line("{")
    writer.level += 1
    if let schema {
      writer.line("\"\(schemaKey)\": \(JSONWriter.string(.string(schema), .line)),")
      if isTeaching { writer.line("") }
    }
    var isFirst = true
    let values = subject.members
    for key in Subject.table.record.keys where key.presence != .ignored {
      let value = values[key.name]
      guard value != nil || isTeaching else { continue }
      if !isFirst, isTeaching { writer.line("") }
      isFirst = false
      writer.comment(
        ([key.summary] + (isTeaching ? key.details : [])).joined(separator: " "))
      if let value { writer.write(key, value) } else { writer.writeExample(key) }
    }
    writer.level -= 1
    writer.line("}")
    return writer.text
  }

  /// Returns the text of a value with these comments.
  static func text<Subject: Keyed>(of subject: Subject, _ comments: TextComments) -> String {
    var writer = TemplateWriter(isTeaching: false)
    writer.comments = comments
    writer.line("{")
    writer.level += 1
    for text in comments.start { writer.comment(shown(text)) }
    let values = subject.members
    for key in Subject.table.record.keys {
      guard let value = values[key.name] else { continue }
      if let text = comments.keys[key.name] { writer.comment(shown(text)) }
      writer.write(key, value)
    }
    writer.level -= 1
    writer.line("}")
    return writer.text
  }

  private var indentation: String { String(repeating: "  ", count: level) }

  mutating func line(_ line: String) { text += line.isEmpty ? "\n" : indentation + line + "\n" }

  /// Writes a comment, with a deeper indentation for list items.
  mutating func comment(_ comment: String, indent: String = "") {
    self.comment(comment, indent: indent, further: indent + indent)
  }

  private mutating func comment(_ comment: String, indent: String, further: String) {
    var current = "// \(indent)"
    var isEmpty = true
    for word in comment.split(separator: " ") {
      if !isEmpty, indentation.count + current.count + 1 + word.count > Self.width {
        line(current)
        current = "// \(further)"
        isEmpty = true
      }
      current += isEmpty ? String(word) : " \(word)"
      isEmpty = false
    }
    line(current)
  }
}

/// Writes members by the shapes of their keys, with the alternatives as comments.
extension TemplateWriter {
  /// Writes a member as a comment, to be uncommented by the user.
  mutating func writeExample(_ key: JSONKey) {
    guard case .record(let record) = key.shape, !record.keys.allSatisfy(\.example.isEmpty) else {
      return line("// \"\(key.name)\": \(key.example),")
    }
    line("// \"\(key.name)\": {")
    for member in record.keys where !member.example.isEmpty {
      // After uncommenting, this line is still a comment.
      comment(member.summary, indent: "  // ", further: "  // ")
      line("//   \"\(member.name)\": \(member.example),")
    }
    line("// },")
  }

  /// Writes a member with its value.
  mutating func write(_ key: JSONKey, _ value: JSONValue) {
    switch (key.shape, value) {
    case (.alternatives(let sets), .object(let members)):
      for key in sets.joined() where isTeaching {
        comment("\"\(key.name)\": \(key.summary)", indent: "  ")
      }
      writeObject(key, members, value, of: Array(sets.joined()), isExplained: true)
    case (.record(let record), .object(let members)):
      writeObject(key, members, value, of: record.keys, isExplained: false)
    case (.array(of: .alternatives(let sets), _), .array(let elements)):
      writeList(key, elements.map { JSONWriter.string($0, .line) }, of: sets)
    default: line("\"\(key.name)\": \(JSONWriter.string(value, .line)),")
    }
  }

  /// Writes an object: on several lines unless all of its members are empty.
  private mutating func writeObject(
    _ key: JSONKey, _ members: [JSONValue.Member], _ value: JSONValue, of keys: [JSONKey],
    isExplained: Bool
  ) {
    guard members.contains(where: { !$0.value.isEmpty }) else {
      return line("\"\(key.name)\": \(JSONWriter.string(value, .line)),")
    }
    line("\"\(key.name)\": {")
    level += 1
    for member in members {
      guard let key = keys.first(where: { $0.name == member.key }) else { continue }
      if isTeaching, !isExplained { comment(key.summary) }
      write(key, member.value)
    }
    level -= 1
    line("},")
  }

  /// Writes a list: its elements, or in a tutorial one of each kind.
  private mutating func writeList(_ key: JSONKey, _ elements: [String], of sets: [[JSONKey]]) {
    line("\"\(key.name)\": [")
    level += 1
    if isTeaching {
      for keys in sets {
        comment(keys.map(\.summary).joined(separator: " "))
        let example =
          "{" + keys.map { "\"\($0.name)\": \($0.example)" }.joined(separator: ", ") + "}"
        line("\(elements.contains(example) ? "" : "// ")\(example),")
      }
    } else {
      for (index, element) in elements.enumerated() {
        if let text = comments.elements[index] { comment(shown(text)) }
        line("\(element),")
      }
    }
    level -= 1
    line("],")
  }
}

extension JSONValue {
  /// Whether it is an empty list or an empty object.
  fileprivate var isEmpty: Bool { self == .array([]) || self == .object([]) }
}

import SystemIO

/// A setting in a text file of a project, which is found without a complete parser.
///
/// Engines write these files line by line, so a line that begins with the name of the setting
/// contains it. In a file with another layout, the setting is unknown.
struct ProjectSetting: Sendable {
  /// A syntax of settings.
  enum Syntax: Sendable {
    /// A line `name = value`, `name: value` or `"name": "value"`.
    case line
    /// `<key>name</key>` and `<string>value</string>` in an XML property list.
    case propertyList
  }

  /// Patterns of the files, in order.
  let files: [String]
  let name: String
  let syntax: Syntax
  /// Text in the file that is before the setting; empty for any place.
  let start: String
  /// Converts the text of the value; nil if it is unusable.
  let convert: @Sendable (Substring) -> String?

  init(
    _ name: String, in files: String..., syntax: Syntax = .line, after start: String = "",
    convert: @escaping @Sendable (Substring) -> String? = { String($0) }
  ) {
    self.name = name
    self.files = files
    self.syntax = syntax
    self.start = start
    self.convert = convert
  }

  /// Returns the value, and the file that contains it.
  func value(in folder: InspectedFolder) -> (text: String, file: FilePath)? {
    for file in files.lazy.flatMap({ folder.matches(of: $0) }) {
      if let text = folder.text(of: file), let value = value(in: text) { return (value, file) }
    }
    return nil
  }

  private func value(in text: String) -> String? {
    var rest = text[...]
    if !start.isEmpty {
      guard let range = rest.utf8.firstRange(of: start.utf8) else { return nil }
      rest = rest[range.upperBound...]
    }
    switch syntax {
    case .line: return rest.settings.first { $0.name == name }.flatMap { convert($0.value) }
    case .propertyList:
      guard let key = rest.utf8.firstRange(of: "<key>\(name)</key>".utf8),
        let begin = rest[key.upperBound...].utf8.firstRange(of: "<string>".utf8),
        rest[key.upperBound..<begin.lowerBound].allSatisfy(\.isWhitespace),
        let end = rest[begin.upperBound...].utf8.firstRange(of: "</string>".utf8)
      else { return nil }
      return convert(rest[begin.upperBound..<end.lowerBound])
    }
  }
}

extension Substring {
  /// The settings in lines `name = value` or `name: value`, without quotation marks.
  ///
  /// Members of a JSON object on one line are separate.
  var settings: some Sequence<(name: Substring, value: Substring)> {
    unicodeScalars.split {
      $0 == "\n" || $0 == "\r" || $0 == "{" || $0 == ","
    }.lazy.compactMap { line in
      guard let separator = line.firstIndex(where: { $0 == "=" || $0 == ":" }) else { return nil }
      return (
        Substring(line[..<separator]).bare, Substring(line[line.index(after: separator)...]).bare
      )
    }
  }

  /// The text without spaces, quotation marks, semicolons and braces at its ends.
  private var bare: Substring {
    let isDropped: (Character) -> Bool = { $0.isWhitespace || "\"';}".contains($0) }
    guard let end = lastIndex(where: { !isDropped($0) }) else { return "" }
    return self[...end].drop(while: isDropped)
  }
}

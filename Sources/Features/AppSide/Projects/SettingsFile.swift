package import SourceDiagnostics
package import SystemIO

/// A file with build settings (`.xcconfig`): one `KEY[sdk=iphoneos*] = value` per line.
package struct SettingsFile {
  /// The path as written, and the place in the project that names it.
  package var path: String
  package var span: SourceSpan
  /// The place in a settings file that includes it; nil if the project names it.
  package private(set) var place: (source: SourceText, span: SourceSpan)?
  /// The values, keyed by the names of settings and in the order of the text; nil if the file
  /// cannot be read.
  package private(set) var elements: [String: [SettingAssignment]]?
  /// The included files that cannot be read.
  package private(set) var unreadIncludes: [SettingsFile] = []
  /// The lines that are not a setting, an inclusion or a comment.
  package private(set) var malformed: [MalformedLine] = []
  private var count = 0

  /// A line that Xcode cannot parse either.
  package struct MalformedLine {
    package var text: String
    package var source: SourceText
    package var span: SourceSpan
  }

  /// The maximum number of included files, directly and indirectly.
  private static let mostFiles = 200
  /// The maximum number of invalid lines that are kept.
  private static let mostMalformed = 100

  /// Reads the file at a place; `path` is its name in messages.
  package init(
    at place: XcodeProject.FileLocation?, named path: String, span: SourceSpan,
    in folder: ResourceFolder
  ) {
    self.path = path
    self.span = span
    guard let file = place.flatMap({ folder.path(of: $0) }), let text = folder.text(file) else {
      return
    }
    elements = [:]
    read(text, at: file, in: folder, [file])
  }

  /// Reads the file at a path relative to the project's folder.
  package init(at path: FilePath, span: SourceSpan, in folder: ResourceFolder) {
    self.init(at: .project(path), named: path.text, span: span, in: folder)
  }

  /// Creates a file that could not be read.
  private init(
    unread path: String, span: SourceSpan, at place: (source: SourceText, span: SourceSpan)
  ) {
    self.path = path
    self.span = span
    self.place = place
  }

  private mutating func read(
    _ source: SourceText, at file: FilePath, in folder: ResourceFolder, _ open: [FilePath]
  ) {
    var lines = SettingLines(source)
    while let line = lines.next() {
      switch line {
      case .include(let name, let isOptional, let place):
        let given = FilePath(name)
        let other =
          given.isAbsolute
          ? folder.path(of: .absolute(given))
          : file.folder.appending(given).withoutWaysBack
        // A file that includes itself adds no new values.
        if let other, open.contains(other) { continue }
        count += 1
        guard count <= Self.mostFiles, let other, let included = folder.text(other) else {
          if !isOptional, unreadIncludes.count < 8 {
            unreadIncludes.append(SettingsFile(unread: name, span: span, at: (source, place)))
          }
          continue
        }
        read(included, at: other, in: folder, open + [other])
      case .assignment(let key, let text, let place):
        elements?[key.name, default: []].append(
          SettingAssignment(key: key, texts: [text], span: span, place: (source, place)))
      case .malformed(let text, let place):
        if malformed.count < Self.mostMalformed {
          malformed.append(MalformedLine(text: text, source: source, span: place))
        }
      }
    }
  }
}

/// Splits a file with build settings into lines, as Xcode does.
private struct SettingLines {
  package enum Line {
    case include(String, isOptional: Bool, SourceSpan)
    case assignment(SettingKey, String, SourceSpan)
    /// Any other line.
    case malformed(String, SourceSpan)
  }

  private let bytes: [UInt8]
  private var index: Int

  package init(_ source: SourceText) {
    bytes = source.bytes
    index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Returns the next line with content; nil at the end.
  package mutating func next() -> Line? {
    while index < bytes.count {
      let start = index
      let text = part()
      guard !text.isEmpty else { continue }
      if text.first == "#" {
        guard let include = Self.include(text) else { return .malformed(text, span(from: start)) }
        return .include(include.name, isOptional: include.isOptional, span(from: start))
      }
      guard let key = Self.key(text) else { return .malformed(text, span(from: start)) }
      var value = text[key.value...]
      var elements: [String] = []
      // A backslash at the end continues the line.
      while value.last == "\\" {
        elements.append(String(value.dropLast()))
        guard index < bytes.count else {
          value = ""
          break
        }
        value = part()[...]
      }
      elements.append(String(value))
      return .assignment(key.key, elements.joined(separator: " "), span(from: start))
    }
    return nil
  }

  /// Returns the line that begins at an offset, without leading and trailing blanks.
  private func span(from offset: Int) -> SourceSpan {
    var end = offset
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    var start = offset
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    return SourceSpan(start, max(start + 1, end))
  }

  /// Reads a line without its comment, its `;` and the blanks around it.
  private mutating func part() -> String {
    let start = index
    var end: Int?
    while index < bytes.count, !isEndOfLine {
      if end == nil, bytes[index...].starts(with: "//".utf8) { end = index }
      index += 1
    }
    var text = String(decoding: bytes[start..<(end ?? index)], as: UTF8.self)[...]
    if index < bytes.count { index += bytes[index] == 0xE2 ? 3 : 1 }
    func trim() {
      while text.first?.isWhitespace == true { text.removeFirst() }
      while text.last?.isWhitespace == true { text.removeLast() }
    }
    trim()
    if text.last == ";" {
      text.removeLast()
      trim()
    }
    return String(text)
  }

  private var isEndOfLine: Bool {
    switch bytes[index] {
    case 0x0A, 0x0D: true
    // Line and paragraph separators.
    case 0xE2:
      bytes[index...].starts(with: [0xE2, 0x80, 0xA8])
        || bytes[index...].starts(with: [0xE2, 0x80, 0xA9])
    default: false
    }
  }

  private static func include(_ text: String) -> (name: String, isOptional: Bool)? {
    var rest = text.dropFirst().drop(while: \.isWhitespace)
    guard rest.hasPrefix("include") else { return nil }
    rest = rest.dropFirst("include".count)
    let isOptional = rest.first == "?"
    let parts = rest.split(separator: "\"", omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return nil }
    return (String(parts[1]), isOptional)
  }

  /// Returns the key of an assignment and the start of its value.
  ///
  /// A condition also contains a `=`.
  private static func key(_ text: String) -> (key: SettingKey, value: String.Index)? {
    var isCondition = false
    for index in text.indices {
      switch text[index] {
      case "[": isCondition = true
      case "]": isCondition = false
      case "=" where !isCondition:
        guard let key = SettingKey(text[..<index]) else { return nil }
        return (
          key, text[text.index(after: index)...].firstIndex { !$0.isWhitespace } ?? text.endIndex
        )
      default: break
      }
    }
    return nil
  }
}

import BAPackKit
import SourceDiagnostics
import TerminalText

/// A property list in XML, and insertions into it.
struct PropertyListEdit {
  private let bytes: [UInt8]
  private let list: InfoList
  private var replacements: [(range: Range<Int>, text: String)] = []
  private let newline: String
  private var addedKeys: [String] = []
  private var addedGroup: String?

  /// Reads a list; throws if it is not in XML.
  init(_ source: SourceText) throws(Unreadable) {
    guard PropertyListText.format(of: source.bytes) == .xml else {
      throw Unreadable(
        SourceSpan(0, 0), "it is not a property list in XML", remedy: "convert it to XML")
    }
    bytes = source.bytes
    list = try InfoList(source)
    newline = ProjectText.newline(of: bytes)
  }

  /// The text with all insertions.
  var result: [UInt8] {
    var result: [UInt8] = []
    var position = 0
    for (range, text) in replacements.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += bytes[position..<range.lowerBound]
      result += Array(text.utf8)
      position = range.upperBound
    }
    return result + bytes[position...]
  }

  /// Inserts the keys that the list lacks at its end; returns the first one with another value.
  mutating func insert(
    _ keys: [(key: String, value: PropertyList.Value)]
  ) -> (key: String, found: PlacedValue)? {
    let missing = keys.filter { list[$0.key] == nil }
    if !missing.isEmpty {
      addedKeys += missing.map(\.key)
      insert(PropertyList.members(missing), into: list.root, "dict")
    }
    for (key, value) in keys {
      if let found = list[key], !value.isMet(by: found) { return (key, found) }
    }
    return nil
  }

  /// Inserts the app group; returns whether the value of its key is a list.
  mutating func insert(group: String) -> Bool {
    guard let groups = list[DownloaderExtension.groupsKey] else {
      addedKeys.append(DownloaderExtension.groupsKey)
      let value = PropertyList.Value.array([.string(group)])
      insert(
        PropertyList.members([(key: DownloaderExtension.groupsKey, value: value)]), into: list.root,
        "dict")
      return true
    }
    guard case .array = groups.kind else { return false }
    guard !groups.texts.contains(where: { $0.text == group }) else { return true }
    addedGroup = group
    insert("<string>\(inMarkup(group))</string>\n", into: groups, "array")
    return true
  }

  /// Returns whether a changed list has exactly the former values and the inserted ones.
  func isResult(_ changed: PlacedValue) -> Bool {
    let others = changed.members.filter { !addedKeys.contains($0.key) }
    guard addedKeys.allSatisfy({ changed[$0] != nil }),
      others.count == list.root.members.count
    else { return false }
    return zip(others, list.root.members).allSatisfy { new, old in
      guard let addedGroup, old.key == DownloaderExtension.groupsKey else { return new == old }
      return new.value.texts.map(\.text) == old.value.texts.map(\.text) + [addedGroup]
    }
  }

  /// Inserts lines before the end of a dictionary or an array.
  private mutating func insert(_ lines: String, into value: PlacedValue, _ tag: String) {
    let isEmpty = bytes[..<value.span.end].suffix(2).elementsEqual("/>".utf8)
    // `</` begins the tag at the end.
    var end = value.span.end - 1
    while !isEmpty, end > value.span.start, !bytes[end...].starts(with: "</".utf8) { end -= 1 }
    let outer = blanks(before: isEmpty ? value.span.start : end)
    let first = value.members.first?.keySpan.start ?? value.elements.first?.span.start
    let inner = first.flatMap { blanks(before: $0) } ?? (outer ?? "") + "\t"
    let text = lines.split(separator: "\n").map { line in
      inner + line.replacingTabs(by: unit) + newline
    }.joined()
    if isEmpty {
      let whole = "<\(tag)>\(newline)\(text)\(outer ?? "")</\(tag)>"
      replacements.append((value.span.start..<value.span.end, whole))
    } else if let outer {
      replacements.append((end - outer.utf8.count..<end - outer.utf8.count, text))
    } else {
      replacements.append((end..<end, newline + text))
    }
  }

  /// The blanks of one level.
  private var unit: String {
    guard let first = list.root.members.first.flatMap({ blanks(before: $0.keySpan.start) }),
      first.hasPrefix(" ")
    else { return "\t" }
    return first
  }

  /// Returns the blanks before an offset, if only blanks precede it on its line.
  private func blanks(before offset: Int) -> String? {
    var start = offset
    while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
    guard start == 0 || bytes[start - 1] == UInt8(ascii: "\n") else { return nil }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }
}

extension Substring {
  /// Returns the text with other blanks for the tabs at its start.
  fileprivate func replacingTabs(by unit: String) -> String {
    let rest = drop { $0 == "\t" }
    return String(repeating: unit, count: count - rest.count) + rest
  }
}

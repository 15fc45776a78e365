import SourceDiagnostics
import SystemIO
import TerminalText

/// The rules about selectors that do not depend on files.
enum SelectorRules {
  static let all: [Rule] = [
    none, unknownKind, halfPair, twoKinds, emptyPath, nulCharacter, absolute, parent,
    trailingSlash, backslash, globSigns, duplicate,
  ]

  /// A manifest without selectors.
  static let none = Rule(
    "selector.none",
    what: "'fileSelectors' is an empty list.",
    why: "Without selectors, the pack is empty, but it can be uploaded and published.",
    example: .init(
      wrong: #""fileSelectors": []"#, right: #""fileSelectors": [{"directory": "Textures"}]"#))

  static func none(_ list: JSONNode) -> Finding? {
    guard list.count == 0, !list.isDamaged else { return nil }
    return none.finding("'fileSelectors' requires at least one selector", at: list.span)
  }

  /// A selector without a known key.
  static let unknownKind = Rule(
    "selector.unknown-kind", fixGrade: .unsafe,
    what: "A selector has no known key.",
    why: "The key determines how a selector selects files. Without a key, it selects no files.",
    example: .init(
      wrong: #""fileSelectors": [{"folder": "Textures"}]"#,
      right: #""fileSelectors": [{"directory": "Textures"}]"#))

  static func unknownKind(_ selector: JSONNode, unknown: [JSONNode]) -> Finding {
    let known = SelectorKey.names
    let note: Finding.Message = "valid keys: \(Finding.list(known))"
    guard let key = unknown.first else {
      return unknownKind.finding(
        "this selector has no key", at: selector.span, notes: [note])
    }
    let name = key.string ?? ""
    let near =
      SelectorKey(synonym: name.lowercased())?.name ?? Spelling.nearest(to: name, among: known)
    return unknownKind.finding(
      "unknown key '\(key.string ?? "")' in a selector", at: key.span, notes: [note],
      fixes: near.map { [.replaceText(of: key, by: $0)] } ?? [])
  }

  /// Returns a fix for a path without its key: the kind of selector that the path looks like.
  static func asSelector(_ node: JSONNode) -> Fix? {
    selector(for: node).map { _, text in
      Fix(.init(whole: "write \(text)"), .unsafe, edits: [.init(node.span, text)])
    }
  }

  /// Returns a fix for a path instead of the list of selectors.
  ///
  /// It is safe for a pattern: only one kind of selector selects files with it.
  @Sendable static func asSelectors(_ node: JSONNode, in object: JSONNode) -> Fix? {
    selector(for: node).map { kind, text in
      Fix(
        .init(whole: "write [\(text)]"),
        kind == .filePattern && !object.isDamaged ? .safe : .unsafe,
        edits: [.init(node.span, "[\(text)]")])
    }
  }

  /// Returns the kind and the text of the selector that a path looks like.
  private static func selector(for node: JSONNode) -> (kind: SelectorKind, text: String)? {
    guard let path = node.string, !path.isEmpty, !node.isDamaged else { return nil }
    let kind: SelectorKind =
      if globSign(in: path) != nil {
        .filePattern
      } else if path.utf8.last != slash, FilePath(path).name.bytes.contains(UInt8(ascii: ".")) {
        .file
      } else {
        .directory
      }
    guard SelectorPath.fault(in: path, of: kind.source, at: node.span) == nil else { return nil }
    return (kind, JSONWriter.string(kind.selector(path, "").jsonValue, .compact))
  }

  /// Returns a fix that makes a separate selector of an exclusion in another selector.
  static func ownExclusion(_ key: JSONNode, in object: JSONNode) -> Fix? {
    guard SelectorKey(synonym: (key.string ?? "").lowercased())?.isExclusion == true,
      !object.isDamaged
    else { return nil }
    let others = Array(object.members)
    guard others.count > 1, let index = others.firstIndex(where: { $0.key.span == key.span })
    else { return nil }
    let value = others[index].value
    let nodes = value.kind == .array ? Array(value.elements) : [value]
    let paths = nodes.compactMap { $0.string }
    guard !paths.isEmpty, paths.count == nodes.count else { return nil }
    let texts = paths.map {
      JSONWriter.string(FileSelector.exclusion($0).jsonValue, .compact)
    }
    let removed =
      index > 0
      ? SourceSpan(others[index - 1].value.span.end, value.span.end)
      : SourceSpan(key.span.start, others[1].key.span.start)
    return Fix(
      .init(whole: "write a separate selector: \(texts.joined(separator: ", "))"), .unsafe,
      edits: [
        .init(removed, ""),
        .init(
          SourceSpan(object.span.end, object.span.end), texts.map { ", " + $0 }.joined()),
      ])
  }

  /// A source without a destination, or a destination without a source.
  static let halfPair = Rule(
    "selector.half-pair",
    what: "A selector has a source without a destination, or a destination without a source.",
    why: """
      'fileSource' requires 'fileDestination', and 'directorySource' requires \
      'directoryDestination'. To keep the path, use 'file' or 'directory'.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"fileSource": "build/a.png"}]"#,
      right: #""fileSelectors": [{"fileSource": "build/a.png", "fileDestination": "a.png"}]"#))

  static func halfPair(_ selector: JSONNode, has key: JSONNode, lacks other: String) -> Finding {
    halfPair.finding(
      "'\(key.string ?? "")' requires '\(other)' in the same selector", at: key.span,
      labels: [.init(SourceSpan(selector.span.start, selector.span.start + 1), "in this selector")])
  }

  static let twoKinds = Rule(
    "selector.two-kinds",
    what: "A selector has keys of two kinds.",
    why: "Each selector has one kind. With two kinds, its meaning is unclear.",
    example: .init(
      wrong: #""fileSelectors": [{"file": "a.png", "directory": "Textures"}]"#,
      right: #""fileSelectors": [{"file": "a.png"}, {"directory": "Textures"}]"#))

  static func twoKinds(_ first: JSONNode, _ second: JSONNode) -> Finding {
    twoKinds.finding(
      "'\(first.string ?? "")' and '\(second.string ?? "")' belong to different kinds of selectors",
      at: second.span, labels: [.init(first.span, "the first kind")],
      fixes: [Fix("write two selectors", .shownOnly)])
  }

  static let emptyPath = Rule(
    "selector.empty-path",
    what: "The path of a selector is empty.",
    why: "An empty path selects no file. The path of the source root is '.'.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": ""}]"#,
      right: #""fileSelectors": [{"directory": "."}]"#))

  static func emptyPath(_ path: String, of key: SelectorKey, at span: SourceSpan) -> Finding? {
    guard path.isEmpty else { return nil }
    return emptyPath.finding(
      "the path of '\(key.name)' is empty", at: span, notes: key.noteOnEmpty.map { [$0] } ?? [])
  }

  static let nulCharacter = Rule(
    "selector.nul-character",
    what: #"The path of a selector contains a NUL character ('\u0000')."#,
    why: "File systems do not support such names, so the selector matches no file.",
    example: .init(
      wrong: ##""fileSelectors": [{"file": "a\u0000.png"}]"##,
      right: #""fileSelectors": [{"file": "a.png"}]"#))

  static func nulCharacter(_ path: String, at span: SourceSpan) -> Finding? {
    guard path.holds(0) else { return nil }
    return nulCharacter.finding("the path contains a NUL character", at: span)
  }

  static let absolute = Rule(
    "selector.absolute",
    what: "The path of a selector is absolute.",
    why: """
      Paths are relative to the source root. Destinations are relative to the root of the pack. An \
      absolute path is valid on only one machine.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"file": "/home/me/game/a.png"}]"#,
      right: #""fileSelectors": [{"file": "a.png"}]"#))

  static func absolute(_ path: String, of key: SelectorKey, at span: SourceSpan) -> Finding? {
    guard isAbsolute(path) else { return nil }
    return absolute.finding(
      "the path '\(path)' is absolute", at: span,
      notes: [
        key.isDestination
          ? "destinations are relative to the root of the pack"
          : "paths are relative to the source root"
      ],
      fixes: key.isDestination ? [] : [Fix([Remedy.specifySourceRoot])])
  }

  /// Returns whether a path begins with a slash, or with a drive letter of Windows.
  static func isAbsolute(_ path: String) -> Bool {
    var bytes = path.utf8.makeIterator()
    guard let first = bytes.next() else { return false }
    if first == slash { return true }
    guard bytes.next() == UInt8(ascii: ":"), let third = bytes.next() else { return false }
    return first.isLetter && (third == slash || third == UInt8(ascii: "\\"))
  }

  /// A path with a component `..`.
  static let parent = Rule(
    "selector.parent",
    what: "The path of a selector contains '..'.",
    why: """
      Selectors can select only files inside the source root, and destinations are inside the \
      pack. To select files of a parent folder, set 'sourceRoot' to that folder.
      """,
    remedies: [.specifySourceRoot],
    example: .init(
      wrong: #""fileSelectors": [{"directory": "../Shared"}]"#,
      right: #""fileSelectors": [{"directory": "Shared"}], "sourceRoot": "..""#))

  static func parent(_ path: String, of key: SelectorKey, at span: SourceSpan) -> Finding? {
    guard hasParent(path) else { return nil }
    return parent.finding(
      "the path '\(path)' contains '..'", at: span,
      notes: [
        key.isDestination
          ? "destinations are relative to the root of the pack"
          : "set 'sourceRoot' to a parent folder"
      ],
      fixes: key.isDestination ? [] : [Fix([Remedy.specifySourceRoot])])
  }

  /// Returns whether one of the components is `..`.
  private static func hasParent(_ path: String) -> Bool {
    var dots = 0
    var isDotsOnly = true
    for byte in path.utf8 {
      switch byte {
      case slash:
        if isDotsOnly, dots == 2 { return true }
        dots = 0
        isDotsOnly = true
      case UInt8(ascii: "."): dots += 1
      default: isDotsOnly = false
      }
    }
    return isDotsOnly && dots == 2
  }

  static let trailingSlash = Rule(
    "selector.trailing-slash",
    what: "The path of a file ends with a '/'.",
    why: """
      A path with a trailing '/' is a folder. 'directory' selects a folder; 'fileDestination' is \
      the complete path of the file, including its name.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"fileSource": "build/a.png", "fileDestination": "Textures/"}]"#,
      right: """
        "fileSelectors": [{"fileSource": "build/a.png", "fileDestination": "Textures/a.png"}]
        """))

  static func trailingSlash(_ path: String, of key: SelectorKey, at span: SourceSpan) -> Finding? {
    guard !key.acceptsFolder, path.utf8.last == slash else { return nil }
    return trailingSlash.finding(
      "'\(key.name)' requires the path of a file, but '\(path)' ends with '/'", at: span)
  }

  static let backslash = Rule(
    "selector.backslash", .always(.warning), fixGrade: .unsafe,
    what: "A path that is not a pattern contains a backslash.",
    why: #"""
      The separator is '/', also on Windows. A backslash is an ordinary character, so \#
      'Textures\hero.png' is the name of one file. (In a pattern, a backslash escapes the next \#
      character.)
      """#,
    example: .init(
      wrong: #""fileSelectors": [{"file": "Textures\\hero.png"}]"#,
      right: #""fileSelectors": [{"file": "Textures/hero.png"}]"#))

  static func backslash(_ path: String, of key: SelectorKey, at node: JSONNode) -> Finding? {
    guard !key.acceptsPattern, path.holds(UInt8(ascii: "\\")) else { return nil }
    let slashes = String(
      decoding: path.utf8.map { $0 == UInt8(ascii: "\\") ? slash : $0 }, as: UTF8.self)
    // The path with slashes may be invalid.
    let isPath = SelectorPath.fault(in: slashes, of: key, at: node.span) == nil
    return backslash.finding(
      "the path contains a backslash; the separator is '/'", at: node.span,
      fixes: isPath ? [.replaceText(of: node, by: slashes)] : [])
  }

  /// Wildcards in a key that does not support patterns.
  static let globSigns = Rule(
    "selector.glob-signs", .always(.warning), fixGrade: .unsafe,
    what: "The path of a file or a folder contains a wildcard.",
    why: """
      '*', '?' and '[...]' are wildcards only in 'filePattern' and 'fileExclusion'. In other keys \
      they are ordinary characters.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"file": "Audio/*.wav"}]"#,
      right: #""fileSelectors": [{"filePattern": "Audio/*.wav"}]"#))

  static func globSigns(
    _ path: String, of key: SelectorKey, keyNode: JSONNode, at span: SourceSpan
  ) -> Finding? {
    guard !key.acceptsPattern, !key.isDestination, let character = globSign(in: path) else {
      return nil
    }
    var result = globSigns.finding(
      "'\(character)' is an ordinary character in '\(key.name)'", at: span)
    if key.isPaired {
      result.notes = ["use 'filePattern' for patterns; its files keep their paths"]
    } else if key.acceptsFolder {
      result.notes = ["use 'filePattern' for patterns; '**' matches any number of folders"]
    } else if (try? PathPattern(forFiles: path)) != nil {
      result.fixes = [.replaceText(of: keyNode, by: SelectorKind.filePattern.source.name)]
    }
    return result
  }

  /// Returns the first wildcard in a path; nil if there is none.
  static func globSign(in path: String) -> String? {
    var opened = false
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "*"): return "*"
      case UInt8(ascii: "?"): return "?"
      case UInt8(ascii: "["): opened = true
      case UInt8(ascii: "]") where opened: return "["
      default: break
      }
    }
    return nil
  }

  static let duplicate = Rule(
    "selector.duplicate", .always(.warning), fixGrade: .unsafe,
    what: "The same selector is listed twice.",
    why: "The second selector has no effect. Probably another path was intended.",
    example: .init(
      wrong: #""fileSelectors": [{"file": "a.png"}, {"file": "./a.png"}]"#,
      right: #""fileSelectors": [{"file": "a.png"}, {"file": "b.png"}]"#))

  /// Reports equal selectors.
  static func duplicate(
    _ selectors: [FileSelector], _ locations: [SelectorLocation], in list: JSONNode,
    into findings: inout Ledger
  ) {
    var seen = FirstOccurrences(count: selectors.count)
    var removal = ElementRemoval(from: list)
    for (number, selector) in selectors.enumerated() {
      let earlier = seen.firstOccurrence(of: number, hash: selector.hashValue) {
        selectors[$0] == selector
      }
      guard let earlier else { continue }
      let span = locations[number].whole
      findings.add(duplicate) {
        duplicate.finding(
          "the same selector is listed twice", at: span,
          labels: [.init(locations[earlier].whole, "first listed here")],
          fixes: [removal.fix(for: span)])
      }
    }
  }
}

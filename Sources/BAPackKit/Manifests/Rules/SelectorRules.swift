import SourceDiagnostics
import SystemIO
import TerminalText

/// What can be wrong with a selector, before files are looked for.
enum SelectorRules {
  static let all: [Rule] = [
    none, unknownKind, halfPair, twoKinds, emptyPath, nulCharacter, absolute, parent,
    trailingSlash, backslash, globSigns, duplicate,
  ]

  /// A pack has at least one selector.
  static let none = Rule(
    "selector.none",
    what: "'fileSelectors' is an empty list.",
    why: "Without selectors the pack would be empty, and it would upload and publish all the same.",
    example: .init(
      wrong: #""fileSelectors": []"#, right: #""fileSelectors": [{"directory": "Textures"}]"#))

  static func none(_ list: JSONNode) -> Finding? {
    guard list.count == 0, !list.isDamaged else { return nil }
    return none.finding("'fileSelectors' needs at least one selector", at: list.span)
  }

  /// A selector says which kind it is by its key.
  static let unknownKind = Rule(
    "selector.unknown-kind", fixGrade: .unsafe,
    what: "A selector has no key that names files.",
    why: "The key of a selector says how it chooses files; without one it chooses none.",
    example: .init(
      wrong: #""fileSelectors": [{"folder": "Textures"}]"#,
      right: #""fileSelectors": [{"directory": "Textures"}]"#))

  static func unknownKind(_ selector: JSONNode, unknown: [JSONNode]) -> Finding {
    let known = SelectorKey.names
    let note: Finding.Message = "it may have \(Finding.list(known))"
    guard let key = unknown.first else {
      return unknownKind.finding(
        "this selector has no key", at: selector.span, notes: [note])
    }
    let name = key.string ?? ""
    let near =
      SelectorKey(synonym: name.lowercased())?.name ?? Spelling.nearest(to: name, among: known)
    return unknownKind.finding(
      "a selector has no key '\(key.string ?? "")'", at: key.span, notes: [note],
      fixes: near.map { [.replaceText(of: key, by: $0)] } ?? [])
  }

  /// A source needs a destination, and a destination a source.
  static let halfPair = Rule(
    "selector.half-pair",
    what: "A selector has a source without a destination, or the other way round.",
    why: """
      'fileSource' and 'fileDestination' belong together, and so do 'directorySource' and \
      'directoryDestination'. To keep a path as it is, use 'file' or 'directory'.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"fileSource": "build/a.png"}]"#,
      right: #""fileSelectors": [{"fileSource": "build/a.png", "fileDestination": "a.png"}]"#))

  static func halfPair(_ selector: JSONNode, has key: JSONNode, lacks other: String) -> Finding {
    halfPair.finding(
      "'\(key.string ?? "")' needs '\(other)' beside it", at: key.span,
      labels: [.init(SourceSpan(selector.span.start, selector.span.start + 1), "in this selector")])
  }

  /// A selector is of one kind.
  static let twoKinds = Rule(
    "selector.two-kinds",
    what: "A selector has keys of two kinds.",
    why: "Each selector chooses files in one way; it would not be clear which key counts.",
    example: .init(
      wrong: #""fileSelectors": [{"file": "a.png", "directory": "Textures"}]"#,
      right: #""fileSelectors": [{"file": "a.png"}, {"directory": "Textures"}]"#))

  static func twoKinds(_ first: JSONNode, _ second: JSONNode) -> Finding {
    twoKinds.finding(
      "'\(first.string ?? "")' and '\(second.string ?? "")' do not go together in one selector",
      at: second.span, labels: [.init(first.span, "the first kind")],
      fixes: [Fix("write two selectors", .shownOnly)])
  }

  /// A path names something.
  static let emptyPath = Rule(
    "selector.empty-path",
    what: "The path of a selector is empty.",
    why: "An empty path names no file. The whole source root is '.'.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": ""}]"#,
      right: #""fileSelectors": [{"directory": "."}]"#))

  static func emptyPath(_ path: String, of key: SelectorKey, at span: SourceSpan) -> Finding? {
    guard path.isEmpty else { return nil }
    return emptyPath.finding(
      "the path of '\(key.name)' is empty", at: span, notes: key.noteOnEmpty.map { [$0] } ?? [])
  }

  /// No path has a NUL in it.
  static let nulCharacter = Rule(
    "selector.nul-character",
    what: #"The path of a selector has a NUL character, written '\u0000', in it."#,
    why: "No file system has such names: nothing can be found there.",
    example: .init(
      wrong: ##""fileSelectors": [{"file": "a\u0000.png"}]"##,
      right: #""fileSelectors": [{"file": "a.png"}]"#))

  static func nulCharacter(_ path: String, at span: SourceSpan) -> Finding? {
    guard path.holds(0) else { return nil }
    return nulCharacter.finding("the path has a NUL character in it", at: span)
  }

  /// Paths start at the source root.
  static let absolute = Rule(
    "selector.absolute",
    what: "The path of a selector is absolute.",
    why: """
      Paths are relative to the source root, and a destination to the root of the pack; an \
      absolute one would hold on one machine only.
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
          ? "a destination starts at the root of the pack, without a '/' before it"
          : "paths are relative to the source root"
      ],
      fixes: key.isDestination ? [] : [Fix([Remedy.nameSourceRoot])])
  }

  /// Whether a path starts at the root of a file system, or at a drive of Windows.
  static func isAbsolute(_ path: String) -> Bool {
    var bytes = path.utf8.makeIterator()
    guard let first = bytes.next() else { return false }
    if first == slash { return true }
    guard bytes.next() == UInt8(ascii: ":"), let third = bytes.next() else { return false }
    return first.isLetter && (third == slash || third == UInt8(ascii: "\\"))
  }

  /// Paths stay below the source root.
  static let parent = Rule(
    "selector.parent",
    what: "The path of a selector has a '..' in it.",
    why: """
      Everything in a pack comes from below the source root and keeps its place there. To reach \
      further up, choose another root with 'sourceRoot'.
      """,
    remedies: [.nameSourceRoot],
    example: .init(
      wrong: #""fileSelectors": [{"directory": "../Shared"}]"#,
      right: #""fileSelectors": [{"directory": "Shared"}], "sourceRoot": "..""#))

  static func parent(_ path: String, of key: SelectorKey, at span: SourceSpan) -> Finding? {
    guard hasParent(path) else { return nil }
    return parent.finding(
      "the path '\(path)' has a '..' in it", at: span,
      notes: [
        key.isDestination
          ? "a destination stays in the pack, and starts at its root"
          : "a 'sourceRoot' further up reaches more"
      ],
      fixes: key.isDestination ? [] : [Fix([Remedy.nameSourceRoot])])
  }

  /// Whether one of the components is `..`; bytes are compared, because this runs for every path.
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

  /// A file is not named like a folder.
  static let trailingSlash = Rule(
    "selector.trailing-slash",
    what: "The path of a file ends with a '/'.",
    why: """
      Only a folder can be written so. 'directory' chooses a folder; 'fileDestination' is the \
      whole path of the file, with its name.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"fileSource": "build/a.png", "fileDestination": "Textures/"}]"#,
      right: """
        "fileSelectors": [{"fileSource": "build/a.png", "fileDestination": "Textures/a.png"}]
        """))

  static func trailingSlash(_ path: String, of key: SelectorKey, at span: SourceSpan) -> Finding? {
    guard !key.takesFolder, path.utf8.last == slash else { return nil }
    return trailingSlash.finding(
      "'\(key.name)' takes the path of a file, and '\(path)' is a folder's", at: span)
  }

  /// The sign between folders is `/`.
  static let backslash = Rule(
    "selector.backslash", .always(.warning), fixGrade: .unsafe,
    what: "A path that is no pattern has a backslash in it.",
    why: #"""
      Folders are separated by '/', also on Windows. A backslash is an ordinary character of a \#
      name here, so 'Textures\hero.png' is one file with a strange name. (In a pattern it takes \#
      the meaning from the sign behind it.)
      """#,
    example: .init(
      wrong: #""fileSelectors": [{"file": "Textures\\hero.png"}]"#,
      right: #""fileSelectors": [{"file": "Textures/hero.png"}]"#))

  static func backslash(_ path: String, of key: SelectorKey, at node: JSONNode) -> Finding? {
    guard !key.takesPattern, path.holds(UInt8(ascii: "\\")) else { return nil }
    let slashes = String(
      decoding: path.utf8.map { $0 == UInt8(ascii: "\\") ? slash : $0 }, as: UTF8.self)
    // With slashes it may be a path that is not allowed.
    let isPath = SelectorPath.fault(in: slashes, of: key, at: node.span) == nil
    return backslash.finding(
      "the path has a backslash in it; folders are separated by '/'", at: node.span,
      fixes: isPath ? [.replaceText(of: node, by: slashes)] : [])
  }

  /// Signs of patterns stand in 'filePattern' and 'fileExclusion' only.
  static let globSigns = Rule(
    "selector.glob-signs", .always(.warning), fixGrade: .unsafe,
    what: "The path of a file or a folder looks like a pattern.",
    why: """
      '*', '?' and '[...]' mean something in 'filePattern' and 'fileExclusion' only; elsewhere \
      they are ordinary characters of a name.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"file": "Audio/*.wav"}]"#,
      right: #""fileSelectors": [{"filePattern": "Audio/*.wav"}]"#))

  static func globSigns(
    _ path: String, of key: SelectorKey, keyNode: JSONNode, at span: SourceSpan
  ) -> Finding? {
    guard !key.takesPattern, !key.isDestination, let sign = globSign(in: path) else { return nil }
    var result = globSigns.finding(
      "'\(sign)' is an ordinary character in '\(key.name)'", at: span)
    if key.isPaired {
      result.notes = ["'filePattern' takes patterns, and files keep their paths"]
    } else if key.takesFolder {
      result.notes = ["'filePattern' takes patterns; '**' stands for all folders"]
    } else if (try? PathPattern(forFiles: path)) != nil {
      result.fixes = [.replaceText(of: keyNode, by: SelectorKind.filePattern.source.name)]
    }
    return result
  }

  /// The sign that makes a path look like a pattern.
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

  /// Each selector once.
  static let duplicate = Rule(
    "selector.duplicate", .always(.warning), fixGrade: .unsafe,
    what: "The same selector stands there twice.",
    why: "It chooses nothing new, so it is probably a slip: was another path meant?",
    example: .init(
      wrong: #""fileSelectors": [{"file": "a.png"}, {"file": "./a.png"}]"#,
      right: #""fileSelectors": [{"file": "a.png"}, {"file": "b.png"}]"#))

  /// Compares all selectors that could be read.
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
          "the same selector stands there twice", at: span,
          labels: [.init(locations[earlier].whole, "first written here")],
          fixes: [removal.fix(for: span)])
      }
    }
  }
}

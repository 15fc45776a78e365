import SourceDiagnostics
import TerminalText

/// What can be wrong with the ID of a pack.
enum PackIDRules {
  static let all: [Rule] = [
    empty, characters, grammar, style,
  ]

  /// An ID has at least one character.
  static let empty = Rule(
    "id.empty",
    what: "'assetPackID' is empty.",
    why: "Apps ask for a pack by its ID, and its archive is named after it.",
    example: .init(wrong: #""assetPackID": """#, right: #""assetPackID": "Tutorial""#))

  static func empty(_ id: String, at span: SourceSpan) -> Finding? {
    id.isEmpty ? empty.finding("the ID is empty", at: span) : nil
  }

  /// An ID can stand in a file name and in a URL.
  static let characters = Rule(
    "id.characters",
    what: "'assetPackID' is '.' or '..', or has a control character or a '/' in it.",
    why: """
      The ID becomes the name of the archive and the last part of its address; neither may hold \
      such characters or mean a folder, whoever serves the pack.
      """,
    example: .init(wrong: #""assetPackID": "level/1""#, right: #""assetPackID": "level-1""#))

  static func characters(_ id: String, at span: SourceSpan) -> Finding? {
    if id == "." || id == ".." {
      return characters.finding("the ID '\(id)' means a folder", at: span)
    }
    guard
      let bad = id.unicodeScalars.first(where: {
        $0 == "/" || $0.properties.generalCategory == .control
      })
    else { return nil }
    let name = bad == "/" ? "a '/'" : "the control character \(codePoint(bad))"
    return characters.finding("the ID has \(name) in it", at: span)
  }

  /// The grammar of IDs that App Store Connect enforces.
  static let grammar = Rule(
    "id.grammar", .byHost(unknown: .warning, apple: .error, selfHosted: nil),
    what: "'assetPackID' is not made of letters, digits and inner '-' signs.",
    why: """
      App Store Connect takes A-Z, a-z, 0-9 and '-', which may be neither first nor last. It says \
      so only after the upload (ITMS-91133, or 'Found invalid values'). A server of your own may \
      take other IDs.
      """,
    example: .init(
      wrong: #""assetPackID": "com.example.level1""#,
      right: #""assetPackID": "com-example-level1""#))

  static func grammar(_ id: String, at span: SourceSpan, for hosting: Hosting?) -> Finding? {
    let message: Finding.Message
    if let bad = id.unicodeScalars.first(where: { !isAllowed($0) }) {
      message = "App Store Connect takes letters, digits and '-' in an ID, not '\(String(bad))'"
    } else if id.hasPrefix("-") || id.hasSuffix("-") {
      message = "App Store Connect takes no '-' at the beginning or the end of an ID"
    } else {
      return nil
    }
    return grammar.finding(
      message, for: hosting, at: span,
      fixes: hosting == nil ? [Fix([Remedy.hostYourself])] : [])
  }

  private static func isAllowed(_ scalar: UnicodeScalar) -> Bool {
    switch scalar {
    case "A"..."Z", "a"..."z", "0"..."9", "-": true
    default: false
    }
  }

  /// IDs that App Store Connect is not known to refuse, but that nobody has tried at length.
  static let style = Rule(
    "id.style", .byHost(unknown: nil, apple: .warning, selfHosted: nil),
    what: "'assetPackID' has '--' inside or is longer than 64 characters.",
    why: """
      Apple publishes neither a length nor a rule for doubled signs. An ID can never be changed \
      or used again, so it is better not to be the first to find out.
      """,
    example: .init(
      wrong: #""assetPackID": "level--1""#, right: #""assetPackID": "level-1""#, hosting: .apple))

  private static let longest = 64

  static func style(_ id: String, at span: SourceSpan, for hosting: Hosting?) -> Finding? {
    if id.unicodeScalars.count > longest {
      return style.finding(
        "the ID is longer than \(longest) characters", for: hosting, at: span)
    }
    return id.contains("--")
      ? style.finding("the ID has '--' inside", for: hosting, at: span) : nil
  }
}

/// What both kinds of manifests say about IDs that look alike.
enum SimilarIDs {
  static let why = """
    One character can be written in several ways, and some are never seen. Apps and devices \
    compare bytes, so that these are two packs, and one of them is probably a mistake.
    """

  static func finding(
    _ rule: Rule, _ id: PackID, _ other: PackID, at span: SourceSpan?,
    notes: [Finding.Message] = []
  ) -> Finding {
    rule.finding(
      "'\(id.spelled)' looks like '\(other.spelled)' and is another ID", at: span, notes: notes,
      fixes: [Fix("write both alike if they are one pack", .shownOnly)])
  }
}

import SourceDiagnostics
import TerminalText

/// The rules about the ID of a pack.
enum PackIDRules {
  static let all: [Rule] = [
    empty, characters, grammar, style,
  ]

  static let empty = Rule(
    "id.empty",
    what: "'assetPackID' is empty.",
    why: "Apps request a pack by its ID, and the name of its archive is '<ID>.aar'.",
    example: .init(wrong: #""assetPackID": """#, right: #""assetPackID": "Tutorial""#))

  static func empty(_ id: String, at span: SourceSpan) -> Finding? {
    id.isEmpty ? empty.finding("the ID is empty", at: span) : nil
  }

  /// An ID that cannot be a file name or a part of a URL.
  static let characters = Rule(
    "id.characters", fixGrade: .unsafe,
    what: """
      'assetPackID' is '.' or '..', is longer than \(longestName) bytes, or contains a control \
      character or a '/'.
      """,
    why: """
      The ID is the name of the archive and the last component of its address. File names and \
      addresses do not support these values.
      """,
    example: .init(wrong: #""assetPackID": "level/1""#, right: #""assetPackID": "level-1""#))

  /// The size of the longest ID: a file name has at most 255 bytes, and '.aar' follows the ID.
  private static let longestName = 255 - ".aar".utf8.count

  static func characters(_ id: String, at node: JSONNode) -> Finding? {
    let span = node.span
    if id.utf8.count > longestName {
      return characters.finding(
        "the ID has \(id.utf8.count) bytes; the maximum is \(longestName)", at: span)
    }
    if id == "." || id == ".." {
      return characters.finding("the ID '\(id)' is the name of a folder", at: span)
    }
    guard
      let bad = id.unicodeScalars.first(where: {
        $0 == "/" || $0.properties.generalCategory == .control
      })
    else { return nil }
    let name = bad == "/" ? "a '/'" : "the control character \(codePoint(bad))"
    return characters.finding("the ID contains \(name)", at: span, fixes: valid(id, at: node))
  }

  /// The grammar of IDs that App Store Connect enforces.
  static let grammar = Rule(
    "id.grammar", .byHost(unknown: .warning, apple: .error, selfHosted: nil), fixGrade: .unsafe,
    what: "'assetPackID' has invalid characters, or begins or ends with a hyphen.",
    why: """
      App Store Connect accepts A-Z, a-z, 0-9 and '-'. The first and the last character must not \
      be '-'. It rejects other IDs after the upload (ITMS-91133, or 'Found invalid values'). Your \
      own server may accept other IDs.
      """,
    example: .init(
      wrong: #""assetPackID": "com.example.level1""#,
      right: #""assetPackID": "com-example-level1""#))

  static func grammar(_ id: String, at node: JSONNode, for hosting: Hosting?) -> Finding? {
    let message: Finding.Message
    if let bad = id.unicodeScalars.first(where: { !isAllowed($0) }) {
      message = "App Store Connect accepts letters, digits and '-' in an ID, not '\(String(bad))'"
    } else if id.hasPrefix("-") || id.hasSuffix("-") {
      message = "App Store Connect does not accept an ID that begins or ends with '-'"
    } else {
      return nil
    }
    return grammar.finding(
      message, for: hosting, at: node.span,
      fixes: valid(id, at: node) + (hosting == nil ? [Fix([Remedy.hostYourself])] : []))
  }

  /// Returns a fix that writes a similar valid ID, if all letters of the ID are valid.
  private static func valid(_ id: String, at node: JSONNode) -> [Fix] {
    guard id.unicodeScalars.allSatisfy({ $0.isASCII }) else { return [] }
    let words = id.unicodeScalars.split { $0 == "-" || !isAllowed($0) }.map { String($0) }
    return words.isEmpty ? [] : [.replaceText(of: node, by: words.joined(separator: "-"))]
  }

  private static func isAllowed(_ scalar: UnicodeScalar) -> Bool {
    switch scalar {
    case "A"..."Z", "a"..."z", "0"..."9", "-": true
    default: false
    }
  }

  /// An ID that App Store Connect may reject.
  static let style = Rule(
    "id.style", .byHost(unknown: nil, apple: .warning, selfHosted: nil),
    what: "'assetPackID' contains '--' or is longer than 64 characters.",
    why: """
      Apple does not document the maximum length, or whether '--' is valid. An ID can never be \
      changed or used again, so a safe ID is better.
      """,
    example: .init(
      wrong: #""assetPackID": "level--1""#, right: #""assetPackID": "level-1""#, hosting: .apple))

  private static let longest = 64

  static func style(_ id: String, at span: SourceSpan, for hosting: Hosting?) -> Finding? {
    if id.unicodeScalars.count > longest {
      return style.finding(
        "the ID is longer than \(longest) characters", for: hosting, at: span)
    }
    return hasTwoHyphens(id) ? style.finding("the ID contains '--'", for: hosting, at: span) : nil
  }

  /// Compares bytes: the general search for a text takes a tenth of the time of reading a manifest.
  private static func hasTwoHyphens(_ id: String) -> Bool {
    let hyphen = UInt8(ascii: "-")
    var previous: UInt8?
    for byte in id.utf8 {
      if byte == hyphen, previous == hyphen { return true }
      previous = byte
    }
    return false
  }
}

/// The texts about similar IDs in manifests and in download manifests.
enum SimilarIDs {
  static let why = """
    Unicode has several encodings for some characters, and it has invisible characters. Apps and \
    devices compare the bytes of IDs, so these are two packs. Probably one of the IDs is a mistake.
    """

  static func finding(
    _ rule: Rule, _ id: PackID, _ other: PackID, at span: SourceSpan?,
    notes: [Finding.Message] = []
  ) -> Finding {
    rule.finding(
      "'\(id.spelled)' and '\(other.spelled)' look the same but are different IDs", at: span,
      notes: notes,
      fixes: [Fix("use the same ID if they are the same pack", .shownOnly)])
  }
}

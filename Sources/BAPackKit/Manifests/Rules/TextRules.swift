import SourceDiagnostics

/// What can be wrong with a text before its meaning is known.
///
/// SourceDiagnostics does the checks; what they find in a manifest is explained here.
enum TextRules {
  static let all: [Rule] = [
    syntax, encoding, escape, number, duplicateKey, tooDeep, tooLarge, empty, trailingText,
    wrongType, missingKey, unknownKey, tooMany,
  ]

  private static let syntax = Rule(
    .syntax, fixGrade: .safe,
    what: "The text is not JSON5 at this place.",
    why: """
      Manifests are JSON with comments, trailing commas, single quotes and bare keys. After an \
      error the rest of the text is read all the same, so that you see everything at once.
      """,
    example: .init(
      wrong: #"{"assetPackID": "Tutorial" "platforms": []}"#,
      right: #"{"assetPackID": "Tutorial", "platforms": []}"#))

  private static let encoding = Rule(
    .encoding,
    what: "The text has bytes that are not UTF-8.",
    why: """
      JSON is UTF-8. A byte from another encoding cannot be shown, and a path with it would name \
      no file.
      """,
    example: .init(
      wrong: "a text saved as UTF-16 or Latin-1", right: "the text saved as UTF-8"))

  private static let escape = Rule(
    .escape,
    what: "A string has an escape that stands for nothing, or a control character.",
    why: #"""
      '\u' takes four hexadecimal digits, and characters beyond U+FFFF take two of them, a first \#
      and a second surrogate; one alone is no character.
      """#,
    example: .init(
      wrong: #""fileSelectors": [{"file": "\uD83D.png"}]"#,
      right: #""fileSelectors": [{"file": "\uD83D\uDC20.png"}]"#))

  private static let number = Rule(
    .number,
    what: "A number is hexadecimal, 'NaN' or 'Infinity'.",
    why: """
      The manifest goes into the archive as strict JSON, which has no such numbers, and numbers \
      keep the text that you wrote.
      """,
    example: .init(wrong: #""userInfo": {"size": 0x10}"#, right: #""userInfo": {"size": 16}"#))

  private static let duplicateKey = Rule(
    .duplicateKey,
    what: "An object has the same key twice.",
    why: "Programs differ in which of the two they take: the meaning would depend on the reader.",
    example: .init(
      wrong: #""language": "en", "language": "de""#, right: #""language": "de""#))

  private static let tooDeep = Rule(
    .tooDeep,
    what: "Values are nested deeper than 512 levels.",
    why: "No manifest needs that, and a reader that follows any depth can be made to crash.",
    example: .init(
      wrong: "513 opening brackets", right: "fewer"))

  private static let tooLarge = Rule(
    .tooLarge,
    what: "The text is larger than 16 MiB.",
    why: "A manifest names files, it does not hold them. Patterns and folders replace long lists.",
    example: .init(
      wrong: "a selector for each of a million files",
      right: #""fileSelectors": [{"directory": "Assets"}]"#))

  private static let empty = Rule(
    .emptyText,
    what: "The text is empty, or has only comments.",
    why: "A manifest says what a pack is; an empty one says nothing.",
    remedies: [.startFromTemplate],
    example: .init(wrong: "// nothing yet", right: #"{"assetPackID": "Tutorial"}"#))

  private static let trailingText = Rule(
    .trailingText, fixGrade: .unsafe,
    what: "There is text behind the end of the manifest.",
    why: "A file is one manifest; a second one behind it would be ignored without a word.",
    example: .init(
      wrong: #"{"assetPackID": "A"} {"assetPackID": "B"}"#, right: #"{"assetPackID": "A"}"#))

  private static let wrongType = Rule(
    .wrongType,
    what: "A value is of another kind than the one that belongs there.",
    why: "A list with one element is still a list, and a number in quotes is a string.",
    example: .init(wrong: #""platforms": "iOS""#, right: #""platforms": ["iOS"]"#))

  private static let missingKey = Rule(
    .missingKey,
    what: "An object lacks a key that it must have.",
    why: """
      Every manifest has 'assetPackID', 'downloadPolicy', 'fileSelectors' and 'platforms'; the \
      policies 'essential' and 'prefetch' have 'installationEventTypes'.
      """,
    example: .init(
      wrong: #""downloadPolicy": {"essential": {}}"#,
      right: """
        "downloadPolicy": {"essential": {"installationEventTypes": ["firstInstallation"]}}
        """))

  private static let unknownKey = Rule(
    .unknownKey,
    .usually(.error, .warning, when: "it stands in a download manifest, which devices skip"),
    fixGrade: .unsafe,
    what: "An object has a key that means nothing there.",
    why: """
      A misspelt key would be ignored without a word, and the pack would not be what you meant. \
      Keys are told apart by case.
      """,
    example: .init(wrong: #""Language": "de""#, right: #""language": "de""#))

  private static let tooMany = Rule(
    Ledger.rest,
    .usually(.error, .warning, when: "only warnings or notes are left out"),
    what: "There are more than a thousand findings in one text.",
    why: "Nobody reads so many; the first ones usually explain the others.",
    example: .init(
      wrong: "a picture given as a manifest", right: "the manifest"))
}

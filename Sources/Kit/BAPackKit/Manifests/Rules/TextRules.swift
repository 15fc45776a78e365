import SourceDiagnostics

/// The rules about the syntax of manifests.
///
/// The checks are in the module SourceDiagnostics.
enum TextRules {
  static let all: [Rule] = [
    syntax, encoding, escape, number, duplicateKey, tooDeep, tooLarge, empty, trailingText,
    wrongType, missingKey, unknownKey, tooMany,
  ]

  private static let syntax = Rule(
    .syntax, fixGrade: .safe,
    what: "The text is not valid JSON5.",
    why: """
      Manifests are JSON with comments, trailing commas, single quotes and unquoted keys (JSON5). \
      After an error, the parser continues and reports all errors in one run.
      """,
    example: .init(
      wrong: #""platforms": ["iOS" "macOS"]"#, right: #""platforms": ["iOS", "macOS"]"#))

  private static let encoding = Rule(
    .encoding,
    what: "The text contains bytes that are not UTF-8.",
    why: """
      JSON is UTF-8. A path with a byte in another encoding matches no file.
      """,
    example: .init(
      wrong: "a text saved as UTF-16 or Latin-1", right: "the text saved as UTF-8"))

  private static let escape = Rule(
    .escape,
    what: "A string contains an invalid escape sequence or a control character.",
    why: #"""
      '\u' requires four hexadecimal digits. Characters above U+FFFF require two escapes, a high \#
      and a low surrogate. A single surrogate is not a character.
      """#,
    example: .init(
      wrong: #""fileSelectors": [{"file": "\uD83D.png"}]"#,
      right: #""fileSelectors": [{"file": "\uD83D\uDC20.png"}]"#))

  private static let number = Rule(
    .number,
    what: "A number is hexadecimal, 'NaN' or 'Infinity'.",
    why: """
      The archive contains the manifest as strict JSON, which does not support such numbers. \
      ba-package does not convert them.
      """,
    example: .init(wrong: #""userInfo": {"size": 0x10}"#, right: #""userInfo": {"size": 16}"#))

  private static let duplicateKey = Rule(
    .duplicateKey,
    what: "An object has the same key twice.",
    why: "Some programs use the first value, others the last, so the meaning is ambiguous.",
    example: .init(
      wrong: #""language": "en", "language": "de""#, right: #""language": "de""#))

  private static let tooDeep = Rule(
    .tooDeep,
    what: "Values are nested deeper than 512 levels.",
    why: "Manifests do not need this depth. The limit protects readers against stack overflows.",
    example: .init(
      wrong: "513 opening brackets", right: "at most 512"))

  private static let tooLarge = Rule(
    .tooLarge,
    what: "The text is larger than 16 MiB.",
    why: "This is the limit for manifests. Patterns and folders replace long lists of files.",
    example: .init(
      wrong: "a selector for each of a million files",
      right: #""fileSelectors": [{"directory": "Assets"}]"#))

  private static let empty = Rule(
    .emptyText,
    what: "The text is empty or contains only comments.",
    why: "A manifest requires at least an ID, a policy, selectors and platforms.",
    remedies: [.startFromTemplate],
    example: .init(wrong: "// to do", right: completeManifest))

  private static let trailingText = Rule(
    .trailingText, fixGrade: .unsafe,
    what: "The file contains text after the end of the manifest.",
    why: "A file contains exactly one manifest. A second one would be ignored.",
    example: .init(wrong: completeManifest + "\n{}", right: completeManifest))

  /// A manifest without findings.
  static let completeManifest = """
    {
      "assetPackID": "Tutorial",
      "downloadPolicy": {"onDemand": {}},
      "fileSelectors": [{"directory": "Tutorial"}],
      "platforms": []
    }
    """

  private static let wrongType = Rule(
    .wrongType, fixGrade: .safe,
    what: "A value has the wrong type.",
    why: "A list with one element requires brackets, and a number in quotes is a string.",
    example: .init(wrong: #""platforms": "iOS""#, right: #""platforms": ["iOS"]"#))

  private static let missingKey = Rule(
    .missingKey,
    what: "An object lacks a required key.",
    why: """
      Manifests require 'assetPackID', 'downloadPolicy', 'fileSelectors' and 'platforms'. The \
      policies 'essential' and 'prefetch' require 'installationEventTypes'.
      """,
    example: .init(
      wrong: #""downloadPolicy": {"essential": {}}"#,
      right: """
        "downloadPolicy": {"essential": {"installationEventTypes": ["firstInstallation"]}}
        """))

  private static let unknownKey = Rule(
    .unknownKey,
    .usually(.error, .warning, when: "the key is in a download manifest (devices ignore it)"),
    fixGrade: .unsafe,
    what: "An object contains an unknown key.",
    why: """
      A misspelled key would be ignored, and the pack would differ from your intention. Keys are \
      case-sensitive.
      """,
    example: .init(wrong: #""Language": "de""#, right: #""language": "de""#))

  private static let tooMany = Rule(
    Ledger.rest,
    .usually(.error, .warning, when: "only warnings or notes are omitted"),
    what: "A text has more than 1,000 findings.",
    why: "Only the first 1,000 are reported. Often, the first errors cause the others.",
    example: .init(
      wrong: "an image instead of a manifest", right: "the manifest"))
}

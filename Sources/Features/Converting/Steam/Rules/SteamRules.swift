import BAPackKit
import SourceDiagnostics
import SystemIO

/// Rules for the text of a Steam build script.
///
/// An example that begins with a key of a depot is an excerpt of a depot.
enum SteamRules {
  static let all: [Rule] = [
    syntax, encoding, notAScript, inclusion, conditional, unknownKey, duplicate, mapping, dropped,
    release, installScript, fileProperties,
  ]

  /// A script must be in the KeyValues format.
  static let syntax = Rule(
    "steam.syntax",
    what: "A script is not in the KeyValues format.",
    why: """
      A script consists of pairs; the second part of a pair may be a block in braces. A missing \
      quote or brace changes the meaning of all text after it.
      """,
    example: .init(
      wrong: #""DepotBuild" { "FileMapping" { "LocalPath" "* "DepotPath" "." } }"#,
      right: #""DepotBuild" { "FileMapping" { "LocalPath" "*" "DepotPath" "." } }"#))

  static func syntax(_ phrase: Finding.Message, at span: SourceSpan?) -> Finding {
    syntax.finding(phrase, at: span)
  }

  static func unclosed(
    _ key: KeyValues.Word, _ open: SourceSpan, at end: Int
  ) -> Finding {
    syntax.finding(
      "a '}' is missing at the end", at: SourceSpan(end, end),
      labels: [.init(open, "for the '{' of '\(key.text)'")])
  }

  /// A script must be text.
  static let encoding = Rule(
    "steam.encoding", .always(.warning),
    what: "A script is neither UTF-8 nor UTF-16.",
    why: """
      In another encoding, a path with non-ASCII letters differs from the path on the computer on \
      which the script was written.
      """,
    example: .init(
      wrong: "a comment with an 'é' in Windows-1252", right: "the same, saved as UTF-8"))

  static func encoding(at span: SourceSpan?) -> Finding {
    encoding.finding(
      "the text is neither UTF-8 nor UTF-16", at: span,
      fixes: [Fix("save it as UTF-8", .shownOnly)])
  }

  /// A script must build a depot or an app.
  static let notAScript = Rule(
    "steam.not-a-script",
    what: "A KeyValues text is not a build script.",
    why: """
      'DepotBuild' (or 'DepotBuildConfig') contains the files of a depot, and 'AppBuild' the \
      depots of an app. Other Steam scripts, such as install scripts, name no files for a pack.
      """,
    example: .init(
      wrong: #""AppState" { "appid" "1000" }"#, right: whole))

  static func notAScript(_ root: String?, at span: SourceSpan?) -> Finding {
    let known: Finding.Message =
      "a build script begins with 'DepotBuild', 'DepotBuildConfig' or 'AppBuild'"
    return notAScript.finding(
      root.map { "'\($0)' is not a build script" } ?? "the file contains no build script", at: span,
      notes: [known])
  }

  /// A script must be one file.
  static let inclusion = Rule(
    "steam.inclusion",
    what: "A script includes another file.",
    why:
      "'#base' and '#include' name files in any folder. Only files that the user names are opened.",
    example: .init(
      wrong: #"#include "common.vdf" \#(whole)"#, right: whole))

  /// Reports an inclusion; returns whether the pair is one.
  static func reportInclusion(_ pair: KeyValues.Pair, _ findings: inout Ledger) -> Bool {
    guard pair.isCalled("#base") || pair.isCalled("#include") else { return false }
    let path = if case .text(let word) = pair.value { word.text } else { "" }
    findings.add(
      inclusion.finding(
        "'\(pair.key.text)' of '\(path: path)' is not supported", at: pair.key.span,
        fixes: [Fix("replace it with the contents of the file", .shownOnly)]))
    return true
  }

  /// A script should have no conditions.
  static let conditional = Rule(
    "steam.conditional", .usually(.warning, .note, when: "the condition is true on Windows"),
    what: "A part of a script has a condition.",
    why: """
      Conditions such as '[$WIN32]' are evaluated for Windows, on which Steam builds run. A \
      manifest has no conditions; packs for several platforms have several manifests.
      """,
    example: .init(
      wrong: #""FileExclusion" "*.dll" [$OSX]"#, right: #""FileExclusion" "*.dll""#))

  static func conditional(
    _ condition: String, _ key: String, isTrue: Bool?, at span: SourceSpan
  ) -> Finding {
    switch isTrue {
    case true?:
      conditional.exception(
        "'\(condition)' is true on Windows: '\(key)' applies", at: span)
    case false?:
      conditional.finding(
        "'\(condition)' is false on Windows: '\(key)' is omitted", at: span,
        fixes: [Fix("remove the condition if '\(key)' applies", .shownOnly)])
    case nil:
      conditional.finding(
        "the condition '\(condition)' is unknown: '\(key)' is omitted", at: span,
        fixes: [Fix("remove the condition if '\(key)' applies", .shownOnly)])
    }
  }

  /// Keys must be known.
  static let unknownKey = Rule(
    "steam.unknown-key", .always(.warning),
    what: "A script has an unknown key.",
    why: "Its value is not in the manifest. The key may be misspelled.",
    example: .init(
      wrong: #""FileExclusions" "*.pdb""#, right: #""FileExclusion" "*.pdb""#))

  static func unknownKey(
    _ key: KeyValues.Word, of owner: Finding.Message, known: [String]
  ) -> Finding {
    let near = Spelling.nearest(to: key.text, among: known)
    return unknownKey.finding(
      "unknown key '\(key.text)' in \(owner); it is omitted", at: key.span,
      notes: near == nil ? ["valid keys: \(Finding.list(known))"] : [],
      fixes: near.map { [Fix("write '\($0)'", .shownOnly)] } ?? [])
  }

  /// A key must be unique.
  static let duplicate = Rule(
    "steam.duplicate-key", .always(.warning),
    what: "A script contains a key twice that may occur only once.",
    why: "The first value applies, which may not be the intended one.",
    example: .init(
      wrong: #""DepotID" "1001" "DepotID" "1002""#, right: #""DepotID" "1001""#))

  static func duplicate(_ key: String, at span: SourceSpan, first: SourceSpan) -> Finding {
    duplicate.finding(
      "'\(key)' is a duplicate: the first value applies", at: span,
      labels: [.init(first, "the value that applies")])
  }

  /// A depot must specify its files.
  static let mapping = Rule(
    "steam.mapping",
    what: "A script specifies no files, or a specification is invalid.",
    why: """
      A depot has 'FileMapping' blocks, each with a 'LocalPath' below the content root. An app \
      has 'Depots'. Without them, no files are selected.
      """,
    example: .init(
      wrong: #""FileMapping" { "DepotPath" "." }"#,
      right: #""FileMapping" { "LocalPath" "*" "DepotPath" "." }"#))

  static func mapping(_ phrase: Finding.Message, at span: SourceSpan?) -> Finding {
    mapping.finding(phrase, at: span)
  }

  /// A key may have no counterpart.
  static let dropped = Rule(
    "steam.dropped", .always(.note),
    what: "A key of a script has no counterpart in a manifest.",
    why: "It does not affect the files of a pack.",
    example: .init(
      wrong: #""Desc" "The first level""#, right: #""FileExclusion" "*.pdb""#))

  static func dropped(_ key: String, _ why: Finding.Message, at span: SourceSpan) -> Finding {
    dropped.finding("'\(key)' is not converted", at: span, notes: [why])
  }

  /// Releases are a separate step.
  static let release = Rule(
    "steam.release", .always(.note),
    what: "A script contains release settings.",
    why: """
      'SetLive', 'Preview' and 'Local' configure the release of a build after its upload. Packs \
      are released in App Store Connect or on your server.
      """,
    example: .init(
      wrong: #""AppBuild" { "SetLive" "beta" "Depots" { "1001" { \#(files) } } }"#,
      right: #""AppBuild" { "Depots" { "1001" { \#(files) } } }"#))

  static func release(
    _ key: String, _ value: String, _ what: Finding.Message, at span: SourceSpan
  ) -> Finding {
    release.finding("'\(key)' '\(value)' is not converted", at: span, notes: [what])
  }

  /// Packs contain no scripts to run.
  static let installScript = Rule(
    "steam.install-script", .always(.warning),
    what: "A depot has an install script.",
    why: """
      Steam runs it on the user's computer. A device never runs scripts from a pack, so the app \
      must do the same work.
      """,
    example: .init(
      wrong: #""InstallScript" "setup.vdf""#, right: #""DepotID" "1001""#))

  static func installScript(_ path: String, at span: SourceSpan) -> Finding {
    installScript.finding(
      "the install script '\(path: path)' is not run", at: span,
      fixes: [Fix("do its work in the app, and exclude the script from the pack", .shownOnly)])
  }

  /// Files in packs have no attributes.
  static let fileProperties = Rule(
    "steam.file-properties", .always(.warning),
    what: "A depot sets attributes of files.",
    why: """
      Files with the attribute 'userconfig' or 'versionedconfig' can be changed on the user's \
      computer. Files in a pack are read-only: the app must copy such a file to a separate folder \
      before it changes the file.
      """,
    example: .init(
      wrong: #""FileProperties" { "LocalPath" "setup.cfg" "Attributes" "userconfig" }"#,
      right: #""DepotID" "1001""#))

  static func fileProperties(
    _ path: String, _ attributes: String, at span: SourceSpan
  ) -> Finding {
    fileProperties.finding(
      "the attributes '\(attributes)' of '\(path: path)' are not converted", at: span,
      fixes: [Fix("copy the file in the app before changing it", .shownOnly)])
  }

  private static let files = #""FileMapping" { "LocalPath" "*" "DepotPath" "." }"#
  private static let whole = #""DepotBuild" { \#(files) }"#
}

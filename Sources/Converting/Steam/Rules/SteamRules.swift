import BAPackKit
import SourceDiagnostics
import SystemIO

/// What can be wrong with the text of a build script of Steam, or cannot be carried over from it.
///
/// An example that begins with a key of a depot is the middle of one.
enum SteamRules {
  static let all: [Rule] = [
    syntax, encoding, notAScript, inclusion, conditional, unknownKey, duplicate, mapping, dropped,
    release, installScript, fileProperties,
  ]

  /// A script has the form of KeyValues.
  static let syntax = Rule(
    "steam.syntax",
    what: "A script is not in the form of KeyValues.",
    why: """
      A script is made of words in pairs; the second of a pair may be a block in braces. A quote \
      or a brace that is missing moves everything behind it.
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

  /// A script is a text.
  static let encoding = Rule(
    "steam.encoding", .always(.warning),
    what: "A script is neither UTF-8 nor UTF-16.",
    why: """
      A path with other letters than those of ASCII is then another path here than on the machine \
      that it was written on.
      """,
    example: .init(
      wrong: "a comment with an 'é' of Windows-1252", right: "the same, saved as UTF-8"))

  static func encoding(at span: SourceSpan?) -> Finding {
    encoding.finding(
      "the text is neither UTF-8 nor UTF-16", at: span,
      fixes: [Fix("save it as UTF-8", .shownOnly)])
  }

  /// A script builds a depot or an app.
  static let notAScript = Rule(
    "steam.not-a-script",
    what: "A text in KeyValues is no build script.",
    why: """
      'DepotBuild' (or 'DepotBuildConfig') says what is in a depot, and 'AppBuild' which depots an \
      app has. Other texts of Steam, such as install scripts, name no files for a pack.
      """,
    example: .init(
      wrong: #""AppState" { "appid" "1000" }"#, right: whole))

  static func notAScript(_ root: String?, at span: SourceSpan?) -> Finding {
    let known: Finding.Message = "it begins with 'DepotBuild', 'DepotBuildConfig' or 'AppBuild'"
    return notAScript.finding(
      root.map { "'\($0)' is no build script" } ?? "there is no build script here", at: span,
      notes: [known])
  }

  /// One script is one text.
  static let inclusion = Rule(
    "steam.inclusion",
    what: "A script includes another text.",
    why: """
      '#base' and '#include' name files that would have to be opened, wherever they are. Nothing \
      is opened that was not given.
      """,
    example: .init(
      wrong: #"#include "common.vdf" \#(whole)"#, right: whole))

  /// Reports an inclusion; says whether it is one.
  static func reportInclusion(_ pair: KeyValues.Pair, _ findings: inout Ledger) -> Bool {
    guard pair.isCalled("#base") || pair.isCalled("#include") else { return false }
    let path = if case .text(let word) = pair.value { word.text } else { "" }
    findings.add(
      inclusion.finding(
        "'\(pair.key.text)' of '\(path: path)' is not followed", at: pair.key.span,
        fixes: [Fix("write what it has in its place", .shownOnly)]))
    return true
  }

  /// What counts for one platform only.
  static let conditional = Rule(
    "steam.conditional", .usually(.warning, .note, when: "the condition holds on Windows"),
    what: "A part of a script has a condition.",
    why: """
      Conditions such as '[$WIN32]' are judged as on Windows, where Steam's builders run. A \
      manifest has no conditions; packs for several platforms have several manifests.
      """,
    example: .init(
      wrong: #""FileExclusion" "*.dll" [$OSX]"#, right: #""FileExclusion" "*.dll""#))

  static func conditional(
    _ condition: String, _ key: String, holds: Bool?, at span: SourceSpan
  ) -> Finding {
    switch holds {
    case true?:
      conditional.exception(
        "'\(condition)' holds on Windows: '\(key)' counts", at: span)
    case false?:
      conditional.finding(
        "'\(condition)' does not hold on Windows: '\(key)' is left out", at: span,
        fixes: [Fix("take the condition away if it counts here", .shownOnly)])
    case nil:
      conditional.finding(
        "'\(condition)' is no condition that is known: '\(key)' is left out", at: span,
        fixes: [Fix("take the condition away if it counts here", .shownOnly)])
    }
  }

  /// The keys that Steam's builder knows.
  static let unknownKey = Rule(
    "steam.unknown-key", .always(.warning),
    what: "A script has a key that is not known.",
    why: "What it says is not in the manifest; perhaps it is a slip of the pen.",
    example: .init(
      wrong: #""FileExclusions" "*.pdb""#, right: #""FileExclusion" "*.pdb""#))

  static func unknownKey(
    _ key: KeyValues.Word, of owner: Finding.Message, known: [String]
  ) -> Finding {
    let near = Spelling.nearest(to: key.text, among: known)
    return unknownKey.finding(
      "\(owner) has no key '\(key.text)': it is left out", at: key.span,
      notes: near == nil ? ["it may have \(Finding.list(known))"] : [],
      fixes: near.map { [Fix("write '\($0)'", .shownOnly)] } ?? [])
  }

  /// A key is said once.
  static let duplicate = Rule(
    "steam.duplicate-key", .always(.warning),
    what: "A script has a key twice that counts once.",
    why: "The first one counts, which is easily not the one that was meant.",
    example: .init(
      wrong: #""DepotID" "1001" "DepotID" "1002""#, right: #""DepotID" "1001""#))

  static func duplicate(_ key: String, at span: SourceSpan, first: SourceSpan) -> Finding {
    duplicate.finding(
      "'\(key)' is there a second time: the first one counts", at: span,
      labels: [.init(first, "this one counts")])
  }

  /// A depot says which files it has.
  static let mapping = Rule(
    "steam.mapping",
    what: "A script says no files, or says them in a way that cannot be read.",
    why: """
      A depot has 'FileMapping' blocks, each with a 'LocalPath' below the content root; an app has \
      'Depots'. Without them there is nothing to select.
      """,
    example: .init(
      wrong: #""FileMapping" { "DepotPath" "." }"#,
      right: #""FileMapping" { "LocalPath" "*" "DepotPath" "." }"#))

  static func mapping(_ phrase: Finding.Message, at span: SourceSpan?) -> Finding {
    mapping.finding(phrase, at: span)
  }

  /// What has no counterpart.
  static let dropped = Rule(
    "steam.dropped", .always(.note),
    what: "A key of a script has no counterpart in a manifest.",
    why: "It says nothing about the files of a pack, so nothing is missing from it.",
    example: .init(
      wrong: #""Desc" "The first level""#, right: #""FileExclusion" "*.pdb""#))

  static func dropped(_ key: String, _ why: Finding.Message, at span: SourceSpan) -> Finding {
    dropped.finding("'\(key)' is not carried over", at: span, notes: [why])
  }

  /// Releasing is another step.
  static let release = Rule(
    "steam.release", .always(.note),
    what: "A script says how its build is released.",
    why: """
      'SetLive', 'Preview' and 'Local' are about what Steam does with a build once it is uploaded. \
      Packs are released in App Store Connect, or on a server of your own.
      """,
    example: .init(
      wrong: #""AppBuild" { "SetLive" "beta" "Depots" { "1001" { \#(files) } } }"#,
      right: #""AppBuild" { "Depots" { "1001" { \#(files) } } }"#))

  static func release(
    _ key: String, _ value: String, _ what: Finding.Message, at span: SourceSpan
  ) -> Finding {
    release.finding("'\(key)' '\(value)' is not carried over", at: span, notes: [what])
  }

  /// Nothing in a pack is run.
  static let installScript = Rule(
    "steam.install-script", .always(.warning),
    what: "A depot has an install script.",
    why: """
      Steam runs it on the player's machine. No device runs anything from a pack, so what it does \
      is the app's to do.
      """,
    example: .init(
      wrong: #""InstallScript" "setup.vdf""#, right: #""DepotID" "1001""#))

  static func installScript(_ path: String, at span: SourceSpan) -> Finding {
    installScript.finding(
      "nothing runs the install script '\(path: path)'", at: span,
      fixes: [Fix("do in the app what it does, and exclude it from the pack", .shownOnly)])
  }

  /// Files of a pack have no attributes.
  static let fileProperties = Rule(
    "steam.file-properties", .always(.warning),
    what: "A depot gives attributes to files.",
    why: """
      'userconfig' and 'versionedconfig' are files that the player changes. What is in a pack \
      cannot be written: the app copies such a file to a folder of its own before it changes it.
      """,
    example: .init(
      wrong: #""FileProperties" { "LocalPath" "setup.cfg" "Attributes" "userconfig" }"#,
      right: #""DepotID" "1001""#))

  static func fileProperties(
    _ path: String, _ attributes: String, at span: SourceSpan
  ) -> Finding {
    fileProperties.finding(
      "the attributes '\(attributes)' of '\(path: path)' are not carried over", at: span,
      fixes: [Fix("copy the file in the app before it is changed", .shownOnly)])
  }

  private static let files = #""FileMapping" { "LocalPath" "*" "DepotPath" "." }"#
  private static let whole = #""DepotBuild" { \#(files) }"#
}

import BAPackKit
import SourceDiagnostics
import SystemIO

/// Rules for the files that a Steam build script names.
enum SteamFileRules {
  static let all: [Rule] = [
    outside, contentRoot, depotScript, depotPath, letterCase, selectsNothing, renaming, listed,
    exclusion, overridden, collision, caseCollision, unread,
  ]

  /// A script must name files below its content root.
  static let outside = Rule(
    "steam.outside",
    what: """
      A path in a script leads out of the content root or the depot, or the content root is \
      outside the folders that the user named.
      """,
    why: """
      A manifest selects files below its source root. A script from another author must not \
      access files outside its folder, the current folder and the folder that the user names.
      """,
    remedies: [.specifyContentRoot],
    example: .init(
      wrong: #""FileMapping" { "LocalPath" "..\..\secrets\*" "DepotPath" "." }"#,
      right: #""FileMapping" { "LocalPath" "levels\*" "DepotPath" "." }"#))

  static func outside(
    _ path: String, _ place: Finding.Message, at span: SourceSpan, fixes: [Fix] = []
  ) -> Finding {
    outside.finding("'\(path: path)' leads out of \(place)", at: span, fixes: fixes)
  }

  /// The content root must be known.
  static let contentRoot = Rule(
    "steam.content-root", .usually(.note, .warning, when: "the folder may be a different one"),
    what:
      "A script names its content root more than once, or the content root needs to be checked.",
    why: """
      The 'ContentRoot' of a depot takes precedence over that of its app. A folder on a Windows \
      drive does not exist on this computer; another folder must be specified.
      """,
    remedies: [.specifyContentRoot],
    example: .init(
      wrong: """
        "AppBuild" { "ContentRoot" "build" "Depots" {
          "1001" {
            "ContentRoot" "levels"
            "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" }
          }
        } }
        """,
      right: """
        "AppBuild" { "Depots" {
          "1001" {
            "ContentRoot" "levels"
            "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" }
          }
        } }
        """))

  static func contentRoot(wins winner: String, over loser: String, at span: SourceSpan) -> Finding {
    contentRoot.finding(
      "using the depot's content root '\(path: winner)', not '\(path: loser)' of the app", at: span
    )
  }

  static func contentRoot(replaced path: String, by folder: String, at span: SourceSpan) -> Finding
  {
    contentRoot.finding("using '\(path: folder)' instead of '\(path: path)'", at: span)
  }

  static func contentRoot(raisedTo path: String, from other: String, at span: SourceSpan) -> Finding
  {
    contentRoot.finding(
      "the source root is '\(path: path)', above '\(path: other)', because a mapping refers to it",
      at: span)
  }

  static func contentRoot(differs path: String, from other: String, at span: SourceSpan) -> Finding
  {
    contentRoot.exception(
      """
      '\(path: path)' is not below '\(path: other)', which is replaced; using the same folder \
      for both
      """,
      at: span, fixes: [Fix("convert the depots one by one", .shownOnly)])
  }

  /// Depot scripts must be near their app script.
  static let depotScript = Rule(
    "steam.depot-script",
    what: "The script of a depot cannot be read.",
    why: """
      An app script names the scripts of its depots. They are opened only in the folder of the \
      app script, below it, or below the current folder.
      """,
    example: .init(
      wrong: #""AppBuild" { "Depots" { "1001" "depot_1001.vdf" } }"#,
      right: """
        "AppBuild" { "Depots" {
          "1001" { "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" } }
        } }
        """))

  static func depotScript(
    _ path: String, _ why: Finding.Message, at span: SourceSpan
  ) -> Finding {
    depotScript.finding(
      "cannot read the depot script '\(path: path)': \(why)", at: span,
      fixes: [Fix("convert it separately", .shownOnly)])
  }

  /// A file must have a destination.
  static let depotPath = Rule(
    "steam.depot-path", .always(.warning),
    what: "A 'DepotPath' is missing or ambiguous.",
    why: """
      For a single file, 'DepotPath' is the destination folder if it ends in a separator or is \
      '.'. Otherwise it may also be the file's new name.
      """,
    example: .init(
      wrong: #""FileMapping" { "LocalPath" "level.dat" "DepotPath" "levels" }"#,
      right: #""FileMapping" { "LocalPath" "level.dat" "DepotPath" "levels\" }"#))

  static func depotPath(ambiguous path: String, at span: SourceSpan) -> Finding {
    depotPath.finding(
      "'\(path: path)' is used as a folder", at: span,
      notes: ["it does not end in a separator, so it may also be the file's new name"],
      fixes: [Fix("write '\(path: path)\\'", .shownOnly)])
  }

  static func depotPath(missingFor path: String, at span: SourceSpan) -> Finding {
    depotPath.finding(
      "'\(path: path)' has no destination; using the top folder of the pack", at: span)
  }

  /// Names must be spelled as on disk.
  static let letterCase = Rule(
    "steam.case", .always(.warning),
    what: "The case of a name in a script differs from the file on disk.",
    why: """
      Steam builds run on Windows, which ignores case. Selectors and devices distinguish 'Data' \
      from 'data'. The manifest contains the names on disk; an app that requests other names does \
      not find the files.
      """,
    example: .init(
      wrong: #""FileMapping" { "LocalPath" "Level.DAT" "DepotPath" "." }"#,
      right: #""FileMapping" { "LocalPath" "level.dat" "DepotPath" "." }"#))

  static func letterCase(_ written: String, is actual: String, at span: SourceSpan) -> Finding {
    letterCase.finding(
      "'\(path: written)' is '\(path: actual)' on disk", at: span,
      fixes: [Fix("write '\(path: actual)'", .shownOnly)])
  }

  /// A mapping must select files.
  static let selectsNothing = Rule(
    "steam.selects-nothing", .always(.warning),
    what: "A mapping or a whole depot selects no files.",
    why: """
      Steam ignores such a mapping. In a manifest, a selector without files is an error, so it is \
      omitted. A pack whose files are all excluded has no contents.
      """,
    example: .init(
      wrong: """
        "FileMapping" { "LocalPath" "*.dat" "DepotPath" "." }
        "FileMapping" { "LocalPath" "music\\*" "DepotPath" "music" "Recursive" "1" }
        """,
      right: #""FileMapping" { "LocalPath" "*.dat" "DepotPath" "." }"#))

  static func selectsNothing(_ path: String, at span: SourceSpan) -> Finding {
    selectsNothing.finding("'\(path: path)' matches no file; the mapping is omitted", at: span)
  }

  static func selectsNothing(in id: String, at span: SourceSpan) -> Finding {
    selectsNothing.finding(
      "the pack '\(id)' has no files: its exclusions drop all files of its mappings", at: span,
      fixes: [Fix("correct the exclusions", .shownOnly)])
  }

  /// A selector cannot rename the files of a pattern.
  static let renaming = Rule(
    "steam.renaming",
    what: "A mapping renames the files of a pattern, and the files are not available.",
    why: """
      A manifest can rename one file or a whole folder. If the files are available, such a \
      mapping becomes a list of files.
      """,
    remedies: [.specifyContentRoot],
    example: .init(
      wrong: """
        "ContentRoot" "C:\\game"
        "FileMapping" { "LocalPath" "levels\\*.dat" "DepotPath" "." }
        """,
      right: """
        "ContentRoot" "."
        "FileMapping" { "LocalPath" "levels\\*.dat" "DepotPath" "." }
        """))

  static func renaming(_ path: String, to folder: String, at span: SourceSpan) -> Finding {
    renaming.finding(
      "no selector can map '\(path: path)' to '\(path: folder)'", at: span,
      fixes: [Fix([Remedy.specifyContentRoot])])
  }

  /// A mapping may become a list.
  static let listed = Rule(
    "steam.listed", .always(.note),
    what: "A mapping became a list of the current files.",
    why: """
      No selector is equivalent, because a selector cannot rename the files of a pattern, '*' \
      does not match separators, and selectors are case-sensitive. The list does not include \
      files that are added later: convert again.
      """,
    example: .init(
      wrong: #""FileMapping" { "LocalPath" "levels\*.dat" "DepotPath" "." }"#,
      right: #""FileMapping" { "LocalPath" "levels\*" "DepotPath" "." "Recursive" "1" }"#))

  static func listed(_ path: String, count: Int, at span: SourceSpan) -> Finding {
    listed.finding(
      "'\(path: path)' became a list of \(count) \(count == 1 ? "file" : "files")", at: span)
  }

  /// An exclusion must drop files.
  static let exclusion = Rule(
    "steam.exclusion", .always(.warning),
    what: "An exclusion drops no files, is empty, or becomes a list of files.",
    why: """
      Steam compares names without case, and '?' and '*' of an exclusion also match separators. \
      If the exclusion in the manifest would drop fewer files, the other files are listed one by \
      one.
      """,
    example: .init(
      wrong: #""FileExclusion" "*.PDB""#, right: #""FileExclusion" "*.pdb""#))

  static func exclusion(_ path: String, _ what: Finding.Message, at span: SourceSpan) -> Finding {
    exclusion.finding("'\(path: path)' \(what)", at: span)
  }

  /// All files below the content root must be readable.
  static let unread = Rule(
    "steam.unread", .always(.warning),
    what: "A file below the content root cannot be packed.",
    why: """
      A link that leads out, a name that is not text, or a folder that cannot be opened is \
      missing from the pack, even if the script selects it. Unreadable files cannot be compared \
      either.
      """,
    example: .init(
      wrong: "a content root that contains a pipe", right: "a content root of files and folders"))

  static func unread(_ phrase: String, at span: SourceSpan) -> Finding {
    unread.finding(.init(whole: "omitted: " + phrase), at: span)
  }

  /// A later mapping overrides an earlier one.
  static let overridden = Rule(
    "steam.overridden", .always(.note),
    what: "Later files with the same path replace files of a mapping.",
    why: """
      In a depot, the later file replaces the earlier one, for example in translations. In a \
      manifest, two files with one path are an error, so the first one is omitted. The later file \
      is of a later mapping, or of the same one if it flattens folders.
      """,
    example: .init(
      wrong: """
        "FileMapping" { "LocalPath" "*" "DepotPath" "." }
        "FileMapping" { "LocalPath" "de\\*" "DepotPath" "." }
        """,
      right: """
        "FileMapping" { "LocalPath" "*" "DepotPath" "." }
        "FileMapping" { "LocalPath" "de\\*" "DepotPath" "de" }
        """))

  static func overridden(_ path: String, count: Int, at span: SourceSpan) -> Finding {
    overridden.finding(
      "\(count) \(count == 1 ? "file" : "files") of '\(path: path)' "
        + "\(count == 1 ? "is" : "are") "
        + "replaced by \(count == 1 ? "a later file" : "later files") with the same path", at: span)
  }

  /// A path must be either a file or a folder.
  static let collision = Rule(
    "steam.collision",
    what: "A path in the pack is both a file and a folder.",
    why: "File systems and packs do not support this. One of the mappings has a wrong destination.",
    example: .init(
      wrong: """
        "FileMapping" { "LocalPath" "level.dat" "DepotPath" "." }
        "FileMapping" { "LocalPath" "de\\*" "DepotPath" "level.dat" }
        """,
      right: """
        "FileMapping" { "LocalPath" "level.dat" "DepotPath" "." }
        "FileMapping" { "LocalPath" "de\\*" "DepotPath" "de" }
        """))

  static func collision(_ file: String, _ other: String, at span: SourceSpan) -> Finding {
    collision.finding("'\(path: other)' would be in the file '\(path: file)'", at: span)
  }

  /// Paths must differ in more than case.
  static let caseCollision = Rule(
    "steam.case-collision", .always(.warning),
    what: "Two paths in the pack differ only in case.",
    why: """
      On Windows and on most Macs, they are the same path. A device has both files, and an app \
      that requests one of them does not get the other.
      """,
    example: .init(
      wrong: """
        "FileMapping" { "LocalPath" "level.dat" "DepotPath" "Levels\\" }
        "FileMapping" { "LocalPath" "cave.dat" "DepotPath" "levels\\" }
        """,
      right: """
        "FileMapping" { "LocalPath" "level.dat" "DepotPath" "levels\\" }
        "FileMapping" { "LocalPath" "cave.dat" "DepotPath" "levels\\" }
        """))

  static func caseCollision(_ path: String, _ other: String, at span: SourceSpan) -> Finding {
    caseCollision.finding(
      "'\(path: path)' differs from '\(path: other)' only in case", at: span,
      fixes: [Fix("write both in the same case, or rename one of them", .shownOnly)])
  }
}

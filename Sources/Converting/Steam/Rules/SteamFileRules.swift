import BAPackKit
import SourceDiagnostics
import SystemIO

/// What can be wrong between a build script of Steam and the files that it names.
enum SteamFileRules {
  static let all: [Rule] = [
    outside, contentRoot, depotScript, depotPath, letterCase, selectsNothing, renaming, listed,
    exclusion, overridden, collision, caseCollision, unread,
  ]

  /// A script names files below its content root.
  static let outside = Rule(
    "steam.outside",
    what: """
      A path of a script leads out of the content root or the depot, or its content root out of \
      the folders that the user named.
      """,
    why: """
      A manifest selects files below its source root. A script that another person wrote must not \
      reach files outside its own folder, the current one and the one that the user names.
      """,
    remedies: [.nameContentRoot],
    example: .init(
      wrong: #""FileMapping" { "LocalPath" "..\..\secrets\*" "DepotPath" "." }"#,
      right: #""FileMapping" { "LocalPath" "levels\*" "DepotPath" "." }"#))

  static func outside(
    _ path: String, _ place: Finding.Message, at span: SourceSpan, fixes: [Fix] = []
  ) -> Finding {
    outside.finding("'\(path: path)' leads out of \(place)", at: span, fixes: fixes)
  }

  /// Where the files are.
  static let contentRoot = Rule(
    "steam.content-root", .usually(.note, .warning, when: "the folder may not be the right one"),
    what: "A script names its content root more than once, or in a way that needs a second look.",
    why: """
      The 'ContentRoot' of a depot counts before that of its app. A folder on a Windows drive is \
      not on this machine, so that another has to be named.
      """,
    remedies: [.nameContentRoot],
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
      "the depot's content root '\(path: winner)' counts, not '\(path: loser)' of the app", at: span
    )
  }

  static func contentRoot(replaced path: String, by folder: String, at span: SourceSpan) -> Finding
  {
    contentRoot.finding("'\(path: folder)' is taken instead of '\(path: path)'", at: span)
  }

  static func contentRoot(raisedTo path: String, from other: String, at span: SourceSpan) -> Finding
  {
    contentRoot.finding(
      "the source root is '\(path: path)', above '\(path: other)', since a mapping goes there",
      at: span)
  }

  static func contentRoot(differs path: String, from other: String, at span: SourceSpan) -> Finding
  {
    contentRoot.exception(
      "'\(path: path)' is not below '\(path: other)', which is replaced: the same folder is taken",
      at: span, fixes: [Fix("convert the depots one by one", .shownOnly)])
  }

  /// The scripts of depots are beside that of their app.
  static let depotScript = Rule(
    "steam.depot-script",
    what: "The script of a depot cannot be read.",
    why: """
      An app script names the scripts of its depots. They are opened only in the folder of the \
      app's script, below it, or below the current folder.
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
      "the depot's script '\(path: path)' is not read: \(why)", at: span,
      fixes: [Fix("convert it by itself", .shownOnly)])
  }

  /// Where a file goes.
  static let depotPath = Rule(
    "steam.depot-path", .always(.warning),
    what: "A 'DepotPath' is missing, or could be a folder or a file.",
    why: """
      Behind one file, 'DepotPath' is the folder that it goes into if it ends in a separator or is \
      '.'; otherwise it can be read as the file's new name.
      """,
    example: .init(
      wrong: #""FileMapping" { "LocalPath" "level.dat" "DepotPath" "levels" }"#,
      right: #""FileMapping" { "LocalPath" "level.dat" "DepotPath" "levels\" }"#))

  static func depotPath(ambiguous path: String, at span: SourceSpan) -> Finding {
    depotPath.finding(
      "'\(path: path)' is taken as a folder", at: span,
      notes: ["it has no separator at its end, so that it could be the file's new name"],
      fixes: [Fix("write '\(path: path)\\'", .shownOnly)])
  }

  static func depotPath(missingFor path: String, at span: SourceSpan) -> Finding {
    depotPath.finding(
      "nothing says where '\(path: path)' goes: it goes to the top of the pack", at: span)
  }

  /// Case counts on devices.
  static let letterCase = Rule(
    "steam.case", .always(.warning),
    what: "A script spells a name in another case than the file has.",
    why: """
      Steam's builders run on Windows, where case does not count. Selectors and devices tell \
      'Data' from 'data', so the manifest has the names as they are on disk; an app that asks for \
      others finds nothing.
      """,
    example: .init(
      wrong: #""FileMapping" { "LocalPath" "Level.DAT" "DepotPath" "." }"#,
      right: #""FileMapping" { "LocalPath" "level.dat" "DepotPath" "." }"#))

  static func letterCase(_ written: String, is actual: String, at span: SourceSpan) -> Finding {
    letterCase.finding(
      "'\(path: written)' is '\(path: actual)' on disk", at: span,
      fixes: [Fix("write '\(path: actual)'", .shownOnly)])
  }

  /// A mapping that has no files.
  static let selectsNothing = Rule(
    "steam.selects-nothing", .always(.warning),
    what: "A mapping has no files, or a whole depot.",
    why: """
      Steam passes over such a mapping. In a manifest, a selector without files is an error, so it \
      is left out. A pack from which everything is excluded has nothing to download.
      """,
    example: .init(
      wrong: """
        "FileMapping" { "LocalPath" "*.dat" "DepotPath" "." }
        "FileMapping" { "LocalPath" "music\\*" "DepotPath" "music" "Recursive" "1" }
        """,
      right: #""FileMapping" { "LocalPath" "*.dat" "DepotPath" "." }"#))

  static func selectsNothing(_ path: String, at span: SourceSpan) -> Finding {
    selectsNothing.finding("no file is at '\(path: path)': it is left out", at: span)
  }

  static func selectsNothing(in id: String, at span: SourceSpan) -> Finding {
    selectsNothing.finding(
      "the pack '\(id)' has no files: exclusions drop all that mappings have", at: span,
      fixes: [Fix("correct the exclusions", .shownOnly)])
  }

  /// No selector renames what a pattern chooses.
  static let renaming = Rule(
    "steam.renaming",
    what: "A mapping renames what a pattern chooses, and the files are not at hand.",
    why: """
      A manifest can rename one file, or a whole folder. Where the files are at hand, such a \
      mapping becomes a list of them.
      """,
    remedies: [.nameContentRoot],
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
      "no selector says that '\(path: path)' goes to '\(path: folder)'", at: span,
      fixes: [Fix([Remedy.nameContentRoot])])
  }

  /// A mapping that became a list.
  static let listed = Rule(
    "steam.listed", .always(.note),
    what: "A mapping became a list of the files that are there now.",
    why: """
      No selector says the same, for a selector cannot rename what a pattern chooses, '*' does not \
      cross folders, and case counts. Files that are added later are not in the list: convert again.
      """,
    example: .init(
      wrong: #""FileMapping" { "LocalPath" "levels\*.dat" "DepotPath" "." }"#,
      right: #""FileMapping" { "LocalPath" "levels\*" "DepotPath" "." "Recursive" "1" }"#))

  static func listed(_ path: String, count: Int, at span: SourceSpan) -> Finding {
    listed.finding(
      "'\(path: path)' became a list of \(count) \(count == 1 ? "file" : "files")", at: span)
  }

  /// What an exclusion drops.
  static let exclusion = Rule(
    "steam.exclusion", .always(.warning),
    what: "An exclusion drops nothing, is empty, or needs a list of files.",
    why: """
      Steam compares names without their case, and the '?' and '*' of an exclusion match \
      separators, too. Where an exclusion of a manifest would drop fewer files, the others are \
      listed one by one.
      """,
    example: .init(
      wrong: #""FileExclusion" "*.PDB""#, right: #""FileExclusion" "*.pdb""#))

  static func exclusion(_ path: String, _ what: Finding.Message, at span: SourceSpan) -> Finding {
    exclusion.finding("'\(path: path)' \(what)", at: span)
  }

  /// Everything below the content root can be packed.
  static let unread = Rule(
    "steam.unread", .always(.warning),
    what: "Something below the content root can be in no pack.",
    why: """
      A link that leads out, a name that is no text, a folder that cannot be opened: if the script \
      means it, the pack lacks it. What cannot be looked at cannot be compared, either.
      """,
    example: .init(
      wrong: "a content root with a pipe in it", right: "the same with files and folders alone"))

  static func unread(_ phrase: String, at span: SourceSpan) -> Finding {
    unread.finding(.init(whole: "left out: " + phrase), at: span)
  }

  /// A later mapping wins.
  static let overridden = Rule(
    "steam.overridden", .always(.note),
    what: "Files of a mapping are replaced by those of a later one.",
    why: """
      In a depot the later file wins, as translations do that replace the original. In a manifest, \
      two files for one path are an error, so the first is left out.
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
        + "\(count == 1 ? "gives" : "give") "
        + "way to a later mapping", at: span)
  }

  /// A path is a file or a folder.
  static let collision = Rule(
    "steam.collision",
    what: "A path in the pack would be a file and a folder at once.",
    why: "No disk has that, and no pack: one of the mappings goes to the wrong place.",
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

  /// Names that differ only in case are one name on Windows.
  static let caseCollision = Rule(
    "steam.case-collision", .always(.warning),
    what: "Two paths in the pack differ only in case.",
    why: """
      On Windows and on most Macs they are one path. A device has both, and an app that asks for \
      one of them does not get the other.
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
      fixes: [Fix("give both the same name, or different ones", .shownOnly)])
  }
}

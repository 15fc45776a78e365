import BAPackKit
import SourceDiagnostics
import SystemIO

/// What can be wrong with a conversion, whatever is converted.
enum ConversionRules {
  static let all: [Rule] = [
    unknownInput, noEffect, madeID, sameID, assumedPolicy, assumedPlatforms, difference, notAtHand,
  ]

  /// The input is of a kind that can be converted.
  static let unknownInput = Rule(
    "convert.unknown-input",
    what: "An input is nothing that can be converted.",
    why: """
      What an input is, is told from its contents: a build script of Steam begins with a word and \
      a block in braces, a project of Xcode has objects, a spec targets.
      """,
    remedies: [.nameInputKind],
    example: .init(
      wrong: #"{"files": ["level.dat"]}"#, right: steamScript))

  static func unknownInput(_ phrase: Finding.Message) -> Finding {
    unknownInput.finding(phrase, at: nil, fixes: [Fix([Remedy.nameInputKind])])
  }

  /// What is asked for has an effect.
  static let noEffect = Rule(
    "convert.no-effect",
    what: "Something was asked for that none of the inputs has.",
    why: """
      A script of Steam has no targets, no folders of languages and no calls in sources; what \
      Xcode built has no targets either, and its own files. What was asked for would be passed \
      over, and the manifests would look right all the same.
      """,
    example: .init(
      wrong: "a script of Steam, of which one target is wanted", right: "the same, all of it"))

  static func noEffect(_ part: ConversionOptions.Part) -> Finding {
    let (phrase, remedy): (Finding.Message, Finding.Message) =
      switch part {
      case .target:
        ("no input has targets, of which one could be chosen", "name a project, or a spec of one")
      case .languages:
        (
          "no input has folders of languages that packs could be made of",
          "name an input with On-Demand Resources, or give the language of the pack"
        )
      case .calls:
        (
          "no input has On-Demand Resources, whose calls could be looked for in sources",
          "name an input that has some"
        )
      case .contentRoot:
        (
          "what was built has its own files, and none from another folder",
          "name the project, or the folder that the packs are in"
        )
      }
    return noEffect.finding(phrase, at: nil, fixes: [Fix(remedy, .shownOnly)])
  }

  /// The app asks for a pack by an ID that its author chose.
  static let madeID = Rule(
    "convert.made-id", .always(.note),
    what: "The ID of a pack was made from a name in the input.",
    why: """
      The app asks for the pack by its ID, which can never be changed once it is uploaded, so it \
      is worth a look.
      """,
    remedies: [.namePackID],
    example: .init(
      wrong: steamScript, right: "the same, with an ID that was named"))

  static func madeID(_ id: String, from name: String, at span: SourceSpan?) -> Finding {
    madeID.finding(
      "the pack gets the ID '\(id)', from '\(name)'", at: span, fixes: [Fix([Remedy.namePackID])])
  }

  /// Packs of one app have different IDs.
  static let sameID = Rule(
    "convert.same-id",
    what: "Two packs of a conversion would have the same ID.",
    why: """
      An app asks for a pack by its ID, and the file of a manifest has its name: two of them, or a \
      manifest and another file that is written, would be one.
      """,
    remedies: [.namePackID],
    example: .init(
      wrong: """
        "AppBuild" { "Depots" {
          "1001" { "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" } }
          "1001" { "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" } }
        } }
        """,
      right: """
        "AppBuild" { "Depots" {
          "1001" { "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" } }
          "1002" { "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" } }
        } }
        """))

  static func sameID(_ id: String, at span: SourceSpan?, label: Finding.Label?) -> Finding {
    sameID.finding(
      "the ID '\(id)' is that of another pack, too", at: span, labels: label.map { [$0] } ?? [],
      fixes: [Fix("convert them one by one, and name each", .shownOnly)])
  }

  static func sameID(_ id: String, asFile name: String, at span: SourceSpan?) -> Finding {
    sameID.finding(
      "the manifest of '\(id)' would be '\(path: name)', which is another file", at: span,
      fixes: [Fix([Remedy.namePackID])])
  }

  /// A manifest says when devices download.
  static let assumedPolicy = Rule(
    "convert.assumed-policy", .always(.note),
    what: "Nothing says when devices download a pack, so it is on demand.",
    why: """
      Elsewhere an app may be installed with all its files. A pack comes with the app if it is \
      essential, begins to come if it is prefetched, and comes when the app asks if it is on demand.
      """,
    remedies: [.namePolicy],
    example: .init(
      wrong: steamScript, right: "the same, with a policy that was named"))

  static func assumedPolicy(_ id: String, at span: SourceSpan?) -> Finding {
    assumedPolicy.finding(
      "nothing says when '\(id)' is downloaded: it is on demand", at: span,
      fixes: [Fix([Remedy.namePolicy])])
  }

  static func assumedPolicy(_ ids: [String]) -> Finding {
    assumedPolicy.finding(
      "nothing says when devices download \(Finding.list(ids, atMost: 8)): on demand", at: nil,
      fixes: [Fix([Remedy.namePolicy])])
  }

  /// A manifest lists the platforms of its pack.
  static let assumedPlatforms = Rule(
    "convert.assumed-platforms", .always(.note),
    what: "The input names no platform of Apple, so the pack is for all of them.",
    why: """
      A depot for Windows or Linux often has files that no device of Apple uses, and one for macOS \
      has files for no other device. A project may have its SDK from elsewhere. Each device \
      downloads the packs of its platform.
      """,
    remedies: [.namePlatforms],
    example: .init(
      wrong: steamScript, right: "the same, with platforms that were named"))

  static func assumedPlatforms(_ id: String, at span: SourceSpan?) -> Finding {
    assumedPlatforms.finding(
      "the input names no platform for '\(id)': it is for all of them", at: span,
      fixes: [Fix([Remedy.namePlatforms])])
  }

  static func assumedPlatforms(_ ids: [String]) -> Finding {
    assumedPlatforms.finding(
      "the input names no platform for \(Finding.list(ids, atMost: 8)): for all of them", at: nil,
      fixes: [Fix([Remedy.namePlatforms])])
  }

  /// A manifest selects what the input meant.
  static let difference = Rule(
    "convert.difference",
    what: "A manifest selects other files than the input that it was made from.",
    why: "What was converted is right only if the pack has the same files at the same paths.",
    example: .init(
      wrong: "a file that was removed since, so that the pack lacks it",
      right: "the same, converted again"))

  static func difference(_ phrase: Finding.Message, at span: SourceSpan?) -> Finding {
    difference.finding(phrase, at: span)
  }

  /// What is to be compared is there.
  static let notAtHand = Rule(
    "convert.not-at-hand", .usually(.warning, .error, when: "the files are to be compared"),
    what: "The files that an input names cannot be looked at.",
    why: """
      Selectors are made from the text alone then: what differs in case, and files whose names \
      begin with a dot, show only in files. Folders outside the input's own and the current one \
      are never opened, unless they are named.
      """,
    remedies: [.nameContentRoot],
    example: .init(
      wrong: """
        "DepotBuild" {
          "ContentRoot" "C:\\game"
          "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" }
        }
        """,
      right: """
        "DepotBuild" {
          "ContentRoot" "."
          "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" }
        }
        """))

  static func notAtHand(_ phrase: Finding.Message, at span: SourceSpan?) -> Finding {
    notAtHand.finding(phrase, at: span, fixes: [Fix([Remedy.nameContentRoot])])
  }

  static func notAtHand(comparing id: String) -> Finding {
    notAtHand.exception(
      "the files of '\(id)' are not at hand, so nothing was compared", at: nil,
      fixes: [Fix([Remedy.nameContentRoot])])
  }

  private static let steamScript = """
    "DepotBuild" {
      "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" }
    }
    """
}

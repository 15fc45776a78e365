import BAPackKit
import SourceDiagnostics
import SystemIO

/// Rules that apply to all kinds of input.
enum ConversionRules {
  static let all: [Rule] = [
    unknownInput, noEffect, madeID, sameID, assumedPolicy, assumedPlatforms, difference,
    unavailable,
  ]

  /// The kind of the input must be supported.
  static let unknownInput = Rule(
    "convert.unknown-input",
    what: "The kind of the input is unknown.",
    why: """
      The kind is detected from the contents: a Steam build script begins with a key and a block \
      in braces, and an Xcode project has 'objects'.
      """,
    remedies: [.specifyInputKind],
    example: .init(
      wrong: #"{"files": ["level.dat"]}"#, right: steamScript))

  static func unknownInput(_ phrase: Finding.Message) -> Finding {
    unknownInput.finding(phrase, at: nil, fixes: [Fix([Remedy.specifyInputKind])])
  }

  /// Each option must have an effect.
  static let noEffect = Rule(
    "convert.no-effect",
    what: "An option has no effect on any of the inputs.",
    why: """
      A Steam script has no targets, no language folders and no calls in sources. A product of \
      Xcode has no targets either, and contains its own files. If the option were ignored, the \
      manifests would look correct but would be wrong.
      """,
    example: .init(
      wrong: "a Steam script with the target 'App'", right: "the same script, without a target"))

  static func noEffect(_ part: ConversionOptions.Part) -> Finding {
    let (phrase, remedy): (Finding.Message, Finding.Message) =
      switch part {
      case .target:
        (
          "the target has no effect: no input has targets",
          "specify an Xcode project"
        )
      case .languages:
        (
          "splitting by language has no effect: no input has language folders",
          "specify an input with On-Demand Resources, or the language of the pack"
        )
      case .calls:
        (
          "the search for calls has no effect: no input has On-Demand Resources",
          "specify an input with On-Demand Resources"
        )
      case .contentRoot:
        (
          "the content root has no effect: a product of Xcode contains its own files",
          "specify the project, or the folder that contains the packs"
        )
      }
    return noEffect.finding(phrase, at: nil, fixes: [Fix(remedy, .shownOnly)])
  }

  /// The author must choose the ID with which the app requests a pack.
  static let madeID = Rule(
    "convert.made-id", .always(.note),
    what: "The ID of a pack was created from a name in the input.",
    why: """
      The app requests the pack by its ID, and the ID cannot be changed after the first upload. \
      Check it before you upload the pack.
      """,
    remedies: [.specifyPackID],
    example: .init(
      wrong: steamScript, right: "the same, with an ID that the user specifies"))

  static func madeID(_ id: String, from name: String, at span: SourceSpan?) -> Finding {
    madeID.finding(
      "the ID '\(id)' was created from '\(name)'", at: span, fixes: [Fix([Remedy.specifyPackID])])
  }

  /// The packs of an app must have different IDs.
  static let sameID = Rule(
    "convert.same-id",
    what: "Two packs of a conversion have the same ID.",
    why: """
      An app requests a pack by its ID, and the manifest file is named after the ID. Two \
      manifests, or a manifest and another output file, would overwrite each other.
      """,
    remedies: [.specifyPackID],
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
      "two packs have the ID '\(id)'", at: span, labels: label.map { [$0] } ?? [],
      fixes: [Fix("convert them one by one, and specify an ID for each", .shownOnly)])
  }

  static func sameID(_ id: String, asFile name: String, at span: SourceSpan?) -> Finding {
    sameID.finding(
      "the manifest of '\(id)' would overwrite '\(path: name)'", at: span,
      fixes: [Fix([Remedy.specifyPackID])])
  }

  /// A manifest must specify a download policy.
  static let assumedPolicy = Rule(
    "convert.assumed-policy", .always(.note),
    what: "The input specifies no download policy, so the pack is on demand.",
    why: """
      Other systems may install an app together with all its files. An essential pack is \
      installed with the app, a prefetched pack starts to download with the installation, and an \
      on-demand pack is downloaded when the app requests it.
      """,
    remedies: [.specifyPolicy],
    example: .init(
      wrong: steamScript, right: "the same, with a policy that the user specifies"))

  static func assumedPolicy(_ id: String, at span: SourceSpan?) -> Finding {
    assumedPolicy.finding(
      "the input specifies no download policy for '\(id)'; using 'onDemand'", at: span,
      fixes: [Fix([Remedy.specifyPolicy])])
  }

  static func assumedPolicy(_ ids: [String]) -> Finding {
    assumedPolicy.finding(
      """
      the input specifies no download policy for \(Finding.list(ids, atMost: 8)); using \
      'onDemand'
      """, at: nil,
      fixes: [Fix([Remedy.specifyPolicy])])
  }

  /// A manifest must list the platforms of its pack.
  static let assumedPlatforms = Rule(
    "convert.assumed-platforms", .always(.note),
    what: "The input specifies no Apple platform, so the pack is for all platforms.",
    why: """
      A depot for Windows or Linux often contains files that Apple devices do not use, and a \
      depot for macOS contains files for no other device. The SDK of a project may be set outside \
      the project. Each device downloads only the packs of its platform.
      """,
    remedies: [.specifyPlatforms],
    example: .init(
      wrong: steamScript, right: "the same, with platforms that the user specifies"))

  static func assumedPlatforms(_ id: String, at span: SourceSpan?) -> Finding {
    assumedPlatforms.finding(
      "the input specifies no platform for '\(id)'; using all platforms", at: span,
      fixes: [Fix([Remedy.specifyPlatforms])])
  }

  static func assumedPlatforms(_ ids: [String]) -> Finding {
    assumedPlatforms.finding(
      "the input specifies no platform for \(Finding.list(ids, atMost: 8)); using all platforms",
      at: nil,
      fixes: [Fix([Remedy.specifyPlatforms])])
  }

  /// A manifest must select the same files as its input.
  static let difference = Rule(
    "convert.difference",
    what: "A manifest and its input select different files.",
    why: "A conversion is correct only if the pack has the same files at the same paths.",
    example: .init(
      wrong: "a file that was deleted after the conversion",
      right: "the same, converted again"))

  static func difference(_ phrase: Finding.Message, at span: SourceSpan?) -> Finding {
    difference.finding(phrase, at: span)
  }

  /// Files that are compared must be available.
  static let unavailable = Rule(
    "convert.not-at-hand", .usually(.warning, .error, when: "the files are compared"),
    what: "The files that the input names are not available.",
    why: """
      The selectors are then made from the text alone. Differences in letter case and files whose \
      names begin with a dot are visible only in the files. Folders outside the input's folder \
      and the current folder are opened only if the user names them.
      """,
    remedies: [.specifyContentRoot],
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

  static func unavailable(_ phrase: Finding.Message, at span: SourceSpan?) -> Finding {
    unavailable.finding(phrase, at: span, fixes: [Fix([Remedy.specifyContentRoot])])
  }

  static func unavailable(comparing id: String) -> Finding {
    unavailable.exception(
      "the files of '\(id)' are not available, so they were not compared", at: nil,
      fixes: [Fix([Remedy.specifyContentRoot])])
  }

  private static let steamScript = """
    "DepotBuild" {
      "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" }
    }
    """
}

import AppSide
import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO

/// `app check`: checks a built app, an Xcode project, or sources against the packs.
struct AppCheckCommand: Subcommand {
  private static let app = Argument(
    "app", .file("app", "ipa", "xcarchive", "xcodeproj"),
    "An .app, .ipa, .xcarchive, Xcode project, or folder of sources.")
  private static let packs = ArgumentList(
    "pack", .file("aar", "json"), isRequired: false,
    "Packs, folders or IDs (default: the packs of the project).",
    details: "With a download manifest, the hosts and sizes of a self-hosted app are checked.")
  private static let strict = Flag("strict", in: .check, "Fail on warnings.")

  static let definition = Command(
    "check", overview: "Check an app before its upload.",
    discussion: [
      """
      Checks the keys of Info.plist, the extension and its place, versions, app groups and team in \
      the signatures, profiles, minimum systems, linked frameworks, and leftovers of On-Demand \
      Resources. Each finding has the answer of App Store Connect or of the system, and its \
      certainty.
      """,
      """
      With packs, it also checks their platforms and languages, files that are in the app and in \
      a pack, and texts that look like paths but are in no pack. Texts in Swift, C, C++, \
      Objective-C, C# and GDScript are searched in a folder of sources.
      """,
      "Signatures are read, but not verified. The result lists the checks that were not possible.",
      DocumentName.appCheck.described(),
    ],
    [app, packs] + ProjectOptions.all + [ManifestOptions.hosting, strict, FindingOptions.ofApps]
      + [FindingsFormat.option, MemoryOption.option],
    exclusive: [ProjectOptions.exclusive],
    examples: [
      Term("ba-package app check Game.ipa", "Check an app with the packs of the project."),
      Term(
        "ba-package app check Game.xcarchive build/packs --strict --format github",
        "Check an archive in CI."),
      Term("ba-package app check Sources build/packs", "Compare paths in sources with packs."),
    ],
    topics: ["project-file"])

  let app: String
  let operands: [String]
  let input: ManifestOptions
  let isStrict: Bool
  let policy: FindingPolicy
  let memory: UInt64
  let format: FindingsFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    app = try arguments.required(Self.app)
    operands = arguments[Self.packs]
    input = ManifestOptions(arguments, operands: operands)
    isStrict = arguments[Self.strict]
    policy = FindingPolicy(arguments[FindingOptions.ofApps])
    memory = UInt64(arguments[MemoryOption.option])
    format = arguments[FindingsFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    return try AppCheckRun(settings: self, console: console).run()
  }
}

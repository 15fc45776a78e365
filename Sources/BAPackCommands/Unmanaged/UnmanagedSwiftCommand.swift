import Arguments
import BAPackKit

/// `unmanaged swift`: prints the code that reads a manifest.
struct UnmanagedSwiftCommand: Subcommand {
  static let definition = Command(
    "swift", overview: "Prints a Swift file that reads an unmanaged manifest in an app.",
    discussion: [
      """
      It decodes the manifest, and makes the downloads that an extension answers with. The part \
      that decodes was compiled and run; the part that needs Apple's framework was not, and says \
      so.
      """
    ],
    [InfoPlistOptions.appGroupID, TextOutput.path, TextOutput.force],
    dependent: [TextOutput.forceNeedsPath],
    examples: [
      Term(
        "ba-package unmanaged swift --app-group-id group.com.example.game "
          + "-o UnmanagedManifest.swift",
        "The file for an app and its extension.")
    ])

  private let output: TextOutput
  private let text: String

  init(_ arguments: ParsedArguments) throws(UsageError) {
    output = TextOutput(arguments)
    let group = arguments[InfoPlistOptions.appGroupID]
    do throws(PackError) {
      try InfoPlistFragment.App(appGroupID: group).check(allowingHTTP: false)
    } catch {
      throw UsageError(error)
    }
    text = UnmanagedSwift.text(appGroupID: group)
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    try output.write(Array(text.utf8), console)
    return .done
  }
}

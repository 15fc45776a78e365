import Arguments
import BAPackKit

/// `unmanaged swift`: prints the code that reads a manifest.
struct UnmanagedSwiftCommand: Subcommand {
  static let definition = Command(
    "swift", overview: "Print a Swift file that reads an unmanaged manifest.",
    discussion: [
      """
      The file decodes the manifest and creates the downloads for the extension of the app. The \
      decoder is tested. The part that uses Apple's framework is not, as a comment in the file \
      states.
      """
    ],
    [InfoPlistOptions.appGroupID, TextOutput.path, TextOutput.force],
    dependent: [TextOutput.forceNeedsPath],
    examples: [
      Term(
        "ba-package unmanaged swift --app-group-id group.com.example.game "
          + "-o UnmanagedManifest.swift",
        "Write the file for an app and its extension.")
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

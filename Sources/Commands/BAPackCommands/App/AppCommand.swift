import Arguments
import BAPackKit

/// `app`: the app that reads the packs.
struct AppCommand: Subcommand {
  static let subcommands: [any Subcommand.Type] = [AppCheckCommand.self]

  static let definition = Command(
    "app", overview: "Check the app that reads the packs.",
    discussion: [
      """
      An app with packs needs an extension, keys in its Info.plist, and an app group in the \
      signatures of both. A mistake in them is found by App Store Connect after the upload, or by \
      the system, which ends the app.
      """
    ],
    subcommands: subcommands.map { $0.definition })

  init(_ arguments: ParsedArguments) throws(UsageError) { throw .missingSubcommand }

  func run(_ console: Console) throws(PackError) -> ExitStatus { .usage }
}

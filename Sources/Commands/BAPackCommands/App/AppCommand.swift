import Arguments
import BAPackKit

/// `app`: the commands for the app that reads the packs.
struct AppCommand: Subcommand {
  static let subcommands: [any Subcommand.Type] = [
    SetupCommand.self, AddExtensionCommand.self, CodeCommand.self, AppCheckCommand.self,
  ]

  static let definition = Command(
    "app", overview: "Prepare and check the app that reads the packs.",
    discussion: [
      """
      An app with packs needs an extension, keys in its Info.plist, an app group in the signatures \
      of both, and code that downloads packs and reads their files. A mistake in them is found by \
      App Store Connect after the upload, or by the system, which ends the app.
      """
    ],
    subcommands: subcommands.map { $0.definition })

  init(_ arguments: ParsedArguments) throws(UsageError) { throw .missingSubcommand }

  func run(_ console: Console) throws(PackError) -> ExitStatus { .usage }
}

import Arguments
import BAPackKit

/// `app`: the app around the packs.
struct AppCommand: Subcommand {
  static let subcommands: [any Subcommand.Type] = [SetupCommand.self]

  static let definition = Command(
    "app", overview: "Prepare an app for its packs.",
    discussion: [
      """
      An app needs keys in Info.plist, a downloader extension and an app group before it can use \
      packs.
      """
    ],
    subcommands: subcommands.map { $0.definition })

  init(_ arguments: ParsedArguments) throws(UsageError) { throw .missingSubcommand }

  func run(_ console: Console) throws(PackError) -> ExitStatus { .usage }
}

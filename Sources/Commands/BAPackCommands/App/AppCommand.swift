import Arguments
import BAPackKit

/// `app`: the commands for the app that reads the packs.
struct AppCommand: Subcommand {
  static let subcommands: [any Subcommand.Type] = [CodeCommand.self]

  static let definition = Command(
    "app", overview: "Prepare the app that reads the packs.",
    discussion: [
      """
      An app needs more than packs: keys, an extension, and code that downloads packs and reads \
      their files.
      """
    ],
    subcommands: subcommands.map { $0.definition })

  init(_ arguments: ParsedArguments) throws(UsageError) { throw .missingSubcommand }

  func run(_ console: Console) throws(PackError) -> ExitStatus { .usage }
}

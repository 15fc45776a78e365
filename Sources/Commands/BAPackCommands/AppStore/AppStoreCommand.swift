import Arguments
import BAPackKit

/// `app-store`: the commands for App Store Connect except `upload`.
struct AppStoreCommand: Subcommand {
  static let subcommands: [any Subcommand.Type] = [
    AppStoreListCommand.self, AppStoreStatusCommand.self, AppStoreWaitCommand.self,
    AppStoreLimitsCommand.self, AppStoreSubmitCommand.self, AppStoreSubmissionsCommand.self,
    AppStoreArchiveCommand.self, AppStoreWebhookCommand.self, AppStoreMockCommand.self,
  ]

  static let definition = Command(
    "app-store",
    overview: "Manage packs in App Store Connect.",
    discussion: [
      """
      'ba-package upload' uploads packs. All commands use an API key, which is searched in the \
      same places as by altool.
      """
    ],
    subcommands: subcommands.map { $0.definition })

  init(_ arguments: ParsedArguments) throws(UsageError) { throw .missingSubcommand }

  func run(_ console: Console) -> ExitStatus { .usage }
}

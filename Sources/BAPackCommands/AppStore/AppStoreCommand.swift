import Arguments
import BAPackKit

/// `app-store`: the commands for App Store Connect except `upload`.
struct AppStoreCommand: Subcommand {
  static let subcommands: [any Subcommand.Type] = [
    AppStoreListCommand.self, AppStoreStatusCommand.self, AppStoreWaitCommand.self,
    AppStoreLimitsCommand.self, AppStoreSubmitCommand.self, AppStoreSubmissionsCommand.self,
    AppStoreArchiveCommand.self, AppStoreMockCommand.self,
  ]

  static let definition = Command(
    "app-store",
    overview:
      "Shows packs in App Store Connect, waits for them, sends them to review, and serves a mock.",
    discussion: [
      """
      'ba-package upload' brings packs there. All commands use an API key, which is found as \
      altool finds it.
      """
    ],
    subcommands: subcommands.map { $0.definition })

  init(_ arguments: ParsedArguments) throws(UsageError) { throw .missingSubcommand }

  func run(_ console: Console) -> ExitStatus { .usage }
}

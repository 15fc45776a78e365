import Arguments
import BAPackKit

/// `download-manifest`: creates and checks manifests and keys for packs on a self-hosted server.
struct DownloadManifestCommand: Subcommand {
  static let subcommands: [any Subcommand.Type] = [
    DownloadManifestCreateCommand.self, DownloadManifestUpdateCommand.self,
    DownloadManifestCheckCommand.self, DownloadManifestPublishCommand.self,
    DownloadManifestRollbackCommand.self, DownloadManifestInfoPlistCommand.self,
  ]

  static let definition = Command(
    "download-manifest",
    overview: "Manage manifests of a self-hosted server.",
    discussion: [
      """
      A self-hosted server has one download manifest for each platform. It lists every pack with \
      its version, size, policy and URL. 'publish' uploads the packs first and the manifest last. \
      Devices \
      download a pack again when its version increases, and delete it when the manifest no longer \
      lists it.
      """
    ],
    subcommands: subcommands.map { $0.definition })

  init(_ arguments: ParsedArguments) throws(UsageError) { throw .missingSubcommand }

  func run(_ console: Console) throws(PackError) -> ExitStatus { .usage }
}

import Arguments
import BAPackKit

/// `download-manifest`: creates and checks manifests and keys for packs on a self-hosted server.
struct DownloadManifestCommand: Subcommand {
  static let subcommands: [any Subcommand.Type] = [
    DownloadManifestCreateCommand.self, DownloadManifestUpdateCommand.self,
    DownloadManifestCheckCommand.self, DownloadManifestInfoPlistCommand.self,
  ]

  static let definition = Command(
    "download-manifest",
    overview: "Makes and checks what a server of your own tells devices about its packs.",
    discussion: [
      """
      An app whose packs you host yourself reads one JSON text for each platform, which names \
      every pack with its version, size, policy and URL. Serve the packs first and the manifest \
      last: devices download a pack again when its version rises, and delete it when it leaves the \
      list.
      """
    ],
    subcommands: subcommands.map { $0.definition })

  init(_ arguments: ParsedArguments) throws(UsageError) { throw .missingSubcommand }

  func run(_ console: Console) throws(PackError) -> ExitStatus { .usage }
}

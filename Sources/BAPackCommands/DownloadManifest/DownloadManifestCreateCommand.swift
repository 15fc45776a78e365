import Arguments
import BAPackKit
import SourceDiagnostics

/// `download-manifest create`: the manifest of a first publication.
struct DownloadManifestCreateCommand: Subcommand {
  private typealias Shared = PublicationOptions
  private static let versions = OptionList(
    "asset-pack-versions", .number(in: 0...Int.max), called: "version",
    "The version of each pack, in the order of the packs; without this option all are 0.")
  private static let output = Option(
    "output-path", short: "o", .file("json"), called: "path", isRequired: true,
    "The manifest to write.")
  private static let force = Flag("force", short: "f", "Replace a manifest that exists already.")

  static let definition = Command(
    "create", overview: "Makes the download manifest of one platform from packs.",
    discussion: [
      """
      Reads ID, policy, userInfo and platforms from each pack, and refuses a pack that is not meant \
      for the platform. Beside the manifest it writes '<manifest>.lock.json', which remembers the \
      SHA-256 of every pack and version; 'update' and 'check' compare with it. Keep that file; it \
      need not be served.
      """,
      """
      With '--format json', one object: 'manifest', 'lock', 'platform' and 'assetPacks', each with \
      'id', 'action', 'version', 'previousVersion', 'reason', 'url', 'downloadSize' and 'sha256', as \
      far as it has them.
      """,
    ],
    [Shared.archives] + Shared.platforms + Shared.urls
      + [versions, output, force, ReportFormat.option],
    exclusive: [Shared.platforms],
    examples: [
      Term(
        """
        ba-package download-manifest create Packs/*.aar --ios --download-base-url \
        https://downloads.example.com/packs -o ios.json
        """, "Publish packs for the first time."),
      Term(
        """
        ba-package download-manifest create a.aar b.aar --asset-pack-versions 3 1 --macos \
        --url-template 'https://cdn.example.com/{id}-{version}.aar' -o macos.json
        """, "Give versions, and addresses of another form."),
    ])

  private let paths: [String]
  private let platform: Platform
  private let urls: PackURLs
  private let versions: [Int]
  private let files: PublicationFiles
  private let replaces: Bool
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments[Shared.archives]
    guard let platform = Shared.platform(arguments) else {
      throw UsageError("Missing platform: give one of '--ios', '--macos', '--tvos' or '--visionos'")
    }
    self.platform = platform
    guard let urls = try Shared.urls(arguments) else {
      throw UsageError(
        "Missing address of the packs: give '--download-base-url <url>' or "
          + "'--url-template <template>'")
    }
    self.urls = urls
    versions = try Self.versions(arguments, for: paths)
    files = PublicationFiles(try arguments.required(Self.output))
    replaces = arguments[Self.force]
    format = arguments[ReportFormat.option]
  }

  /// One version for each archive.
  private static func versions(
    _ arguments: ParsedArguments, for paths: [String]
  ) throws(UsageError) -> [Int] {
    guard arguments.isGiven(versions) else { return Array(repeating: 0, count: paths.count) }
    let given = arguments[versions]
    guard given.count != paths.count else { return given }
    let problem =
      given.count < paths.count
      ? "'\(paths[given.count])' has none" : "\(given[paths.count]) belongs to no pack"
    throw UsageError(
      """
      '--asset-pack-versions' takes exactly one version for each pack, in their order, but \
      \(problem): \(Quantity.count(paths.count, "pack")), \
      \(Quantity.count(given.count, "version"))
      """)
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    if !replaces { try files.refuseExisting() }
    let (archives, unreadable) = try [PublishedArchive].read(paths)
    guard unreadable.isEmpty else {
      console.report(unreadable, as: .text)
      return console.nothingDone("Nothing was written", unreadable)
    }
    let publication = DownloadManifest.create(
      from: zip(archives, versions).map { (archive: $0, version: $1) }, for: platform, at: urls,
      replacing: try replacedManifest())
    console.report(publication.findings, as: .text)
    guard publication.manifest != nil else {
      return console.nothingDone("Nothing was written", publication.findings)
    }
    try files.write(publication, replacing: replaces)
    PublicationReport(publication, files, hadRecord: false).write(to: console, as: format)
    return .done
  }

  /// What '--force' replaces, as far as it can be read.
  private func replacedManifest() throws(PackError) -> DownloadManifest? {
    guard replaces, files.exist else { return nil }
    return DownloadManifest(packs: try files.readManifest(allowingHTTP: true).packs)
  }
}

import Arguments
import BAPackKit
import SourceDiagnostics

/// `unmanaged info-plist`: prints the Info.plist keys for an app that downloads assets without the
/// system.
struct UnmanagedInfoPlistCommand: Subcommand {
  private typealias Shared = InfoPlistOptions

  static let definition = Command(
    "info-plist", overview: "Print the Info.plist keys for an unmanaged manifest.",
    discussion: [
      """
      The total sizes of essential files and of background files become the declared sizes, which \
      limit downloads before the first launch. Files on demand do not count. The hosts of the URLs \
      become the list of allowed domains.
      """,
      "With '--format json', prints the same keys as one object.",
    ],
    [
      UnmanagedOptions.manifest, Shared.headroom, Shared.manifestURL, Shared.appGroupID,
      PublicationOptions.allowHTTP, ReportFormat.option,
    ],
    examples: [
      Term(
        """
        ba-package unmanaged info-plist manifest.json --headroom 20% --manifest-url \
        https://downloads.example.com/manifest.json
        """, "Print the keys with a margin for larger files.")
    ])

  private let path: String
  private let headroom: Headroom
  private let app: InfoPlistFragment.App
  private let allowsHTTP: Bool
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.required(UnmanagedOptions.manifest)
    headroom = arguments[Shared.headroom]
    app = try Shared.app(arguments, kind: .unmanaged)
    allowsHTTP = arguments[PublicationOptions.allowHTTP]
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let manifest = try UnmanagedOptions.manifest(
      path, allowingHTTP: allowsHTTP, orElse: "No keys were computed", console)
    guard let manifest else { return .failed }
    let fragment = InfoPlistFragment(
      for: manifest.plan, from: manifest.hosts, headroom: headroom, app: app)
    Shared.write(fragment, as: format, console)
    return .done
  }
}

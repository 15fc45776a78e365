import Arguments
import BAPackKit
import SourceDiagnostics

/// `unmanaged info-plist`: prints the Info.plist keys for an app that downloads assets without the
/// system.
struct UnmanagedInfoPlistCommand: Subcommand {
  private typealias Shared = InfoPlistOptions

  static let definition = Command(
    "info-plist", overview: "Prints the Info.plist keys of an app, computed from its manifest.",
    discussion: [
      """
      The sums of essential files and of those that come in the background become the sizes that \
      the system holds the app to before it is opened for the first time; what comes when the app \
      asks is part of neither. The hosts of the addresses become the list of allowed domains.
      """,
      "With '--format json', the same keys as one object.",
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
        """, "Print the keys, with room to grow.")
    ])

  private let path: String
  private let headroom: Headroom
  private let app: InfoPlistFragment.App
  private let allowsHTTP: Bool
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.required(UnmanagedOptions.manifest)
    headroom = arguments[Shared.headroom]
    app = try Shared.app(arguments, isManaged: false)
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

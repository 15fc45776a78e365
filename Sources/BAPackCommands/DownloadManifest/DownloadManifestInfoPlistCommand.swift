import Arguments
import BAPackKit
import SourceDiagnostics

/// `download-manifest info-plist`: the keys that an app needs for packs on a server of its own.
struct DownloadManifestInfoPlistCommand: Subcommand {
  private typealias Shared = PublicationOptions
  private static let headroom = DefaultedOption(
    "headroom", .headroom, called: "percent", default: .none, shownAs: "0%",
    "Room for packs to grow before the app is released again, added to every size.")
  private static let manifestURL = Option(
    "manifest-url", .text, called: "url", "Where the download manifest is served.")
  private static let appGroupID = Option(
    "app-group-id", .text, called: "id", "The group that the app shares with its extension.")
  private static let unmanaged = Flag(
    "unmanaged", "For an app whose own extension manages its packs.")

  static let definition = Command(
    "info-plist", overview: "Prints the Info.plist keys of a self-hosted app, computed from packs.",
    discussion: [
      """
      Give all packs of a platform. The sums of essential packs and of all others, as they are \
      downloaded and unpacked, become the sizes that the system holds the app to before it is \
      opened for the first time; the host of the URLs becomes the list of allowed domains.
      """,
      "With '--format json', the same keys as one object.",
    ],
    [
      Shared.archives, headroom, Shared.baseURL, Shared.urlTemplate, manifestURL, appGroupID,
      unmanaged, Shared.allowHTTP, ReportFormat.option,
    ],
    examples: [
      Term(
        """
        ba-package download-manifest info-plist Packs/*.aar --headroom 20% --download-base-url \
        https://downloads.example.com/packs
        """, "Print the keys, with room for packs to grow.")
    ])

  private let paths: [String]
  private let headroom: Headroom
  private let urls: PackURLs
  private let app: InfoPlistFragment.App
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments[Shared.archives]
    headroom = arguments[Self.headroom]
    guard let urls = try Shared.urls(arguments) else {
      throw UsageError(
        "Missing address of the packs: give '--download-base-url <url>' or "
          + "'--url-template <template>'")
    }
    self.urls = urls
    app = InfoPlistFragment.App(
      manifestURL: arguments[Self.manifestURL], appGroupID: arguments[Self.appGroupID],
      isManaged: !arguments[Self.unmanaged])
    do throws(PackError) {
      try app.check(allowingHTTP: arguments[Shared.allowHTTP])
    } catch {
      throw UsageError(error)
    }
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let (archives, unreadable) = try [PublishedArchive].read(paths)
    let findings = unreadable + archives.findingsAboutIDs
    guard findings.count(.error) == 0 else {
      console.report(findings, as: .text)
      return console.nothingDone("Nothing was computed", findings)
    }
    let fragment = InfoPlistFragment(for: archives, at: urls, headroom: headroom, app: app)
    switch format {
    case .text: console.result(text: fragment.xml())
    case .json: console.result(JSONWriter.string(fragment.jsonValue, .compact))
    }
    let missing = fragment.missingKeys
    if !missing.isEmpty {
      console.summary(
        "Add \(Diagnostic.list(missing)) yourself, or give --manifest-url and --app-group-id.")
    }
    return .done
  }
}

extension ValueType where Value == Headroom {
  /// A share in percent.
  fileprivate static var headroom: Self {
    Self { word throws(InvalidValue) in
      guard let headroom = Headroom(word) else {
        throw InvalidValue("a share from 0% to 1000% is needed, such as 20% or 12.5%")
      }
      return headroom
    }
  }
}

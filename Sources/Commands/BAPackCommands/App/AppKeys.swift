import AppSide
import Arguments
import BAPackKit
import SystemIO

/// The options that determine the keys of an app's Info.plist, and these keys.
struct AppKeys {
  private typealias Shared = PublicationOptions
  private typealias Keys = InfoPlistOptions

  static let kind = Option<AppKind>(
    "hosting", .choice, called: "hosting", in: .check, "Set the hosting of the packs.",
    details: """
      The default is that of the project file, or 'apple'. 'unmanaged' is an app with its own \
      downloads.
      """)
  static let all: [any TypedParameter] =
    Shared.platforms + [
      kind, Keys.appGroupID, Keys.manifestURL, Keys.headroom, Shared.baseURL, Shared.urlTemplate,
      Shared.allowHTTP,
    ]

  private let manifests: ManifestOptions
  private let platform: Platform?
  private let kind: AppKind?
  private let headroom: Headroom
  private let urls: PackURLs?
  private let memory: UInt64
  /// The app, with the values of the options, and later also with those of its project.
  private(set) var app: InfoPlistFragment.App

  init(_ arguments: ParsedArguments) throws(UsageError) {
    manifests = ManifestOptions(arguments, operands: [])
    platform = Shared.platform(arguments)
    kind = arguments[Self.kind]
    if kind == .appleHosted { try Keys.checkAppleHosting(arguments) }
    app = try Keys.app(arguments, kind: kind ?? .appleHosted)
    headroom = arguments[Keys.headroom]
    urls = try Shared.urls(arguments)
    memory = UInt64(arguments[MemoryOption.option])
  }

  /// Completes the app with the hosting of the project file, and with the values of its project.
  mutating func complete(from project: AppProject, _ console: Console) throws(PackError) {
    let opened = try manifests.project.opened(console)
    app.kind =
      kind ?? (opened.settings[\.hosting]?.value == .selfHosted ? .selfHosted : .appleHosted)
    app.appGroupID = app.appGroupID ?? project.group
    app.manifestURL = app.manifestURL ?? project.infoPlist?.value["BAManifestURL"]?.text
  }

  /// Returns the keys; nil if they depend on packs that do not exist yet.
  func keys(_ console: Console) throws(PackError) -> InfoPlistFragment? {
    switch app.kind {
    case .appleHosted: return InfoPlistFragment(ofAppleHostedAppInGroup: app.appGroupID)
    case .unmanaged: return nil
    case .selfHosted: break
    }
    let outcome = "No keys were computed"
    guard manifests.project.place != nil,
      let published = try? ProjectPublication(manifests, packs: [], console, otherwise: outcome),
      let urls = try? published.urls(urls)
    else { return nil }
    let platforms = published.platforms
    return try InfoPlistFragment(
      reading: published.packs, for: platform ?? (platforms.count == 1 ? platforms.first : nil),
      at: urls, headroom: headroom, app: app, memory: memory, console, otherwise: outcome)
  }
}

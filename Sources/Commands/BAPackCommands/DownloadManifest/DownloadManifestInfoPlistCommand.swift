import Arguments
import BAPackKit
import SourceDiagnostics

/// `download-manifest info-plist`: prints the Info.plist keys of an app.
struct DownloadManifestInfoPlistCommand: Subcommand {
  private typealias Shared = PublicationOptions
  private typealias Own = InfoPlistOptions
  private static let archives = ArgumentList(
    "pack", .file("aar"), isRequired: false, elsewhere: ProjectOptions.hint,
    triedAs: ManifestOptions.inputGuesses,
    "The asset packs (default: the packs of the project).",
    details: "They are not needed with '--hosting apple'.")
  private static let unmanaged = Flag(
    "unmanaged", "Print keys for an app with a downloader extension.")

  static let definition = Command(
    "info-plist", overview: "Print the Info.plist keys of an app.",
    discussion: [
      """
      Give all packs of a platform. The total sizes of essential and of prefetched packs, \
      downloaded and unpacked, become the declared sizes, which limit downloads before the first \
      launch. On-demand packs do not count. The host of the URLs becomes the list of allowed \
      domains.
      """,
      """
      The project file provides missing options: the packs, the form of URLs, and the platform if \
      there is a manifest for only one.
      """,
      """
      With '--hosting apple', prints the keys of an app whose packs Apple hosts. They do not \
      depend on the packs.
      """,
      "With '--format json', prints the same keys as one object.",
    ],
    [archives] + ProjectOptions.all + Shared.platforms + [
      Own.hosting, Own.headroom, Own.manifestURL, Own.appGroupID, unmanaged, Shared.baseURL,
      Shared.urlTemplate, Shared.allowHTTP, ReportFormat.option, MemoryOption.option,
    ],
    exclusive: [Shared.platforms, ProjectOptions.exclusive, [Own.hosting, unmanaged]],
    examples: [
      Term("ba-package download-manifest info-plist --ios", "Print the keys of the project."),
      Term(
        """
        ba-package download-manifest info-plist Packs/*.aar --headroom 20% --download-base-url \
        https://downloads.example.com/packs
        """, "Print the keys with a margin for larger packs."),
      Term(
        "ba-package download-manifest info-plist --hosting apple --app-group-id "
          + "group.com.example.game", "Print the keys of an app with packs that Apple hosts."),
    ],
    topics: ["project-file"])

  private let input: ManifestOptions
  private let paths: [String]
  private let platform: Platform?
  private let headroom: Headroom
  private let urls: PackURLs?
  private let app: InfoPlistFragment.App
  private let memory: UInt64
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments[Self.archives]
    let isAppleHosted = arguments[Own.hosting] == .apple
    if isAppleHosted { try Own.checkAppleHosting(arguments) }
    input = ManifestOptions(arguments, operands: paths)
    platform = Shared.platform(arguments)
    headroom = arguments[Own.headroom]
    urls = try Shared.urls(arguments)
    if paths.isEmpty, input.project.place == nil, !isAppleHosted {
      throw UsageError("Missing expected argument '<pack> ...'", hint: ProjectOptions.hint)
    }
    guard urls != nil || input.project.place != nil || isAppleHosted else {
      throw UsageError(
        "Missing URL of the packs",
        hint: "use '--download-base-url <url>' or '--url-template <template>'; "
          + ProjectOptions.hint(key: "selfHosting"))
    }
    app = try Own.app(
      arguments,
      kind: isAppleHosted ? .appleHosted : arguments[Self.unmanaged] ? .unmanaged : .selfHosted)
    memory = UInt64(arguments[MemoryOption.option])
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    if app.kind == .appleHosted {
      Own.write(InfoPlistFragment(ofAppleHostedAppInGroup: app.appGroupID), as: format, console)
      return .done
    }
    if let urls, !paths.isEmpty {
      guard let packs = try PackOperands.resolved(input, console, otherwise: Self.outcome) else {
        return .failed
      }
      return try write(packs, for: platform, at: urls, console)
    }
    guard
      let project = try ProjectPublication(
        input, packs: paths, console, otherwise: Self.outcome)
    else { return .failed }
    let urls = try project.urls(urls)
    let platforms = project.platforms
    return try write(
      project.packs, for: platform ?? (platforms.count == 1 ? platforms.first : nil), at: urls,
      console)
  }

  private static let outcome = "No keys were computed"

  private func write(
    _ paths: [String], for platform: Platform?, at urls: PackURLs, _ console: Console
  ) throws(PackError) -> ExitStatus {
    guard
      let fragment = try InfoPlistFragment(
        reading: paths, for: platform, at: urls, headroom: headroom, app: app, memory: memory,
        console, otherwise: Self.outcome)
    else { return .failed }
    Own.write(fragment, as: format, console)
    return .done
  }
}

extension InfoPlistFragment {
  /// Computes the keys from archives; nil after errors, which have been reported.
  init?(
    reading paths: [String], for platform: Platform?, at urls: PackURLs, headroom: Headroom,
    app: App, memory: UInt64, _ console: Console, otherwise outcome: String
  ) throws(PackError) {
    var (archives, findings) = try [PublishedArchive].read(paths, memory: memory, console.work)
    findings.add(contentsOf: archives.findingsAboutIDs)
    guard !findings.hasErrors else {
      console.report(findings, as: .text)
      _ = console.reportFailure(outcome, findings)
      return nil
    }
    self.init(
      for: try archives.filter(for: platform, console), on: platform, at: urls, headroom: headroom,
      app: app)
  }
}

extension [PublishedArchive] {
  /// Returns the packs for the platform; without a platform, all packs must have one in common.
  fileprivate func filter(
    for platform: Platform?, _ console: Console
  ) throws(PackError) -> [PublishedArchive] {
    guard let platform else {
      let isCommon = Platform.allCases.contains { platform in
        allSatisfy { $0.isOffered(for: platform) }
      }
      guard isCommon else {
        throw PackError(
          .ambiguous, "the packs have no platform in common",
          remedy: "select one with --platform; each platform has a separate Info.plist")
      }
      return self
    }
    let meant = filter { $0.isOffered(for: platform) }
    for archive in self where !archive.isOffered(for: platform) {
      console.summary("'\(archive.path)' is not for \(platform.rawValue) and is ignored.")
    }
    guard !meant.isEmpty else {
      throw PackError(
        .wrongPlatform, "no pack is for \(platform.rawValue)",
        remedy: "specify packs for that platform, or another platform")
    }
    return meant
  }
}

import SystemIO

/// The settings of a project file: the packs of an app, and the settings for packing, checks and
/// delivery.
package struct ProjectSettings: Sendable, Equatable {
  /// The name of the project; the name of its folder if nil.
  package var name: String?
  /// The manifests: paths of files or folders, or patterns.
  package var packs: [String] = []
  /// The host of the packs.
  package var hosting: Hosting?
  /// The output folder.
  package var output: String?
  /// The folder or archive with the files of manifests without a source root.
  package var sourceRoot: String?
  /// The codec of the blocks.
  package var compression: PackSettings.Compression?
  /// The compression effort.
  package var level: PackSettings.Effort?
  /// The number of threads for compression.
  package var threads: Int?
  /// The cache of encoded blocks.
  package var cache = Cache()
  /// The size limits of packs and updates.
  package var budgets: [Budget]?
  /// The levels of findings.
  package var findings: [FindingSetting]?
  /// The language that devices use if their language is not available.
  package var primaryLanguage: LanguageTag?
  /// The settings of a self-hosted app.
  package var selfHosting = SelfHosting()
  /// The app in App Store Connect.
  package var appStore = AppStore()
  /// The packs to compare with.
  package var baseline: Baseline?

  /// Creates settings without values.
  package init() {}

  /// The packs of an earlier release, or a report about them.
  package struct Baseline: Sendable, Equatable {
    /// The path of the packs or the report.
    package var path: String
    /// Whether the packs may be missing, for example before the first release.
    package var isOptional = false
  }

  /// The cache of encoded blocks.
  package struct Cache: Sendable, Equatable {
    /// Whether a cache is used, even without other settings.
    package var isEnabled = false
    /// The folder of the cache, below the project; the user's default folder if nil.
    package var folder: String?
    /// The size limit in bytes.
    package var limit: UInt64?
    /// The address of a shared cache.
    package var remote: String?
  }

  /// The server of the packs, and the download manifests.
  package struct SelfHosting: Sendable, Equatable {
    /// The base URL of the packs.
    package var baseURL: String?
    /// The template of the addresses.
    package var urlTemplate: String?
    /// The download manifest of each platform.
    package var manifests: [Platform: String]?
  }

  /// The app in App Store Connect, without API keys.
  package struct AppStore: Sendable, Equatable {
    /// The app's Apple ID or bundle ID.
    package var app: String?
  }
}

extension ProjectSettings.Baseline {
  /// Whether the path is a nonempty file, a folder with packs, manifests or other JSON files, which
  /// may be reports, or a pattern with matches.
  package var exists: Bool {
    if let matching = MatchingFiles(path) { return !matching.paths.isEmpty }
    guard let status = try? FileStatus(ofFileAt: path) else { return false }
    guard status.kind == .directory else { return status.kind != .file || status.size > 0 }
    do throws(Failure) {
      guard try ArchiveSearch.archives(in: path).isEmpty else { return true }
      let found = try ManifestFolder(path)
      return !found.manifests.isEmpty || !found.others.isEmpty
    } catch {
      // Reading it reports the reason.
      return true
    }
  }
}

extension ProjectSettings {
  /// Returns the settings with paths relative to the current folder.
  func starting(at folder: String) -> ProjectSettings {
    func path(_ path: String) -> String { ProjectPlace.path(path, in: folder) }
    var settings = self
    settings.packs = packs.map { ProjectPlace.pattern($0, in: folder) }
    settings.output = output.map(path)
    settings.sourceRoot = sourceRoot.map(path)
    settings.cache.folder = cache.folder.map(path)
    settings.selfHosting.manifests = selfHosting.manifests?.mapValues(path)
    if let former = baseline { settings.baseline?.path = path(former.path) }
    return settings
  }
}

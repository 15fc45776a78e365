import SystemIO

/// What a project file says: which packs an app has, and how they are made, checked and delivered.
package struct ProjectSettings: Sendable, Equatable {
  /// What the project is called; its folder's name if it is not said.
  package var name: String?
  /// The manifests: paths of files or folders, or patterns.
  package var packs: [String] = []
  /// Who hosts the packs.
  package var hosting: Hosting?
  /// The folder that packs are written to.
  package var output: String?
  /// The folder or archive that selectors start from where a manifest names none.
  package var sourceRoot: String?
  /// The codec of the blocks.
  package var compression: PackSettings.Compression?
  /// How hard the encoder tries.
  package var level: PackSettings.Effort?
  /// How many threads compress.
  package var threads: Int?
  /// What is kept for the next run.
  package var cache = Cache()
  /// How large packs and updates may become.
  package var budgets: [Budget]?
  /// The language that devices get when their own is not available.
  package var primaryLanguage: LanguageTag?
  /// The server of one's own.
  package var selfHosting = SelfHosting()
  /// The app in App Store Connect.
  package var appStore = AppStore()
  /// What new packs are compared with.
  package var baseline: Baseline?

  /// Makes settings that say nothing.
  package init() {}

  /// The packs of a former release, or a report about them.
  package struct Baseline: Sendable, Equatable {
    /// Where they are.
    package var path: String
    /// Whether they may be missing: before the first release nothing was released.
    package var isOptional = false
  }

  /// Where encoded blocks are kept.
  package struct Cache: Sendable, Equatable {
    /// Whether there is one, even if nothing else is said of it.
    package var isWanted = false
    /// A folder below the project; the usual one of each person if it is not said.
    package var folder: String?
    /// How many bytes it may take.
    package var limit: UInt64?
    /// The address of one that machines share.
    package var remote: String?
  }

  /// Where packs are served from, and what tells devices about them.
  package struct SelfHosting: Sendable, Equatable {
    /// The address that packs are served below.
    package var baseURL: String?
    /// Another form of address.
    package var urlTemplate: String?
    /// The download manifest of each platform.
    package var manifests: [Platform: String]?
  }

  /// Which app in App Store Connect the packs are for: no key, and no server.
  package struct AppStore: Sendable, Equatable {
    /// Its Apple ID or its bundle ID.
    package var app: String?
  }
}

extension ProjectSettings.Baseline {
  /// Whether there is a file that is not empty, a folder with packs or manifests, or what a pattern
  /// matches.
  package var isThere: Bool {
    if let matching = MatchingFiles(path) { return !matching.paths.isEmpty }
    guard let status = try? FileStatus(ofFileAt: path) else { return false }
    guard status.kind == .directory else { return status.kind != .file || status.size > 0 }
    do throws(Failure) {
      guard try ArchiveSearch.archives(in: path).isEmpty else { return true }
      return try !ManifestFolder(path).manifests.isEmpty
    } catch {
      // Reading it reports the reason.
      return true
    }
  }
}

extension ProjectSettings {
  /// The same settings with the paths in them as they are seen from where the program runs.
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

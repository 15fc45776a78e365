import Arguments
import BAPackKit

/// What a project file says of download manifests, for a command that was told nothing else.
struct ProjectPublication: Sendable {
  /// The manifests that are meant, in the order of the platforms.
  private(set) var manifests: [(platform: Platform, path: String)]
  /// The project's packs.
  let packs: [String]
  /// The folder that they are in.
  let folder: String?
  /// How their addresses are made; nil if the project does not say it.
  let urls: PackURLs?

  /// Reads the project file; nil after errors, which have been reported.
  ///
  /// With a platform only its manifest is meant; an output is written instead of the project's.
  init?(
    _ input: ManifestInput, packs given: [String], _ platform: Platform?, output: String? = nil,
    _ console: Console, otherwise nothing: String
  ) throws(PackError) {
    guard let input = try input.opened(console, otherwise: nothing) else { return nil }
    urls = try input.run.urls()
    if given.isEmpty {
      guard let outputs = try ProjectOutputs(input, console, otherwise: nothing) else {
        return nil
      }
      try outputs.checkMade()
      (packs, folder) = (outputs.paths, outputs.folder)
    } else {
      (packs, folder) = (given, nil)
    }
    if let platform, let output {
      manifests = [(platform, output)]
      return
    }
    let paths = input.run.settings[\.selfHosting.manifests]?.value ?? [:]
    manifests = Platform.allCases.compactMap { other in
      guard platform == nil || platform == other else { return nil }
      return paths[other].map { (other, $0) }
    }
    guard !manifests.isEmpty else {
      let key = ProjectSettings.key(of: \.selfHosting.manifests)
      throw PackError(
        .missing,
        "the project file names no download manifest"
          + (platform.map { " for \($0.rawValue)" } ?? ""),
        remedies: [.advice("say it there, with '\(key)'"), "name the manifest"])
    }
    guard let output else {
      for manifest in manifests { try input.run.document?.place.checkInside(manifest.path) }
      return
    }
    guard manifests.count == 1 else {
      throw PackError(
        .ambiguous, "the project has several download manifests, and one output was named",
        remedy: "name the platform, too: --ios, --macos, --tvos or --visionos")
    }
    manifests[0].path = output
  }
}

extension ProjectRun {
  /// How the addresses of packs are made; nil if the project does not say it.
  func urls() throws(PackError) -> PackURLs? {
    let base = settings[\.selfHosting.baseURL]?.value
    let template = settings[\.selfHosting.urlTemplate]?.value
    return base == nil && template == nil ? nil : try PackURLs(base: base, template: template)
  }
}

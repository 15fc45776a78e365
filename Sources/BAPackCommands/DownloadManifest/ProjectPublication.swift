import Arguments
import BAPackKit

/// What a project file says of download manifests, for a command that was told nothing else.
struct ProjectPublication: Sendable {
  /// The project's packs, or those that were given.
  let packs: [String]
  /// The folder that the project's packs are in.
  let folder: String?
  /// How their addresses are made; nil if the project does not say it.
  let urls: PackURLs?
  private let run: ProjectRun

  /// Reads the project file; nil after errors, which have been reported.
  init?(
    _ input: ManifestInput, packs given: [String], _ console: Console, otherwise nothing: String
  ) throws(PackError) {
    guard let input = try input.opened(console, otherwise: nothing) else { return nil }
    run = input.run
    urls = try input.run.urls()
    guard given.isEmpty else {
      (packs, folder) = (given, nil)
      return
    }
    guard let outputs = try ProjectOutputs(input, console, otherwise: nothing) else { return nil }
    try outputs.checkMade()
    (packs, folder) = (outputs.paths, outputs.folder)
  }

  /// How the addresses of packs are made: as was given, else as the project says.
  func urls(_ given: PackURLs?) throws(PackError) -> PackURLs {
    guard let urls = given ?? urls else {
      let key = ProjectSettings.key(of: \.selfHosting.baseURL)
      throw PackError(
        .missing, "nothing says where the packs are served",
        remedies: [.nameAddresses, .advice("say it in the project file, with '\(key)'")])
    }
    return urls
  }

  /// The platforms that the project has download manifests for.
  var platforms: [Platform] {
    let paths = run.settings[\.selfHosting.manifests]?.value ?? [:]
    return Platform.allCases.filter { paths[$0] != nil }
  }

  /// The manifests that are meant, in the order of the platforms.
  ///
  /// With a platform only its manifest is meant; an output is written instead of the project's.
  func manifests(
    for platform: Platform?, output: String? = nil
  ) throws(PackError) -> [(platform: Platform, path: String)] {
    if let platform, let output { return [(platform, output)] }
    let paths = run.settings[\.selfHosting.manifests]?.value ?? [:]
    let manifests = Platform.allCases.compactMap { other in
      platform == nil || platform == other ? paths[other].map { (platform: other, path: $0) } : nil
    }
    guard let first = manifests.first else {
      let key = ProjectSettings.key(of: \.selfHosting.manifests)
      throw PackError(
        .missing,
        "the project file names no download manifest"
          + (platform.map { " for \($0.rawValue)" } ?? ""),
        remedies: [.advice("say it there, with '\(key)'"), "name the manifest"])
    }
    guard let output else {
      for manifest in manifests { try run.document?.place.checkInside(manifest.path) }
      return manifests
    }
    guard manifests.count == 1 else {
      throw PackError(
        .ambiguous, "the project has several download manifests, and one output was named",
        remedy: "name the platform, too: --ios, --macos, --tvos or --visionos")
    }
    return [(first.platform, output)]
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

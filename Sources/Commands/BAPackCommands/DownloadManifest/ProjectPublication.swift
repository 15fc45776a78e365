import Arguments
import BAPackKit

/// The settings of a project file for download manifests, used by commands without operands.
struct ProjectPublication: Sendable {
  /// The project's packs, or the given ones.
  let packs: [String]
  /// The folder of the project's packs.
  let folder: String?
  /// The form of the URLs of packs; nil if the project does not specify it.
  let urls: PackURLs?
  private let run: ProjectRun

  /// Reads the project file; nil after errors, which have been reported.
  init?(
    _ input: ManifestOptions, packs given: [String], _ console: Console, otherwise outcome: String
  ) throws(PackError) {
    guard let input = try input.opened(console, otherwise: outcome) else { return nil }
    run = input.run
    urls = try input.run.urls()
    guard given.isEmpty else {
      packs = try PackOperands(input, for: given, console).resolve(given)
      folder = nil
      return
    }
    guard let outputs = try ProjectOutputs(input, console, otherwise: outcome) else { return nil }
    try outputs.checkMade()
    (packs, folder) = (outputs.paths, outputs.folder)
  }

  /// Returns the form of the URLs of packs: that of the options, otherwise that of the project.
  func urls(_ given: PackURLs?) throws(PackError) -> PackURLs {
    guard let urls = given ?? urls else {
      let key = ProjectSettings.key(of: \.selfHosting.baseURL)
      throw PackError(
        .missing, "the URL of the packs is not specified",
        remedies: [
          .argument(Remedy.specifyAddresses.phrase), .advice("add '\(key)' to the project file"),
        ])
    }
    return urls
  }

  /// The platforms of the project's download manifests.
  var platforms: [Platform] {
    let paths = run.settings[\.selfHosting.manifests]?.value ?? [:]
    return Platform.allCases.filter { paths[$0] != nil }
  }

  /// Returns the selected manifests, in the order of the platforms.
  ///
  /// With a platform only its manifest is selected. An output replaces the path in the project
  /// file.
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
        "the project file has no download manifest"
          + (platform.map { " for \($0.rawValue)" } ?? ""),
        remedies: [
          .advice("add '\(key)' to the project file"), .argument("specify the manifest"),
        ])
    }
    guard let output else {
      for manifest in manifests { try run.document?.place.checkInside(manifest.path) }
      return manifests
    }
    guard manifests.count == 1 else {
      throw PackError(
        .ambiguous, "the project has several download manifests, but one output was specified",
        remedy: "specify the platform: --ios, --macos, --tvos or --visionos")
    }
    return [(first.platform, output)]
  }
}

extension ProjectRun {
  /// Returns the form of the URLs of packs; nil if the project does not specify it.
  func urls() throws(PackError) -> PackURLs? {
    let base = settings[\.selfHosting.baseURL]?.value
    let template = settings[\.selfHosting.urlTemplate]?.value
    return base == nil && template == nil ? nil : try PackURLs(base: base, template: template)
  }
}

extension PackError.Kind {
  /// The item is for a platform other than the requested one.
  static let wrongPlatform = Self("wrong-platform")
}

package import BAPackKit
package import SystemIO

/// The places of the files that a proposal becomes.
package struct ProjectLayout: Sendable {
  package var projectFolder: FilePath
  /// The folder of the manifests, relative to the project: `Packs`.
  package var packsFolder: FilePath
  /// The source root, relative to the project: `.` or `Assets`.
  package var sourceRoot: FilePath
  /// The path of the scenario, relative to the project.
  package var scenario: FilePath = "Scenarios/first-launch.scenario"
  /// The path of the scenario for the oldest system.
  package var scenarioOfOldestSystem: FilePath {
    scenario.folder.appending("oldest-system.scenario" as FileName)
  }
  /// The folder of the packs, relative to the project: `build/packs`.
  package var output: FilePath
  /// Whether `.gitignore` gets the outer folder of the packs, such as `build`.
  package var ignoresOuterFolder = true
  /// The host of the packs.
  package var hosting: Hosting?

  package init(
    projectFolder: FilePath, packsFolder: FilePath = "Packs", sourceRoot: FilePath = ".",
    output: FilePath = "build/packs", hosting: Hosting? = .apple
  ) {
    self.projectFolder = projectFolder
    self.packsFolder = packsFolder
    self.sourceRoot = sourceRoot
    self.output = output
    self.hosting = hosting
  }

  /// The source root relative to the folder of the manifests: `../Assets`.
  var sourceRootOfManifests: FilePath {
    let (from, to) = (packsFolder.components, sourceRoot.components)
    let common = zip(from, to).prefix { $0 == $1 }.count
    let up = [FileName](repeating: "..", count: from.count - common)
    let path = FilePath(joining: up + to.dropFirst(common))
    return path.bytes.isEmpty ? "." : path
  }

  /// The path of a manifest relative to the project.
  func manifest(of id: String) -> FilePath {
    packsFolder.normalized.appending(FileName(id + ".json"))
  }

  /// The entries of the project's 'packs': a pattern, but in the folder of the project itself the
  /// files, because other JSON files may be there.
  func entries(for ids: [String]) -> [String] {
    let folder = packsFolder.components
    guard !folder.isEmpty else { return ids.map { "./" + $0 + ".json" } }
    return [FilePath(joining: folder.map(NamePattern.escaped) + ["*.json"]).text]
  }

  /// The line for the output folder in a `.gitignore`.
  var ignoreLine: String {
    let names = (ignoresOuterFolder ? outerFolder : output).components
    return "/" + FilePath(joining: names.map(NamePattern.escaped)).text + "/"
  }

  /// The folder `build` if the packs are in it, otherwise the folder of the packs.
  package var outerFolder: FilePath {
    let names = output.components
    return names.first == "build" ? FilePath(joining: names.prefix(1)) : output
  }
}

package import BAPackKit
package import SystemIO

/// The places of the files that a proposal becomes.
package struct ProjectLayout: Sendable {
  /// The folder of the project file.
  package var projectFolder: FilePath
  /// The folder of the manifests, relative to the project: `Packs`.
  package var packsFolder: FilePath
  /// The source root, relative to the project: `.` or `Assets`.
  package var sourceRoot: FilePath
  /// The folder of the packs, relative to the project: `build/packs`.
  package var output: FilePath
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

  /// The line for the output folder in a `.gitignore`; `build` is ignored as a whole.
  var ignoreLine: String {
    let names = output.components
    let folder = names.first == "build" ? Array(names.prefix(1)) : names
    return "/" + FilePath(joining: folder.map(NamePattern.escaped)).text + "/"
  }
}

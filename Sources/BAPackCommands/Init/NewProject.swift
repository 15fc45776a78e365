import BAPackKit
import Glibc
import Proposing
import SystemIO

/// The folder that is inspected, and the folder of the new project.
struct NewProject: Sendable {
  /// The folder that is inspected, relative to the current folder.
  let inspected: FilePath
  /// The folder of the project file, relative to the current folder.
  private let folder: FilePath
  /// The path of the inspected folder in the project; empty for the project's folder.
  private let inner: FilePath

  /// The usual names of folders that contain only assets.
  private static let assetFolders: Set = [
    "assets", "resources", "res", "data", "content", "media", "streamingassets",
  ]

  /// Chooses the folders; nil is the current folder.
  init(_ given: String?) throws(PackError) {
    inspected = given.map { FilePath($0) } ?? "."
    do throws(Failure) {
      let status = try FileStatus(ofFileAt: inspected.text)
      guard status.kind == .directory else {
        throw Failure(.open, inspected.text, code: ENOTDIR)
      }
    } catch {
      throw PackError(error, remedy: "specify the folder of the project or of its assets")
    }
    let names = inspected.components
    let name = String(decoding: inspected.name.bytes, as: UTF8.self).lowercased()
    let isInner =
      !inspected.isAbsolute && !names.isEmpty && !names.contains("..")
      && Self.assetFolders.contains(name) && Self.is(inspected, below: ".")
    folder = isInner || names.isEmpty && !inspected.isAbsolute ? "." : inspected
    inner = isInner ? FilePath(joining: names) : ""
  }

  /// Returns whether a folder is the other one, or below it.
  private static func `is`(_ folder: FilePath, below other: FilePath) -> Bool {
    guard let path = try? realPath(of: folder.text), let top = try? realPath(of: other.text) else {
      return false
    }
    return FilePath(path).components.starts(with: FilePath(top).components)
  }
}

// MARK: - Existing files

extension NewProject {
  /// Throws if the files of the folder already belong to a project.
  func checkIsNew(_ console: Console) throws(PackError) {
    guard let place = ProjectPlace(from: folder.text) else { return }
    let own = folder.appending(ProjectPlace.fileName).text
    let isOwn = place.path == own
    if !isOwn {
      let document = try ProjectDocument(
        reading: place, as: console.projectOwner, console.work)
      let root =
        document.settings?.sourceRoot
        .map { ProjectPlace.path($0, in: place.folder) } ?? place.folder
      guard Self.is(inspected, below: FilePath(root)) else { return }
    }
    throw PackError(
      .exists,
      "'\(place.path)' already exists"
        + (isOwn ? "" : ", and contains the packs of '\(inspected)'"),
      remedy: "'ba-package init --add' adds files that no pack contains")
  }

  /// Throws if a file of the proposal exists, or would be written outside of the project.
  func checkIsNew(_ files: ProposedFiles, in layout: ProjectLayout) throws(PackError) {
    let place = ProjectPlace(
      named: layout.projectFolder.appending(ProjectPlace.fileName).text)
    let paths = files.paths.map { layout.projectFolder.appending($0) }
    for folder in Set(paths.map(\.folder)) { try place.checkInside(folder.text) }
    let existing = paths.filter { (try? FileStatus(ofLinkAt: $0.text)) != nil }
    guard let first = existing.first else { return }
    let more = existing.count > 1 ? " (and \(existing.count - 1) more)" : ""
    let isManifest = first.folder == layout.projectFolder.appending(layout.packsFolder)
    throw PackError(
      .exists, "'\(first)' already exists\(more)",
      remedies: ["rename or remove it"]
        + (isManifest ? ["write the manifests to another folder with --packs-dir"] : []))
  }
}

// MARK: - The layout

extension NewProject {
  /// The output of `pack`, relative to the project.
  private static let output: FilePath = "build/packs"

  /// Returns the folder of the assets; `assets` is relative to the inspected folder.
  func folder(ofAssets assets: FilePath) -> FilePath {
    assets.components.isEmpty ? inspected : inspected.appending(assets)
  }

  /// Returns the folders of the project; `assets` is relative to the inspected folder.
  func layout(
    assets: FilePath, packsFolder: FilePath, hosting: Hosting?
  ) throws(PackError) -> ProjectLayout {
    let root = FilePath(joining: inner.components + assets.components)
    guard root != packsFolder else {
      throw PackError(
        .conflict, "'\(root)' is the folder of the assets, and cannot contain the manifests",
        remedy: "specify another folder with --packs-dir")
    }
    return ProjectLayout(
      projectFolder: folder, packsFolder: packsFolder,
      sourceRoot: root.bytes.isEmpty ? "." : root, output: Self.output, hosting: hosting)
  }
}

extension ProjectLayout {
  /// The folder of the scenario, relative to the project.
  private static let scenarios: FilePath = "Scenarios"

  /// The paths below the source root that belong to the project.
  var ownPaths: [String] {
    let root = sourceRoot.components
    let outputs = output.components.prefix(1).map { FilePath($0.bytes) }
    let file = FilePath(ProjectPlace.fileName.bytes)
    return ([packsFolder, Self.scenarios, file] + outputs).compactMap { path in
      let names = path.components
      guard names.count > root.count, names.starts(with: root) else { return nil }
      return FilePath(joining: names.dropFirst(root.count)).text
    }
  }
}

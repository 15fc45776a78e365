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

  /// Throws if a file of the proposal cannot be written, for example because it exists.
  ///
  /// - Returns: The paths that would be written, relative to the project.
  func checkIsNew(
    _ files: ProposedFiles, in layout: ProjectLayout
  ) throws(PackError) -> [FilePath] {
    let existing = files.paths.map { layout.projectFolder.appending($0) }
      .filter { (try? FileStatus(ofLinkAt: $0.text)) != nil }
    guard let first = existing.first else { return try files.check(in: layout.projectFolder) }
    let more = existing.count > 1 ? " (and \(existing.count - 1) more)" : ""
    let isManifest = first.folder == layout.projectFolder.appending(layout.packsFolder)
    throw PackError(
      .exists, "'\(first)' already exists\(more)",
      remedies: ["rename or remove it"] + (isManifest ? [.specifyAnotherManifestFolder] : []))
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

  /// Returns the places of the project's files.
  ///
  /// - Parameters:
  ///   - assets: The folder of the assets, relative to the inspected folder.
  ///   - packsFolder: The folder of the manifests; nil for a usual folder that is free.
  func layout(
    assets: FilePath, packsFolder: FilePath?, hosting: Hosting?
  ) throws(PackError) -> ProjectLayout {
    let root = FilePath(joining: inner.components + assets.components)
    var layout = ProjectLayout(
      projectFolder: folder, sourceRoot: root.bytes.isEmpty ? "." : root, output: Self.output,
      hosting: hosting)
    layout.packsFolder =
      packsFolder ?? Self.packsFolders.first { obstacle(in: $0, allowing: ".json") == nil }
      ?? Self.packsFolders[0]
    try check(layout)
    if obstacle(in: layout.scenario.folder, allowing: ".scenario") != nil {
      layout.scenario = layout.packsFolder.appending(layout.scenario.name)
    }
    layout.ignoresOuterFolder = obstacle(in: layout.outerFolder) == nil
    return layout
  }

  /// The usual folders of manifests, relative to the project.
  private static let packsFolders: [FilePath] = ["Packs", "AssetPacks"]

  /// Throws if the folder of the manifests has another purpose.
  private func check(_ layout: ProjectLayout) throws(PackError) {
    let names = layout.packsFolder.components
    let obstacle: String? =
      if layout.packsFolder == layout.sourceRoot {
        "it is the folder of the assets"
      } else if names.starts(with: layout.outerFolder.components) {
        "'pack' writes the packs to it, and version control ignores it"
      } else if names.contains(ProjectPlace.fileName) {
        "that is the name of the project file"
      } else {
        self.obstacle(in: layout.packsFolder, allowing: ".json")
      }
    guard let obstacle else { return }
    throw PackError(
      .conflict, "cannot write manifests to '\(layout.packsFolder)': \(obstacle)",
      remedy: .specifyAnotherManifestFolder)
  }

  /// Returns why a folder of the project cannot be one for new files only; nil if it can.
  ///
  /// It may contain names that begin with a dot, and names with the given ending.
  private func obstacle(in path: FilePath, allowing ending: String = "/") -> String? {
    var place = folder
    for name in path.components {
      place = place.appending(name)
      switch (try? FileStatus(ofLinkAt: place.text))?.kind {
      case nil: return nil
      case .directory: continue
      case .symbolicLink: return "'\(place)' is a symbolic link"
      case .some: return "'\(place)' is not a folder"
      }
    }
    guard let listing = try? FileDescriptor.open(place.text, for: .directory).list() else {
      return "'\(place)' cannot be read"
    }
    let other = listing.items.first { item in
      let name = listing.name(of: item)
      return name.first != UInt8(ascii: ".")
        && !name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
    return other.map { "it contains '\(listing.fileName(of: $0).shown)'" }
  }
}

extension ProjectLayout {
  /// The files and folders below the source root that belong to the project.
  var ownPaths: [String] {
    let file = FilePath(ProjectPlace.fileName.bytes)
    return [packsFolder, scenario, scenarioOfOldestSystem, file].compactMap(pathBelowSourceRoot)
  }

  var outputPaths: [String] { [outerFolder].compactMap(pathBelowSourceRoot) }

  private func pathBelowSourceRoot(_ path: FilePath) -> String? {
    let (names, root) = (path.components, sourceRoot.components)
    guard names.count > root.count, names.starts(with: root) else { return nil }
    return FilePath(joining: names.dropFirst(root.count)).text
  }
}

import BAPackKit
import Proposing
import SystemIO
import TestSupport
import Testing

/// Files on the disk, their tree, and a proposal for them.
struct ProposedProject: ~Copyable {
  let folder: TemporaryFolder
  /// The tree of the folder `Assets`.
  let tree: AssetTree
  var proposal = Proposal(project: FoundProject(assets: "Assets"))

  /// Creates the files in the folder `Assets`.
  init(_ files: [String: [UInt8]]) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("Assets")
    for (path, bytes) in files { try folder.makeFile("Assets/" + path, bytes) }
    tree = AssetTree(folder.filePath("Assets"), files.mapValues { UInt64($0.count) })
    self.folder = folder
  }

  var layout: ProjectLayout {
    ProjectLayout(projectFolder: FilePath(folder.path), sourceRoot: "Assets")
  }

  /// Adds a pack with the files that its selectors select.
  @discardableResult mutating func add(
    _ id: String, _ policy: DownloadPolicy = .onDemand, _ selectors: FileSelector...,
    language: LanguageTag? = nil, platforms: [Platform] = [],
    reasons: [Reason] = []
  ) -> Int {
    let manifest = Manifest(
      assetPackID: id, downloadPolicy: policy, fileSelectors: selectors, platforms: platforms,
      language: language)
    var pack = ProposedPack(manifest, reasons: reasons)
    for index in tree.files.indices where manifest.chooses(FilePath(tree.path(ofFile: index))) {
      pack.files.append(index..<index + 1)
      pack.count += 1
      pack.bytes += tree.files[index].size
    }
    proposal.packs.append(pack)
    return proposal.packs.count - 1
  }

  /// Checks the written project without findings, and packs it; returns the sizes of the archives.
  func pack(
    _ manifests: [ProposedFiles.Text], in layout: ProjectLayout, to output: String = "build/packs"
  ) async throws -> [String: UInt64] {
    let inputs = manifests.map {
      Project.Input.path(FilePath(folder.path).appending($0.path))
    }
    var project = Project(inputs, hosting: .apple)
    // The project file has the decision about older systems.
    project.policy = FindingPolicy([FindingSetting("language.systems", .note)])
    let checked = try await project.check()
    #expect(checked.report.count(.error) + checked.report.count(.warning) == 0)
    var sizes: [String: UInt64] = [:]
    for pack in try #require(checked.packs) {
      try folder.makeFolder(output)
      let made = try await pack.pack(into: folder.filePath(output))
      sizes[pack.manifest.assetPackID] = try FileStatus(ofFileAt: made.path.text).size
    }
    return sizes
  }
}

extension AssetTree {
  /// Creates a tree of paths with sizes.
  init(_ root: FilePath, _ files: [String: UInt64]) {
    self.init(root: root)
    let paths = files.keys.map { FilePath($0).components }
    add(
      paths.sorted { $0.map(\.bytes).lexicographicallyPrecedes($1.map(\.bytes)) { $0.less($1) } },
      depth: 0, to: AssetTree.rootFolder, files)
    endFolder(AssetTree.rootFolder)
  }

  private mutating func add(
    _ paths: [[FileName]], depth: Int, to folder: Int, _ files: [String: UInt64]
  ) {
    for path in paths where path.count == depth + 1 {
      let size = files[FilePath(joining: path).text] ?? 0
      addFile(named: path[depth].bytes, size: size, in: folder)
    }
    var rest = paths.filter { $0.count > depth + 1 }[...]
    while let name = rest.first?[depth] {
      let below = rest.prefix { $0[depth] == name }
      rest = rest.dropFirst(below.count)
      let child = beginFolder(named: name.bytes, in: folder)
      add(Array(below), depth: depth + 1, to: child, files)
      endFolder(child)
    }
  }
}

extension [UInt8] {
  fileprivate func less(_ other: [UInt8]) -> Bool { lexicographicallyPrecedes(other) }
}

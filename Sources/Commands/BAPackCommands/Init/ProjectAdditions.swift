import BAPackKit
import Proposing
import SourceDiagnostics
import SystemIO

/// The run of `init --add`: the files that no pack of an existing project contains.
struct ProjectAdditions {
  /// The project file.
  let place: ProjectPlace
  /// The manifests in the folder of new manifests that no entry of 'packs' selects.
  private(set) var unselected: [FilePath] = []
  private var manifests: [ManifestDocument]
  private let layout: ProjectLayout
  private let settings: ProjectSettings
  /// The text of the project file.
  private let source: SourceText

  /// The number of files above which they are not checked before the question.
  private static let mostChecked = 100_000

  /// Reads a project; nil after errors, which are reported.
  ///
  /// - Parameters:
  ///   - folder: A folder of the project; nil is the current folder.
  ///   - packsFolder: The folder of new manifests in the project; nil is the folder of the first
  ///     manifest.
  init?(
    _ folder: String?, packsFolder: FilePath?, _ console: Console
  ) throws(PackError) {
    guard let place = ProjectPlace(from: folder ?? ".") else {
      throw PackError(
        .missing, "there is no project file in '\(folder ?? ".")' or above it in the repository",
        remedy: "'ba-package init' proposes packs and writes a project file")
    }
    var document = try ProjectDocument(reading: place, as: console.projectOwner, console.work)
    document.findPacks()
    var effective = EffectiveSettings()
    effective.add(document)
    var project = Project((effective.packs?.value ?? []).map { FilePath($0) })
    project.ownFile = place.path
    let manifests = project.found().inputs.map { [project] in project.read($0, console.work) }
    // A read that was cancelled is not a finding.
    try console.work.checkCancellation()
    var findings = document.findings
    for manifest in manifests where manifest.findings.hasErrors {
      findings.add(contentsOf: manifest.findings)
    }
    guard let settings = document.settings, !findings.hasErrors else {
      console.report(findings, as: .text)
      console.finding(text: "No file was added: \(findings.tally)\n")
      return nil
    }
    self.place = place
    self.manifests = manifests
    self.settings = settings
    source = document.source
    let folders = manifests.lazy.map { FilePath($0.source.name).folder }
    let all = folders.compactMap { $0.relative(to: place) }
    // An entry of 'packs' selects a new manifest there.
    let selected = all.first { folder in
      settings.packs.contains { Additions.selects($0, folder.appending("new.json" as FileName)) }
    }
    let first =
      selected
      ?? all.first { folder in
        folder.components.isEmpty || !Self.holdsAssets(FilePath(place.folder).appending(folder))
      }
    let root = FilePath(settings.sourceRoot ?? ".").normalized
    layout = ProjectLayout(
      projectFolder: FilePath(place.folder), packsFolder: packsFolder ?? first ?? "Packs",
      sourceRoot: root.bytes.isEmpty ? "." : root,
      output: FilePath(settings.output ?? "build/packs").normalized, hosting: settings.hosting)
    findUnselected(console)
  }

  /// Returns whether a folder of manifests also contains assets: a new manifest would be an asset
  /// there.
  private static func holdsAssets(_ folder: FilePath) -> Bool {
    guard let listing = try? FileDescriptor.open(folder.text, for: .directory).list() else {
      return false
    }
    let names = LeftOutNames()
    return listing.items.contains { item in
      let name = listing.name(of: item)
      return item.kind == .file && names.rule(ofFile: name) == nil
        && ![".json", ".txt", ".scenario"].contains(where: FilePath(name).hasSuffix)
    }
  }

  /// Finds manifests next to those of the project: their files are in packs, too.
  private mutating func findUnselected(_ console: Console) {
    let names = layout.projectFolder.appending(layout.packsFolder).components
    let pattern = FilePath(joining: names.map(NamePattern.escaped) + ["*.json"]).text
    let known = Set(manifests.compactMap { try? FileStatus(ofFileAt: $0.source.name).identity })
    let own = try? FileStatus(ofFileAt: place.path).identity
    let start = layout.projectFolder.isAbsolute ? "/" : ""
    for path in MatchingFiles(start + pattern)?.manifests ?? [] {
      guard let identity = try? FileStatus(ofFileAt: path).identity, identity != own,
        !known.contains(identity),
        let document = try? ManifestDocument(reading: path, console.work),
        document.manifest != nil, !document.findings.hasErrors
      else { continue }
      manifests.append(document)
      unselected.append(FilePath(path).relative(to: place) ?? FilePath(path))
    }
  }

  /// Returns the path of a manifest relative to the project.
  func shownPath(_ path: FilePath) -> String { (path.relative(to: place) ?? path).shown }

  /// Finds the files that no pack contains, and the pack for each of them.
  func additions(
    _ options: ProposalOptions, _ console: Console
  ) throws(PackError) -> Additions {
    let root = layout.projectFolder.appending(layout.sourceRoot)
    guard (try? FileStatus(ofFileAt: root.text))?.kind == .directory else {
      throw PackError(
        .conflict, "'\(root)', the source root of the project, is not a folder",
        remedy: "unpack it, and change 'sourceRoot' in '\(place.path)'")
    }
    var options = options
    options.primaryLanguage = options.primaryLanguage ?? settings.primaryLanguage
    let platforms = manifests.compactMap(\.manifest?.platforms)
    if options.platforms.isEmpty, !platforms.contains(where: \.isEmpty) {
      // An app without packs for all platforms is for those of its packs.
      options.platforms = Platform.allCases.filter(platforms.joined().contains)
    }
    let (project, tree) = try console.showing("Searching") { work throws(PackError) in
      // The source root is known, even if the engine has no exported content.
      let project = try? FoundProject.find(at: layout.projectFolder, work)
      var tree = try AssetTree(reading: root, including: options.inclusions, work)
      try tree.measureKinds(work)
      return (project ?? FoundProject(), tree)
    }
    options.ownPaths = OwnFiles(of: place, layout, manifests).paths(in: tree)
    options.outputPaths = layout.outputPaths
    let proposal = Proposal(of: tree, in: project, options)
    var additions = try Additions(
      to: manifests, of: settings, in: layout, finding: tree, proposal,
      excluding: options.exclusions, console.work)
    try additions.takeBackErrors(
      of: settings, in: tree, checkingFiles: tree.files.count <= Self.mostChecked, console.work)
    try console.showing("Estimating sizes") { work throws(PackError) in
      try additions.raiseBudgets(of: settings, in: source, manifests, tree, work)
    }
    return additions
  }
}

extension FilePath {
  /// The path relative to the folder of a project; nil if it is not below it.
  fileprivate func relative(to place: ProjectPlace) -> FilePath? {
    let (names, outer) = (components, FilePath(place.folder).components)
    guard names.starts(with: outer) else { return nil }
    return FilePath(joining: names.dropFirst(outer.count))
  }
}

/// The files that belong to a project, also through links.
private struct OwnFiles {
  private let place: ProjectPlace
  private let layout: ProjectLayout
  private let manifests: [ManifestDocument]

  init(of place: ProjectPlace, _ layout: ProjectLayout, _ manifests: [ManifestDocument]) {
    self.place = place
    self.layout = layout
    self.manifests = manifests
  }

  /// Returns the paths of these files and folders in a tree.
  func paths(in tree: AssetTree) -> [String] {
    let packs = layout.projectFolder.appending(layout.packsFolder)
    let single = [place.path] + manifests.map(\.source.name)
    var names = layout.ownPaths
    for path in [packs.text] + single + outputs {
      if let inner = inner(path, in: tree) { names.append(inner) }
    }
    let folders = inner(packs.text, in: tree).map { [$0] } ?? []
    // A folder with manifests and assets does not belong to the project as a whole.
    let mixed = Set(folders + layout.ownPaths).filter { holdsAssets($0, in: tree) }
    return names.filter { !mixed.contains($0) } + copies(of: single, in: tree)
  }

  /// The outputs of the project.
  private var outputs: [String] {
    [layout.projectFolder.appending(layout.output).text]
  }

  /// Returns the path of a file or folder in a tree, without links; nil if it is not in the tree.
  private func inner(_ path: String, in tree: AssetTree) -> String? {
    guard let names = try? FilePath(realPath(of: path)).components,
      let root = try? FilePath(realPath(of: tree.root.text)).components,
      names.count > root.count, names.starts(with: root)
    else { return nil }
    return FilePath(joining: names.dropFirst(root.count)).text
  }

  /// Returns whether a folder of manifests contains other files.
  private func holdsAssets(_ folder: String, in tree: AssetTree) -> Bool {
    let packs = [
      inner(layout.projectFolder.appending(layout.packsFolder).text, in: tree),
      layout.ownPaths.first,
    ]
    guard packs.contains(folder) else { return false }
    let path = FilePath(folder).bytes
    guard let index = tree.folders.indices.first(where: { tree.path(ofFolder: $0) == path }) else {
      return false
    }
    return tree.allFiles(of: index).contains { file in
      let name = tree.name(ofFile: file)
      return name.first != UInt8(ascii: ".")
        && ![".json", ".scenario"].contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }
  }

  /// Returns the paths in a tree of links to files.
  private func copies(of paths: [String], in tree: AssetTree) -> [String] {
    var sizes: Set<UInt64> = []
    var identities: Set<FileIdentity> = []
    for path in paths {
      guard let status = try? FileStatus(ofFileAt: path) else { continue }
      sizes.insert(status.size)
      identities.insert(status.identity)
    }
    return tree.files.indices.compactMap { file in
      guard tree.files[file].kind == .file, sizes.contains(tree.files[file].size) else {
        return nil
      }
      let path = FilePath(tree.path(ofFile: file))
      let status = try? FileStatus(ofFileAt: tree.root.appending(path).text)
      return status.map(\.identity).map(identities.contains) == true ? path.text : nil
    }
  }
}

extension PackError {
  /// The error with remedies that `init` supports: it has no options for another project file,
  /// another output, memory or threads.
  var withOwnRemedies: PackError {
    var error = self
    var own: [Remedy] = []
    for remedy in remedies {
      switch remedy {
      case .leaveOutProject,
        _ where remedy.code == Remedy.specifyProject("").code:
        own.append("set BA_TRUST_PROJECT=1 if you trust the project file")
      case .replaceExisting: own.append("move it, or remove it")
      case .specifyAnotherOutput, .writeToAnotherDisk, .writeToOwnFolder, .writeIntoFolder:
        own.append("use a folder with write permission and free space")
      case .useFewerThreads, .useSmallerBlocks, .allowMoreMemory: continue
      default: own.append(remedy)
      }
    }
    error.remedies = own.indices.filter { !own[..<$0].contains(own[$0]) }.map { own[$0] }
    return error
  }
}

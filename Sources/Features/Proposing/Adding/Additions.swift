package import BAPackKit
package import SystemIO

/// The changes of a project that add the files that no pack has.
///
/// Selectors are added to the end of the list of a manifest, and those of files that a language had
/// instead of its own are removed; its other bytes are unchanged. Other files are in new manifests.
package struct Additions: Sendable {
  /// The change of one manifest.
  package struct Edit: Sendable {
    /// The path of the manifest.
    package var path: FilePath
    /// The text before and after the change.
    package var before, after: [UInt8]
    package var packID: String
    /// The download policy of the pack.
    package var policy: DownloadPolicy
    /// The folders and files that are added, by their paths in the source root.
    package var paths: [String]
    /// The patterns of the exclusions that are added.
    package var exclusions: [String]
    /// The files of other languages whose selectors are removed: the pack has own files instead.
    package var removed: [String]
    /// The selected files, by their indices in the tree.
    var files: [Int]
  }

  /// Files that no change concerns, for one reason.
  package struct Remainder: Sendable {
    /// The reason; for files that are left out the pattern, such as "'*-draft.png' of 'core.json'".
    package var reason: String
    /// The advice to the user; nil if there is none.
    package var remedy: String?
    /// The paths in the inspected folder.
    package var paths: [[UInt8]]
    /// Whether the user should change something.
    package var isProblem = false
  }

  /// The changes of manifests, in the order of the project.
  package internal(set) var edits: [Edit] = []
  package internal(set) var newManifests: [ProposedFiles.Text] = []
  /// The new manifests that no entry of the project's 'packs' selects.
  package internal(set) var unselected: [FilePath] = []
  /// The files that an exclusion of a manifest leaves out.
  package internal(set) var leftOut: [Remainder] = []
  /// The files that no pack can get.
  package internal(set) var notAdded: [Remainder] = []
  /// The files that packs contain, although a rule would leave them out.
  package internal(set) var packed: [Remainder] = []
  /// The budgets that the project file gets.
  package internal(set) var raisedBudgets: [RaisedBudget] = []
  /// The change of the project file; nil if no budget is raised.
  package internal(set) var projectEdit: FileChanges.Edit?
  let projectFolder: FilePath
  /// The files of each new manifest, by their indices in the tree.
  var newFiles: [[Int]] = []

  /// Whether no manifest changes.
  package var isEmpty: Bool { edits.isEmpty && newManifests.isEmpty }

  /// Finds the files that no pack has, and the pack for each of them.
  ///
  /// A file is added to the pack with the ID of its proposed pack, or to the pack of its language,
  /// or to the pack that has most files of its folder or the nearest parent folder. Otherwise it is
  /// in a new manifest. A file is not added if a device would have two files with its path.
  ///
  /// - Parameters:
  ///   - documents: The manifests of the project; their names are their paths.
  ///   - settings: The settings of the project file, with paths relative to its folder.
  ///   - layout: The places of new manifests; its source root is the inspected folder.
  ///   - tree: The inspected folder.
  ///   - proposal: A proposal for the whole folder.
  ///   - exclusions: Patterns of the user; the proposal leaves out their matches.
  /// - Throws: An error if a manifest has errors.
  package init(
    to documents: [ManifestDocument], of settings: ProjectSettings, in layout: ProjectLayout,
    finding tree: AssetTree, _ proposal: Proposal, excluding exclusions: [String] = [],
    _ work: Work
  ) throws(PackError) {
    projectFolder = layout.projectFolder
    let defaultRoot = layout.projectFolder.appending(FilePath(settings.sourceRoot ?? "."))
    let folders = FolderPaths(tree)
    var existing: [ExistingPack] = []
    for document in documents {
      existing.append(
        try ExistingPack(document, defaultRoot: defaultRoot, tree: tree, folders, work))
    }
    let packs = existing
    for index in packs.indices {
      try existing[index].findFills(among: packs, in: tree, folders, work)
    }
    let files = try NewFiles(in: tree, proposal, besides: existing, folders, work)
    let patterns = ExclusionPatterns(
      proposal, in: tree, files, besides: existing, chosen: exclusions)
    let unwanted = try UnwantedFiles(
      proposal, in: tree, patterns, besides: existing, folders, work)
    var placement = Placement(proposal, in: tree, files, besides: existing)
    for index in proposal.packs.indices {
      try work.checkCancellation()
      placement.place(pack: index)
    }
    for (index, pack) in existing.enumerated() {
      let members = placement.members[.existing(index)] ?? [:]
      let draft = SelectorDraft(of: members, in: tree, files.states, patterns, to: pack)
      try add(
        draft, unwanted.exclusions[index], members.keys.sorted(),
        replacing: pack.replacedFills(by: members, in: tree), to: pack)
    }
    for (index, pack) in proposal.packs.enumerated() {
      guard let members = placement.members[.new(index)] else { continue }
      add(
        placement.manifest(of: index, members) {
          SelectorDraft(of: members, in: tree, files.states, patterns, to: nil).selectors
        } ?? pack,
        members.keys.sorted(), documents, layout.resolved(around: tree.root), settings)
    }
    describe(files.excluded, existing, tree, layout)
    describe(exclusions, proposal, files, tree)
    describeSecondSpellings(of: proposal, files, tree)
    describe(unwanted.packed, existing, proposal, tree, layout)
    describe(placement.refused, existing, proposal, tree)
  }

  /// Adds the change of a manifest, unless there is none.
  private mutating func add(
    _ draft: SelectorDraft, _ exclusions: [FileSelector], _ files: [Int], replacing fills: [Fill],
    to pack: ExistingPack
  ) throws(PackError) {
    let selectors =
      draft.selectors + exclusions.filter { !draft.selectors.contains($0) }
    guard !selectors.isEmpty || !fills.isEmpty else { return }
    var (paths, patterns): ([String], [String]) = ([], [])
    for selector in selectors {
      if case .exclusion(let text) = selector {
        patterns.append(text)
      } else {
        paths.append(selector.path)
      }
    }
    let document = pack.document
    guard let after = document.text(adding: selectors, removing: Set(fills.map(\.selector))) else {
      throw PackError(
        .unsupported, "cannot change the selectors of '\(document.source.name)'",
        remedy: "change 'fileSelectors' yourself")
    }
    edits.append(
      Edit(
        path: FilePath(document.source.name), before: document.source.bytes, after: after,
        packID: pack.manifest.assetPackID, policy: pack.manifest.downloadPolicy, paths: paths,
        exclusions: patterns, removed: fills.map { FilePath($0.source).text }, files: files))
  }

  /// Adds a new manifest.
  private mutating func add(
    _ pack: ProposedPack, _ files: [Int], _ documents: [ManifestDocument],
    _ layout: (names: ProjectLayout, text: ProjectLayout), _ settings: ProjectSettings
  ) {
    var pack = pack
    pack.manifest.assetPackID = freeID(pack.manifest.assetPackID, besides: documents, layout.names)
    let path = layout.names.manifest(of: pack.manifest.assetPackID)
    newManifests.append(ProposedFiles.Text(path: path, bytes: pack.file(in: layout.text).bytes))
    newFiles.append(files)
    if !settings.packs.contains(where: { Self.selects($0, path) }) { unselected.append(path) }
  }

  /// Returns an ID that no pack has, and whose manifest does not exist: with a number if necessary.
  private func freeID(
    _ id: String, besides documents: [ManifestDocument], _ layout: ProjectLayout
  ) -> String {
    let ids = Set(documents.compactMap { $0.assetPackID?.lowercased() })
    func isFree(_ id: String) -> Bool {
      let path = layout.manifest(of: id)
      let place = layout.projectFolder.appending(path)
      return !ids.contains(id.lowercased()) && (try? FileStatus(ofLinkAt: place.text)) == nil
        && !newManifests.contains { $0.path == path }
    }
    if isFree(id) { return id }
    return (2...).lazy.map { "\(id)-\($0)" }.first(where: isFree) ?? id
  }

  /// Returns whether an entry of 'packs' selects a manifest: its path, its folder, or a pattern.
  package static func selects(_ entry: String, _ path: FilePath) -> Bool {
    let place = FilePath(entry.utf8).normalized
    if place == path.normalized || place == path.folder.normalized { return true }
    return Manifest(
      assetPackID: "", downloadPolicy: .onDemand, fileSelectors: [.filePattern(entry)],
      platforms: []
    ).chooses(path)
  }
}

extension Placement {
  /// Returns a proposed pack with other selectors; nil if its own selectors are right.
  fileprivate func manifest(
    of index: Int, _ members: [Int: [UInt8]], _ selectors: () -> [FileSelector]
  ) -> ProposedPack? {
    var pack = proposal.packs[index]
    let isUnchanged =
      members.count == pack.count - pack.fills.count && !unlocalized.contains(index)
      && members.allSatisfy { paths.proposedPath(of: $0) == $1 }
    if isUnchanged { return nil }
    if unlocalized.contains(index) { pack.manifest.language = nil }
    pack.manifest.fileSelectors = selectors()
    pack.selectorComments = [:]
    return pack
  }
}

extension ProjectLayout {
  /// Returns the layout, and one for the texts of manifests: the same, or without links if a link
  /// in a path would lead manifests to another source root.
  fileprivate func resolved(around root: FilePath) -> (names: ProjectLayout, text: ProjectLayout) {
    var place = projectFolder.appending(packsFolder)
    var missing: [FileName] = []
    while missing.count < 64, !place.name.bytes.isEmpty,
      (try? FileStatus(ofFileAt: place.text)) == nil
    {
      missing.insert(place.name, at: 0)
      place = place.folder
    }
    guard let top = try? realPath(of: place.text), let root = try? realPath(of: root.text) else {
      return (self, self)
    }
    let folder = FilePath(joining: FilePath(top).components + missing)
    var text = self
    text.packsFolder = folder
    text.sourceRoot = FilePath(joining: FilePath(root).components)
    let own = FilePath(joining: folder.components + sourceRootOfManifests.components)
    return (self, Self.reduced(own) == text.sourceRoot ? self : text)
  }

  /// Returns a path without `..`.
  private static func reduced(_ path: FilePath) -> FilePath {
    var names: [FileName] = []
    for name in path.components {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return FilePath(joining: names)
  }
}

// MARK: - Writing

extension Additions {
  /// Writes the new manifests, then the changed ones, and then the raised budgets.
  ///
  /// If a file cannot be written, those before it get their earlier contents again.
  ///
  /// - Throws: An error if a new manifest exists, or if a manifest was changed since it was read.
  package func write() throws(PackError) {
    try FileChanges(
      newFiles: newManifests.map {
        ProposedFiles.Text(path: projectFolder.appending($0.path), bytes: $0.bytes)
      },
      edits: edits.map { .init(path: $0.path, before: $0.before, after: $0.after) }
        + (projectEdit.map { [$0] } ?? [])
    ).write()
  }
}

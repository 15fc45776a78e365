package import BAPackKit
import Glibc
package import SystemIO

/// The changes of a project that add the files that no pack has.
///
/// Selectors are added to the end of the list of a manifest; its other bytes are unchanged. Other
/// files are in new manifests.
package struct Additions: Sendable {
  /// The change of one manifest.
  package struct Edit: Sendable {
    /// The path of the manifest.
    package var path: FilePath
    /// The text before and after the change.
    package var before, after: [UInt8]
    /// The ID of the pack.
    package var packID: String
    /// The download policy of the pack.
    package var policy: DownloadPolicy
    /// The folders and files that are added, by their paths in the source root.
    package var paths: [String]
  }

  /// The changes of manifests, in the order of the project.
  package private(set) var edits: [Edit] = []
  /// The new manifests.
  package private(set) var newManifests: [ProposedFiles.Text] = []
  /// The new manifests that no entry of the project's 'packs' selects.
  package private(set) var unselected: [FilePath] = []
  private let projectFolder: FilePath

  /// Whether every file is in a pack or left out.
  package var isEmpty: Bool { edits.isEmpty && newManifests.isEmpty }

  /// Finds the files that no pack has, and the pack for each of them.
  ///
  /// A file is added to the pack with the ID of its proposed pack, or to the pack of its language,
  /// or to the pack that has most files of its folder or the nearest parent folder. Otherwise it is
  /// in a new manifest.
  ///
  /// - Parameters:
  ///   - documents: The manifests of the project; their names are their paths.
  ///   - settings: The settings of the project file, with paths relative to its folder.
  ///   - layout: The places of new manifests; its source root is the inspected folder.
  ///   - tree: The inspected folder.
  ///   - proposal: A proposal for the whole folder.
  /// - Throws: An error if a manifest has errors.
  package init(
    to documents: [ManifestDocument], of settings: ProjectSettings, in layout: ProjectLayout,
    finding tree: AssetTree, _ proposal: Proposal, _ work: Work
  ) throws(PackError) {
    projectFolder = layout.projectFolder
    let defaultRoot = layout.projectFolder.appending(FilePath(settings.sourceRoot ?? "."))
    var existing: [ExistingPack] = []
    for document in documents {
      existing.append(try ExistingPack(document, defaultRoot: defaultRoot, tree: tree))
    }
    let files = try NewFiles(in: tree, proposal, besides: existing, work)
    var placement = Placement(proposal, in: tree, files, besides: existing)
    var added = [[FileSelector]](repeating: [], count: existing.count)
    for (index, pack) in proposal.packs.enumerated() {
      try work.checkCancellation()
      let targets = placement.targets(ofPack: index)
      for (target, members) in targets.sorted(by: { $0.value[0] < $1.value[0] }) {
        let draft = SelectorDraft(
          of: members, in: tree, files.states, as: pack.manifest.fileSelectors)
        switch target {
        case .existing(let index):
          added[index] += draft.selectors.compactMap(existing[index].own)
        case .new:
          var pack = pack
          pack.manifest.assetPackID = Self.freeID(
            pack.manifest.assetPackID, besides: documents, in: layout)
          add(pack, members.count == pack.count ? nil : draft.selectors, layout, settings)
        }
      }
    }
    for (pack, selectors) in zip(existing, added) where !selectors.isEmpty {
      edits.append(
        Edit(
          path: FilePath(pack.document.source.name), before: pack.document.source.bytes,
          after: try pack.text(adding: selectors), packID: pack.manifest.assetPackID,
          policy: pack.manifest.downloadPolicy,
          paths: selectors.filter { if case .exclusion = $0 { false } else { true } }.map(\.path)))
    }
  }

  /// Returns an ID that no pack has, and whose manifest does not exist: with a number if necessary.
  private static func freeID(
    _ id: String, besides documents: [ManifestDocument], in layout: ProjectLayout
  ) -> String {
    let ids = Set(documents.compactMap { $0.assetPackID?.lowercased() })
    func isFree(_ id: String) -> Bool {
      let path = layout.projectFolder.appending(layout.manifest(of: id))
      return !ids.contains(id.lowercased()) && (try? FileStatus(ofLinkAt: path.text)) == nil
    }
    if isFree(id) { return id }
    return (2...).lazy.map { "\(id)-\($0)" }.first(where: isFree) ?? id
  }

  /// Adds a new manifest: the proposed one, or one with other selectors.
  private mutating func add(
    _ pack: ProposedPack, _ selectors: [FileSelector]?, _ layout: ProjectLayout,
    _ settings: ProjectSettings
  ) {
    var pack = pack
    if let selectors {
      pack.manifest.fileSelectors = selectors
      pack.selectorComments = [:]
    }
    let file = pack.file(in: layout)
    newManifests.append(file)
    if !settings.packs.contains(where: { Self.selects($0, file.path) }) {
      unselected.append(file.path)
    }
  }

  /// Returns whether an entry of 'packs' selects a manifest: its path, its folder, or a pattern.
  private static func selects(_ entry: String, _ path: FilePath) -> Bool {
    let place = FilePath(entry.utf8).normalized
    if place == path.normalized || place == path.folder.normalized { return true }
    return Manifest(
      assetPackID: "", downloadPolicy: .onDemand, fileSelectors: [.filePattern(entry)],
      platforms: []
    ).chooses(path)
  }
}

// MARK: - Writing

extension Additions {
  /// Writes the new manifests, then the changed ones.
  ///
  /// If a file cannot be written, those before it get their earlier contents again.
  ///
  /// - Throws: An error if a new manifest exists, or if a manifest was changed since it was read.
  package func write() throws(PackError) {
    var undo: [() -> Void] = []
    do throws(PackError) {
      for text in newManifests {
        let path = projectFolder.appending(text.path).text
        try mapFailure(.writing) { () throws(Failure) in
          let file = try AtomicFile(path, makingFolder: true)
          try file.write(text.bytes)
          try file.publish()
        }
        undo.append { removeQuietly(path) }
      }
      for edit in edits {
        try mapFailure(.rewriting) { () throws(Failure) in
          try Self.replace(edit.before, by: edit.after, at: edit.path.text)
        }
        undo.append { try? Self.replace(edit.after, by: edit.before, at: edit.path.text) }
      }
    } catch {
      for action in undo.reversed() { action() }
      throw error
    }
  }

  private static func replace(
    _ old: [UInt8], by new: [UInt8], at path: String
  ) throws(Failure) {
    let file = try FileRewrite(path)
    guard try file.contents(atMost: ManifestDocument.readingLimit) == old else {
      throw Failure(.rewrite, path, code: ESTALE)
    }
    try file.replace(by: new)
  }
}

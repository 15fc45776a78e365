import BAPackKit
import SystemIO

// The files that no change concerns, with reasons.
extension Additions {
  private func name(of pack: ExistingPack, _ layout: ProjectLayout) -> String {
    let path = FilePath(pack.document.source.name)
    let folder = layout.projectFolder.components
    let names = path.components
    return names.starts(with: folder) && path.isAbsolute == layout.projectFolder.isAbsolute
      ? FilePath(joining: names.dropFirst(folder.count)).shown : path.shown
  }

  mutating func describe(
    _ excluded: [NewFiles.Excluded], _ existing: [ExistingPack], _ tree: AssetTree,
    _ layout: ProjectLayout
  ) {
    for group in excluded {
      let manifest = name(of: existing[group.manifest], layout)
      leftOut.append(
        Remainder(
          reason: "'\(group.exclusion.text)' of '\(manifest)'", remedy: nil,
          paths: group.files.map(tree.path(ofFile:))))
    }
  }

  /// Adds the files that a pattern of the user leaves out.
  mutating func describe(
    _ chosen: [String], _ proposal: Proposal, _ files: NewFiles, _ tree: AssetTree
  ) {
    let excluded = proposal.leftOut.first { $0.reason.rule.id == LeftOutRules.excluded.id }
    var rest = (excluded?.files ?? []).filter { files.states[$0] == .leftOut }
    for exclusion in chosen.compactMap({ ExistingExclusion($0) }) {
      let paths = rest.filter { exclusion.pattern.matchesPathOrFolder(tree.path(ofFile: $0)) }
      guard !paths.isEmpty else { continue }
      rest.removeAll(where: Set(paths).contains)
      leftOut.append(
        Remainder(
          reason: "'\(exclusion.text)'", remedy: nil, paths: paths.map(tree.path(ofFile:))))
    }
  }

  /// Adds the files of second spellings of a language or a name, which the user may not expect.
  mutating func describeSecondSpellings(
    of proposal: Proposal, _ files: NewFiles, _ tree: AssetTree
  ) {
    let remedies = [
      LeftOutRules.secondSpelling.id: "merge the folders of the language",
      LeftOutRules.similarNames.id: "rename them",
    ]
    for group in proposal.leftOut {
      guard let remedy = remedies[group.reason.rule.id] else { continue }
      let rest = group.files.filter { files.states[$0] == .leftOut }
      guard !rest.isEmpty else { continue }
      notAdded.append(
        Remainder(
          reason: group.reason.text, remedy: remedy, paths: rest.map(tree.path(ofFile:))))
    }
  }

  mutating func describe(
    _ packed: [UnwantedFiles.Packed], _ existing: [ExistingPack], _ proposal: Proposal,
    _ tree: AssetTree, _ layout: ProjectLayout
  ) {
    for group in packed {
      let manifest = name(of: existing[group.manifest], layout)
      let reason = proposal.leftOut[group.group].reason
      let isSecret = reason.rule.id == LeftOutRules.secrets.rule.id
      self.packed.append(
        Remainder(
          reason: "'\(manifest)' selects \(reason.text)",
          remedy: group.isForced
            ? "rename or move the files, or change the selectors of the manifest"
            : isSecret
              ? "move them out of the folder, or add a 'fileExclusion'"
              : "add a 'fileExclusion' if the app does not read them",
          paths: group.entries.map(tree.path(ofFile:)), isProblem: group.isForced || isSecret))
    }
  }

  mutating func describe(
    _ refused: [Placement.Refused], _ existing: [ExistingPack], _ proposal: Proposal,
    _ tree: AssetTree
  ) {
    for group in refused {
      let paths = group.files.map(tree.path(ofFile:))
      guard let rival = group.rival else {
        notAdded.append(
          Remainder(
            reason: "no manifest can contain their paths", remedy: "rename the files", paths: paths)
        )
        continue
      }
      let id =
        switch rival {
        case .existing(let index): existing[index].manifest.assetPackID
        case .new(let index): proposal.packs[index].manifest.assetPackID
        }
      notAdded.append(
        Remainder(
          reason: "the pack '\(id)' already contains files with their paths in the app",
          remedy: group.language == nil
            ? "rename the files"
            : "merge the folders of the language, or specify different languages in the manifests",
          paths: paths, isProblem: true))
    }
  }
}

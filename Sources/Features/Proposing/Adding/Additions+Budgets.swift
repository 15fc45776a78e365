package import BAPackKit
package import SourceDiagnostics
package import SystemIO

extension Additions {
  /// A budget of the project that the packs with the additions exceed, and its new limit.
  package struct RaisedBudget: Sendable {
    package let name: String
    /// The limits as texts, such as `3.4M`.
    package let before, after: String
    /// The estimated size with the additions in bytes.
    package let size: UInt64
  }

  /// Raises the budgets that the packs with the additions exceed: a quarter above the estimates.
  ///
  /// - Parameters:
  ///   - settings: The settings of the project file.
  ///   - file: The text of the project file; its name is its path.
  ///   - documents: The manifests without the additions.
  ///   - tree: The inspected folder.
  package mutating func raiseBudgets(
    of settings: ProjectSettings, in file: SourceText, _ documents: [ManifestDocument],
    _ tree: AssetTree, _ work: Work
  ) throws(PackError) {
    let budgets = (settings.budgets ?? []).filter { [.essential, .total].contains($0.subject) }
    guard !isEmpty, !budgets.isEmpty else { return }
    let costs = try packs(besides: documents, of: settings, in: tree, work).deviceCosts
    let root = JSONDocument(parsing: file).root
    guard let list = root?[ProjectSettings.key(of: \.budgets)] else { return }
    var rewrite = JSONRewrite(of: list.document)
    for budget in budgets {
      let sizes = budget.subject == .essential ? costs.map(\.beforeLaunch) : costs.map(\.total)
      guard let size = sizes.max(), budget.level(size) == .over, let node = list[budget.name],
        node.string == budget.text
      else { continue }
      let after = DownloadLimits.raised(size)
      rewrite.replace(node, by: .string(after))
      raisedBudgets.append(
        RaisedBudget(name: budget.name, before: budget.text, after: after, size: size))
    }
    if !raisedBudgets.isEmpty {
      projectEdit = FileChanges.Edit(
        path: FilePath(file.name), before: file.bytes, after: rewrite.text)
    }
  }

  /// Returns the packs of the project with the additions, and with estimated sizes.
  private func packs(
    besides documents: [ManifestDocument], of settings: ProjectSettings, in tree: AssetTree,
    _ work: Work
  ) throws(PackError) -> Proposal {
    let defaultRoot = projectFolder.appending(FilePath(settings.sourceRoot ?? "."))
    let folders = FolderPaths(tree)
    let changed = documents.map { document in
      edits.first { $0.path == FilePath(document.source.name) }
        .map { ManifestDocument(parsing: $0.after, named: document.source.name) } ?? document
    }
    let new = newManifests.map { file in
      ManifestDocument(parsing: file.bytes, named: projectFolder.appending(file.path).text)
    }
    var proposal = Proposal(project: FoundProject())
    for document in changed + new {
      let existing = try ExistingPack(
        document, defaultRoot: defaultRoot, tree: tree, folders, work)
      var pack = ProposedPack(existing.manifest, reasons: [])
      pack.files = existing.contents.entries.filter { tree.files[$0].kind == .file }
        .map { $0..<$0 + 1 }
      pack.bytes = pack.files.joined().reduce(0) { $0 + tree.files[$1].size }
      proposal.packs.append(pack)
    }
    try proposal.estimateSizes(of: tree, work)
    return proposal
  }
}

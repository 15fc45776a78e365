import Glibc
package import SourceDiagnostics
package import SystemIO

/// A manifest and the files it selects: the starting point of `validate`, `pack` and `verify`.
package struct SelectedPack: Sendable {
  package let document: ManifestDocument
  /// The source root of the files; nil if it could not be opened, which is a finding.
  package private(set) var root: SourceRoot?
  /// The files; incomplete if there are errors.
  package private(set) var selection = Selection()
  /// The excluded files, if requested.
  package private(set) var excluded: [Selection.Excluded] = []
  /// The findings about the files, by their positions in the manifest's text.
  ///
  /// Findings about the text itself are part of the document.
  package internal(set) var findings: Ledger
  /// The dependencies of the archive, if requested.
  package private(set) var dependencies: PackDependencies?
  /// The comparison with an earlier run, if requested.
  private(set) var updateCheck: UpdateCheck?

  /// Resolves the selectors of a manifest and checks the files.
  ///
  /// The source root is `listed`, or else `sourceRoot`, or else the one in the manifest, or else
  /// `defaultRoot`. The files in `outputs`, which this run will write, are never selected. Without
  /// `readingContents`, rules that open files are skipped. With `listingExcluded`, the excluded
  /// files are kept.
  package init(
    _ document: ManifestDocument, sourceRoot: String? = nil, defaultRoot: String = ".",
    in listed: SourceRoot? = nil, hosting: Hosting? = nil,
    leavingOut outputs: RunOutputs = RunOutputs([]), readingContents: Bool = true,
    listingExcluded: Bool = false, _ work: Work
  ) throws(PackError) {
    try self.init(
      document, sourceRoot: sourceRoot, defaultRoot: defaultRoot, in: listed, hosting: hosting,
      leavingOut: outputs, readingContents: readingContents,
      listingExcluded: listingExcluded, comparing: nil, work)
  }

  /// Resolves the selectors for a run that may keep existing archives.
  init(
    _ document: ManifestDocument, sourceRoot: String?, defaultRoot: String,
    in listed: SourceRoot?, hosting: Hosting?, leavingOut outputs: RunOutputs,
    readingContents: Bool = true, listingExcluded: Bool = false, comparing updating: Updating?,
    notingDependencies: Bool = false, countingFiles: Bool = false, _ work: Work
  ) throws(PackError) {
    self.document = document
    updateCheck = try document.manifest.flatMap { manifest throws(PackError) in
      try updating.map { (updating) throws(PackError) in
        try UpdateCheck(of: manifest, named: document.source.name, updating, for: hosting)
      }
    }
    findings = Ledger(about: document.source, keeping: Ledger.fileLimit)
    if listed == nil, sourceRoot == nil, let place = document.unreadSourceRoot {
      findings.add(SourceRules.sourceRoot(unreadAt: place))
      return
    }
    let rootPath = SourceRoot.path(
      for: document, given: listed?.path ?? sourceRoot, defaultRoot: defaultRoot)
    if notingDependencies { dependencies = PackDependencies(of: document, in: rootPath) }
    // Listing an archive reads all of it. An unchanged archive is listed only to count its files.
    if listed == nil, !countingFiles, !document.policy.makesErrors,
      updateCheck?.decide(fromArchiveAt: rootPath, work) ?? false
    {
      return
    }
    let root: SourceRoot
    do throws(PackError) {
      root =
        if let listed { listed } else {
          try SourceRoot(
            opening: rootPath, defaultRoot: defaultRoot,
            detecting: readingContents ? ContentChecks.kinds(for: hosting) : [], work)
        }
    } catch {
      // If the caller chose the root, the error is thrown. If the manifest names it, it is a
      // finding.
      guard error.kind != .interrupted, sourceRoot == nil, let span = document.locations.sourceRoot
      else { throw error }
      findings.add(SourceRules.sourceRoot(error, at: span, of: document))
      return
    }
    self.root = root
    let resolution = try Selection.resolve(
      document, in: root, leavingOut: outputs, listingExcluded: listingExcluded,
      notingFolders: notingDependencies, within: Selection.Bounds(), work)
    (excluded, selection) = (resolution.excluded, resolution.selection)
    findings = resolution.findings
    follow(document.policy)
    dependencies?.add(resolution, from: root)
    if findings.hasErrors { return }
    try updateCheck?.compare(resolution.selection, from: root, work)
    // Unchanged files were examined by the same rules when they were packed. Since then, the
    // project may have made their findings errors.
    let isExamined = !document.policy.makesErrors && updateCheck?.isExamined ?? false
    if readingContents && !isExamined {
      try ContentChecks.check(&self, hosting, work)
      follow(document.policy)
    }
  }

  private mutating func follow(_ policy: FindingPolicy) {
    findings.follow(policy, [document.source.name: policy])
  }

  /// Checks the packs of one app in combination, and adds findings to the packs.
  ///
  /// Checks their total size, the size of essential packs, shared paths, and differences between
  /// translations.
  package static func check(together packs: inout [SelectedPack], hosting: Hosting? = nil) {
    FilesTogetherRules.hostingLimit(&packs, hosting)
    FilesTogetherRules.essentialSize(&packs)
    FilesTogetherRules.sharedPath(&packs)
    FilesTogetherRules.localizedDifference(&packs)
  }

  /// Whether the text or the files have errors; then the pack cannot be made.
  package var hasErrors: Bool {
    !document.isValid || findings.hasErrors
  }

  /// Whether the existing archive is up to date; false if that was not checked.
  package var isUnchanged: Bool { !hasErrors && updateCheck?.isUnchanged ?? false }

  /// The findings about the text and the files.
  package var allFindings: Ledger {
    var all = document.findings
    all.add(contentsOf: findings)
    return all
  }

  /// The name of the pack in messages.
  var name: String { document.assetPackID ?? document.source.name }
}

import Glibc
package import SourceDiagnostics
package import SystemIO

/// A manifest and the files it selects: the starting point of `validate`, `pack` and `verify`.
package struct SelectedPack: Sendable {
  /// The manifest.
  package let document: ManifestDocument
  /// Where the files come from; nil if it could not be opened, which is then a finding.
  package private(set) var root: SourceRoot?
  /// The files; incomplete if there are errors.
  package private(set) var selection = Selection()
  /// What exclusions dropped, if that was asked for.
  package private(set) var excluded: [Selection.Excluded] = []
  /// What is wrong with the files, by their places in the manifest's text; the findings about the
  /// text itself stay in the document.
  package internal(set) var findings: Ledger
  /// What the archive depends on, if that was asked for.
  package private(set) var dependencies: PackDependencies?
  /// What is known of its archive from an earlier run, if that was asked for.
  private(set) var updateCheck: UpdateCheck?

  /// Resolves the selectors of a manifest and checks the files.
  ///
  /// The source root is `sourceRoot`, or else the manifest's own, or else the default. The
  /// files in `outputs`, which this run is about to write, are never selected. Without
  /// `readingContents` the rules that open files are left out; with `listingExcluded` what
  /// exclusions drop is kept.
  package init(
    _ document: ManifestDocument, sourceRoot: String? = nil, defaultRoot: String = ".",
    hosting: Hosting? = nil,
    leavingOut outputs: [String] = [], readingContents: Bool = true, listingExcluded: Bool = false,
    _ work: Work
  ) throws(PackError) {
    try self.init(
      document, sourceRoot: sourceRoot, defaultRoot: defaultRoot, hosting: hosting,
      leavingOut: outputs, readingContents: readingContents, listingExcluded: listingExcluded,
      comparing: nil, work)
  }

  /// The same for a run that may keep archives.
  init(
    _ document: ManifestDocument, sourceRoot: String?, defaultRoot: String,
    hosting: Hosting?, leavingOut outputs: [String], readingContents: Bool = true,
    listingExcluded: Bool = false, comparing updating: Updating?,
    notingDependencies: Bool = false, countingFiles: Bool = false, _ work: Work
  ) throws(PackError) {
    self.document = document
    updateCheck = try document.manifest.flatMap { manifest throws(PackError) in
      try updating.map { (updating) throws(PackError) in
        try UpdateCheck(of: manifest, named: document.source.name, updating, for: hosting)
      }
    }
    findings = Ledger(about: document.source, keeping: Ledger.fileLimit)
    if sourceRoot == nil, let place = document.unreadSourceRoot {
      findings.add(SourceRules.sourceRoot(unreadAt: place))
      return
    }
    let rootPath = SourceRoot.path(
      for: document, given: sourceRoot, defaultRoot: defaultRoot)
    if notingDependencies { dependencies = PackDependencies(of: document, in: rootPath) }
    // An archive is listed by reading all of it: not if it is as it was, unless its files are
    // counted.
    if !countingFiles, updateCheck?.isUnchanged(withArchiveAt: rootPath, work) ?? false {
      return
    }
    let root: SourceRoot
    do throws(PackError) {
      root = try SourceRoot(
        opening: rootPath, defaultRoot: defaultRoot,
        lookingFor: readingContents ? ContentChecks.signs(for: hosting) : [], work)
    } catch {
      // If the caller chose the root, an error is thrown to the caller; if the manifest names it,
      // it is a finding.
      guard error.kind != .interrupted, sourceRoot == nil, let span = document.locations.sourceRoot
      else { throw error }
      findings.add(SourceRules.sourceRoot(error, at: span))
      return
    }
    self.root = root
    let resolution = try Selection.resolve(
      document, in: root, leavingOut: outputs, listingExcluded: listingExcluded,
      notingFolders: notingDependencies, within: Selection.Bounds(), work)
    excluded = resolution.excluded
    selection = resolution.selection
    findings = resolution.findings
    dependencies?.take(resolution, from: root)
    if resolution.hasErrors { return }
    try updateCheck?.take(resolution.selection, from: root, work)
    // Files that are as they were when they were packed were examined then, by the same rules.
    if readingContents && !(updateCheck?.isExamined ?? false) {
      try ContentChecks.check(&self, hosting, work)
    }
  }

  /// Checks the packs of one app together; findings are added to the packs.
  ///
  /// It checks their total size, what of it is essential, paths that several of them share, and
  /// translations that differ.
  package static func check(together packs: inout [SelectedPack], hosting: Hosting? = nil) {
    FilesTogetherRules.hostingLimit(&packs, hosting)
    FilesTogetherRules.essentialSize(&packs)
    FilesTogetherRules.sharedPath(&packs)
    FilesTogetherRules.localizedDifference(&packs)
  }

  /// Whether there are errors in the text or in the files; then the pack cannot be made.
  package var hasErrors: Bool {
    !document.isValid || findings.hasErrors
  }

  /// Whether its archive is as it would be made; not known where nobody asked.
  package var isUnchanged: Bool { !hasErrors && updateCheck?.isUnchanged ?? false }

  /// What is wrong with the text and with the files.
  package var allFindings: Ledger {
    var all = document.findings
    all.add(contentsOf: findings)
    return all
  }

  /// The name of the pack in messages.
  var name: String { document.assetPackID ?? document.source.name }
}

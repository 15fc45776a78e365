import Glibc
public import SourceDiagnostics
import SystemIO

/// A manifest with the files it selects: what `validate`, `pack` and `verify` start from.
public struct SelectedPack: Sendable {
  /// The manifest.
  public let document: ManifestDocument
  /// Where the files come from; nil when it could not be opened, which is among the findings.
  public let root: SourceRoot?
  /// The files; not complete when there are errors.
  public let selection: Selection
  /// What exclusions dropped, when that was asked for.
  public let excluded: [Selection.Excluded]
  /// What is wrong with the files, by their places in the manifest's text; the findings about the text
  /// itself stay in the document.
  public internal(set) var findings: Ledger

  /// Resolves the selectors of a manifest and checks the files.
  ///
  /// The source root is `sourceRoot`, else the manifest's own, else the current folder. The files in
  /// `outputs`, which this run is about to write, are never selected. Without `readingContents` the
  /// rules that open files are left out; with `listingExcluded` what exclusions drop is kept.
  public init(
    _ document: ManifestDocument, sourceRoot: String? = nil, hosting: Hosting? = nil,
    leavingOut outputs: [String] = [], readingContents: Bool = true, listingExcluded: Bool = false
  ) throws(PackError) {
    try self.init(
      document, sourceRoot: sourceRoot, hosting: hosting, leavingOut: outputs,
      readingContents: readingContents, listingExcluded: listingExcluded, work: Work())
  }

  /// The same as work that somebody follows, and may end.
  init(
    _ document: ManifestDocument, sourceRoot: String?, hosting: Hosting?,
    leavingOut outputs: [String], readingContents: Bool = true, listingExcluded: Bool = false,
    work: Work
  ) throws(PackError) {
    self.document = document
    findings = Ledger(about: document.source, keeping: Ledger.fileLimit)
    if sourceRoot == nil, let place = document.unreadSourceRoot {
      root = nil
      selection = Selection()
      excluded = []
      findings.add(SourceRules.sourceRoot(unreadAt: place))
      return
    }
    let root: SourceRoot
    do throws(PackError) {
      root = try SourceRoot(
        opening: SourceRoot.path(for: document, given: sourceRoot),
        lookingFor: readingContents ? ContentChecks.signs(for: hosting) : [])
    } catch {
      // A root that the caller chose is the caller's error; one that the manifest names is a finding.
      guard sourceRoot == nil, let span = document.locations.sourceRoot else { throw error }
      self.root = nil
      selection = Selection()
      excluded = []
      findings.add(SourceRules.sourceRoot(error, at: span))
      return
    }
    self.root = root
    let resolution = try Selection.resolve(
      document, in: root, leavingOut: outputs, listingExcluded: listingExcluded,
      within: Selection.Bounds(), work: work)
    excluded = resolution.excluded
    selection = resolution.selection
    findings = resolution.findings
    if readingContents && !resolution.hasErrors { try ContentChecks.check(&self, hosting, work) }
  }

  /// Checks the packs of one app together; what is found goes to the packs.
  ///
  /// That is what they hold in all, paths that two of them share, and translations that differ.
  public static func check(together packs: inout [SelectedPack], hosting: Hosting? = nil) {
    FilesTogetherRules.hostingLimit(&packs, hosting)
    FilesTogetherRules.sharedPath(&packs)
    FilesTogetherRules.localizedDifference(&packs)
  }

  /// Whether something has to be mended before the pack can be made: in the text or in the files.
  public var hasErrors: Bool {
    !document.isValid || findings.hasErrors
  }

  /// What is wrong with the text and with the files.
  public var allFindings: Ledger {
    var all = document.findings
    all.add(contentsOf: findings)
    return all
  }

  /// The name of the pack in messages.
  var name: String { document.assetPackID ?? document.source.name }
}

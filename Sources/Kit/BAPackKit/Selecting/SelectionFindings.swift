import SourceDiagnostics
import SystemIO

/// The findings about the selectors of a manifest and the selected files.
struct SelectionFindings {
  let document: ManifestDocument
  /// The source root's path, as specified by the user.
  let rootPath: String
  /// Other folders that may contain the files, if this one contains none.
  let otherRoots: [OtherRoot]
  var ledger: Ledger
  /// The positions of errors in the text.
  private let errors: [SourceSpan]

  init(about document: ManifestDocument, rootPath: String, otherRoots: [OtherRoot]) {
    self.document = document
    self.rootPath = rootPath
    self.otherRoots = otherRoots
    ledger = Ledger(about: document.source, keeping: Ledger.fileLimit)
    errors =
      document.isValid ? [] : document.findings.compactMap { $0.severity == .error ? $0.span : nil }
  }

  var places: ManifestLocations { document.locations }

  /// Whether the text of a selector has an error, which is not reported twice.
  func hasError(_ selector: Int) -> Bool { places.whole(selector).map(hasError) ?? false }

  /// Whether the text has an error within this range.
  private func hasError(in whole: SourceSpan) -> Bool {
    errors.contains { $0.start >= whole.start && $0.end <= whole.end }
  }

  mutating func add(_ finding: Finding?) { ledger.add(finding) }

  /// Reports an exclusion that matched no file.
  mutating func addUnusedExclusion(_ selector: Int) {
    let text = document.fileSelectors[selector].parts.source
    add(
      PatternRules.unusedExclusion(
        text, notes: PatternAdvice(on: text).notes, at: places.source(of: selector)))
  }

  /// Reports similar names, useless files, and a selection without files.
  mutating func addFlaws(of selection: Selection) {
    NameRules.similarNames(selection, places, &ledger)
    let manifest = try? FileStatus(ofFileAt: document.source.name).identity
    JunkRules.junk(selection, manifest: manifest, document, &ledger)
    JunkRules.uselessFiles(selection, document, &ledger)
    if selection.isEmpty, !ledger.hasErrors, let place = document.locations.fileSelectors,
      !hasError(in: place)
    {
      add(SourceRules.empty(at: place))
    }
  }
}

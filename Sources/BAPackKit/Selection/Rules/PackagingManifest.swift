import SourceDiagnostics
import SystemIO

/// A packaging manifest is no asset.
enum PackagingManifest {
  /// How much of a file is looked at.
  static let look = 64 << 10

  static func mayBe(_ path: ArraySlice<UInt8>, size: UInt64) -> Bool {
    size <= 16 << 20 && path.suffix(5).elementsEqual(".json".utf8)
  }

  /// Whether these first bytes of a file have the two keys.
  static func holdsKeys(_ start: [UInt8]) -> Bool {
    start.holds("\"assetPackID\"") && start.holds("\"fileSelectors\"")
  }

  /// Whether a file begins as a manifest does, other than the one being packed, which is reported
  /// by its identity.
  static func isAnother(_ start: [UInt8], than document: ManifestDocument) -> Bool {
    holdsKeys(start) && !start.elementsEqual(document.source.bytes.prefix(look))
  }

  /// Reports a file with the two keys that only a packaging manifest has together.
  static func report(
    _ entry: Selection.Entry, _ document: ManifestDocument, _ findings: inout SelectionFindings
  ) {
    guard let selector = entry.selector, JunkFiles.takesMany(document.fileSelectors[selector])
    else { return }
    findings.add(
      JunkFiles.rule.finding(
        .warning, "'\(path: entry.destination)' is a packaging manifest, and is selected",
        at: findings.source(of: selector),
        fixes: [findings.exclude(path: entry.source ?? entry.destination)]))
  }
}

import SourceDiagnostics

/// A packaging manifest is no asset.
enum PackagingManifest {
  /// How much of a file is looked at.
  static let look = 64 << 10

  static func mayBe(_ path: ArraySlice<UInt8>, size: UInt64) -> Bool {
    size <= 16 << 20 && path.suffix(5).elementsEqual(".json".utf8)
  }

  /// Reports a file with the two keys that only a packaging manifest has together; the manifest
  /// being packed was reported by its identity.
  static func check(
    _ start: [UInt8], _ entry: Selection.Entry, _ document: ManifestDocument,
    _ findings: inout SelectionFindings
  ) {
    guard start != Array(document.source.bytes.prefix(look)), let selector = entry.selector,
      JunkFiles.takesMany(document.fileSelectors[selector])
    else { return }
    let text = String(decoding: start, as: UTF8.self)
    guard text.contains("\"assetPackID\""), text.contains("\"fileSelectors\"") else { return }
    findings.add(
      JunkFiles.rule.finding(
        .warning, "'\(entry.destination)' is a packaging manifest, and is selected",
        at: findings.source(of: selector),
        fixes: [findings.exclude(path: entry.source ?? entry.destination)]),
      of: selector)
  }
}

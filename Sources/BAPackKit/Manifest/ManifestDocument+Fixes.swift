import SourceDiagnostics

extension ManifestDocument {
  /// How often safe fixes are looked for again in the text that earlier ones left.
  private static let rounds = 32

  /// The manifest with all safe fixes applied, and how many those were.
  ///
  /// Comments and layout stay as they are. Fixing what was fixed changes nothing.
  public static func fixed(
    _ bytes: [UInt8], named name: String, for hosting: Hosting? = nil
  ) -> (document: ManifestDocument, applied: Int) {
    var document = ManifestDocument(parsing: bytes, named: name, for: hosting)
    var total = 0
    for _ in 0..<rounds {
      let (bytes, applied) = SafeFixes.apply(document.diagnostics, to: document.source.bytes)
      guard applied > 0 else { break }
      total += applied
      document = ManifestDocument(parsing: bytes, named: name, for: hosting)
    }
    return (document, total)
  }
}

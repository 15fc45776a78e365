package import SourceDiagnostics

/// An unmanaged manifest as it is on disk: its text, its meaning, and the findings with their
/// places.
package struct UnmanagedDocument: Sendable {
  /// The text.
  package let source: SourceText
  /// What the text means; nil if `findings` has an error.
  package let manifest: UnmanagedManifest?
  /// What was found in the text.
  package let findings: Ledger
  /// The assets that could be read, in the order of the text, even if there are errors.
  package let assets: [UnmanagedManifest.Asset]
  /// The places of their values.
  package let locations: [Location]

  /// The places of the values of an asset.
  package struct Location: Sendable {
    package internal(set) var identifier = SourceSpan(0, 0)
    package internal(set) var url = SourceSpan(0, 0)
    package internal(set) var fileSize = SourceSpan(0, 0)
    package internal(set) var sha256 = SourceSpan(0, 0)
    package internal(set) var version = SourceSpan(0, 0)
  }

  /// The most bytes that are read.
  package static let largest = JSONLimits().size

  /// Reads a manifest; messages use the name.
  package init(parsing bytes: [UInt8], named name: String, allowingHTTP: Bool = false) {
    source = SourceText(bytes, named: name)
    let json = JSONDocument(parsing: source)
    var findings = Ledger(about: source)
    findings.add(contentsOf: json.findings)
    var draft = UnmanagedDraft(allowsHTTP: allowingHTTP)
    if let root = json.root, root.kind != .invalid { Self.read(root, into: &draft, &findings) }
    assets = draft.assets
    locations = draft.locations
    self.findings = findings
    manifest =
      findings.hasErrors
      ? nil : UnmanagedManifest(assets: assets, urlTemplate: draft.urlTemplate)
  }

  private static func read(
    _ root: JSONNode, into draft: inout UnmanagedDraft, _ findings: inout Ledger
  ) {
    guard root.kind == .object else {
      findings.add(.wrongType(root, "an unmanaged manifest is an object"))
      return
    }
    // A manifest of a newer program may be right although this one does not understand it.
    let other =
      UnmanagedRules.otherText(root)
      ?? root[UnmanagedDraft.format.name].flatMap { UnmanagedRules.format(of: $0) }
    guard other == nil else { return findings.add(other) }
    _ = UnmanagedDraft.table.read(root, into: &draft, &findings)
  }
}

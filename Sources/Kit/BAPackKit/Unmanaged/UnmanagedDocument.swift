package import SourceDiagnostics

/// An unmanaged manifest on disk: its text, its contents, and the findings with their positions.
package struct UnmanagedDocument: Sendable {
  package let source: SourceText
  /// The contents; nil if `findings` contains an error.
  package let manifest: UnmanagedManifest?
  /// The findings about the text.
  package let findings: Ledger
  /// The readable assets, in the order of the text, even if there are errors.
  package let assets: [UnmanagedManifest.Asset]
  /// The positions of the assets' values.
  package let locations: [Location]

  /// The positions of the values of an asset.
  package struct Location: Sendable {
    package internal(set) var identifier = SourceSpan(0, 0)
    package internal(set) var url = SourceSpan(0, 0)
    package internal(set) var fileSize = SourceSpan(0, 0)
    package internal(set) var sha256 = SourceSpan(0, 0)
    package internal(set) var version = SourceSpan(0, 0)
  }

  /// The maximum size of the file in bytes.
  package static let largest = JSONLimits().size

  /// Reads a manifest; messages use `name`.
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
      findings.add(.wrongType(root, "an unmanaged manifest must be an object"))
      return
    }
    // A manifest in a newer format may be valid although this version does not support it.
    let other =
      UnmanagedRules.otherText(root)
      ?? root[UnmanagedDraft.format.name].flatMap { UnmanagedRules.format(of: $0) }
    guard other == nil else { return findings.add(other) }
    _ = UnmanagedDraft.table.read(root, into: &draft, &findings)
  }
}

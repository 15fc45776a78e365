package import SourceDiagnostics

/// A download manifest on disk: its text, its contents, and the findings with their positions.
///
/// Comments and trailing commas are accepted, because devices accept them. Unknown keys are a
/// warning and are kept.
package struct DownloadManifestDocument: Sendable {
  package let source: SourceText
  /// The contents; nil if `findings` contains an error.
  package let manifest: DownloadManifest?
  /// The findings about the text.
  package let findings: Ledger
  /// The readable packs, even if the manifest has errors.
  package let packs: [PublishedPack]
  /// The positions of the packs, in the order of `packs`.
  package let locations: [PackLocation]

  /// The position of a pack in the text of a download manifest.
  package struct PackLocation: Sendable, Equatable {
    /// The value of `id`.
    package var id: SourceSpan
    /// The value of `url`.
    package var url: SourceSpan
    /// The value of `version`.
    package var version: SourceSpan
    /// The value of `downloadSize`.
    package var downloadSize: SourceSpan
    /// The value of `downloadPolicy`.
    package var downloadPolicy: SourceSpan
    /// The value of `userInfo`.
    package var userInfo: SourceSpan?
  }

  /// The parsed text, for edits; nil if it is not JSON.
  let json: JSONDocument?

  /// Reads a download manifest; messages use `name`.
  package init(parsing bytes: [UInt8], named name: String, allowingHTTP: Bool = false) {
    if let finding = PublicationText.manifest.finding(about: bytes) {
      source = SourceText(bytes, named: name)
      manifest = nil
      var findings = Ledger(about: source)
      findings.add(finding)
      self.findings = findings
      packs = []
      locations = []
      json = nil
      return
    }
    let json = JSONDocument(parsing: SourceText(bytes, named: name))
    var reader = DownloadManifestReader(json, allowingHTTP: allowingHTTP)
    reader.read()
    source = json.source
    packs = reader.packs
    locations = reader.locations
    findings = reader.findings
    manifest = reader.manifest
    self.json = json
  }
}

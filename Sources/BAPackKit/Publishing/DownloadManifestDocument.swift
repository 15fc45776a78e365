package import SourceDiagnostics

/// A download manifest as it is on disk: its text, its meaning, and the findings with their places.
///
/// Comments and trailing commas are accepted, as devices accept them. Unknown keys are a warning
/// and are kept.
package struct DownloadManifestDocument: Sendable {
  /// The text.
  package let source: SourceText
  /// What the text means; nil if `findings` has an error.
  package let manifest: DownloadManifest?
  /// What was found in the text.
  package let findings: Ledger
  /// The packs that could be read, even if the manifest has errors.
  package let packs: [PublishedPack]
  /// The places of the packs, in the order of `packs`.
  package let locations: [PackLocation]

  /// The place of a pack in the text of a download manifest.
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

  /// Reads a download manifest; messages use the name.
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

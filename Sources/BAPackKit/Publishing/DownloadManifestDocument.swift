public import SourceDiagnostics

/// A download manifest as it is on disk: its text, its meaning, and the findings with their places.
///
/// Comments and trailing commas are accepted, as devices accept them. Unknown keys are a warning
/// and are kept.
public struct DownloadManifestDocument: Sendable {
  /// The text.
  public let source: SourceText
  /// What the text means; nil if `findings` has an error.
  public let manifest: DownloadManifest?
  /// What was found in the text.
  public let findings: Ledger
  /// The packs that could be read, even if the manifest has errors.
  public let packs: [PublishedPack]
  /// The places of the packs, in the order of `packs`.
  public let locations: [PackLocation]

  /// The place of a pack in the text of a download manifest.
  public struct PackLocation: Sendable, Equatable {
    /// The value of `id`.
    public var id: SourceSpan
    /// The value of `url`.
    public var url: SourceSpan
    /// The value of `version`.
    public var version: SourceSpan
    /// The value of `downloadSize`.
    public var downloadSize: SourceSpan
    /// The value of `downloadPolicy`.
    public var downloadPolicy: SourceSpan
    /// The value of `userInfo`.
    public var userInfo: SourceSpan?
  }

  /// The parsed text, for edits; nil if it is not JSON.
  let json: JSONDocument?

  /// Reads a download manifest; messages use the name.
  public init(parsing bytes: [UInt8], named name: String, allowingHTTP: Bool = false) {
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

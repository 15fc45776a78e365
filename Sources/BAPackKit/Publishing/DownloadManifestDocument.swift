public import SourceDiagnostics

/// A download manifest as it is on disk: its text, its meaning, what is wrong with it, and where.
///
/// Comments and trailing commas are taken, as devices take them. Keys that nobody knows are a
/// warning and are kept.
public struct DownloadManifestDocument: Sendable {
  /// The text.
  public let source: SourceText
  /// What the text means; nil when `findings` holds an error.
  public let manifest: DownloadManifest?
  /// What was found in the text, in order of position.
  public let findings: [Finding]
  /// The packs that could be read, also from a manifest with errors.
  public let packs: [PublishedPack]
  /// Where the packs stand, in the order of `packs`.
  public let locations: [PackLocation]

  /// Where a pack of a download manifest stands.
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

  /// The text taken apart, for edits; nil when it is no JSON.
  let json: JSONDocument?

  /// Reads a download manifest; `named` is shown in messages.
  public init(parsing bytes: [UInt8], named name: String, allowingHTTP: Bool = false) {
    if let finding = PublicationText.manifest.finding(about: bytes) {
      source = SourceText(bytes, named: name)
      manifest = nil
      findings = [finding]
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
    findings = reader.findings.sorted()
    manifest = reader.manifest
    self.json = json
  }

  /// What was found, with the text.
  public var report: Findings { Findings(source, findings) }
}

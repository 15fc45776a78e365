public import SourceDiagnostics

/// The record beside a download manifest as it is on disk: its text, its meaning, and what is wrong
/// with it.
public struct PublicationRecordDocument: Sendable {
  /// The text.
  public let source: SourceText
  /// What the text means; nil when `diagnostics` holds an error.
  public let record: PublicationRecord?
  /// What was found in the text, in order of position.
  public let diagnostics: [Diagnostic]

  /// Reads a record; `named` is shown in messages.
  public init(parsing bytes: [UInt8], named name: String) {
    let json = JSONDocument(parsing: SourceText(bytes, named: name))
    var findings = FindingList()
    findings.add(contentsOf: json.diagnostics)
    let record = json.root.flatMap { Self.read($0, into: &findings) }
    source = json.source
    diagnostics = findings.sorted()
    self.record = findings.hasErrors ? nil : record
  }

  /// What was found, with the text.
  public var findings: Findings { Findings(source, diagnostics) }

  private static func read(_ root: JSONNode, into findings: inout FindingList) -> PublicationRecord?
  {
    guard root.kind == .object else {
      if root.kind != .invalid { findings.add(.wrongType(root, "a record is an object")) }
      return nil
    }
    let object = JSONObjectReader(
      root, keys: DownloadManifestKeys.record, owner: "a record", into: &findings)
    var record = PublicationRecord()
    if let platform = object["platform"] {
      record.platform = platform.string.flatMap(Platform.init)
      if record.platform == nil {
        findings.add(
          .unknownValue(
            DownloadRecord.rule.id, platform, "there is no platform '\(platform.string ?? "")'",
            known: Platform.allCases.map(\.rawValue)))
      }
    }
    for element in object["published"].map({ Array($0.elements) }) ?? [] {
      if let entry = readEntry(element, into: &findings) { record.add(entry) }
    }
    return record
  }

  private static func readEntry(
    _ node: JSONNode, into findings: inout FindingList
  ) -> PublicationRecord.Entry? {
    guard node.kind == .object else {
      if node.kind != .invalid { findings.add(.wrongType(node, "an entry is an object")) }
      return nil
    }
    let object = JSONObjectReader(
      node, keys: DownloadManifestKeys.entry, owner: "an entry", into: &findings)
    guard let id = object["id"]?.string, let version = object["version"],
      let digest = object["sha256"], let sha256 = digest.string
    else { return nil }
    guard let number = version.number.flatMap(Int.init), number >= 0 else {
      findings.add(DownloadRecord.version(version))
      return nil
    }
    let isDigest =
      sha256.utf8.count == 64
      && sha256.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard isDigest else {
      findings.add(DownloadRecord.digest(digest))
      return nil
    }
    return PublicationRecord.Entry(id: id, version: number, sha256: sha256)
  }
}

package import SourceDiagnostics
import TerminalText

/// The record beside a download manifest as it is on disk: its text, its meaning, and the findings.
package struct PublicationRecordDocument: Sendable {
  /// The text.
  package let source: SourceText
  /// What the text means; nil if `findings` has an error.
  package let record: PublicationRecord?
  /// What was found in the text.
  package let findings: Ledger
  /// The format number, if the format is newer than this program supports.
  let newerFormat: Int?

  /// Reads a record; messages use the name.
  package init(parsing bytes: [UInt8], named name: String) {
    source = SourceText(bytes, named: name)
    var reader = RecordReader(findings: Ledger(about: source))
    let record: PublicationRecord?
    if let finding = PublicationText.record.finding(about: bytes) {
      reader.findings.add(finding)
      record = nil
    } else {
      record = reader.read(JSONDocument(parsing: source, limits: PublicationRecord.limits))
    }
    findings = reader.findings
    newerFormat = reader.newerFormat
    self.record = reader.findings.hasErrors ? nil : record
  }
}

/// Turns a JSON text into a record.
private struct RecordReader {
  var findings: Ledger
  private(set) var newerFormat: Int?
  private var entries: [PublicationRecord.Entry] = []
  private var places: [Key: (index: Int, span: SourceSpan)] = [:]

  private struct Key: Hashable {
    var id: PackID
    var version: Int
  }

  init(findings: Ledger) { self.findings = findings }

  mutating func read(_ json: JSONDocument) -> PublicationRecord? {
    if let finding = PublicationText.record.finding(aboutSyntaxOf: json) {
      findings.add(finding)
      return nil
    }
    guard let root = json.root, root.kind == .object else {
      findings.add(contentsOf: json.findings)
      if let root = json.root, root.kind != .invalid {
        findings.add(.wrongType(root, "a record is an object"))
      }
      return nil
    }
    if let finding = PublicationText.record.finding(about: root) {
      findings.add(finding)
      return nil
    }
    // A record of a newer program may be right although this one does not understand it.
    if let format = root["format"], let finding = DownloadRecordRules.record(format: format) {
      findings.add(finding)
      newerFormat = format.number.flatMap(Int.init).flatMap {
        $0 > PublicationRecord.format ? $0 : nil
      }
      return nil
    }
    findings.add(contentsOf: json.findings)
    let object = JSONObjectReader(
      root, keys: DownloadManifestKeys.record, owner: "a record", into: &findings)
    for element in object["published"].map({ Array($0.elements) }) ?? [] { readEntry(element) }
    return PublicationRecord(
      platform: object["platform"].flatMap { readPlatform($0) },
      urlTemplate: object["urlTemplate"].flatMap { readTemplate($0) }, entries: entries)
  }

  private mutating func readPlatform(_ node: JSONNode) -> Platform? {
    let platform = node.string.flatMap(Platform.init)
    if platform == nil {
      findings.add(DownloadRecordRules.record(platform: node))
    }
    return platform
  }

  private mutating func readTemplate(_ node: JSONNode) -> String? {
    guard let template = node.string else { return nil }
    do throws(PackError) {
      _ = try PackURLs(base: nil, template: template, allowingHTTP: true)
      return template
    } catch {
      findings.add(DownloadRecordRules.record(template: node, error))
      return nil
    }
  }

  private mutating func readEntry(_ node: JSONNode) {
    guard node.kind == .object else {
      if node.kind != .invalid { findings.add(.wrongType(node, "an entry is an object")) }
      return
    }
    let object = JSONObjectReader(
      node, keys: DownloadManifestKeys.entry, owner: "an entry", into: &findings)
    guard let id = object["id"]?.string, let version = object["version"] else { return }
    guard let number = version.number.flatMap(Int.init), number >= 0 else {
      findings.add(DownloadRecordRules.record(version: version))
      return
    }
    let digest = object["sha256"]
    if let digest, !Self.isDigest(digest.string ?? "") {
      findings.add(DownloadRecordRules.record(digest: digest))
      return
    }
    let removed = object["removed"]
    if let removed, removed.kind != .bool {
      findings.add(.wrongType(removed, "'removed' takes true or false"))
    }
    add(
      PublicationRecord.Entry(
        id: PackID(id), version: number, sha256: digest?.string, url: object["url"]?.string,
        isRemoved: removed?.bool ?? false),
      at: node.span)
  }

  /// Adds an entry; if a version is there twice, both must say the same.
  private mutating func add(_ entry: PublicationRecord.Entry, at span: SourceSpan) {
    let key = Key(id: entry.id, version: entry.version)
    guard let first = places[key] else {
      places[key] = (entries.count, span)
      entries.append(entry)
      return
    }
    let other = entries[first.index]
    findings.add(DownloadRecordRules.twice(entry, at: span, first: first.span, other))
    if other.sha256 == nil { entries[first.index].sha256 = entry.sha256 }
    entries[first.index].isRemoved = other.isRemoved || entry.isRemoved
  }

  private static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy(\.isLowercaseHexadecimalDigit)
  }
}

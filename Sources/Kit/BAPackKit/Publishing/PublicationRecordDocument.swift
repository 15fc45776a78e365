package import SourceDiagnostics
import TerminalText

/// The record of a download manifest on disk: its text, its contents, and the findings.
package struct PublicationRecordDocument: Sendable {
  package let source: SourceText
  /// The contents; nil if `findings` contains an error.
  package let record: PublicationRecord?
  /// The findings about the text.
  package let findings: Ledger
  /// The format number, if the format is newer than supported.
  let newerFormat: Int?

  /// Reads a record; messages use `name`.
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

extension PublicationRecord {
  /// The members of a record.
  package static var jsonShape: JSONRecord { PublicationRecordDraft.table.record }
}

extension PublicationRecord.Entry: Described {
  package static let table = Table(
    "an entry", blank: Self(id: PackID(""), version: 0, sha256: nil), unknown: .refused
  ) {
    Key("id", \.id, .packID, "The ID of the pack.")
    Key("version", \.version, .publishedVersion, "The version.")
    Key(
      "sha256", \.sha256,
      .text(pattern: "^[0-9a-f]{64}$") {
        isDigest($0) ? nil : DownloadRecordRules.record(digestAt: $1)
      },
      "The SHA-256 of the archive in lowercase hexadecimal digits; missing if it is unknown.")
    Key("url", \.url, .text, "The address of the archive, if it differs from the template.")
    Key("bytes", \.size, .bytes, "The size of the archive in bytes; only in records of `serve`.")
    Key(
      JSONKey(
        "removed", .bool, is: .optional,
        "Whether the pack was intentionally removed from the manifest after this version."),
      \.isRemoved, write: { $0 ? .bool(true) : nil }, read: { node, _, _ in node.bool })
  }

  private static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy(\.isLowercaseHexadecimalDigit)
  }
}

extension JSONForm<Int> {
  fileprivate static var publishedVersion: JSONForm {
    JSONForm(
      .integer(in: 0 ... .max), write: { .integer($0) },
      reading: { node, findings in
        if let version = node.number.flatMap(Int.init), version >= 0 { return version }
        findings.add(DownloadRecordRules.record(versionAt: node.span))
        return nil
      })
  }
}

/// A record during parsing.
struct PublicationRecordDraft: Described {
  var platform: Platform?
  var urlTemplate: String?
  /// The versions in the order of the text, each once.
  private(set) var entries: [PublicationRecord.Entry] = []
  private var places: [PublishedVersion: (index: Int, span: SourceSpan)] = [:]

  static let format = Key<Self>(
    JSONKey(
      "format", .integer(in: PublicationRecord.format...PublicationRecord.format), is: .optional,
      "The format of the record."), write: { _ in .integer(PublicationRecord.format) })

  static let published = Key<Self>(
    JSONKey(
      "published", .array(of: .record(PublicationRecord.Entry.table.record)),
      "All published versions."),
    write: { .array($0.entries.map { PublicationRecord.Entry.table.value(of: $0) }) }
  ) { node, draft, findings in
    for element in node.elements {
      if let entry = PublicationRecord.Entry.table.read(element, into: &findings) {
        draft.add(entry, at: element.span, &findings)
      }
    }
    return true
  }

  static let table = Table("a record", blank: Self(), unknown: .refused) {
    format
    Key("platform", \.platform, .publishedPlatform, "The platform of the manifest.")
    Key(
      "urlTemplate", \.urlTemplate, .text(pattern: nil, fault: fault),
      "The template of the addresses of the packs.")
    published
  }

  init(platform: Platform? = nil, urlTemplate: String? = nil) {
    self.platform = platform
    self.urlTemplate = urlTemplate
  }

  private static func fault(in template: String, at span: SourceSpan) -> Finding? {
    do throws(PackError) {
      _ = try PackURLs(base: nil, template: template, allowingHTTP: true)
      return nil
    } catch {
      return DownloadRecordRules.record(templateAt: span, error)
    }
  }

  /// Adds an entry.
  ///
  /// Duplicate entries of a version must be equal.
  private mutating func add(
    _ entry: PublicationRecord.Entry, at span: SourceSpan, _ findings: inout Ledger
  ) {
    let version = PublishedVersion(id: entry.id, version: entry.version)
    guard let first = places[version] else {
      places[version] = (entries.count, span)
      entries.append(entry)
      return
    }
    let other = entries[first.index]
    findings.add(DownloadRecordRules.twice(entry, at: span, first: first.span, other))
    if other.sha256 == nil { entries[first.index].sha256 = entry.sha256 }
    if other.size == nil { entries[first.index].size = entry.size }
    entries[first.index].isRemoved = other.isRemoved || entry.isRemoved
  }
}

extension JSONForm<Platform> {
  fileprivate static var publishedPlatform: JSONForm {
    JSONForm(
      .word(Platform.allCases.map(\.rawValue)), write: { .string($0.rawValue) },
      reading: { node, findings in
        let platform = node.string.flatMap(Platform.init)
        if platform == nil { findings.add(DownloadRecordRules.record(platform: node)) }
        return platform
      })
  }
}

/// A parser of records.
private struct RecordReader {
  var findings: Ledger
  private(set) var newerFormat: Int?

  init(findings: Ledger) { self.findings = findings }

  mutating func read(_ json: JSONDocument) -> PublicationRecord? {
    if let finding = PublicationText.record.finding(aboutSyntaxOf: json) {
      findings.add(finding)
      return nil
    }
    if let root = json.root, root.kind == .object {
      if let finding = PublicationText.record.finding(about: root) {
        findings.add(finding)
        return nil
      }
      // A record in a newer format may be valid although this version does not support it.
      if let format = root[PublicationRecordDraft.format.name],
        let finding = DownloadRecordRules.record(format: format)
      {
        findings.add(finding)
        newerFormat = format.number.flatMap(Int.init).flatMap {
          $0 > PublicationRecord.format ? $0 : nil
        }
        return nil
      }
    }
    findings.add(contentsOf: json.findings)
    guard let root = json.root,
      let draft = PublicationRecordDraft.table.read(root, into: &findings)
    else { return nil }
    return PublicationRecord(
      platform: draft.platform, urlTemplate: draft.urlTemplate, entries: draft.entries)
  }
}

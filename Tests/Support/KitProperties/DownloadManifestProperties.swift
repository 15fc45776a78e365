package import BAPackKit
import SourceDiagnostics

/// Properties of the readers of published files, for arbitrary bytes.
package enum DownloadManifestProperties {
  /// The reader returns a manifest or an error, places are inside the text, and written JSON has
  /// the same value.
  ///
  /// An update changes only the given pack, and no version decreases.
  package static func violation(inManifest bytes: [UInt8]) -> String? {
    let document = DownloadManifestDocument(parsing: bytes, named: "t", allowingHTTP: true)
    if let fault = violation(in: document.findings, of: document.source) { return fault }
    let hasErrors = document.findings.contains { $0.severity == .error }
    if (document.manifest == nil) != hasErrors { return "there is a manifest or there is an error" }
    if document.packs.count != document.locations.count { return "each pack has a place" }
    for place in document.locations {
      let spans = [place.id, place.url, place.version, place.downloadSize, place.downloadPolicy]
      guard spans.allSatisfy({ $0.start < $0.end && $0.end <= bytes.count }) else {
        return "places are inside the text"
      }
    }
    guard let manifest = document.manifest else { return nil }
    let packs = JSONDocument(parsing: document.source).root?["assetPacks"]
    if packs?.count != manifest.packs.count { return "every pack of the text is read" }
    let written = manifest.json()
    let again = DownloadManifestDocument(parsing: written, named: "w", allowingHTTP: true)
    if again.manifest != manifest { return "what is written means the same" }
    if again.manifest?.json() != written { return "the same meaning gives the same bytes" }
    return violation(inUpdatesOf: manifest, document)
  }

  /// The reader of property lists returns a value or an error.
  package static func violation(inPropertyList bytes: [UInt8]) -> String? {
    let document = InfoPlistDocument(parsing: bytes, named: "t")
    if let fault = violation(in: document.findings, of: document.source) { return fault }
    let hasErrors = document.findings.contains { $0.severity == .error }
    return document.plist == nil && !hasErrors ? "there is a list or there is an error" : nil
  }

  /// The reader of records returns a record or an error, and written JSON has the same value.
  package static func violation(inRecord bytes: [UInt8]) -> String? {
    let document = PublicationRecordDocument(parsing: bytes, named: "t")
    if let fault = violation(in: document.findings, of: document.source) { return fault }
    let hasErrors = document.findings.contains { $0.severity == .error }
    if (document.record == nil) != hasErrors { return "there is a record or there is an error" }
    guard let record = document.record else { return nil }
    let again = PublicationRecordDocument(parsing: record.json(), named: "w")
    if again.record != record { return "what is written means the same" }
    for entry in record.entries {
      if record.sha256(of: entry.id, version: entry.version) != entry.sha256 {
        return "each entry is found"
      }
      guard let latest = record.latest(of: entry.id), latest.version >= entry.version else {
        return "the latest version is the highest"
      }
    }
    return nil
  }

  private static func violation(
    inUpdatesOf manifest: DownloadManifest, _ document: DownloadManifestDocument
  ) -> String? {
    guard let urls = try? PackURLs(base: "https://d.example.com") else { return nil }
    for id in [manifest.packs.first?.id, "new"].compactMap(\.self) {
      let archive = PublishedArchive(
        path: "x.aar",
        manifest: Manifest(
          assetPackID: id.text, downloadPolicy: .onDemand, fileSelectors: [], platforms: []),
        size: 1, installedSize: 1, sha256: String(repeating: "0", count: 64))
      var update = manifest.updated(
        with: [archive], for: .iOS, at: urls, record: nil, named: "t")
      guard let updated = update.manifest else {
        // Two packs with the same address, or a version at the maximum.
        if !update.findings.hasErrors { return "a refusal has a reason" }
        continue
      }
      for pack in manifest.packs where pack.id != id {
        if updated.pack(pack.id) != pack { return "other packs stay as they are" }
      }
      let version = manifest.pack(id).map { $0.version + 1 } ?? 0
      if updated.pack(id)?.version != version { return "a version rises by one" }
      let same = updated.updated(
        with: [archive], for: .iOS, at: urls, record: update.record, named: "t")
      if same.manifest != updated { return "the same bytes change nothing" }
      if let fault = violation(inTextOf: &update, over: document, besides: id) { return fault }
      var removal = manifest.updated(
        with: [], removing: [id], for: .iOS, at: urls, record: nil, named: "t")
      guard manifest.pack(id) != nil else { continue }
      if removal.manifest?.packs.count != manifest.packs.count - 1 { return "one pack goes" }
      if removal.record.latest(of: id)?.isRemoved != true { return "a removal is on record" }
      if let fault = violation(inTextOf: &removal, over: document, besides: id) { return fault }
    }
    return nil
  }

  /// The written text has the expected value, and keeps comments and the texts of all other packs.
  private static func violation(
    inTextOf update: inout Publication, over document: DownloadManifestDocument,
    besides id: PackID
  ) -> String? {
    let meant = update.manifest
    guard let text = update.text(over: document) else { return nil }
    let again = DownloadManifestDocument(parsing: text, named: "w", allowingHTTP: true)
    if again.manifest != meant { return "what is edited means what was meant" }
    func texts(_ document: DownloadManifestDocument) -> [[UInt8]] {
      let packs = JSONDocument(parsing: document.source).root?["assetPacks"]
      return zip(document.packs, packs.map { Array($0.elements) } ?? []).filter { $0.0.id != id }
        .map { Array(document.source.bytes[$0.1.span.start..<$0.1.span.end]) }
    }
    if texts(again) != texts(document) { return "the text of other packs stays" }
    let packs = JSONDocument(parsing: document.source).root?["assetPacks"]
    let changed = zip(document.packs, packs.map { Array($0.elements) } ?? [])
      .first { $0.0.id == id }?.1.span
    for comment in comments(in: document.source.bytes) {
      let isInside = changed.map { $0.start <= comment.start && comment.end <= $0.end } ?? false
      let bytes = Array(document.source.bytes[comment.start..<comment.end])
      guard !isInside,
        !comments(in: text).contains(where: { Array(text[$0.start..<$0.end]) == bytes })
      else { continue }
      return "comments outside the pack stay"
    }
    return nil
  }

  /// Returns the places of the comments of a JSON5 text without errors.
  private static func comments(in bytes: [UInt8]) -> [SourceSpan] {
    var found: [SourceSpan] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        index += 1
        while index < bytes.count, bytes[index] != byte {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
      } else if byte == UInt8(ascii: "/"), index + 1 < bytes.count {
        let start = index
        if bytes[index + 1] == UInt8(ascii: "/") {
          while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        } else {
          index += 2
          while index + 1 < bytes.count,
            bytes[index] != UInt8(ascii: "*") || bytes[index + 1] != UInt8(ascii: "/")
          {
            index += 1
          }
          index += 2
        }
        found.append(SourceSpan(start, min(index, bytes.count)))
        continue
      }
      index += 1
    }
    return found
  }

  private static func violation(in findings: Ledger, of source: SourceText) -> String? {
    let size = source.bytes.count
    for finding in findings {
      let edits = finding.fixes.flatMap(\.edits).map(\.span)
      for span in [finding.span].compactMap(\.self) + finding.labels.map(\.span) + edits {
        guard span.start <= span.end, span.end <= size else { return "spans are inside the text" }
      }
    }
    var first = Ledger(about: source)
    for finding in findings.prefix(20) { first.add(finding) }
    let shown = LineRenderer().render(first)
    if shown.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" }) {
      return "no control character reaches a terminal"
    }
    return nil
  }
}

extension DownloadManifest {
  /// Returns the pack with an ID.
  package func pack(_ id: PackID) -> PublishedPack? { packs.first { $0.id == id } }
}

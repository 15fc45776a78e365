package import SourceDiagnostics
import SystemIO

/// The checks of a download manifest before it is served.
///
/// Only the given parts are checked: the text, and optionally the archives, the previous manifest
/// and the app's property list.
package struct DownloadManifestCheck: Sendable {
  /// The manifest that devices currently use.
  package struct Previous: Sendable {
    /// The text of the manifest.
    package var document: DownloadManifestDocument
    package var record: PublicationRecord?

    package init(_ document: DownloadManifestDocument, record: PublicationRecord? = nil) {
      self.document = document
      self.record = record
    }
  }

  package var document: DownloadManifestDocument
  package var record: PublicationRecord?
  /// The archives that are served; nil if they are not available.
  package var archives: ArchiveFolder?
  /// The manifest that devices currently use.
  package var previous: Previous?
  /// The property list of the app.
  package var plist: InfoPlistDocument?
  package var platform: Platform?
  /// Whether the address of the manifest itself may be http.
  package var allowsHTTP = false

  /// Creates a check of the text only.
  package init(_ document: DownloadManifestDocument) { self.document = document }

  /// Returns all findings: about the manifest, then about the archives and the property list.
  package func findings() -> Ledger {
    var findings = document.findings
    checkRecord(&findings)
    var chosen: [PublishedArchive?] = Array(repeating: nil, count: document.packs.count)
    if let archives {
      if record == nil {
        let path = PublicationRecord.path(of: document.source.name)
        findings.add(DownloadRecordRules.noRecord(at: path))
      }
      let byID = Dictionary(grouping: archives.archives, by: \.id)
      for (index, pack) in document.packs.enumerated() {
        chosen[index] = find(
          pack, at: document.locations[index], among: byID[pack.id] ?? [], in: archives, &findings)
      }
      findings.add(
        DownloadAddressRules.uploadName(
          zip(document.packs, chosen).compactMap { pack, archive in archive?.upload(as: pack) }))
    }
    for (index, pack) in document.packs.enumerated() {
      compare(pack, at: document.locations[index], with: chosen[index], &findings)
    }
    comparePrevious(chosen, &findings)
    checkAddresses(&findings)
    archives?.check(besides: document.packs, &findings)
    checkPlist(chosen, &findings)
    return findings
  }

  /// Checks that the manifest and the record agree.
  private func checkRecord(_ findings: inout Ledger) {
    guard let record else { return }
    let urls = record.urls
    for (index, pack) in document.packs.enumerated() {
      let place = document.locations[index]
      findings.add(DownloadVersionRules.behindRecord(pack, in: record, at: place.version))
      findings.add(DownloadAddressRules.address(pack, in: record, urls, at: place.url))
    }
    // If the manifest has errors, some of its packs are unknown.
    guard document.manifest != nil else { return }
    let present = Set(document.packs.map(\.id))
    for latest in record.latestEntries where !latest.isRemoved && !present.contains(latest.id) {
      findings.add(DownloadPackRules.vanished(recorded: latest.id, version: latest.version))
    }
  }

  /// Returns the archive for a pack's address.
  private func find(
    _ pack: PublishedPack, at place: DownloadManifestDocument.PackLocation,
    among candidates: [PublishedArchive], in folder: ArchiveFolder, _ findings: inout Ledger
  ) -> PublishedArchive? {
    if candidates.count < 2 {
      if candidates.isEmpty, !folder.hasUnreadable {
        findings.add(DownloadArchiveRules.missing(pack.id, in: folder.path, at: place.id))
      }
      return candidates.first
    }
    // Of several archives, use the one whose path matches the address, or else the published one.
    let address = pack.address?.path ?? []
    let closeness = candidates.map { $0.componentsShared(with: address) }
    let best = closeness.max() ?? 0
    let served = zip(candidates, closeness).filter { best > 0 && $0.1 == best }.map(\.0)
    if served.count == 1 { return served[0] }
    if let sha256 = record?.sha256(of: pack.id, version: pack.version),
      let published = candidates.first(where: { $0.sha256 == sha256 })
    {
      return published
    }
    findings.add(DownloadArchiveRules.missing(pack.id, among: candidates, at: place.id))
    return nil
  }

  /// Compares a pack with its archive and with the record.
  private func compare(
    _ pack: PublishedPack, at place: DownloadManifestDocument.PackLocation,
    with archive: PublishedArchive?, _ findings: inout Ledger
  ) {
    guard let archive else { return }
    if let platform {
      findings.add(DownloadPackRules.platform(archive, for: platform, at: place.id))
    }
    if let finding = DownloadArchiveRules.sizeDiffers(pack, archive, at: place.downloadSize) {
      findings.add(finding)
    } else if let published = record?.sha256(of: pack.id, version: pack.version),
      published != archive.sha256
    {
      findings.add(
        DownloadVersionRules.notRaised(
          pack.id, version: pack.version,
          because: .file(path: archive.path, version: pack.version),
          at: place.version))
    }
    DownloadArchiveRules.packDiffers(pack, archive, at: place, &findings)
  }

  /// Compares the manifest with the manifest that devices currently use.
  private func comparePrevious(_ archives: [PublishedArchive?], _ findings: inout Ledger) {
    guard let previous else { return }
    var left = Dictionary(previous.document.packs.map { ($0.id, $0) }) { first, _ in first }
    for (index, pack) in document.packs.enumerated() {
      guard let before = left.removeValue(forKey: pack.id) else { continue }
      let place = document.locations[index]
      let change = change(from: before, to: pack, archives[index], previous.record)
      if pack.version < before.version {
        findings.add(
          DownloadVersionRules.lowered(
            pack.id, from: before.version, to: pack.version, at: place.version))
      } else if pack.version == before.version {
        if case .different(let why) = change {
          findings.add(
            DownloadVersionRules.notRaised(
              pack.id, version: pack.version, because: why, at: place.version))
        }
      } else if change == .same {
        findings.add(
          DownloadVersionRules.raised(
            pack.id, from: before.version, to: pack.version, at: place.version))
      }
      if change == .unknown { findings.add(DownloadRecordRules.noRecord(pack, at: place.id)) }
    }
    for pack in previous.document.packs where left.removeValue(forKey: pack.id) != nil {
      findings.add(DownloadPackRules.vanished(pack.id, previous: previous.document.source.name))
    }
  }

  private enum Change: Equatable {
    case same, unknown
    case different(DownloadVersionRules.Difference)
  }

  private func change(
    from before: PublishedPack, to pack: PublishedPack, _ archive: PublishedArchive?,
    _ previousRecord: PublicationRecord?
  ) -> Change {
    let name = previous?.document.source.name ?? ""
    let size = archive?.size ?? pack.downloadSize
    if size != before.downloadSize {
      return .different(.size(size, of: before.downloadSize, in: name))
    }
    let old =
      previousRecord?.sha256(of: before.id, version: before.version)
      ?? record?.sha256(of: before.id, version: before.version)
    let new = archive?.sha256 ?? record?.sha256(of: pack.id, version: pack.version)
    guard let old, let new else { return .unknown }
    return old == new
      ? .same
      : .different(.digest(version: before.version))
  }

  /// Checks that the app may download from the hosts of the packs.
  private func checkAddresses(_ findings: inout Ledger) {
    guard let domains = plist?.plist?.domains else { return }
    var order: [String] = []
    var indices: [String: [Int]] = [:]
    for (index, pack) in document.packs.enumerated() {
      guard let host = pack.address?.host, !domains.covers(host) else { continue }
      if indices[host] == nil { order.append(host) }
      indices[host, default: []].append(index)
    }
    for host in order {
      guard let packs = indices[host], let first = packs.first else { continue }
      findings.add(
        DownloadAddressRules.domain(
          document.packs[first].id, and: packs.dropFirst().map { document.packs[$0].id },
          host: host, list: domains, at: document.locations[first].url))
    }
  }
}

extension PublishedArchive {
  /// Returns the number of components at the end of its path that are also at the end of the
  /// address, where `.aar` may be missing.
  fileprivate func componentsShared(with address: [String]) -> Int {
    let own = FilePath(path).components.reversed().map { FilePath($0.bytes).text }
    guard let name = own.first, let last = address.last, name == last || name == last + ".aar"
    else { return 0 }
    return 1 + zip(own.dropFirst(), address.dropLast().reversed()).prefix { $0 == $1 }.count
  }
}

import SourceDiagnostics

extension DownloadManifest {
  /// Creates a manifest from packs.
  ///
  /// The version of a pack without a requested version continues the versions in `replaced` and
  /// `record`. A regenerated manifest therefore keeps the history of the manifest that it replaces.
  /// A version never decreases.
  package static func create(
    from packs: [(archive: PublishedArchive, version: Int?)], for platform: Platform,
    at urls: PackURLs, replacing replaced: DownloadManifest? = nil,
    record: PublicationRecord? = nil, named name: String = "manifest.json"
  ) -> Publication {
    var work = Publishing(
      replaced ?? DownloadManifest(packs: []), record, name, for: platform, at: urls)
    work.record.platform = platform
    var manifest = DownloadManifest(packs: [])
    let versions = Dictionary(packs.map { ($0.archive.path, $0.version) }) { first, _ in first }
    for archive in work.admit(packs.map(\.archive)) {
      guard
        let version = work.version(of: archive, wanted: versions[archive.path] ?? nil)
      else { continue }
      let pack = archive.published(as: version, at: urls)
      manifest.packs.append(pack)
      work.publish(archive, pack)
    }
    work.leaveAll(but: packs.map(\.archive.id))
    return work.publication(manifest)
  }

  /// Publishes new archives in addition to the published ones.
  ///
  /// The version of a pack increases by one if its bytes differ from the published bytes, or if
  /// those are unknown. A version never decreases. A number that was used for other bytes is never
  /// reused, even for a pack that was removed and added again.
  ///
  /// Without `urls`, new addresses follow the template in the record. Without a template, packs
  /// keep their addresses.
  package func updated(
    with archives: [PublishedArchive], removing removed: [PackID] = [], for platform: Platform,
    at urls: PackURLs?, record: PublicationRecord?, named name: String
  ) -> Publication {
    var work = Publishing(self, record, name, for: platform, at: urls)
    work.record.platform = platform
    var manifest = self
    var indices = Dictionary(packs.indices.map { (packs[$0].id, $0) }) { first, _ in first }
    for archive in work.admit(archives) {
      guard let version = work.version(of: archive, wanted: nil) else { continue }
      if let index = indices[archive.id] {
        guard let pack = work.pack(packs[index], with: archive, as: version) else { continue }
        manifest.packs[index] = pack
        work.publish(archive, pack)
      } else if let pack = work.newPack(archive, as: version) {
        indices[archive.id] = manifest.packs.count
        manifest.packs.append(pack)
        work.publish(archive, pack)
      }
    }
    let removedIDs = removed.filter { work.remove($0, from: manifest) }
    manifest.packs.removeAll { removedIDs.contains($0.id) }
    work.inspectOthers(in: manifest)
    return work.publication(manifest)
  }
}

/// A publication in progress.
private struct Publishing {
  /// The packs that devices currently use.
  private let before: [PackID: PublishedPack]
  private let order: [PackID]
  /// The page for findings about the manifest.
  private let page: SourceText
  private let hasRecord: Bool
  private let platform: Platform
  /// The requested template of addresses.
  private let given: PackURLs?
  /// The effective template for new archives.
  private let urls: PackURLs?
  private let recorded: PackURLs?
  var record: PublicationRecord
  private var findings = Ledger()
  private var changes: [PackID: PublishedChange] = [:]
  private var departures: [PublishedChange] = []
  private var archives: [PackID: PublishedArchive] = [:]

  init(
    _ before: DownloadManifest, _ record: PublicationRecord?, _ name: String,
    for platform: Platform, at urls: PackURLs?
  ) {
    self.before = Dictionary(before.packs.map { ($0.id, $0) }) { first, _ in first }
    order = before.packs.map(\.id)
    self.record = record ?? PublicationRecord()
    page = SourceText([], named: name)
    self.platform = platform
    hasRecord = record != nil
    given = urls
    recorded = self.record.urls
    self.urls = urls ?? recorded
    // The record contains these versions even if no manifest is written.
    for pack in before.packs { self.record.addVersion(of: pack) }
  }

  // MARK: Archives

  /// Returns the archives to publish, without archives for other platforms.
  mutating func admit(_ given: [PublishedArchive]) -> [PublishedArchive] {
    var first: [PackID: PublishedArchive] = [:]
    var admitted: [PublishedArchive] = []
    for archive in given {
      if let other = first[archive.id] {
        findings.add(
          DownloadPackRules.duplicateID(given: archive, first: other), about: archive.page)
        continue
      }
      first[archive.id] = archive
      guard archive.isOffered(for: platform) else {
        let isPublished = before[archive.id] != nil
        findings.add(
          isPublished
            ? DownloadPackRules.platform(archive, for: platform)
            : DownloadPackRules.platform(leavingOut: archive, for: platform), about: archive.page)
        continue
      }
      admitted.append(archive)
    }
    if admitted.isEmpty, !given.isEmpty, !findings.hasErrors {
      findings.add(DownloadPackRules.platform(none: platform), about: page)
    }
    checkAppearances(admitted)
    return admitted
  }

  /// Reports IDs that look identical to others and may be a mistake.
  private mutating func checkAppearances(_ archives: [PublishedArchive]) {
    var seen = Dictionary(order.map { ($0.appearance, $0) }) { first, _ in first }
    for archive in archives {
      let other = seen.updateValue(archive.id, forKey: archive.id.appearance)
      guard let other, other != archive.id else { continue }
      findings.add(
        DownloadPackRules.similarIDs(archive.id, other, at: nil), about: archive.page)
    }
  }

  // MARK: Versions

  /// Returns the version of an archive: the latest version if its bytes are equal, else an unused
  /// version; nil if no version is left.
  mutating func version(of archive: PublishedArchive, wanted: Int?) -> Int? {
    let published = before[archive.id]?.version
    if let wanted {
      let latest = record.latest(of: archive.id)?.version
      return check(wanted, of: archive, highest: max(published ?? -1, latest ?? -1))
    }
    if let next = record.nextVersion(of: archive, published: published) { return next }
    findings.add(DownloadVersionRules.limit(reachedBy: archive.id), about: archive.page)
    return nil
  }

  /// Compares a requested version with used versions.
  private mutating func check(
    _ wanted: Int, of archive: PublishedArchive, highest: Int
  ) -> Int? {
    var finding: Finding?
    if wanted < highest {
      finding = DownloadVersionRules.lowered(archive.id, from: highest, to: wanted, at: nil)
    } else if wanted == highest, let why = difference(of: archive, from: highest) {
      finding = DownloadVersionRules.notRaised(
        archive.id, version: wanted, because: why, at: nil)
    }
    findings.add(finding, about: archive.page)
    return finding == nil ? wanted : nil
  }

  /// Returns the difference between an archive and a version.
  private func difference(
    of archive: PublishedArchive, from version: Int
  ) -> DownloadVersionRules.Difference? {
    let pack = before[archive.id].flatMap { $0.version == version ? $0 : nil }
    if let sha256 = record.sha256(of: archive.id, version: version) {
      return sha256 == archive.sha256 ? nil : .bytes(version: version)
    }
    guard let pack, pack.downloadSize != archive.size else { return nil }
    return .sizeOfVersion(archive.size, of: pack.downloadSize, version: version)
  }

  // MARK: Packs

  /// Returns the manifest's entry for a pack with its current archive; nil if its address is
  /// unknown.
  mutating func pack(
    _ before: PublishedPack, with archive: PublishedArchive, as version: Int
  ) -> PublishedPack? {
    var pack = before
    pack.downloadSize = archive.size
    if version == before.version {
      if let given { pack.url = archive.url(as: version, at: given) }
      return pack
    }
    pack.version = version
    pack.downloadPolicy = archive.manifest.downloadPolicy
    pack.userInfo = archive.manifest.userInfo
    if let urls {
      pack.url = archive.url(as: version, at: urls)
    } else if let finding = DownloadAddressRules.address(keptBy: before) {
      findings.add(finding, about: archive.page)
      return nil
    }
    return pack
  }

  mutating func newPack(_ archive: PublishedArchive, as version: Int) -> PublishedPack? {
    if let urls { return archive.published(as: version, at: urls) }
    findings.add(DownloadAddressRules.address(unknownOf: archive), about: archive.page)
    return nil
  }

  /// Records a published archive.
  mutating func publish(_ archive: PublishedArchive, _ pack: PublishedPack) {
    let change = change(archive, to: pack.version)
    changes[pack.id] = change
    archives[pack.id] = archive
    let isUnchanged = change.action == .unchanged
    if change.action == .raised, difference(of: archive, from: change.previousVersion ?? 0) == nil,
      record.sha256(of: pack.id, version: change.previousVersion ?? 0) == nil
    {
      findings.add(
        DownloadRecordRules.noRecord(
          pack.id, change.previousVersion ?? 0, hasRecord: hasRecord, manifest: page.name),
        about: archive.page)
    }
    if !isUnchanged {
      findings.add(
        LanguageRules.selfHosted(archive.manifest.language, of: archive.id), about: archive.page)
      findings.add(DownloadVersionRules.limit(pack, at: nil), about: archive.page)
    }
    var entry = archive.recorded(as: pack.version)
    if given == nil, isUnchanged {
      entry.url = record.entry(of: pack.id, version: pack.version)?.url
    }
    record.add(entry)
  }

  private func change(_ archive: PublishedArchive, to version: Int) -> PublishedChange {
    let id = archive.id
    guard let before = before[id] else {
      let latest = record.latest(of: id)
      return PublishedChange(
        id, .added, to: version,
        because: latest.map { "an earlier version was published; the latest is \($0.version)" })
    }
    if version == before.version {
      return PublishedChange(id, .unchanged, from: version, to: version)
    }
    let latest = record.latest(of: id)?.version ?? 0
    let reason =
      latest > before.version
      ? "version \(latest) was published before"
      : difference(of: archive, from: before.version)?.phrase
        ?? (record.sha256(of: id, version: before.version) == nil
          ? "the digest of version \(before.version) is not recorded" : "the version was requested")
    return PublishedChange(id, .raised, from: before.version, to: version, because: reason)
  }

  // MARK: Removed and unchanged packs

  /// Removes a pack; returns false if the ID is unknown.
  mutating func remove(_ id: PackID, from manifest: DownloadManifest) -> Bool {
    guard let pack = before[id], changes[id] == nil else {
      if changes[id] != nil {
        findings.add(DownloadPackRules.unknownPack(given: id), about: page)
      } else if let latest = record.latest(of: id), !latest.isRemoved {
        // The pack is already missing from the manifest. The record now marks it as intentionally
        // removed.
        record.remove(id)
        departures.append(PublishedChange(id, .removed, from: latest.version))
      } else {
        findings.add(DownloadPackRules.unknownPack(id, known: order), about: page)
      }
      return false
    }
    record.remove(id)
    findings.add(DownloadPackRules.vanished(removed: id), about: page)
    if !departures.contains(where: { $0.id == id }) {
      departures.append(PublishedChange(id, .removed, from: pack.version))
    }
    return true
  }

  /// Removes all packs of the old manifest that are not part of the new one.
  mutating func leaveAll(but given: [PackID]) {
    let present = Set(given)
    for latest in record.latestEntries where !latest.isRemoved && !present.contains(latest.id) {
      record.remove(latest.id)
      findings.add(DownloadPackRules.vanished(removed: latest.id), about: page)
      departures.append(PublishedChange(latest.id, .removed, from: latest.version))
    }
  }

  /// Reports differences between manifest and record for packs that were not given.
  mutating func inspectOthers(in manifest: DownloadManifest) {
    let departed = Set(departures.map(\.id))
    for pack in manifest.packs where changes[pack.id] == nil {
      findings.add(
        DownloadVersionRules.behindRecord(pack, in: record, isUpdated: true), about: page)
    }
    let present = Set(manifest.packs.map(\.id))
    for latest in record.latestEntries
    where !latest.isRemoved && !present.contains(latest.id) && !departed.contains(latest.id) {
      findings.add(
        DownloadPackRules.vanished(recorded: latest.id, version: latest.version), about: page)
    }
  }

  // MARK: Result

  mutating func publication(_ manifest: DownloadManifest) -> Publication {
    checkAddresses(of: manifest)
    recordAddresses(of: manifest)
    var publication = Publication(
      record: record.shortened(keeping: manifest.packs))
    publication.manifest = findings.hasErrors ? nil : manifest
    publication.changes =
      manifest.packs.map { pack in
        changes[pack.id] ?? PublishedChange(pack.id, .kept, from: pack.version, to: pack.version)
      } + departures
    publication.findings = findings
    publication.archives = archives
    return publication
  }

  /// Reports packs with the same address, if the template does not distinguish them.
  private mutating func checkAddresses(of manifest: DownloadManifest) {
    let byURL = Dictionary(grouping: manifest.packs, by: \.url)
    for pack in manifest.packs {
      guard let archive = archives[pack.id], let packs = byURL[pack.url],
        let other = packs.first(where: { $0.id != pack.id })
      else { continue }
      findings.add(DownloadAddressRules.duplicateURL(pack, other, at: nil), about: archive.page)
    }
  }

  /// Stores the template in the record.
  ///
  /// Packs whose addresses follow the previous template keep them.
  private mutating func recordAddresses(of manifest: DownloadManifest) {
    record.urlTemplate = urls?.template
    guard let given, given.template != recorded?.template else { return }
    for pack in manifest.packs where changes[pack.id] == nil {
      guard var entry = record.entry(of: pack.id, version: pack.version), entry.url == nil,
        !given.fits(pack, entry), recorded?.fits(pack, entry) ?? true
      else { continue }
      entry.url = pack.url
      record.add(entry)
    }
  }
}

extension PublicationRecord {
  /// The template of the packs' addresses.
  var urls: PackURLs? {
    urlTemplate.flatMap { try? PackURLs(base: nil, template: $0, allowingHTTP: true) }
  }
}

extension PackURLs {
  /// Whether a pack has the address of its version.
  func fits(_ pack: PublishedPack, _ entry: PublicationRecord.Entry?) -> Bool {
    fits(pack.url, id: pack.id, version: pack.version, sha256: entry?.sha256)
  }
}

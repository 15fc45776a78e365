import SourceDiagnostics

extension DownloadManifest {
  /// Publishes new archives beside what is published already.
  ///
  /// The version of a given pack rises by one if its bytes differ from the published ones, or if
  /// nobody knows what was published. A version never falls, and a number that once stood for other
  /// bytes is not given out again, even to a pack that had left the manifest.
  ///
  /// Without `urls`, packs stay at their addresses.
  public func updated(
    with archives: [PublishedArchive], removing removed: [String] = [], for platform: Platform,
    at urls: PackURLs?, record: PublicationRecord?, named name: String
  ) -> Publication {
    var update = Update(
      manifest: self, record: record ?? PublicationRecord(), name: name, hasRecord: record != nil,
      urls: urls)
    update.record.platform = platform
    update.findings.check(archives, for: platform)
    for archive in archives { update.publish(archive) }
    for id in removed { update.remove(id) }
    update.findings.checkAddresses(of: update.manifest, from: archives)
    return update.publication()
  }
}

/// An update while it is made.
private struct Update {
  var manifest: DownloadManifest
  var record: PublicationRecord
  let name: String
  let hasRecord: Bool
  let urls: PackURLs?
  var findings = ArchiveFindings()
  private var changes: [String: PackChange] = [:]
  private var departures: [PackChange] = []

  init(
    manifest: DownloadManifest, record: PublicationRecord, name: String, hasRecord: Bool,
    urls: PackURLs?
  ) {
    self.manifest = manifest
    self.record = record
    self.name = name
    self.hasRecord = hasRecord
    self.urls = urls
  }

  mutating func publish(_ archive: PublishedArchive) {
    guard let index = manifest.packs.firstIndex(where: { $0.id == archive.id }) else {
      return add(archive)
    }
    let before = manifest.packs[index]
    let published = record.sha256(of: before.id, version: before.version)
    guard published != archive.sha256 else {
      manifest.packs[index].downloadSize = archive.size
      if let urls {
        manifest.packs[index].url = archive.url(as: before.version, at: urls)
      }
      changes[before.id] = PackChange(
        before.id, .unchanged, from: before.version, to: before.version)
      return
    }
    let difference: String
    if published != nil {
      difference = "its bytes differ from those of version \(before.version)"
    } else if before.downloadSize != archive.size {
      difference =
        "it has \(archive.size) bytes, version \(before.version) has \(before.downloadSize)"
    } else {
      difference = "what version \(before.version) was is not on record"
      findings.add(
        DownloadNoRecord.taken(before, hasRecord: hasRecord, manifest: name), about: archive.path)
    }
    guard let version = nextVersion(after: before.version, for: archive) else { return }
    var pack = before
    pack.version = version
    pack.downloadSize = archive.size
    pack.downloadPolicy = archive.manifest.downloadPolicy
    pack.userInfo = archive.manifest.userInfo
    if let urls {
      pack.url = archive.url(as: version, at: urls)
    } else {
      findings.add(DownloadAddress.checkKept(before), about: archive.path)
    }
    manifest.packs[index] = pack
    publish(
      archive, pack,
      PackChange(pack.id, .raised, from: before.version, to: version, because: difference))
  }

  private mutating func add(_ archive: PublishedArchive) {
    guard let urls else {
      findings.add(DownloadAddress.unknown(archive), about: archive.path)
      return
    }
    // A pack that comes back goes on where it was.
    let latest = record.latest(of: archive.id)
    guard let version = latest.map({ nextVersion(after: $0.version - 1, for: archive) }) ?? 0
    else { return }
    let pack = archive.published(as: version, at: urls)
    manifest.packs.append(pack)
    let reason = latest.map { "it was published before, last as version \($0.version)" }
    publish(archive, pack, PackChange(pack.id, .added, to: version, because: reason))
  }

  /// The lowest version above `version` that stands for these bytes or for none.
  private mutating func nextVersion(after version: Int, for archive: PublishedArchive) -> Int? {
    var lowest = version
    if let latest = record.latest(of: archive.id), latest.version > version {
      if latest.sha256 == archive.sha256 { return latest.version }
      lowest = latest.version
    }
    let (next, overflow) = lowest.addingReportingOverflow(1)
    if overflow {
      findings.add(DownloadVersionLimit.exhausted(archive.id), about: archive.path)
      return nil
    }
    return next
  }

  private mutating func publish(
    _ archive: PublishedArchive, _ pack: PublishedPack, _ change: PackChange
  ) {
    findings.add(LanguageSelfHosted.check(archive), about: archive.path)
    findings.add(DownloadVersionLimit.check(pack, at: nil), about: archive.path)
    record.add(archive.recorded(as: pack.version))
    changes[pack.id] = change
  }

  mutating func remove(_ id: String) {
    guard let index = manifest.packs.firstIndex(where: { $0.id == id }) else {
      findings.add(
        DownloadUnknownPack.finding(id, known: manifest.packs.map(\.id)), about: name)
      return
    }
    let pack = manifest.packs.remove(at: index)
    findings.add(DownloadPackVanished.removed(id), about: name)
    departures.append(PackChange(id, .removed, from: pack.version))
  }

  func publication() -> Publication {
    var publication = Publication(record: record)
    publication.manifest = findings.hasErrors ? nil : manifest
    publication.changes =
      manifest.packs.map { pack in
        changes[pack.id] ?? PackChange(pack.id, .kept, from: pack.version, to: pack.version)
      } + departures
    publication.findings = findings.all
    return publication
  }
}

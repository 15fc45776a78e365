public import SourceDiagnostics

/// Everything that can be known about a download manifest before it is served.
///
/// What is not given is not checked: the text alone, or the archives, the manifest before it and
/// the app's property list as well.
public struct DownloadManifestCheck: Sendable {
  /// The manifest that devices have now.
  public struct Previous: Sendable {
    /// Its text.
    public var document: DownloadManifestDocument
    /// The record beside it.
    public var record: PublicationRecord?

    /// Describes what was published before.
    public init(_ document: DownloadManifestDocument, record: PublicationRecord? = nil) {
      self.document = document
      self.record = record
    }
  }

  /// The manifest.
  public var document: DownloadManifestDocument
  /// The record beside it.
  public var record: PublicationRecord?
  /// The archives that are served; nil when they are not at hand.
  public var archives: ArchiveFolder?
  /// The manifest that devices have now.
  public var previous: Previous?
  /// The property list of the app.
  public var plist: InfoPlistDocument?
  /// The platform that the manifest is for.
  public var platform: Platform?
  /// Whether the address of the manifest itself may be http.
  public var allowsHTTP = false

  /// Checks the text alone, until more is given.
  public init(_ document: DownloadManifestDocument) { self.document = document }

  /// All findings: those about the manifest, then those about the archives and the property list.
  public func findings() -> [Findings] {
    var list = FindingList()
    list.add(contentsOf: document.diagnostics)
    var chosen: [PublishedArchive?] = Array(repeating: nil, count: document.packs.count)
    if let archives {
      if record == nil {
        let path = PublicationRecord.path(besides: document.source.name)
        list.add(DownloadNoRecord.missing(path))
      }
      let byID = Dictionary(grouping: archives.archives, by: \.id)
      for (index, pack) in document.packs.enumerated() {
        chosen[index] = find(
          pack, at: document.locations[index], among: byID[pack.id] ?? [], in: archives, &list)
      }
    }
    for (index, pack) in document.packs.enumerated() {
      compare(pack, at: document.locations[index], with: chosen[index], &list)
    }
    comparePrevious(chosen, &list)
    checkAddresses(&list)
    let others = archives.map { $0.findings(besides: document.packs) } ?? []
    return [Findings(document.source, list.sorted())] + others + checkPlist(chosen)
  }

  /// The archive that a pack's address leads to.
  private func find(
    _ pack: PublishedPack, at place: DownloadManifestDocument.PackLocation,
    among candidates: [PublishedArchive], in folder: ArchiveFolder, _ list: inout FindingList
  ) -> PublishedArchive? {
    if candidates.count < 2 {
      if candidates.isEmpty, !folder.hasUnreadable {
        list.add(DownloadArchiveMissing.finding(pack.id, in: folder.path, at: place.id))
      }
      return candidates.first
    }
    let name = WebAddress(pack.url)?.fileName
    let served = candidates.filter {
      $0.fileName == name || $0.fileName == name.map { $0 + ".aar" }
    }
    if served.count == 1 { return served[0] }
    list.add(DownloadArchiveMissing.ambiguous(pack.id, candidates, at: place.id))
    return nil
  }

  /// What a pack's archive, and the record, say about it.
  private func compare(
    _ pack: PublishedPack, at place: DownloadManifestDocument.PackLocation,
    with archive: PublishedArchive?, _ list: inout FindingList
  ) {
    guard let archive else { return }
    if let platform {
      list.add(DownloadPlatform.check(archive, for: platform, at: place.id))
    }
    if archive.size != pack.downloadSize {
      list.add(DownloadSizeDiffers.finding(pack, archive, at: place.downloadSize))
    } else if let published = record?.sha256(of: pack.id, version: pack.version),
      published != archive.sha256
    {
      list.add(
        DownloadVersionKept.finding(
          pack.id, version: pack.version,
          because: "'\(path: archive.path)' is not what was published as version \(pack.version)",
          at: place.version))
    }
    if archive.manifest.downloadPolicy != pack.downloadPolicy {
      list.add(
        DownloadPackDiffers.finding(
          "download policy", of: pack.id, archive, at: place.downloadPolicy))
    }
    if !JSONValue.meanSame(archive.manifest.userInfo, pack.userInfo) {
      list.add(
        DownloadPackDiffers.finding(
          "userInfo", of: pack.id, archive, at: place.userInfo ?? place.id))
    }
  }

  /// What changed since the manifest that devices have.
  private func comparePrevious(_ archives: [PublishedArchive?], _ list: inout FindingList) {
    guard let previous else { return }
    var left = Dictionary(previous.document.packs.map { ($0.id, $0) }) { first, _ in first }
    for (index, pack) in document.packs.enumerated() {
      guard let before = left.removeValue(forKey: pack.id) else { continue }
      let place = document.locations[index]
      let change = change(from: before, to: pack, archives[index], previous.record)
      if pack.version < before.version {
        list.add(
          DownloadVersionLowered.finding(
            .error, id: pack.id, from: before.version, to: pack.version, at: place.version))
      } else if pack.version == before.version {
        if case .different(let why) = change {
          list.add(
            DownloadVersionKept.finding(
              pack.id, version: pack.version, because: why, at: place.version))
        }
      } else if change == .same {
        list.add(
          DownloadVersionRaised.finding(
            pack.id, from: before.version, to: pack.version, at: place.version))
      }
      if change == .unknown { list.add(DownloadNoRecord.unknown(pack, at: place.id)) }
    }
    for pack in previous.document.packs where left.removeValue(forKey: pack.id) != nil {
      list.add(DownloadPackVanished.finding(pack.id, previous: previous.document.source.name))
    }
  }

  private enum Change: Equatable {
    case same, unknown
    case different(Diagnostic.Message)
  }

  private func change(
    from before: PublishedPack, to pack: PublishedPack, _ archive: PublishedArchive?,
    _ previousRecord: PublicationRecord?
  ) -> Change {
    let name = previous?.document.source.name ?? ""
    let size = archive?.size ?? pack.downloadSize
    if size != before.downloadSize {
      return .different("it has \(size) bytes, and \(before.downloadSize) in '\(path: name)'")
    }
    let old =
      previousRecord?.sha256(of: before.id, version: before.version)
      ?? record?.sha256(of: before.id, version: before.version)
    let new = archive?.sha256 ?? record?.sha256(of: pack.id, version: pack.version)
    guard let old, let new else { return .unknown }
    return old == new
      ? .same
      : .different("its SHA-256 is not the one that is on record for version \(before.version)")
  }

  /// Whether the app may download from where the packs are.
  private func checkAddresses(_ list: inout FindingList) {
    guard let domains = plist?.plist?.domains else { return }
    var reported: Set<String> = []
    for (index, pack) in document.packs.enumerated() {
      guard let host = WebAddress(pack.url)?.host, !domains.covers(host),
        reported.insert(host).inserted
      else { continue }
      let others = document.packs[(index + 1)...].filter { WebAddress($0.url)?.host == host }
      list.add(
        DownloadDomain.finding(
          pack.id, and: others.map(\.id), host: host, list: domains,
          at: document.locations[index].url))
    }
  }
}

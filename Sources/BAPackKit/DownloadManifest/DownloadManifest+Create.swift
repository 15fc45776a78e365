import SourceDiagnostics

extension DownloadManifest {
  /// Publishes packs for the first time, each with a version of its own.
  ///
  /// `replaced` is a manifest that stands in the place of the new one: versions that fall below
  /// its versions are reported.
  public static func create(
    from packs: [(archive: PublishedArchive, version: Int)], for platform: Platform,
    at urls: PackURLs, replacing replaced: DownloadManifest? = nil
  ) -> Publication {
    var publication = Publication(record: PublicationRecord(platform: platform))
    var findings = ArchiveFindings()
    var manifest = DownloadManifest(packs: [])
    findings.check(packs.map(\.archive), for: platform)
    for (archive, version) in packs {
      findings.add(LanguageSelfHosted.check(archive), about: archive.path)
      let pack = archive.published(as: version, at: urls)
      findings.add(DownloadVersionLimit.check(pack, at: nil), about: archive.path)
      if let before = replaced?.pack(pack.id), before.version > version {
        findings.add(
          DownloadVersionLowered.finding(
            .warning, id: pack.id, from: before.version, to: version, at: nil),
          about: archive.path)
      }
      manifest.packs.append(pack)
      publication.record.add(archive.recorded(as: version))
      publication.changes.append(PackChange(pack.id, .added, to: version))
    }
    findings.checkAddresses(of: manifest, from: packs.map(\.archive))
    publication.manifest = findings.hasErrors ? nil : manifest
    publication.findings = findings.all
    return publication
  }
}

extension ArchiveFindings {
  /// What keeps archives out of a manifest.
  mutating func check(_ archives: [PublishedArchive], for platform: Platform) {
    for (index, archive) in archives.enumerated() {
      add(DownloadPlatform.check(archive, for: platform), about: archive.path)
      add(DownloadDuplicateID.check(index, of: archives), about: archive.path)
    }
  }

  /// Two packs at one address: a template that does not tell them apart.
  mutating func checkAddresses(of manifest: DownloadManifest, from archives: [PublishedArchive]) {
    for archive in archives {
      guard let pack = manifest.pack(archive.id) else { continue }
      let other = manifest.packs.first { $0.url == pack.url && $0.id != pack.id }
      guard let other else { continue }
      add(DownloadDuplicateURL.finding(pack, other, at: nil), about: archive.path)
    }
  }
}

package import SourceDiagnostics
package import SystemIO

/// The archives in a folder from which packs are served.
package struct ArchiveFolder: Sendable {
  /// The path of the folder, as specified by the caller.
  package let path: String
  /// The archives, sorted by their paths.
  package let archives: [PublishedArchive]
  /// The findings about files that appear to be archives but could not be read.
  package let unreadable: Ledger

  package init(path: String, archives: [PublishedArchive], unreadable: Ledger = Ledger()) {
    self.path = path
    self.archives = archives
    self.unreadable = unreadable
  }

  /// Whether an apparently missing pack may be among the unreadable files.
  var hasUnreadable: Bool { !unreadable.isEmpty }

  /// Reports unlisted and unreadable archives.
  func check(besides packs: [PublishedPack], _ findings: inout Ledger) {
    findings.add(contentsOf: unreadable)
    let ids = Set(packs.map(\.id))
    for archive in archives where !ids.contains(archive.id) {
      findings.add(DownloadArchiveRules.unlisted(archive), about: archive.page)
    }
  }
}

// MARK: - Reading

extension ArchiveFolder {
  /// Reads the archives in a folder and its subfolders.
  ///
  /// Archives are files named `….aar`, files with the name of a pack of the manifest, and files
  /// with the last component of its address. Hidden folders and links to folders are skipped.
  package init(
    reading path: String, for packs: [PublishedPack], memory: UInt64 = PackReader.defaultMemory,
    _ work: Work
  ) throws(PackError) {
    let names = Set(packs.map(\.id.text) + packs.compactMap { $0.address?.fileName })
    let paths = try explaining({
      PackError($0, remedy: "specify the folder from which the packs are served")
    }) { () throws(Failure) in try ArchiveSearch.archives(in: path, called: names) }
    let (archives, unreadable) = try [PublishedArchive].read(paths, memory: memory, work)
    self.init(path: path, archives: archives, unreadable: unreadable)
  }
}

extension PublishedPack {
  /// The parsed address; nil if it is invalid.
  var address: WebAddress? { WebAddress(url) }
}

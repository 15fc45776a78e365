package import SourceDiagnostics
package import SystemIO

/// The archives in a folder from which packs are served.
package struct ArchiveFolder: Sendable {
  /// The path of the folder as it was given.
  package let path: String
  /// The archives, in order of their paths.
  package let archives: [PublishedArchive]
  /// The files that look like archives and could not be read, with the reasons.
  package let unreadable: Ledger

  /// Describes a folder.
  package init(path: String, archives: [PublishedArchive], unreadable: Ledger = Ledger()) {
    self.path = path
    self.archives = archives
    self.unreadable = unreadable
  }

  /// Whether a pack that seems to be missing may be among those that could not be read.
  var hasUnreadable: Bool { !unreadable.isEmpty }

  /// What is in the folder but should not be, or cannot be read.
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
  /// Reads the archives in a folder and in the folders inside it.
  ///
  /// These are the files named `….aar`, those with the name of a pack of the manifest, and those
  /// with the name at the end of its address. Hidden folders and folders behind links are left out.
  package init(
    reading path: String, for packs: [PublishedPack], memory: UInt64 = PackReader.defaultMemory,
    _ work: Work
  ) throws(PackError) {
    let names = Set(packs.map(\.id.text) + packs.compactMap { $0.address?.fileName })
    let paths = try explaining({
      PackError($0, remedy: "name the folder that the packs are served from")
    }) { () throws(Failure) in try ArchiveSearch.archives(in: path, called: names) }
    let (archives, unreadable) = try [PublishedArchive].read(paths, memory: memory, work)
    self.init(path: path, archives: archives, unreadable: unreadable)
  }
}

extension PublishedPack {
  /// The address as a value; nil if it is not one.
  var address: WebAddress? { WebAddress(url) }
}

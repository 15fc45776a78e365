public import SourceDiagnostics

/// The archives in a folder from which packs are served.
public struct ArchiveFolder: Sendable {
  /// The path of the folder as it was given.
  public let path: String
  /// The archives, in order of their names.
  public let archives: [PublishedArchive]
  /// The files that look like archives and could not be read, with the reason.
  public let unreadable: [Findings]

  /// Describes a folder.
  public init(path: String, archives: [PublishedArchive], unreadable: [Findings] = []) {
    self.path = path
    self.archives = archives
    self.unreadable = unreadable
  }

  /// Whether a pack that seems to be missing may be one that could not be read.
  var hasUnreadable: Bool { !unreadable.isEmpty }

  /// What is in the folder and should not be, or cannot be read.
  func findings(besides packs: [PublishedPack]) -> [Findings] {
    let ids = Set(packs.map(\.id))
    let unlisted = archives.filter { !ids.contains($0.id) }.map {
      Findings(SourceText([], named: $0.path), [DownloadArchiveUnlisted.finding($0)])
    }
    return unreadable + unlisted
  }
}

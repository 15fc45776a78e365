import SystemIO

extension ArchiveFolder {
  /// Reads the archives in a folder: the files that are called `.aar`, and those that are called as
  /// a pack of the manifest is, or as its address ends.
  public init(reading path: String, for packs: [PublishedPack]) throws(PackError) {
    let names = Set(packs.map(\.id) + packs.compactMap { WebAddress($0.url)?.fileName })
    let paths: [String]
    do throws(SystemError) {
      paths = try Self.files(in: path) { name in
        names.contains(name) || name.lowercased().hasSuffix(".aar") && !name.hasPrefix(".")
      }
    } catch {
      throw PackError(error, remedy: "name the folder that the packs are served from")
    }
    let (archives, unreadable) = try [PublishedArchive].read(paths)
    self.init(path: path, archives: archives, unreadable: unreadable)
  }

  private static func files(
    in path: String, where isIncluded: (String) -> Bool
  ) throws(SystemError) -> [String] {
    let folder = try FileDescriptor.open(path, for: .directory)
    let listing = try folder.list()
    return listing.items.filter { $0.kind != .directory }
      .map { listing.fileName(of: $0) }
      .filter { isIncluded($0.shown) }
      .map { folder.location.appending($0).text }
  }
}

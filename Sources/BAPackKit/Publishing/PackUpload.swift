import SourceDiagnostics

/// An archive that must be served under another name than its file has.
public struct PackUpload: Sendable, Equatable {
  /// The path of the archive.
  public var path: String
  /// The name at the end of its address.
  public var name: String
  /// The address.
  public var url: String
}

extension PublishedArchive {
  /// Under which name the archive is served, if that is not its own.
  func upload(as pack: PublishedPack) -> PackUpload? {
    guard let name = pack.address?.path.last, name != fileName else { return nil }
    return PackUpload(path: path, name: name, url: pack.url)
  }
}

extension Publication {
  /// The archives whose files are called otherwise than their addresses end.
  public var uploads: [PackUpload] {
    manifest?.packs.compactMap { pack in archives[pack.id]?.upload(as: pack) } ?? []
  }
}

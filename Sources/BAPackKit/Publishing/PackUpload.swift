import SourceDiagnostics

/// An archive that must be served under a different name than its file has.
package struct PackUpload: Sendable, Equatable {
  /// The path of the archive.
  package var path: String
  /// The name at the end of its address.
  package var name: String
  /// The address.
  package var url: String
}

extension PublishedArchive {
  /// The name under which the archive must be served; nil if that is the name of its file.
  func upload(as pack: PublishedPack) -> PackUpload? {
    guard let name = pack.address?.path.last, name != fileName else { return nil }
    return PackUpload(path: path, name: name, url: pack.url)
  }
}

extension Publication {
  /// The archives whose files have different names than the ends of their addresses.
  package var uploads: [PackUpload] {
    manifest?.packs.compactMap { pack in archives[pack.id]?.upload(as: pack) } ?? []
  }
}

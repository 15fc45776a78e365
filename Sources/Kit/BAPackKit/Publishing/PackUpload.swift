import SourceDiagnostics

/// An archive that must be served under a name other than its file name.
package struct PackUpload: Sendable, Equatable {
  /// The path of the archive.
  package var path: String
  /// The name at the end of its address.
  package var name: String
  /// The address.
  package var url: String
}

extension PublishedArchive {
  /// Returns the upload of the archive; nil if its file already has the name in its address.
  func upload(as pack: PublishedPack) -> PackUpload? {
    guard let name = pack.address?.path.last, name != fileName else { return nil }
    return PackUpload(path: path, name: name, url: pack.url)
  }
}

extension Publication {
  /// The archives whose file names differ from the last components of their addresses.
  package var uploads: [PackUpload] {
    manifest?.packs.compactMap { pack in archives[pack.id]?.upload(as: pack) } ?? []
  }
}

import SystemIO

/// The archive of a pack to publish, with its manifest, sizes and digest.
package struct PublishedArchive: Sendable, Equatable {
  /// The path, as specified by the caller, for messages.
  package var path: String
  package var manifest: Manifest
  /// The size of the archive in bytes.
  package var size: UInt64
  /// The size of the unpacked files in bytes.
  package var installedSize: UInt64
  /// The SHA-256 of the archive, in lowercase hexadecimal digits.
  package var sha256: String

  package init(
    path: String, manifest: Manifest, size: UInt64, installedSize: UInt64, sha256: String
  ) {
    self.path = path
    self.manifest = manifest
    self.size = size
    self.installedSize = installedSize
    self.sha256 = sha256
  }

  package var id: PackID { PackID(manifest.assetPackID) }

  /// The name of its file, without folders.
  package var fileName: String { FilePath(FilePath(path).name.bytes).text }

  /// The pack as offered to devices.
  package var offered: OfferedPack {
    OfferedPack(
      id: id, policy: manifest.downloadPolicy, platforms: manifest.platforms,
      language: manifest.language, size: PackSize(download: size, unpacked: installedSize))
  }

  /// Whether the pack supports a platform; a pack without platforms supports all.
  package func isOffered(for platform: Platform) -> Bool { offered.isOffered(on: platform) }

  /// Returns the entry of this archive in a download manifest.
  package func published(as version: Int, at urls: PackURLs) -> PublishedPack {
    PublishedPack(
      id: id, url: url(as: version, at: urls), version: version, downloadSize: size,
      downloadPolicy: manifest.downloadPolicy, userInfo: manifest.userInfo)
  }

  func url(as version: Int, at urls: PackURLs) -> String {
    urls.url(id: id, version: version, sha256: sha256, fileName: fileName)
  }

  func recorded(as version: Int) -> PublicationRecord.Entry {
    PublicationRecord.Entry(id: id, version: version, sha256: sha256)
  }
}

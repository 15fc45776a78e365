import SystemIO

/// The archive of a pack that will be published, with its manifest, sizes and digest.
package struct PublishedArchive: Sendable, Equatable {
  /// Its path as it was given, for messages.
  package var path: String
  /// The manifest in the archive.
  package var manifest: Manifest
  /// The size of the archive.
  package var size: UInt64
  /// The size of the unpacked files.
  package var installedSize: UInt64
  /// Its SHA-256, in lower-case hexadecimal digits.
  package var sha256: String

  /// Describes an archive.
  package init(
    path: String, manifest: Manifest, size: UInt64, installedSize: UInt64, sha256: String
  ) {
    self.path = path
    self.manifest = manifest
    self.size = size
    self.installedSize = installedSize
    self.sha256 = sha256
  }

  /// The ID of the pack.
  package var id: PackID { PackID(manifest.assetPackID) }

  /// The name of its file, without folders.
  package var fileName: String { FilePath(FilePath(path).name.bytes).text }

  /// The pack as devices are offered it.
  package var offered: OfferedPack {
    OfferedPack(
      id: id, policy: manifest.downloadPolicy, platforms: manifest.platforms,
      language: manifest.language, size: PackSize(download: size, unpacked: installedSize))
  }

  /// Whether the pack is meant for a platform; one that names no platform is meant for all.
  package func isMeant(for platform: Platform) -> Bool { offered.isOffered(on: platform) }

  /// The pack as a download manifest describes this archive.
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

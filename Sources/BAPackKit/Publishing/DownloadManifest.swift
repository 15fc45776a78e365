package import SourceDiagnostics

/// What your own server tells the devices of one platform: which packs there are, where they are,
/// and which version is current.
///
/// A device downloads a pack again when its version rises, and deletes it when it is no longer in
/// the list.
package struct DownloadManifest: Sendable, Equatable {
  /// The packs, in the order in which they are written.
  package var packs: [PublishedPack]
  /// Members other than `assetPacks`, kept as they were read.
  package var otherMembers: [JSONValue.Member]

  /// Makes a manifest.
  package init(packs: [PublishedPack], otherMembers: [JSONValue.Member] = []) {
    self.packs = packs
    self.otherMembers = otherMembers
  }

  /// How much a device downloads that gets all packs.
  package var downloadSize: UInt64 { packs.map { $0.offered().size }.sum.download }
}

/// One pack of a download manifest.
package struct PublishedPack: Sendable, Equatable {
  /// The ID under which the app asks for it.
  package var id: PackID
  /// Where its archive is.
  package var url: String
  /// The version of the pack in that archive; it only ever rises.
  package var version: Int
  /// The size of the archive.
  package var downloadSize: UInt64
  /// When the system downloads it.
  package var downloadPolicy: DownloadPolicy
  /// Who serves it: `{"thirdParty": {}}` unless it is Apple.
  package var host: JSONValue
  /// What the app gets together with the pack: an object.
  package var userInfo: JSONValue?
  /// Unknown members, kept as they were read.
  package var otherMembers: [JSONValue.Member]

  /// Makes a pack.
  package init(
    id: PackID, url: String, version: Int, downloadSize: UInt64, downloadPolicy: DownloadPolicy,
    host: JSONValue = .thirdParty, userInfo: JSONValue? = nil,
    otherMembers: [JSONValue.Member] = []
  ) {
    self.id = id
    self.url = url
    self.version = version
    self.downloadSize = downloadSize
    self.downloadPolicy = downloadPolicy
    self.host = host
    self.userInfo = userInfo
    self.otherMembers = otherMembers
  }

  /// The pack as devices are offered it; what it has unpacked is not written in a manifest.
  ///
  /// A manifest is for one platform, and names no languages.
  package func offered(unpacked: UInt64 = 0) -> OfferedPack {
    OfferedPack(
      id: id, policy: downloadPolicy, size: PackSize(download: downloadSize, unpacked: unpacked))
  }

  /// The highest version that every reader takes: Apple's plug-in for Unity keeps it in 16 bits.
  package static let highestPortableVersion = 65_535
}

extension JSONValue {
  /// The value of `host` for your own server.
  package static let thirdParty = JSONValue.object([.init("thirdParty", .object([]))])
}

// MARK: - Writing

extension DownloadManifest {
  /// The manifest as strict JSON; equal manifests give equal bytes.
  package func json() -> [UInt8] { JSONWriter.bytes(jsonValue, .readable) }

  /// What ``json()`` writes.
  package var jsonValue: JSONValue {
    .object([.init("assetPacks", .array(packs.map(\.jsonValue)))] + otherMembers)
  }
}

extension PublishedPack {
  /// The pack as a download manifest writes it.
  package var jsonValue: JSONValue {
    var members = [
      JSONValue.Member("id", .string(id.text)),
      JSONValue.Member("url", .string(url)),
      JSONValue.Member("version", .number(String(version))),
      JSONValue.Member("downloadSize", .number(String(downloadSize))),
      JSONValue.Member("downloadPolicy", downloadPolicy.jsonValue),
      JSONValue.Member("host", host),
    ]
    if let userInfo { members.append(.init("userInfo", userInfo)) }
    return .object(members + otherMembers)
  }
}

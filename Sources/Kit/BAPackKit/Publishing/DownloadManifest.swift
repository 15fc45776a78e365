package import SourceDiagnostics

/// The list of packs that your own server provides to the devices of one platform, with their
/// addresses and current versions.
///
/// A device downloads a pack again when its version increases, and deletes it when it is no longer
/// in the list.
package struct DownloadManifest: Sendable, Equatable {
  /// The packs, in the order of the file.
  package var packs: [PublishedPack]
  /// The members other than `assetPacks`, unchanged.
  package var otherMembers: [JSONValue.Member] = []

  package init(packs: [PublishedPack], otherMembers: [JSONValue.Member] = []) {
    self.packs = packs
    self.otherMembers = otherMembers
  }

  /// The download size of all packs, in bytes.
  package var downloadSize: UInt64 { packs.map { $0.offered().size }.sum.download }
}

/// A pack in a download manifest.
package struct PublishedPack: Sendable, Equatable {
  /// The ID with which the app requests the pack.
  package var id: PackID
  /// The address of the archive.
  package var url: String
  /// The version of the pack; it never decreases.
  package var version: Int
  /// The size of the archive in bytes.
  package var downloadSize: UInt64
  package var downloadPolicy: DownloadPolicy
  /// The host of the pack: `{"thirdParty": {}}` unless Apple hosts it.
  package var host = JSONValue.thirdParty
  /// The object that the app gets together with the pack.
  package var userInfo: JSONValue?
  /// The unknown members, unchanged.
  package var otherMembers: [JSONValue.Member] = []

  /// Returns the pack as offered to devices; a download manifest does not contain the unpacked
  /// size.
  ///
  /// A download manifest is for one platform and contains no languages.
  package func offered(unpacked: UInt64 = 0) -> OfferedPack {
    OfferedPack(
      id: id, policy: downloadPolicy, size: PackSize(download: downloadSize, unpacked: unpacked))
  }

  /// The highest version that every reader supports: Apple's plug-in for Unity stores it in 16
  /// bits.
  package static let highestPortableVersion = 65_535
}

extension JSONValue {
  /// The value of `host` for self-hosted packs.
  package static let thirdParty = JSONValue.object([.init("thirdParty", .object([]))])
}

// MARK: - Writing

extension DownloadManifest {
  /// Returns the manifest as strict JSON; equal manifests have equal bytes.
  package func json() -> [UInt8] { JSONWriter.bytes(jsonValue, .readable) }

  /// The JSON value of ``json()``.
  package var jsonValue: JSONValue {
    .object([.init("assetPacks", .array(packs.map(\.jsonValue)))] + otherMembers)
  }
}

extension PublishedPack {
  /// The pack as a JSON value of a download manifest.
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

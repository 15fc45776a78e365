public import SourceDiagnostics

/// What your own server tells the devices of one platform: which packs there are, where they are,
/// and which version is current.
///
/// A device downloads a pack again when its version rises, and deletes it when it is no longer in
/// the list.
public struct DownloadManifest: Sendable, Equatable {
  /// The packs, in the order in which they are written.
  public var packs: [PublishedPack]
  /// Members other than `assetPacks`, kept as they were read.
  public var otherMembers: [JSONValue.Member]

  /// Makes a manifest.
  public init(packs: [PublishedPack], otherMembers: [JSONValue.Member] = []) {
    self.packs = packs
    self.otherMembers = otherMembers
  }

  /// How much a device downloads that gets all packs.
  public var downloadSize: UInt64 { packs.map { $0.offered().size }.sum.download }

  /// The pack with an ID.
  public func pack(_ id: PackID) -> PublishedPack? { packs.first { $0.id == id } }
}

/// One pack of a download manifest.
public struct PublishedPack: Sendable, Equatable {
  /// The ID under which the app asks for it.
  public var id: PackID
  /// Where its archive is.
  public var url: String
  /// The version of the pack in that archive; it only ever rises.
  public var version: Int
  /// The size of the archive.
  public var downloadSize: UInt64
  /// When the system downloads it.
  public var downloadPolicy: DownloadPolicy
  /// Who serves it: `{"thirdParty": {}}` unless it is Apple.
  public var host: JSONValue
  /// What the app gets together with the pack: an object.
  public var userInfo: JSONValue?
  /// Unknown members, kept as they were read.
  public var otherMembers: [JSONValue.Member]

  /// Makes a pack.
  public init(
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
  public func offered(unpacked: UInt64 = 0) -> OfferedPack {
    OfferedPack(
      id: id, policy: downloadPolicy, size: PackSize(download: downloadSize, unpacked: unpacked))
  }

  /// The highest version that every reader takes: Apple's plug-in for Unity keeps it in 16 bits.
  public static let highestPortableVersion = 65_535
}

extension JSONValue {
  /// The value of `host` for your own server.
  public static let thirdParty = JSONValue.object([.init("thirdParty", .object([]))])
}

// MARK: - Writing

extension DownloadManifest {
  /// The manifest as strict JSON; equal manifests give equal bytes.
  public func json() -> [UInt8] { JSONWriter.bytes(jsonValue, .readable) }

  /// What ``json()`` writes.
  public var jsonValue: JSONValue {
    .object([.init("assetPacks", .array(packs.map(\.jsonValue)))] + otherMembers)
  }
}

extension PublishedPack {
  /// The pack as a download manifest writes it.
  public var jsonValue: JSONValue {
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

public import SourceDiagnostics

/// What a server of one's own tells the devices of one platform: which packs there are, where they
/// are, and which version is current.
///
/// A device downloads a pack again when its version rises, and deletes it when it leaves the list.
public struct DownloadManifest: Sendable, Equatable {
  /// The packs, in the order in which they are written.
  public var packs: [PublishedPack]
  /// Members beside `assetPacks`, kept as they were read.
  public var otherMembers: [JSONValue.Member]

  /// Makes a manifest.
  public init(packs: [PublishedPack], otherMembers: [JSONValue.Member] = []) {
    self.packs = packs
    self.otherMembers = otherMembers
  }

  /// The pack with an ID.
  public func pack(_ id: PackID) -> PublishedPack? { packs.first { $0.id == id } }
}

/// One pack of a download manifest.
public struct PublishedPack: Sendable, Equatable {
  /// The ID under which the app asks for it.
  public var id: PackID
  /// Where its archive is.
  public var url: String
  /// Which version of the pack that archive is; it only ever rises.
  public var version: Int
  /// How many bytes the archive has.
  public var downloadSize: UInt64
  /// When the system downloads it.
  public var downloadPolicy: DownloadPolicy
  /// Who serves it: `{"thirdParty": {}}` for everybody but Apple.
  public var host: JSONValue
  /// What the app gets along with the pack: an object.
  public var userInfo: JSONValue?
  /// Members that have no meaning here, kept as they were read.
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

  /// The highest version that every reader takes: Apple's plug-in for Unity keeps it in 16 bits.
  public static let highestPortableVersion = 65_535
}

extension JSONValue {
  /// What `host` says of a server of one's own.
  public static let thirdParty = JSONValue.object([.init("thirdParty", .object([]))])
}

// MARK: - Writing

extension DownloadManifest {
  /// The manifest as strict JSON: always the same bytes for the same meaning.
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

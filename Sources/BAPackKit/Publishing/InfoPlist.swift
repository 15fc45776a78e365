/// What an app's information property list says about its packs.
public struct InfoPlist: Sendable, Equatable {
  /// The sizes that the system holds an app to before it is opened for the first time, in bytes.
  public enum SizeKey: String, Sendable, CaseIterable {
    /// Essential packs as they are downloaded.
    case essentialDownload = "BAEssentialDownloadAllowance"
    /// Other packs as they are downloaded.
    case download = "BADownloadAllowance"
    /// Essential packs, unpacked.
    case essentialInstall = "BAEssentialMaxInstallSize"
    /// Other packs, unpacked.
    case install = "BAMaxInstallSize"

    /// Whether it is about essential packs.
    public var isEssential: Bool { self == .essentialDownload || self == .essentialInstall }

    /// Whether it is about packs as they are downloaded, and stands among the restrictions.
    public var isDownload: Bool { self == .essentialDownload || self == .download }

    /// Whether packs of a policy are part of it: those that come before an app's first start.
    ///
    /// Packs on demand come when the app asks, and it is open then.
    public func counts(_ policy: DownloadPolicy) -> Bool {
      switch policy {
      case .essential: isEssential
      case .prefetch: !isEssential
      case .onDemand: false
      }
    }

    var packs: String { isEssential ? "essential packs" : "prefetched packs" }
    var state: String { isDownload ? "packed" : "unpacked" }
  }

  /// The names of the other keys.
  enum Key {
    static let hasManagedAssetPacks = "BAHasManagedAssetPacks"
    static let usesAppleHosting = "BAUsesAppleHosting"
    static let appGroupID = "BAAppGroupID"
    static let manifestURL = "BAManifestURL"
    static let restrictions = "BAInitialDownloadRestrictions"
    static let domains = "BADownloadDomainAllowList"
  }

  /// Whether the system manages the packs, and not the app's own extension.
  public var hasManagedAssetPacks: Bool?
  /// Whether Apple serves the packs.
  public var usesAppleHosting: Bool?
  /// The group that the app shares with its extension.
  public var appGroupID: String?
  /// Where the download manifest is.
  public var manifestURL: String?
  /// Whether there are restrictions on the first download at all.
  public var hasRestrictions = false
  /// The hosts that packs may come from.
  public var domains: DomainAllowList?
  /// The sizes that are given.
  public var sizes: [SizeKey: UInt64] = [:]

  /// Says nothing yet.
  public init() {}
}

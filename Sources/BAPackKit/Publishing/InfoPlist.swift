/// What an app's information property list says about its packs.
package struct InfoPlist: Sendable, Equatable {
  /// The sizes that limit what the system downloads before the app is first opened, in bytes.
  package enum SizeKey: String, Sendable, CaseIterable {
    /// The download size of essential packs.
    case essentialDownload = "BAEssentialDownloadAllowance"
    /// The download size of other packs.
    case download = "BADownloadAllowance"
    /// The unpacked size of essential packs.
    case essentialInstall = "BAEssentialMaxInstallSize"
    /// The unpacked size of other packs.
    case install = "BAMaxInstallSize"

    /// Whether it is about essential packs.
    package var isEssential: Bool { self == .essentialDownload || self == .essentialInstall }

    /// Whether it limits downloads; then it is among the download restrictions.
    package var isDownload: Bool { self == .essentialDownload || self == .download }

    /// When the packs come that are part of it.
    ///
    /// Packs on demand are part of none: they come when the app asks, and it is open then.
    package var time: DownloadTime { isEssential ? .beforeLaunch : .inBackground }

    /// How large it has to be for a plan.
    package func size(of plan: DownloadPlan) -> UInt64 {
      let size = plan[time].size
      return isDownload ? size.download : size.unpacked
    }

    var state: String { isDownload ? "packed" : "unpacked" }

    /// The kind of its parts: packs, or the assets of an app that downloads by itself.
    func kind(isManaged: Bool) -> String {
      (isEssential ? "essential " : "prefetched ") + (isManaged ? "packs" : "assets")
    }
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

  /// Whether the system manages the packs, rather than an extension of the app.
  package var hasManagedAssetPacks: Bool?
  /// Whether Apple serves the packs.
  package var usesAppleHosting: Bool?
  /// The group that the app shares with its extension.
  package var appGroupID: String?
  /// Where the download manifest is.
  package var manifestURL: String?
  /// Whether there are restrictions on the first download.
  package var hasRestrictions = false
  /// The hosts that packs may come from.
  package var domains: DomainAllowList?
  /// The sizes that are set.
  package var sizes: [SizeKey: UInt64] = [:]

  /// Makes a list without any values.
  package init() {}
}

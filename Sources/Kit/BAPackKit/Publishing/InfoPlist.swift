/// The keys of an app's information property list that concern packs.
package struct InfoPlist: Sendable, Equatable {
  /// The keys of sizes that limit the downloads before the first launch, in bytes.
  package enum SizeKey: String, Sendable, CaseIterable {
    /// The download size of essential packs.
    case essentialDownload = "BAEssentialDownloadAllowance"
    /// The download size of other packs.
    case download = "BADownloadAllowance"
    /// The unpacked size of essential packs.
    case essentialInstall = "BAEssentialMaxInstallSize"
    /// The unpacked size of other packs.
    case install = "BAMaxInstallSize"

    /// Whether the key is for essential packs.
    package var isEssential: Bool { self == .essentialDownload || self == .essentialInstall }

    /// Whether the key limits downloads and is part of the download restrictions.
    package var isDownload: Bool { self == .essentialDownload || self == .download }

    /// The download time of the packs that the key limits.
    ///
    /// On-demand packs are not limited: they are downloaded when the running app requests them.
    package var time: DownloadTime { isEssential ? .beforeLaunch : .inBackground }

    /// Returns the minimum value for a plan.
    package func size(of plan: DownloadPlan) -> UInt64 {
      let size = plan[time].size
      return isDownload ? size.download : size.unpacked
    }

    var state: String { isDownload ? "packed" : "unpacked" }

    /// Returns the kind of the limited downloads: packs, or the assets of an app without managed
    /// packs.
    func kind(isManaged: Bool) -> String {
      (isEssential ? "essential " : "prefetched ") + (isManaged ? "packs" : "assets")
    }
  }

  /// The names of the other keys.
  package enum Key {
    package static let hasManagedAssetPacks = "BAHasManagedAssetPacks"
    package static let usesAppleHosting = "BAUsesAppleHosting"
    package static let appGroupID = "BAAppGroupID"
    package static let manifestURL = "BAManifestURL"
    package static let restrictions = "BAInitialDownloadRestrictions"
    package static let domains = "BADownloadDomainAllowList"
  }

  /// Whether the system manages the packs, instead of an extension of the app.
  package var hasManagedAssetPacks: Bool?
  /// Whether Apple hosts the packs.
  package var usesAppleHosting: Bool?
  /// The group that the app shares with its extension.
  package var appGroupID: String?
  /// The address of the download manifest.
  package var manifestURL: String?
  /// Whether the list contains restrictions of the first download.
  package var hasRestrictions = false
  /// The hosts from which the app may download packs.
  package var domains: DomainAllowList?
  /// The sizes in the list.
  package var sizes: [SizeKey: UInt64] = [:]

  /// Creates a list without values.
  package init() {}
}

import BAPackKit

/// The kind of hosting for which an app is built.
package enum AppHosting: String, Sendable, CaseIterable {
  /// Apple hosts the packs.
  case apple
  /// Another server has the packs, and the system manages them.
  case selfHosted = "self"
  /// The extension manages its downloads.
  case unmanaged

  /// The protocol of its extension.
  var downloader: DownloaderProtocol {
    switch self {
    case .apple: .store
    case .selfHosted: .managed
    case .unmanaged: .unmanaged
    }
  }

  /// Determines the hosting of an app; nil for an app without packs.
  ///
  /// If keys are missing, the protocol of the extension shows the intended hosting.
  init?(of keys: InfoList, _ protocols: Set<DownloaderProtocol>, declared: Hosting?) {
    typealias Key = InfoPlist.Key
    let isSelfHosted = keys[Key.manifestURL] != nil || keys[Key.restrictions] != nil
    let isManaged = keys[Key.hasManagedAssetPacks]?.kind == .bool(true)
    if let declared {
      self = declared == .apple ? .apple : .selfHosted
    } else if keys[Key.usesAppleHosting]?.kind == .bool(true) || protocols.contains(.store) {
      self = .apple
    } else if protocols.contains(.managed) || isManaged && isSelfHosted {
      self = .selfHosted
    } else if isSelfHosted || protocols.contains(.unmanaged) {
      self = .unmanaged
    } else if isManaged || keys[Key.appGroupID] != nil || keys[Key.usesAppleHosting] != nil {
      self = .apple
    } else {
      return nil
    }
  }
}

extension AppHosting {
  /// The first system with the protocol, on a platform of a program; nil if it is unknown.
  func firstSystem(on platform: UInt32) -> SystemVersion? {
    guard self == .unmanaged else {
      return [4, 5, 9, 10].contains(platform) ? nil : SystemVersion(26)
    }
    switch platform {
    case 1: return SystemVersion(13)
    case 2, 6, 7: return SystemVersion(16, 1)
    case 3, 8: return SystemVersion(18, 4)
    case 11, 12: return SystemVersion(2, 4)
    default: return nil
    }
  }
}

package import BAPackKit
package import Faults

/// A step: an event on a device, or an action of its app.
package enum Step: Sendable, Equatable {
  /// The properties of the device change; `byOptions` if options set some of them.
  case device(DeviceProfile, byOptions: Bool = false)
  /// The server publishes this release, in one channel or in all.
  case release(Int, in: Channel? = nil)
  /// App Store Connect publishes the versions of internal testing in another channel: of these
  /// packs, or of all.
  case submit(Channel, [PackID])
  case install
  case updateApp
  /// The user removes the app with its packs.
  case uninstall
  case launch
  /// `ensureLocalAvailability(of:requireLatestVersions:)`.
  case request([PackID], latest: Bool)
  /// The app cancels the next download of these packs.
  case cancel([PackID])
  /// `checkForUpdates()`.
  case checkForUpdates
  /// A search for a file, in one pack or all packs, and for one language or all.
  case read(String, in: PackID?, for: LanguageTag?)
  /// A change of the languages in Settings.
  case deviceLanguage([LanguageTag])
  /// Sets `resolvedLanguage`; nil resets it.
  case setLanguage(LanguageTag?)
  /// `reconcilePreferredLanguages()`.
  case reconcile
  /// `shouldDownload(_:)` returns false for these packs.
  case refuse([PackID])
  case remove([PackID])
  /// A duration passes, in milliseconds.
  case wait(UInt64)
  case online
  case offline
  /// A setting of the user allows automatic downloads, or does not.
  case allow(AutomaticDownloads, Bool)
  case fault(DownloadFault)
  case status

  /// The subject of a step.
  enum Subject {
    /// The installation or an update of the app.
    case app
    /// Other changes of packs.
    case packs
    /// The device, its app or the server.
    case settings
  }

  /// The subject of the step; expectations of the previous step refer to steps about packs.
  var subject: Subject {
    switch self {
    case .install, .updateApp: .app
    case .launch, .request, .checkForUpdates, .deviceLanguage, .setLanguage, .reconcile, .remove,
      .uninstall, .wait:
      .packs
    case .device, .release, .submit, .cancel, .online, .offline, .allow, .fault, .refuse, .status,
      .read:
      .settings
    }
  }
}

/// A condition of the downloads that the system starts by itself.
package enum AutomaticDownloads: String, Sendable, CaseIterable {
  /// Low Power Mode is off.
  case normalPower = "Low Power Mode is on"
  /// Background App Refresh is on.
  case backgroundRefresh = "Background App Refresh is off"
  /// In-App Content is on in the settings of the App Store.
  case inAppContent = "In-App Content is off"
}

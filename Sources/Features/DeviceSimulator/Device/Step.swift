package import BAPackKit
package import Faults

/// A step: an event on a device, or an action of its app.
package enum Step: Sendable, Equatable {
  /// The properties of the device change.
  case device(DeviceProfile)
  /// The server publishes this release.
  case release(Int)
  case install
  case updateApp
  case launch
  /// `ensureLocalAvailability(of:requireLatestVersions:)`.
  case request([PackID], latest: Bool)
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
  case fault(DownloadFault)
  case status
}

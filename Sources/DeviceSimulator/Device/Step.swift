package import BAPackKit
package import Faults

/// Something that happens to a device, or that its app does.
package enum Step: Sendable, Equatable {
  /// The device is this one from now on.
  case device(DeviceProfile)
  /// The server has this release from now on.
  case release(Int)
  case install
  case updateApp
  case launch
  /// `ensureLocalAvailability(of:requireLatestVersions:)`.
  case request([PackID], latest: Bool)
  /// `checkForUpdates()`.
  case checkForUpdates
  /// A search for a file, in one pack or all, for one language or any.
  case read(String, in: PackID?, for: LanguageTag?)
  /// The owner's languages in Settings.
  case deviceLanguage([LanguageTag])
  /// `resolvedLanguage`; nil takes it back.
  case setLanguage(LanguageTag?)
  /// `reconcilePreferredLanguages()`.
  case reconcile
  /// `shouldDownload(_:)` says no to these.
  case refuse([PackID])
  case remove([PackID])
  /// Time passes, in milliseconds.
  case wait(UInt64)
  case online
  case offline
  case fault(Fault)
  case status
}

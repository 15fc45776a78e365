package import SourceDiagnostics

/// The result of publishing: a manifest to serve, a record to keep, and the changes of the packs.
package struct Publication: Sendable {
  /// The manifest to serve; nil if `findings` contains an error.
  package internal(set) var manifest: DownloadManifest?
  /// All published versions, including this publication.
  package internal(set) var record: PublicationRecord
  /// The changes of the packs, in the order of the manifest; then the removed packs.
  package internal(set) var changes: [PublishedChange] = []
  /// The findings, for example about the archives.
  package internal(set) var findings = Ledger()
  /// The archives of this publication and of earlier ones.
  var archives: [PackID: PublishedArchive] = [:]
}

/// The change of a pack by a publication.
package struct PublishedChange: Sendable, Equatable {
  /// The kinds of changes.
  package enum Action: String, Sendable, CaseIterable {
    /// The pack is new in the manifest.
    case added
    /// The pack's bytes differ from the published bytes, so its version increased.
    case raised
    /// The pack's bytes are unchanged.
    case unchanged
    /// No archive of the pack was given.
    case kept
    /// The pack was removed from the manifest.
    case removed
  }

  package var id: PackID
  /// The kind of the change.
  package var action: Action
  /// The previous version; nil if the pack is new.
  package var previousVersion: Int?
  /// The current version; nil if the pack was removed.
  package var version: Int?
  /// The reason, if it is not obvious from the action.
  package var reason: String?

  init(
    _ id: PackID, _ action: Action, from previousVersion: Int? = nil, to version: Int? = nil,
    because reason: String? = nil
  ) {
    self.id = id
    self.action = action
    self.previousVersion = previousVersion
    self.version = version
    self.reason = reason
  }
}

package import SourceDiagnostics

/// The result of publishing: a manifest to serve, a record to keep, and what happened to each pack.
package struct Publication: Sendable {
  /// The manifest to serve; nil if `findings` has an error.
  package internal(set) var manifest: DownloadManifest?
  /// All versions that were ever published, including this publication.
  package internal(set) var record: PublicationRecord
  /// What happened to each pack, in the order of the manifest; then the packs that were removed.
  package internal(set) var changes: [PublishedChange] = []
  /// The findings about the archives, and other things the developer should know.
  package internal(set) var findings = Ledger()
  /// The archives that were published now or before.
  var archives: [PackID: PublishedArchive] = [:]
}

/// What a publication did to one pack.
package struct PublishedChange: Sendable, Equatable {
  /// What was done.
  package enum Action: String, Sendable, CaseIterable {
    /// It was not in the manifest before.
    case added
    /// Its bytes differ from the published ones, so its version was raised.
    case raised
    /// Its bytes are those that were published before.
    case unchanged
    /// No archive of it was given.
    case kept
    /// It was removed from the manifest.
    case removed
  }

  /// The ID of the pack.
  package var id: PackID
  /// What was done.
  package var action: Action
  /// Its version before; nil if it is new.
  package var previousVersion: Int?
  /// Its version now; nil if it was removed.
  package var version: Int?
  /// The reason, if the action does not explain itself.
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

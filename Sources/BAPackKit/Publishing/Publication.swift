public import SourceDiagnostics

/// The result of publishing: a manifest to serve, a record to keep, and what happened to each pack.
public struct Publication: Sendable {
  /// The manifest to serve; nil if `findings` has an error.
  public internal(set) var manifest: DownloadManifest?
  /// All versions that were ever published, including this publication.
  public internal(set) var record: PublicationRecord
  /// What happened to each pack, in the order of the manifest; then the packs that were removed.
  public internal(set) var changes: [PackChange] = []
  /// The findings about the archives, and other things the developer should know.
  public internal(set) var findings = Ledger()
  /// The archives that were published now or before.
  var archives: [PackID: PublishedArchive] = [:]
}

/// What a publication did to one pack.
public struct PackChange: Sendable, Equatable {
  /// What was done.
  public enum Action: String, Sendable, CaseIterable {
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
  public var id: PackID
  /// What was done.
  public var action: Action
  /// Its version before; nil if it is new.
  public var previousVersion: Int?
  /// Its version now; nil if it was removed.
  public var version: Int?
  /// The reason, if the action does not explain itself.
  public var reason: String?

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

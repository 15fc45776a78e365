public import SourceDiagnostics

/// What comes out of publishing: a manifest to serve, a record to keep, and what happened to whom.
public struct Publication: Sendable {
  /// The manifest to serve; nil when `findings` holds an error.
  public internal(set) var manifest: DownloadManifest?
  /// What was published under which version, this publication included.
  public internal(set) var record: PublicationRecord
  /// What happened to each pack, in the order of the manifest, then the packs that left it.
  public internal(set) var changes: [PackChange] = []
  /// What was found in the archives, and what the developer should know.
  public internal(set) var findings: [Findings] = []
  /// The archives that were published, or found to be published already.
  var archives: [PackID: PublishedArchive] = [:]
}

/// What a publication did to one pack.
public struct PackChange: Sendable, Equatable {
  /// What was done.
  public enum Action: String, Sendable, CaseIterable {
    /// It was not in the manifest before.
    case added
    /// Its bytes differ from the published ones, so that its version rose.
    case raised
    /// Its bytes are the published ones.
    case unchanged
    /// No archive of it was given.
    case kept
    /// It left the manifest.
    case removed
  }

  /// The ID of the pack.
  public var id: PackID
  /// What was done.
  public var action: Action
  /// Its version before; nil when it is new.
  public var previousVersion: Int?
  /// Its version now; nil when it left.
  public var version: Int?
  /// Why, where that is not plain from the action.
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

/// Findings by the archive they are about, in the order in which archives were given.
struct ArchiveFindings {
  private var groups: [(path: String, list: FindingList)] = []
  private var indices: [String: Int] = [:]

  var hasErrors: Bool { groups.contains { $0.list.hasErrors } }

  mutating func add(_ finding: Finding?, about path: String) {
    guard let finding else { return }
    if let index = indices[path] {
      groups[index].list.add(finding)
    } else {
      var list = FindingList()
      list.add(finding)
      indices[path] = groups.count
      groups.append((path, list))
    }
  }

  var all: [Findings] {
    groups.map { Findings(SourceText([], named: $0.path), $0.list.sorted()) }
  }
}

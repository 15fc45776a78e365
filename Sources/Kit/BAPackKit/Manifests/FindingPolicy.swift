package import SourceDiagnostics
import SystemIO

/// The level that a project sets for findings.
package enum FindingLevel: String, Sendable, CaseIterable {
  case off, note, warning, error

  /// The severity; nil if the findings are off.
  package var severity: Finding.Severity? {
    switch self {
    case .off: nil
    case .note: .note
    case .warning: .warning
    case .error: .error
    }
  }
}

/// A level for some findings, from a project file or an option.
package struct FindingSetting: Sendable, Equatable {
  /// The ID of the findings, or a pattern of IDs.
  package var id: String
  package var level: FindingLevel
  /// The patterns for paths in packs; empty for findings about all paths.
  package var paths: [String] = []
  /// The patterns for manifests, relative to the project file; empty for all manifests.
  package var manifests: [String] = []
  /// The reason of an exception.
  package var reason: String?
  /// The place of the setting; nil for an option.
  package var place: SourcePlace?

  package init(_ id: String, _ level: FindingLevel) {
    self.id = id
    self.level = level
  }

  /// Whether the setting is for one ID, and not for a pattern of IDs.
  package var namesOneID: Bool { ids?.literal != nil }

  /// The pattern for IDs; nil if it is invalid.
  private var ids: NamePattern? { try? NamePattern(parsing: FileName(id.utf8)) }

  /// Returns whether the setting is for findings with an ID.
  package func names(_ other: Finding.ID) -> Bool {
    ids?.matches(Array(other.name.utf8)[...], dotIsOrdinary: true) ?? false
  }
}

/// The levels that a project sets for its findings.
///
/// The last setting that matches a finding applies.
package struct FindingPolicy: Sendable {
  /// The settings in ascending order of priority.
  package let settings: [FindingSetting]
  private var entries: [Entry]

  private struct Entry: Sendable {
    /// The index of the setting.
    var number: Int
    var paths: [PathPattern]
    var manifests: [PathPattern]

    func isAbout(_ path: String?) -> Bool {
      if paths.isEmpty { return true }
      guard let path = path.map({ FilePath($0).bytes }) else { return false }
      return paths.contains { $0.matches(path) }
    }
  }

  /// Creates a policy; a setting with an invalid pattern, which is an error of the project file,
  /// matches nothing.
  package init(_ settings: [FindingSetting] = []) {
    self.settings = settings
    entries = settings.enumerated().compactMap { number, setting in
      let paths = setting.paths.compactMap { try? PathPattern(forPaths: $0) }
      let manifests = setting.manifests.compactMap { try? PathPattern(forPaths: $0) }
      guard paths.isEmpty == setting.paths.isEmpty,
        manifests.isEmpty == setting.manifests.isEmpty
      else { return nil }
      return Entry(number: number, paths: paths, manifests: manifests)
    }
  }

  /// Whether no finding changes.
  package var isEmpty: Bool { entries.isEmpty }

  /// Whether some findings become errors.
  package var makesErrors: Bool { entries.contains { settings[$0.number].level == .error } }

  /// Whether some settings are only for some manifests.
  package var namesManifests: Bool { entries.contains { !$0.manifests.isEmpty } }

  /// Returns the policy for a manifest, by its path relative to the project file; nil for texts
  /// that are no manifests.
  package func narrowed(toManifest path: String?) -> FindingPolicy {
    var policy = self
    policy.entries.removeAll { entry in
      guard !entry.manifests.isEmpty else { return false }
      guard let path = path.map({ FilePath($0).bytes }) else { return true }
      return !entry.manifests.contains { $0.matches(path) }
    }
    return policy
  }

  /// Returns the number of the setting for a path, for findings with an ID; nil if there is none.
  ///
  /// Rules that report several files in one finding report files with different settings
  /// separately, so that one setting applies to all files of a finding.
  func setting(for id: Finding.ID) -> (AssetPath) -> Int? {
    let own = entries.filter { settings[$0.number].names(id) }
    guard !own.isEmpty else { return { _ in nil } }
    return { path in own.last { $0.isAbout(path.text) }?.number }
  }

  /// Returns the decision about a finding; nil if no setting matches.
  package func decision(about finding: Finding) -> Ledger.Decision? {
    entries.last { settings[$0.number].names(finding.id) && $0.isAbout(finding.path) }
      .map { .init(settings[$0.number].level.severity, by: $0.number) }
  }
}

extension Ledger {
  /// Applies a policy; `manifests` are the policies for texts, by their names.
  package mutating func follow(
    _ policy: FindingPolicy, _ manifests: [String: FindingPolicy] = [:]
  ) {
    guard !policy.isEmpty else { return }
    let others = policy.narrowed(toManifest: nil)
    apply { finding, source in (manifests[source.name] ?? others).decision(about: finding) }
  }
}

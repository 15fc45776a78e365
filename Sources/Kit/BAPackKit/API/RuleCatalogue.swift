import SourceDiagnostics

/// All rules, for `explain`, the reference and SARIF logs.
package enum RuleCatalogue {
  /// A part of the program with findings.
  package enum Part: Sendable, CaseIterable {
    /// Manifests, the files that they select, and project files.
    case manifests
    /// Packs, and the manifests in them.
    case packs
    /// Download manifests and unmanaged manifests.
    case publishing
  }

  /// All rules of this library, in the order of the reference.
  package static let all: [Rule] = manifests + packs + publishing

  /// Returns the rules of a part of the program.
  package static func rules(of part: Part) -> [Rule] {
    switch part {
    case .manifests: manifests
    case .packs: manifests + packs
    case .publishing: TextRules.all + [LanguageRules.selfHosted] + publishing
    }
  }

  private static let manifests = CheckedRules.all

  private static let packs: [Rule] = ArchiveRules.all + ComparisonRules.all + ShardRules.all

  private static let publishing: [Rule] =
    DownloadTextRules.all + DownloadPackRules.all + DownloadAddressRules.all
    + DownloadVersionRules.all + DownloadArchiveRules.all + DownloadRecordRules.all
    + DownloadInfoPlistRules.all + UnmanagedRules.all
}

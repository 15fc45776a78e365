package import BAPackKit
import SystemIO

/// The packs that `init` proposes for a folder of assets.
package struct Proposal: Sendable {
  /// The kind of project that was found in the folder.
  package var project: FoundProject
  /// The packs, in the order of their display: core first.
  package var packs: [ProposedPack] = []
  /// The files that no pack contains, in groups of one reason each.
  package var leftOut: [LeftOut] = []
  /// The app's primary language; nil if there are no localized packs and no setting.
  package var primaryLanguage: LanguageTag?
  /// The origin of ``primaryLanguage``, as a phrase: "the setting 'locale/fallback' of the
  /// project".
  package var primaryLanguageOrigin: String?
  /// The languages of the files, each once, those of localized packs first.
  package var languages: [LanguageTag] = []
  /// Notes about the proposal as a whole, each from a rule.
  package var notes: [Reason] = []

  /// Whether the app runs on systems that receive no localized packs, and there are such packs.
  ///
  /// An app without a setting may run on them.
  package var runsWithoutLocalizedPacks: Bool {
    project.oldestSystem ?? 0 < Device.firstSystemWithLocalizedPacks
      && packs.contains { $0.manifest.language != nil }
  }

  /// Creates a proposal without packs.
  package init(project: FoundProject) { self.project = project }
}

package struct ProposedPack: Sendable {
  /// The manifest; its source root is set when the manifest is written.
  package var manifest: Manifest
  /// The reasons, the most important one first.
  package var reasons: [Reason]
  /// The comments of selectors in the manifest, by the index of the selector.
  package var selectorComments: [Int: String] = [:]
  /// The indices of the pack's files in the tree, in ascending order.
  package var files: [Range<Int>]
  /// The files of other languages that a localized pack also contains, by their indices.
  package var fills: [Int] = []
  /// The number of files.
  package var count: Int
  /// The total size of the files in bytes.
  package var bytes: UInt64
  /// The estimated size of the archive in bytes; nil if it was not estimated.
  package var compressed: UInt64?
  /// Packs with the same series are one line of the display: 'voices', 'world'.
  package var series: Series?

  /// A series of similar packs.
  package struct Series: Sendable, Hashable {
    /// The common start of the IDs, such as `voices`.
    package var name: String
    /// The different part of this pack's ID, such as `de` or `02`.
    package var part: String

    package init(name: String, part: String) {
      self.name = name
      self.part = part
    }
  }

  package init(_ manifest: Manifest, reasons: [Reason]) {
    self.manifest = manifest
    self.reasons = reasons
    files = []
    count = 0
    bytes = 0
  }

  /// The pack as devices are offered it; without an estimate, its size is that of its files.
  package var offered: OfferedPack {
    OfferedPack(
      id: PackID(manifest.assetPackID), policy: manifest.downloadPolicy,
      platforms: manifest.platforms, language: manifest.language,
      size: PackSize(download: compressed ?? bytes, unpacked: bytes))
  }
}

/// Files that no pack contains, for one reason.
package struct LeftOut: Sendable {
  /// The rule and the reason in words: "sources of artists (.psd, .blend)".
  package var reason: Reason
  /// The paths of the first files or folders below the source root, escaped for display.
  package var examples: [String]
  /// The number of files; folders that were not inspected count as one.
  package var count: Int
  /// The total size of the files in bytes, without those in folders that were not inspected.
  package var bytes: UInt64
  /// The indices of the files in the tree.
  package var files: [Int]
  /// The most frequent extensions, such as `.lua`; empty if the names matter more.
  package var kinds: [String] = []

  package init(_ reason: Reason) {
    self.reason = reason
    examples = []
    count = 0
    bytes = 0
    files = []
  }
}

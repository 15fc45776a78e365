/// The packs that budgets are compared with.
package struct BudgetHoldings: Sendable {
  /// A function that calls its argument with the path, as the app sees it, and the size of each
  /// file of a pack.
  ///
  /// It is called only for budgets that limit files.
  package typealias Files =
    @Sendable (_ body: (_ path: AssetPath, _ size: UInt64) -> Void) -> Void

  /// The properties of a pack that budgets use.
  package struct Pack: Sendable {
    /// The ID.
    package var id: PackID
    /// The download policy.
    package var policy: DownloadPolicy
    /// The platforms that the pack is offered on; empty means all.
    package var platforms: [Platform]
    /// The language; nil for a pack for all languages.
    package var language: LanguageTag?
    /// The size of the archive in bytes; nil if there is no archive yet.
    package var archiveSize: UInt64?
    /// The files; nil if they were not examined.
    package var files: Files?

    /// Creates a description of a pack.
    package init(
      id: PackID, policy: DownloadPolicy, platforms: [Platform] = [], language: LanguageTag? = nil,
      archiveSize: UInt64? = nil, files: Files? = nil
    ) {
      self.id = id
      self.policy = policy
      self.platforms = platforms
      self.language = language
      self.archiveSize = archiveSize
      self.files = files
    }

    /// Creates a description of the pack of a manifest.
    package init(_ manifest: Manifest, archiveSize: UInt64? = nil, files: Files? = nil) {
      self.init(
        id: PackID(manifest.assetPackID), policy: manifest.downloadPolicy,
        platforms: manifest.platforms, language: manifest.language, archiveSize: archiveSize,
        files: files)
    }

    /// Returns the offered pack with the given size of the download.
    func offered(downloading size: UInt64) -> OfferedPack {
      OfferedPack(
        id: id, policy: policy, platforms: platforms, language: language,
        size: PackSize(download: size))
    }
  }

  /// The packs.
  package var packs: [Pack]
  /// Whether these are all packs of the app; if not, their sums are lower bounds.
  package var isWhole: Bool
  /// The size of the update download of each pack; nil without a comparison.
  package var update: [PackID: UInt64]?

  /// Creates a list of packs.
  package init(_ packs: [Pack], isWhole: Bool = true, update: [PackID: UInt64]? = nil) {
    self.packs = packs
    self.isWhole = isWhole
    self.update = update
  }
}

extension Selection {
  /// The files as budgets use them.
  var budgetFiles: BudgetHoldings.Files {
    { body in
      for index in indices where isFile(at: index) {
        body(pathInContents(at: index), size(at: index))
      }
    }
  }
}

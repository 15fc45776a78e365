/// What is held against budgets: packs, as far as they are known.
package struct BudgetHoldings: Sendable {
  /// The files of a pack: gives each path, as the app sees it, with its size.
  ///
  /// They are gone through only where a budget is about files.
  package typealias Files =
    @Sendable (_ take: (_ path: AssetPath, _ size: UInt64) -> Void) -> Void

  /// A pack as budgets see it.
  package struct Pack: Sendable {
    /// Its ID.
    package var id: PackID
    /// When it is downloaded.
    package var policy: DownloadPolicy
    /// The platforms that it is offered on; empty means all.
    package var platforms: [Platform]
    /// The language that it is for.
    package var language: LanguageTag?
    /// How large its archive is; nil where there is none yet.
    package var archiveSize: UInt64?
    /// Its files; nil where nobody looked at them.
    package var files: Files?

    /// Describes a pack.
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

    /// The pack that a manifest describes.
    package init(_ manifest: Manifest, archiveSize: UInt64? = nil, files: Files? = nil) {
      self.init(
        id: PackID(manifest.assetPackID), policy: manifest.downloadPolicy,
        platforms: manifest.platforms, language: manifest.language, archiveSize: archiveSize,
        files: files)
    }

    /// The pack as devices are offered it, with another size than that of its archive.
    func offered(downloading size: UInt64) -> OfferedPack {
      OfferedPack(
        id: id, policy: policy, platforms: platforms, language: language,
        size: PackSize(download: size))
    }
  }

  /// The packs.
  package var packs: [Pack]
  /// Whether these are all packs of the app; if not, what they take is the least that all of them
  /// take.
  package var isWhole: Bool
  /// How many bytes of each pack a player downloads again; nil where nothing is compared.
  package var update: [PackID: UInt64]?

  /// Describes what there is.
  package init(_ packs: [Pack], isWhole: Bool = true, update: [PackID: UInt64]? = nil) {
    self.packs = packs
    self.isWhole = isWhole
    self.update = update
  }
}

extension Selection {
  /// The files as budgets see them.
  var budgetFiles: BudgetHoldings.Files {
    { take in
      for index in indices where isFile(at: index) {
        take(pathInContents(at: index), size(at: index))
      }
    }
  }
}

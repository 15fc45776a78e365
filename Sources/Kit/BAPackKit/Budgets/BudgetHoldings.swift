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
    package var id: PackID
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

  /// The packs that an update downloads to a device with all packs installed.
  package struct Update: Sendable {
    /// The sizes of the downloads.
    package var packs: [PackID: UInt64]
    /// The device; nil if all devices download these packs.
    package var device: CountedDevice?

    /// Creates a description of an update.
    package init(_ packs: [PackID: UInt64], on device: CountedDevice? = nil) {
      self.packs = packs
      self.device = device
    }
  }

  package var packs: [Pack]
  /// Whether these are all packs of the app; if not, their sums are lower bounds.
  package var isWhole: Bool
  /// The largest update of any device; nil without a comparison.
  package var update: Update?

  /// Creates a list of packs.
  package init(_ packs: [Pack], isWhole: Bool = true, update: Update? = nil) {
    self.packs = packs
    self.isWhole = isWhole
    self.update = update
  }

  /// Sets the sizes of archives that were written.
  package mutating func addArchives(_ sizes: [PackID: UInt64]) {
    for index in packs.indices {
      if let size = sizes[packs[index].id] { packs[index].archiveSize = size }
    }
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

public import SourceDiagnostics
public import SystemIO

/// The findings about a project's packs and, if there is no error, the packs.
public struct CheckedProject: Sendable {
  /// What was found.
  public let report: ProjectReport
  /// One pack for each manifest, in their order; nil if there is any error, or a manifest without a
  /// pack.
  ///
  /// Packs that are as they would be made are left out where that was asked for.
  public let packs: [ReadyPack]?
  /// For each manifest whose files could not be examined, the reason.
  package let troubles: [PackError]
  /// What is known of the archives, in the order of the manifests, if that was asked for.
  package let updateChecks: [UpdateCheck]
  /// What the archives depend on, in the same order, if that was asked for.
  package let dependencies: [PackDependencies]
  /// The packs as budgets see them, with the sizes of the archives that stay as they are.
  package let holdings: BudgetHoldings
  /// The budgets of which nobody can tell yet whether they are exceeded.
  package let openBudgets: [BudgetUse]

  init(
    report: ProjectReport, packs: [ReadyPack], isWhole: Bool, updateChecks: [UpdateCheck] = [],
    dependencies: [PackDependencies] = [], holdings: BudgetHoldings = BudgetHoldings([]),
    openBudgets: [BudgetUse] = [], troubles: [PackError]
  ) {
    self.report = report
    self.updateChecks = updateChecks
    self.dependencies = dependencies
    self.holdings = holdings
    self.openBudgets = openBudgets
    self.troubles = troubles
    self.packs = isWhole && !report.hasErrors ? packs : nil
  }
}

/// What was found in a project, manifest by manifest.
public struct ProjectReport: Sendable {
  /// What was found, with a page for each manifest; the same text twice is one.
  public let findings: Ledger

  /// How many findings have this severity.
  public func count(_ severity: Finding.Severity) -> Int {
    findings.count(severity)
  }

  /// Whether there are errors: they have to be corrected before anything can be packed.
  public var hasErrors: Bool { findings.hasErrors }

  /// The findings, one on a line: `Packs/tutorial.json:3:17: error: … [json.unknown-key]`.
  public func text() -> String { LineRenderer().render(findings) }
}

/// A pack that can be made: its manifest and its files have no errors.
public struct ReadyPack: Sendable {
  /// The manifest of the pack.
  public let manifest: Manifest
  /// The files and folders in the pack.
  public let selection: Selection
  /// Where the files come from.
  package let source: SourceRoot
  /// How the pack is written.
  public var settings: PackSettings

  /// What is known of its archive, if that was asked for.
  package let updateCheck: UpdateCheck?

  /// Nil if there is an error in the manifest or its files, or if the archive is as it would be
  /// made.
  init?(_ pack: SelectedPack, _ settings: PackSettings) {
    updateCheck = pack.updateCheck
    if pack.isUnchanged { return nil }
    guard let manifest = pack.document.manifest, let root = pack.root, !pack.hasErrors else {
      return nil
    }
    self.manifest = manifest
    selection = pack.selection
    source = root
    self.settings = settings
  }

  /// The plan, which decides every byte of the archive.
  package func plan() throws(PackError) -> PackPlan {
    try PackPlan(manifest, selection, from: source, settings: settings)
  }

  /// What an archive is compared with.
  package var comparison: Verification.Source {
    Verification.Source(manifest, selection, in: source)
  }

  /// Packs into the file `<assetPackID>.aar` of a folder; a missing folder is made.
  ///
  /// The archive appears complete or not at all. Its bytes depend only on the manifest, the files
  /// and the settings, but not on the number of threads.
  public func pack(
    into folder: FilePath, replacing: Bool = false,
    progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
  ) async throws(PackError) -> PackSummary {
    try await Work.run { work throws(PackError) in
      // A folder that was made for the archive is removed if it stays empty.
      let made = try mapFailure(.writing) { () throws(Failure) in try OutputFolder(folder.text) }
      return try withExtendedLifetime(made) { (_) throws(PackError) in
        let name = FilePath((manifest.assetPackID + ".aar").utf8)
        return try pack(to: folder.appending(name), makingFolder: true, replacing, progress, work)
      }
    }
  }

  /// Packs into a file of any name, in a folder that exists.
  ///
  /// As with ``pack(into:replacing:progress:)``, the archive appears complete or not at all.
  public func pack(
    toFile path: FilePath, replacing: Bool = false,
    progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
  ) async throws(PackError) -> PackSummary {
    try await Work.run { work throws(PackError) in
      try pack(to: path, makingFolder: false, replacing, progress, work)
    }
  }

  private func pack(
    to path: FilePath, makingFolder: Bool, _ replacing: Bool,
    _ progress: @escaping @Sendable (WorkProgress) -> Void, _ work: Work
  ) throws(PackError) -> PackSummary {
    var options = PackSeries.Options()
    options.replacesExisting = replacing
    options.makesFolder = makingFolder
    options.computesSHA256 = true
    return try PackSeries.Job(try plan(), to: path.text).pack(
      work.reporting(.packing, of: [manifest.assetPackID], to: progress), options)
  }
}

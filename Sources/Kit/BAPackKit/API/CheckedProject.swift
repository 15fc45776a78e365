public import SourceDiagnostics
public import SystemIO

/// The result of checking a project: the findings and, if there is no error, the packs.
public struct CheckedProject: Sendable {
  /// The findings.
  public let report: ProjectReport
  /// One pack for each manifest, in the same order; nil if there is an error, or if the files of a
  /// manifest could not be examined.
  ///
  /// If the check also searches for up-to-date archives, the packs of these archives are omitted.
  public let packs: [ReadyPack]?
  /// The reasons why the files of some manifests could not be examined.
  package let failures: [PackError]
  /// The states of the archives, in the order of the manifests; empty if not requested.
  package let updateChecks: [UpdateCheck]
  /// The dependencies of the archives, in the same order; empty if not requested.
  package let dependencies: [PackDependencies]
  /// The packs for budgets, with the sizes of up-to-date archives.
  package let holdings: BudgetHoldings
  /// The budgets whose use is unknown before packing.
  package let openBudgets: [BudgetUse]
  private let policy: FindingPolicy

  init(
    report: ProjectReport, packs: [ReadyPack], isWhole: Bool, updateChecks: [UpdateCheck] = [],
    dependencies: [PackDependencies] = [], holdings: BudgetHoldings = BudgetHoldings([]),
    openBudgets: [BudgetUse] = [], under policy: FindingPolicy = FindingPolicy(),
    failures: [PackError]
  ) {
    self.report = report
    self.updateChecks = updateChecks
    self.dependencies = dependencies
    self.holdings = holdings
    self.openBudgets = openBudgets
    self.policy = policy
    self.failures = failures
    self.packs = isWhole && !report.hasErrors ? packs : nil
  }
}

extension CheckedProject {
  /// Packs every pack into the file `<assetPackID>.aar` of a folder, and creates the folder if it
  /// is missing.
  ///
  /// All archives share one pool of threads and one window of blocks, so the memory does not depend
  /// on the number of packs. Each archive is written atomically. If one of them fails, the others
  /// are still written.
  ///
  /// - Parameters:
  ///   - folder: The output folder.
  ///   - replacing: Whether existing archives are replaced.
  ///   - progress: A function that is called with the progress, on any thread.
  /// - Returns: The results, in the order of ``packs``.
  /// - Throws: ``PackError/Kind/invalidValue`` if the project has errors, or else the first error
  ///   of an archive.
  public func pack(
    into folder: FilePath, replacing: Bool = false,
    progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
  ) async throws(PackError) -> [PackSummary] {
    guard let packs else {
      throw PackError(
        .invalidValue, "the project has errors",
        remedy: "correct the errors that the report lists")
    }
    return try await Work.run { work throws(PackError) in
      let created = try mapFailure(.writing) { () throws(Failure) in try OutputFolder(folder.text) }
      return try withExtendedLifetime(created) { (_) throws(PackError) in
        let jobs = try packs.map { pack throws(PackError) in
          PackSeries.Job(try pack.plan(), to: pack.path(in: folder).text)
        }
        try PackSeries.Job.checkDestinations(jobs)
        var outcomes: [PackSeries.Outcome] = []
        let work = work.reporting(
          .packing, of: packs.map(\.manifest.assetPackID), to: progress)
        PackSeries(
          jobs, PackSeries.Options(replacing: replacing, makingFolder: true),
          ended: { outcomes.append($1) }
        ).run(work)
        return try outcomes.map { outcome throws(PackError) in
          var summary = try outcome.get()
          summary.discardFiles()
          return summary
        }
      }
    }
  }

  /// Returns the findings about budgets that depend on the sizes of archives.
  ///
  /// - Parameter summaries: The results of packing.
  public func budgetReport(after summaries: [PackSummary]) -> ProjectReport {
    var holdings = holdings
    let sizes = Dictionary(
      summaries.map { (PackID($0.assetPackID), $0.archiveBytes) }, uniquingKeysWith: { $1 })
    holdings.addArchives(sizes)
    var findings = Ledger()
    findings.add(openBudgets.map { BudgetUse(of: $0.budget, by: holdings) })
    findings.follow(policy)
    return ProjectReport(findings: findings)
  }
}

/// The findings about a project.
public struct ProjectReport: Sendable {
  /// The findings, grouped by manifest.
  public let findings: Ledger

  /// Returns the number of findings with a severity.
  public func count(_ severity: Finding.Severity) -> Int {
    findings.count(severity)
  }

  /// Whether there are errors; a project with errors cannot be packed.
  public var hasErrors: Bool { findings.hasErrors }

  /// Returns the findings, one per line: `Packs/tutorial.json:3:17: error: … [json.unknown-key]`.
  public func text() -> String { LineRenderer().render(findings) }
}

/// A pack without errors in its manifest and its files, ready to be packed.
public struct ReadyPack: Sendable {
  /// The manifest of the pack.
  public let manifest: Manifest
  /// The files and folders in the pack.
  public let selection: Selection
  /// The source root of the files.
  package let source: SourceRoot
  /// The settings of the archive.
  public var settings: PackSettings

  /// The state of the archive; nil if not requested.
  package let updateCheck: UpdateCheck?

  /// Creates a pack; nil if the manifest or its files have errors, or if the archive is up to date.
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

  /// Returns the plan, which determines every byte of the archive.
  package func plan() throws(PackError) -> PackPlan {
    try PackPlan(manifest, selection, from: source, settings: settings)
  }

  /// The manifest and the files for a comparison with an archive.
  package var comparison: Verification.Source {
    Verification.Source(manifest, selection, in: source)
  }

  /// Packs into the file `<assetPackID>.aar` of a folder, and creates the folder if it is missing.
  ///
  /// The archive is written atomically. Its bytes depend only on the manifest, the files and the
  /// settings, but not on the number of threads.
  ///
  /// - Parameters:
  ///   - folder: The output folder.
  ///   - replacing: Whether an existing archive is replaced.
  ///   - progress: A function that is called with the progress, on any thread.
  /// - Throws: An error if a file cannot be read or written, or was changed after the check, or if
  ///   the task was cancelled.
  public func pack(
    into folder: FilePath, replacing: Bool = false,
    progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
  ) async throws(PackError) -> PackSummary {
    try await Work.run { work throws(PackError) in
      // A new folder is removed if packing fails.
      let created = try mapFailure(.writing) { () throws(Failure) in try OutputFolder(folder.text) }
      return try withExtendedLifetime(created) { (_) throws(PackError) in
        try pack(to: path(in: folder), makingFolder: true, replacing, progress, work)
      }
    }
  }

  /// Packs into a file with any name, in an existing folder.
  ///
  /// As with ``pack(into:replacing:progress:)``, the archive is written atomically.
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
    try PackSeries.Job(try plan(), to: path.text).pack(
      work.reporting(.packing, of: [manifest.assetPackID], to: progress),
      PackSeries.Options(replacing: replacing, makingFolder: makingFolder))
  }

  /// Returns the path of the archive in a folder.
  fileprivate func path(in folder: FilePath) -> FilePath {
    folder.appending(FilePath((manifest.assetPackID + ".aar").utf8))
  }
}

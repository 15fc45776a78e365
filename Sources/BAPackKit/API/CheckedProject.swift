public import SourceDiagnostics
import SystemIO

/// The findings about a project's packs and, if there is no error, the packs.
public struct CheckedProject: Sendable {
  /// What was found.
  public let report: ProjectReport
  /// The packs; nil if there is any error, or a manifest without a pack.
  public let ready: ReadyProject?
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
    ready = isWhole && !report.hasErrors ? ReadyProject(packs: packs) : nil
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

/// Packs that can be made.
public struct ReadyProject: Sendable {
  /// One pack for each manifest, in their order; those that are as they would be made are left out
  /// where that was asked for.
  public let packs: [ReadyPack]
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

  /// Nil if there is an error in the manifest or its files, or if the archive is as it would be made.
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

  /// Packs into a folder, as `<assetPackID>.aar`, or into the file if the path ends in `.aar`.
  ///
  /// A missing folder is made. The archive appears complete or not at all. Its bytes depend only on
  /// the manifest, the files and the settings, but not on the number of threads.
  public func pack(
    to output: String, replacing: Bool = false,
    progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
  ) async throws(PackError) -> PackSummary {
    try await Work.run { work throws(PackError) in
      let isFile = FilePath(output).hasSuffix(".aar")
      let path =
        isFile
        ? output
        : FilePath(output).appending(FilePath((manifest.assetPackID + ".aar").utf8)).text
      var options = Packer.Options()
      options.replacesExisting = replacing
      options.makesFolder = !isFile
      options.computesSHA256 = true
      let packer = Packer(try plan(), to: path, options)
      let reporting = work.reporting(.packing, of: [manifest.assetPackID], to: progress)
      return isFile
        ? try packer.pack(reporting)
        : try Self.within(output) { () throws(PackError) in try packer.pack(reporting) }
    }
  }

  /// Does work that needs a folder; a folder that was made for it is removed if it stays empty.
  private static func within<Value>(
    _ folder: String, _ body: () throws(PackError) -> Value
  ) throws(PackError) -> Value {
    let made = try mapFailure(.writing) { () throws(Failure) in try OutputFolder(folder) }
    return try withExtendedLifetime(made) { (_) throws(PackError) in try body() }
  }
}

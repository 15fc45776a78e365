import Arguments
import BAPackKit
import Glibc
import Reporting
import SourceDiagnostics
import SystemIO
import TerminalText

/// One run of `pack`, after the project file is read.
struct PackRun {
  let settings: PackCommand
  let input: ManifestInput
  let archives: ArchivePlace
  let console: Console
  /// Whether the archives are those of the project, which are rebuilt if they are out of date.
  let isBuild: Bool

  /// Whether archives that would not change are kept.
  var updates: Bool { settings.updates || isBuild && !settings.rebuildsAll && !settings.isDryRun }
  /// Whether existing archives are replaced.
  var replaces: Bool { settings.rebuildsAll || settings.updates || isBuild }

  init(
    _ settings: PackCommand, _ input: ManifestInput, _ archives: ArchivePlace, isBuild: Bool,
    _ console: Console
  ) {
    self.isBuild = isBuild
    self.settings = settings
    self.input = input
    self.archives = archives
    self.console = console
  }

  /// Whether all packs of the project are written to its output folder.
  var packsWholeProject: Bool {
    settings.outputPath == nil && archives.given != nil && input.operands.isEmpty
  }

  func run() throws(PackError) -> ExitStatus {
    let baseline = try readBaseline()
    let packing = try settings.packing.settings(input.run.settings, console)
    let cache = try CacheOptions(input.run, settings.cache, console)
    try check(packing)
    let caches =
      settings.isDryRun || settings.isCheck
      ? OpenCaches() : try cache.open(console, threads: packing.threads)
    defer { caches.close() }
    guard let (packs, checked, ids) = try checkedPacks(packing, leavingOut: cache.folder)
    else { return .failed }
    let updateChecks = checked.updateChecks
    try checkOutputs(packs)
    let report = PackReport(console, format: settings.format)
    if settings.isDryRun {
      for pack in packs { report.plan(pack.plan, at: pack.path) }
      console.report(open: checked.openBudgets, atEnd: false)
      return .done
    }
    if settings.isCheck {
      let isCurrent = report.check(updateChecks)
      reportStale(besides: ids, report)
      return keepsBudgets(checked, checked.holdings) && isCurrent ? .done : .failed
    }
    // A record that cannot be replaced, and a name that the build tool cannot read, are reported
    // before packing.
    if settings.recordsSizes, let place = input.run.document?.place {
      _ = try PackSizes(for: place)
    }
    let depfile = try depfile(checked.dependencies)
    warnOfDepfile(depfile)
    Leftovers.remove(from: packs.map { OutputPlace($0.path).folder }, console)
    Interrupt.install()
    let run = ArchiveRun(packs, among: updateChecks, options(caches), console, report)
    let start = ContinuousClock.now
    try withOutputFolder { () throws(PackError) in try run.run() }
    if run.made.count > 1 { report.total(run.made, .now - start) }
    report.addStepSummary(run.made, unchanged: updateChecks.count(where: \.isUnchanged))
    reportStale(besides: ids, report)
    let shared = caches.report(console)
    report.cache(caches, shared, of: run.made)
    if settings.recordsSizes, run.failures == 0 { try record(packs, updateChecks) }
    if let path = settings.depfilePath, let depfile {
      try depfile.write(to: path)
      // With '--update' the times of archives are in its records.
      if !updates {
        try depfile.touchArchives(besides: path) { run.sizes[PackID($0)] != nil }
      }
    }
    var holdings = holdings(of: checked, run.sizes)
    if run.failures == 0, !baseline.isEmpty {
      holdings.update = try update(holdings, from: baseline)
    }
    let isKept = keepsBudgets(checked, holdings)
    if updates {
      console.summary(report.counts(updateChecks, "packed", failures: run.failures))
    }
    return isKept && run.failures == 0 ? .done : .failed
  }

  /// Warns of a compression that Apple may not accept, and refuses to write an archive to a
  /// terminal.
  private func check(_ packing: PackSettings) throws(PackError) {
    if input.hosting == .apple, packing.compression != .lzfse {
      console.warning(
        "App Store Connect accepts packs that are compressed with LZFSE; it is unknown whether it "
          + "accepts '--compression \(packing.compression.rawValue)'")
    }
    if archives.isStandardOutput, !settings.isDryRun, console.output.isTerminal {
      throw PackError(
        .conflict, "refusing to write an archive to a terminal",
        remedy: "redirect standard output to a file or a pipe, or specify a file with -o")
    }
  }

  /// Warns of a depfile for Ninja in a folder that is packed.
  ///
  /// Ninja removes the depfile after reading it. This changes the folder, so Ninja rebuilds the
  /// archive each time.
  private func warnOfDepfile(_ depfile: Depfile?) {
    guard settings.depfileFormat == .ninja, let path = settings.depfilePath,
      let folder = depfile?.listedFolder(of: path)
    else { return }
    console.warning(
      "the depfile is in '\(folder)', whose files are packed: Ninja removes it, and rebuilds the "
        + "archive each time",
      remedy: "use another folder for --depfile")
  }

  private func depfile(_ dependencies: [PackDependencies]) throws(PackError) -> Depfile? {
    guard settings.depfilePath != nil else { return nil }
    return try Depfile(
      dependencies, and: input.run.document?.place, for: settings.depfileFormat,
      naming: archives.path)
  }

  private func options(_ caches: OpenCaches) -> ArchiveRun.Options {
    var options = ArchiveRun.Options()
    options.printsDigest = settings.printsDigest
    options.toStandardOutput = archives.isStandardOutput
    options.packing.replacesExisting = replaces
    options.packing.makesFolder = !archives.isFile
    options.packing.computesSHA256 = settings.printsDigest || updates
    options.packing.cache = caches.folder
    options.packing.sharedBlocks = caches.server
    return options
  }

  typealias PlannedPack = ArchiveRun.PlannedPack

  /// Performs all checks before the work.
  ///
  /// Returns a plan for each archive to write, the states of all archives, and the IDs of all packs
  /// (also of other shards); nil if there are errors.
  private func checkedPacks(
    _ packing: PackSettings, leavingOut cache: String?
  ) throws(PackError) -> (packs: [PlannedPack], checked: CheckedProject, ids: [String])? {
    var project = try input.project(input.paths, console)
    project.settings = packing
    input.addBudgets(to: &project)
    let inputs = project.inputs(saying: console)
    if let path = archives.given, archives.isFile, inputs.count > 1 {
      throw PackError(
        .conflict,
        "'\(path)' is one archive, but there are \(Quantity.count(inputs.count, "manifest"))",
        remedy: "specify a folder with -o")
    }
    var documents: [ManifestDocument] = []
    for input in inputs { documents.append(try project.document(of: input, console.work)) }
    // The cache is also written by this run.
    let chosen = try chosen(of: documents)
    let outputs = archives.isWritten ? documents.map { archives.path(of: $0.assetPackID) } : []
    project.outputs = (outputs + [cache, settings.depfilePath].compactMap(\.self))
      .map { FilePath($0) }
    let updating = Updating(
      program: "ba-package \(version)", settings: packing, archive: archives.path(of:))
    let checked = try project.check(
      documents, only: chosen, comparing: updates ? updating : nil,
      notingDependencies: settings.depfilePath != nil, console.work)
    if let failure = checked.failures.first { throw failure }
    console.report(checked.report.findings, as: .text)
    guard let ready = checked.packs else {
      console.finding(text: "No packs were written: \(checked.report.findings.tally)\n")
      return nil
    }
    console.report(off: checked.report.findings)
    var packs: [PlannedPack] = []
    for pack in ready {
      packs.append(
        PlannedPack(
          path: archives.path(of: pack.manifest.assetPackID), plan: try pack.plan(),
          updateCheck: pack.updateCheck))
    }
    return (packs, checked, documents.compactMap(\.assetPackID))
  }

  /// Returns the manifests of this shard; nil for all of them.
  private func chosen(of documents: [ManifestDocument]) throws(PackError) -> Set<Int>? {
    // If an ID is unknown, the check of the texts fails in any case.
    guard let shard = settings.shard, documents.allSatisfy({ $0.assetPackID != nil }) else {
      return nil
    }
    let sizes = try input.run.document.map { document throws(PackError) in
      try PackSizes(for: document.place)
    }
    let indices = shard.indices(
      of: documents.map { PackID($0.assetPackID ?? "") }, sizes: sizes ?? PackSizes())
    console.summary(
      "Shard \(shard.number) of \(shard.count): \(indices.count) of "
        + Quantity.count(documents.count, "pack"))
    return Set(indices)
  }

  /// Writes the sizes of the packs, for the distribution to shards.
  private func record(_ packs: [PlannedPack], _ updateChecks: [UpdateCheck]) throws(PackError) {
    guard let place = input.run.document?.place else { return }
    let path = try PackSizes(of: packs.map(\.plan), and: updateChecks).write(
      for: place, console.work)
    console.summary("Wrote '\(path)'.")
  }

  /// Returns the packs of the project with the sizes of the archives that were written.
  private func holdings(of checked: CheckedProject, _ sizes: [PackID: UInt64]) -> BudgetHoldings {
    var holdings = checked.holdings
    holdings.addArchives(sizes)
    return holdings
  }

  /// Checks the current packs against the budgets that could not be checked before.
  private func keepsBudgets(_ checked: CheckedProject, _ holdings: BudgetHoldings) -> Bool {
    let uses = checked.openBudgets.map { BudgetUse(of: $0.budget, by: holdings) }
    let isKept = console.report(uses, under: input.run.policy, atEnd: !settings.isCheck)
    if isKept, settings.shard != nil, uses.contains(where: { $0.isOpen && $0.budget.isOwn }) {
      console.summary("Budgets: not exceeded by this shard; the other shards were not checked.")
    }
    if !isKept { console.finding(text: "Archives were written, but a budget is exceeded.\n") }
    return isKept
  }

  /// Returns the baselines, one for each channel, if a budget needs them.
  ///
  /// They are read before packing, so that their errors are reported early.
  private func readBaseline() throws(PackError) -> [Inventory] {
    guard !archives.isStandardOutput, !settings.isDryRun, !settings.isCheck, settings.shard == nil,
      input.run.budgets.contains(where: { $0.subject == .update }),
      case .at(let path) = try input.run.formerPacks(console)
    else { return [] }
    let channels = BaselineChannels(at: path).paths.map(\.path)
    let paths = channels.isEmpty ? [path] : channels
    var findings = Ledger()
    do throws(PackError) {
      var former: [Inventory] = []
      for path in paths {
        let read = try InventoryReader().read([path], &findings, console.work)
        guard let release = read else { break }
        former.append(release)
      }
      if former.count == paths.count { return former }
    } catch {
      if error.kind == .interrupted { throw error }
      throw PackError(
        error.kind, "\(error.message), in \(input.run.baselineName)", remedies: error.remedies)
    }
    throw PackError(
      .malformed(offset: nil), "'\(path)', \(input.run.baselineName), has errors",
      remedy: "'ba-package diff' prints the errors")
  }

  /// Returns the largest update of an app user; nil if the new packs have errors.
  private func update(
    _ holdings: BudgetHoldings, from baseline: [Inventory]
  ) throws(PackError) -> BudgetHoldings.Update? {
    var findings = Ledger()
    let paths = holdings.packs.map { archives.path(of: $0.id.text) }
    guard let now = try InventoryReader().read(paths, &findings, console.work) else {
      return nil
    }
    let comparisons = try baseline.map { (old) throws(PackError) in
      try Comparison(from: old, to: now, console.work)
    }
    return BudgetHoldings.Update.largest(of: comparisons)
  }
}

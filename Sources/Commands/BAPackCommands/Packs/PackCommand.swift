// Long because it contains all options of 'pack' and the order of its work.
import Arguments
import BAPackKit
import Reporting
import Glibc
import SourceDiagnostics
import SystemIO
import TerminalText

/// `pack`: creates asset packs from manifests.
struct PackCommand: Subcommand {
  private static let output = Option(
    "output-path", short: "o", .file("aar"), called: "path", in: .output, isRequired: true,
    needlessWith: dryRun, elsewhere: ProjectOptions.hint,
    "Write to this .aar file or folder, or to '-'.",
    details: """
      A folder gets '<assetPackID>.aar'; '-' is standard output. Without this option, 'output' of \
      the project file is used.
      """)
  private static let force = Flag(
    "force", short: "f", in: .output, "Replace existing archives.")
  private static let update = Flag(
    "update", in: .output, "Rebuild only archives that are out of date.",
    details: "An archive is out of date if its files, its manifest or its settings have changed.")
  private static let check = Flag(
    "check", in: .output, "List outdated archives.",
    details: "Writes nothing, exits with 1 if an archive is out of date, and prints the reason.")
  private static let depfile = Option(
    "depfile", .file("d"), called: "path", in: .build,
    "Write the dependencies for Make or Ninja.")
  private static let depfileFormat = Option<DepfileFormat>(
    "depfile-format", .choice, called: "tool", in: .build, "Write the depfile for this tool.",
    details: "Without it, names that Make and Ninja read differently are errors.")
  private static let dryRun = Flag(
    "dry-run", in: .output, "Print the contents of the archives, write nothing.",
    details: "Fails in the same cases as a real run, except for budgets of archives.")
  private static let sha256 = Flag(
    "sha256", in: .output, "Print the SHA-256 digest of each archive.",
    details: "The format is that of sha256sum.")

  private static let shard = Option(
    "shard",
    ValueType<Shard> { word throws(InvalidValue) in
      guard let shard = Shard(written: word) else {
        throw InvalidValue("expected a shard and the number of shards, such as 2/8")
      }
      return shard
    }, called: "shard", in: .build, "Pack one shard of the project, for example 2/8.",
    details: """
      Each machine packs a different shard. The shards have about the same size. \
      'verify --all-shards' checks the result.
      """)
  private static let recordSizes = Flag(
    "record-sizes", in: .build, "Record the sizes of packs for '--shard'.",
    details: """
      After a run with all packs of the project, the sizes are written to 'ba-package.sizes.json' \
      in the folder of the project file. '--shard' balances the shards with them.
      """)

  static let definition = Command(
    "pack", aliases: ["package"], overview: "Pack files into asset packs.",
    discussion: [
      """
      First the manifests and their files are checked, as by 'validate'. An error stops the run \
      before anything is compressed. An archive is never written partially. Its bytes depend only \
      on the manifest, the files and the options.
      """,
      """
      Without manifests, the packs of the project file are built. Options override the project \
      file.
      """,
      """
      Budgets are checked before packing if the sizes are known, and again after packing. If an \
      archive exceeds a budget, it is kept and the exit status is 1. With '--update', \
      unchanged archives count. With '--shard', only this shard counts.
      """,
      """
      With '--update', an archive that would not change is kept with its times. In the same \
      folder, the record '.ba-package-<name>.record' has the path, kind, size, times and inode \
      number of each file. If the times or the inode number differ, as in a new checkout, or if a \
      file was modified within two seconds of its record, the contents are compared. An archive \
      without a record is rebuilt. '--verbose' prints the reason for each archive.
      """,
      """
      Archives in the output folder without a manifest are reported and kept. 'clean --stale' \
      removes them.
      """,
      DocumentName.pack.described(
        "With '--format json', prints one object a line for each archive"),
      DocumentName.packCache.described("If a cache is used, the last line is an object about it"),
    ],
    [ManifestInput.paths] + ManifestInput.sources + ProjectOptions.all
      + [output, force, update, check, dryRun, sha256, ReportFormat.option]
      + PackingOptions.all + CacheOptions.all + BudgetOptions.all
      + FindingOptions.all + [ManifestInput.hosting, ManifestInput.primaryLanguage]
      + [shard, recordSizes, depfile, depfileFormat],
    exclusive: [
      [dryRun, sha256], [dryRun, CacheOptions.selection], [dryRun, update], [force, update],
      [check, sha256], [check, CacheOptions.selection], [dryRun, depfile], [check, depfile],
      [shard, recordSizes], [dryRun, recordSizes], [check, recordSizes], ProjectOptions.exclusive,
      ManifestInput.exclusiveSources, [ManifestInput.filesFrom, PackingOptions.preserve],
    ],
    dependent: [(check, update), (depfileFormat, depfile)] + ManifestInput.dependentSources,
    examples: [
      Term("ba-package pack a.json", "Pack one manifest."),
      Term("ba-package pack", "Pack all packs of the project file."),
      Term("ba-package pack Packs/*.json -o Archives", "Pack several manifests into a folder."),
      Term("ba-package pack Packs/*.json -o Archives --update", "Rebuild only outdated archives."),
      Term(
        "ba-package pack --budget essential=200M --budget 'voices-*=80M'",
        "Fail if a budget is exceeded."),
      Term("ba-package pack Manifest.json -o - | sha256sum", "Pack into a pipe."),
      Term(
        "ba-package pack Manifest.json -o x.aar --level best --timestamp 2026-01-01",
        "Write the smallest archive with a fixed time."),
      Term(
        "ba-package pack Manifest.json -o x.aar --cache ~/blocks",
        "Keep compressed blocks for the next run."),
      Term(
        "ba-package pack Manifest.json -o x.aar --cache https://cache.example.com",
        "Share compressed blocks with other machines."),
      Term("ba-package pack --shard 2/8", "Pack the second of eight shards on this machine."),
      Term(
        "ba-package pack Manifest.json -o x.aar --files-from files.txt",
        "Pack exactly the files that a build declares."),
      Term(
        "ba-package pack Manifest.json -f -o x.aar --depfile x.d --depfile-format make",
        "Write the dependencies for Make."),
    ],
    topics: ["budgets", "caching", "project-file", "selectors"])

  private var input: ManifestInput
  /// nil before the project file is read, and in a dry run without an output path.
  private var outputPath: String?
  /// Whether all packs of the project are written to its output folder.
  private var packsWholeProject = false
  private let replaces: Bool
  private let updates: Bool
  private let isCheck: Bool
  private let depfilePath: String?
  private let depfileFormat: DepfileFormat?
  private let isDryRun: Bool
  private let printsDigest: Bool
  private let options: PackingOptions
  private let shard: Shard?
  private let recordsSizes: Bool
  private let cache: CacheOptions.Choices
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let paths = arguments[ManifestInput.paths]
    input = ManifestInput(arguments, operands: paths)
    PackingOptions.add(to: &input.run.settings, arguments)
    try CacheOptions.add(to: &input.run.settings, arguments)
    BudgetOptions.add(to: &input.run.settings, arguments)
    FindingOptions.add(to: &input.run.settings, arguments)
    outputPath = arguments[Self.output]
    updates = arguments[Self.update]
    isCheck = arguments[Self.check]
    depfilePath = arguments[Self.depfile]
    depfileFormat = arguments[Self.depfileFormat]
    replaces = arguments[Self.force] || updates
    isDryRun = arguments[Self.dryRun]
    printsDigest = arguments[Self.sha256]
    options = try PackingOptions(arguments)
    shard = arguments[Self.shard]
    recordsSizes = arguments[Self.recordSizes]
    cache = CacheOptions.Choices(arguments)
    format = arguments[ReportFormat.option]
    if recordsSizes, !paths.isEmpty || input.run.place == nil {
      throw UsageError(
        "'--record-sizes' records all packs of a project",
        hint: "specify a project file and no manifests")
    }
    if let outputPath, writesOneFile, paths.count > 1 {
      throw UsageError(
        "'\(outputPath)' is one archive, but \(paths.count) manifests were given",
        hint: "use a folder")
    }
    if writesToStandardOutput, !isDryRun, printsDigest || format == .json {
      throw UsageError(
        "Standard output ('-') is used for the archive: '--sha256' and '--format json' "
          + "cannot print"
      )
    }
    if writesToStandardOutput, updates {
      throw UsageError("'--update' cannot be used with standard output")
    }
    if writesToStandardOutput, depfilePath != nil {
      throw UsageError("'--depfile' cannot be used with standard output")
    }
    if let outputPath, Self.hasFileExtension(outputPath), !PackInput.isFolder(outputPath) {
      throw UsageError(
        "'\(outputPath)' is neither an archive, which ends in '.aar', nor a folder",
        hint: "'ba-package extract' writes archives of other formats")
    }
  }

  /// Returns whether a path has the extension of another archive format or of an image; a folder of
  /// that name is probably a mistake.
  private static func hasFileExtension(_ path: String) -> Bool {
    let endings = [
      ".zip", ".7z", ".tar", ".gz", ".tgz", ".xz", ".bz2", ".zst", ".aa", ".yaa", ".aea", ".dmg",
      ".json",
    ]
    return endings.contains { path.lowercased().hasSuffix($0) }
  }

  private var writesToStandardOutput: Bool { outputPath == "-" }

  private var writesOneFile: Bool {
    writesToStandardOutput || outputPath.map { FilePath($0).hasSuffix(".aar") } ?? false
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    guard let input = try input.opened(console, otherwise: "No packs were written") else {
      return .failed
    }
    var command = self
    command.input = input
    if outputPath == nil {
      command.outputPath = try input.run.output()
      command.packsWholeProject = input.operands.isEmpty
    }
    guard command.outputPath != nil || isDryRun else {
      throw PackError(
        .missing, "no output folder is specified",
        remedies: [.argument("specify a folder with -o"), "add 'output' to the project file"])
    }
    return try command.pack(console)
  }

  private func pack(_ console: Console) throws(PackError) -> ExitStatus {
    let baseline = try readBaseline(console)
    let settings = try options.settings(input.run.settings, console)
    let cache = try CacheOptions(input.run, cache, console)
    try check(settings, console)
    let caches =
      isDryRun || isCheck ? OpenCaches() : try cache.open(console, threads: settings.threads)
    defer { caches.close() }
    guard
      let (packs, checked, ids) = try checkedPacks(console, settings, leavingOut: cache.folder)
    else { return .failed }
    let updateChecks = checked.updateChecks
    if outputPath != nil { try checkOutputs(packs) }
    let report = PackReport(console, format: format)
    if isDryRun {
      for pack in packs { report.plan(pack.plan, at: pack.path) }
      console.report(open: checked.openBudgets, atEnd: false)
      return .done
    }
    if isCheck {
      let isCurrent = report.check(updateChecks)
      reportStale(besides: ids, report, console.work)
      return keepsBudgets(checked, checked.holdings, console) && isCurrent ? .done : .failed
    }
    // A record that cannot be replaced, and a name that the build tool cannot read, are reported
    // before packing.
    if recordsSizes, let place = input.run.document?.place { _ = try PackSizes(for: place) }
    let depfile = try depfile(checked.dependencies)
    warnOfDepfile(depfile, console)
    Leftovers.remove(from: packs.map { OutputPlace($0.path).folder }, console)
    Interrupt.install()
    let run = PackingRun(packs, among: updateChecks, packing(caches), console, report)
    let start = ContinuousClock.now
    try withOutputFolder { () throws(PackError) in try run.run() }
    if run.made.count > 1 { report.total(run.made, .now - start) }
    report.addStepSummary(run.made, unchanged: updateChecks.count(where: \.isUnchanged))
    reportStale(besides: ids, report, console.work)
    let shared = caches.report(console)
    report.cache(caches, shared, of: run.made)
    if recordsSizes, run.failures == 0 { try record(packs, updateChecks, console) }
    if let depfilePath, let depfile {
      try depfile.write(to: depfilePath)
      // With '--update' the times of archives are in its records.
      if !updates {
        try depfile.touchArchives(besides: depfilePath) { run.sizes[PackID($0)] != nil }
      }
    }
    var holdings = holdings(of: checked, run.sizes)
    if run.failures == 0, let baseline {
      holdings.update = try update(holdings, from: baseline, console)
    }
    let isKept = keepsBudgets(checked, holdings, console)
    if updates { console.summary(report.counts(updateChecks, "packed", failures: run.failures)) }
    return isKept && run.failures == 0 ? .done : .failed
  }

  /// Warns of a compression that Apple may not accept, and refuses to write an archive to a
  /// terminal.
  private func check(_ settings: PackSettings, _ console: Console) throws(PackError) {
    if input.hosting == .apple, settings.compression != .lzfse {
      console.warning(
        "App Store Connect accepts packs that are compressed with LZFSE; it is unknown whether it "
          + "accepts '--compression \(settings.compression.rawValue)'")
    }
    if writesToStandardOutput, !isDryRun, console.output.isTerminal {
      throw PackError(
        .conflict, "refusing to write an archive to a terminal",
        remedy: "redirect standard output to a file or a pipe, or specify a file with -o")
    }
  }

  /// Returns the packs of the project with the sizes of the archives that were written.
  private func holdings(of checked: CheckedProject, _ sizes: [PackID: UInt64]) -> BudgetHoldings {
    var holdings = checked.holdings
    holdings.addArchives(sizes)
    return holdings
  }

  /// Warns of a depfile for Ninja in a folder that is packed.
  ///
  /// Ninja removes the depfile after reading it. This changes the folder, so Ninja rebuilds the
  /// archive each time.
  private func warnOfDepfile(_ depfile: Depfile?, _ console: Console) {
    guard depfileFormat == .ninja, let depfilePath,
      let folder = depfile?.listedFolder(of: depfilePath)
    else { return }
    console.warning(
      "the depfile is in '\(folder)', whose files are packed: Ninja removes it, and rebuilds the "
        + "archive each time",
      remedy: "use another folder for --depfile")
  }

  private func depfile(_ dependencies: [PackDependencies]) throws(PackError) -> Depfile? {
    guard depfilePath != nil else { return nil }
    return try Depfile(
      dependencies, and: input.run.place, for: depfileFormat, naming: archivePath)
  }

  /// Checks the current packs against the budgets that could not be checked before.
  private func keepsBudgets(
    _ checked: CheckedProject, _ holdings: BudgetHoldings, _ console: Console
  ) -> Bool {
    let uses = checked.openBudgets.map { BudgetUse(of: $0.budget, by: holdings) }
    let isKept = console.report(uses, under: input.run.policy, atEnd: !isCheck)
    if isKept, shard != nil, uses.contains(where: { $0.isOpen && $0.budget.isOwn }) {
      console.summary("Budgets: not exceeded by this shard; the other shards were not checked.")
    }
    if !isKept { console.finding(text: "Archives were written, but a budget is exceeded.\n") }
    return isKept
  }

  /// Returns the baseline, if a budget needs it.
  ///
  /// It is read before packing, so that its errors are reported early.
  private func readBaseline(_ console: Console) throws(PackError) -> Inventory? {
    guard !writesToStandardOutput, !isDryRun, !isCheck, shard == nil,
      input.run.budgets.contains(where: { $0.subject == .update }),
      case .at(let path) = try input.run.formerPacks(console)
    else { return nil }
    var findings = Ledger()
    do throws(PackError) {
      if let former = try InventoryReader().read([path], &findings, console.work) { return former }
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
    _ holdings: BudgetHoldings, from baseline: Inventory, _ console: Console
  ) throws(PackError) -> BudgetHoldings.Update? {
    var findings = Ledger()
    let archives = holdings.packs.map { archivePath($0.id.text) }
    guard let now = try InventoryReader().read(archives, &findings, console.work) else {
      return nil
    }
    return try Comparison(from: baseline, to: now, console.work).update
  }

  private func packing(_ caches: OpenCaches) -> PackingRun.Options {
    var packing = PackingRun.Options()
    packing.printsDigest = printsDigest
    packing.toStandardOutput = writesToStandardOutput
    packing.packing.replacesExisting = replaces
    packing.packing.makesFolder = !writesOneFile
    packing.packing.computesSHA256 = printsDigest || updates
    packing.packing.cache = caches.folder
    packing.packing.sharedBlocks = caches.server
    return packing
  }

  private typealias PlannedPack = PackingRun.PlannedPack

  /// Reports the packs in the output folder that have no manifest, because they would be published
  /// with the others.
  private func reportStale(besides ids: [String], _ report: PackReport, _ work: Work) {
    guard !writesOneFile, let outputPath,
      let stale = try? StaleArchives(
        in: outputPath, besides: ids.map(archivePath), proof: .size, ofRenamed: !packsWholeProject,
        work)
    else { return }
    // In other folders, and with given manifests, the archives may have other manifests.
    if packsWholeProject || input.run.place == nil, !stale.archives.isEmpty {
      report.stale(
        stale.archives.map { OutputPlace($0).name.shown }, in: outputPath,
        of: packsWholeProject ? input.run : nil)
    }
    if hasSeveralSources, !stale.unrecorded.isEmpty {
      report.unrecorded(stale.unrecorded.map { OutputPlace($0).name.shown }, in: outputPath)
    }
  }

  /// Whether the manifests are those of the whole project, of a folder or of a pattern.
  ///
  /// Only then are packs without a manifest stale: single manifests do not determine the other
  /// packs.
  private var hasSeveralSources: Bool {
    input.operands.isEmpty
      || input.operands.contains { word in
        PackInput.isFolder(word) || MatchingFiles(word)?.paths.isEmpty == false
      }
  }

  /// Performs all checks before the work.
  ///
  /// Returns a plan for each archive to write, the states of all archives, and the IDs of all packs
  /// (also of other shards); nil if there are errors.
  private func checkedPacks(
    _ console: Console, _ settings: PackSettings, leavingOut cache: String?
  ) throws(PackError) -> (packs: [PlannedPack], checked: CheckedProject, ids: [String])? {
    var project = try input.project(input.paths, console)
    project.settings = settings
    input.addBudgets(to: &project)
    let inputs = project.inputs(saying: console)
    if let outputPath, writesOneFile, inputs.count > 1 {
      throw PackError(
        .conflict,
        "'\(outputPath)' is one archive, but there are \(Quantity.count(inputs.count, "manifest"))",
        remedy: "specify a folder with -o")
    }
    var documents: [ManifestDocument] = []
    for input in inputs { documents.append(try project.document(of: input, console.work)) }
    // The cache is also written by this run.
    let chosen = try chosen(of: documents, console)
    let archives =
      outputPath == nil || writesToStandardOutput
      ? [] : documents.map { archivePath($0.assetPackID) }
    project.outputs = (archives + [cache, depfilePath].compactMap(\.self)).map { FilePath($0) }
    project.notesDependencies = depfilePath != nil
    if updates {
      let place = place
      project.updating = Updating(program: "ba-package \(version)", settings: settings) {
        place.path(of: $0)
      }
    }
    let checked = try project.check(documents, only: chosen, console.work)
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
          path: archivePath(pack.manifest.assetPackID), plan: try pack.plan(),
          updateCheck: pack.updateCheck))
    }
    return (packs, checked, documents.compactMap(\.assetPackID))
  }

  /// Returns the manifests of this shard; nil for all of them.
  private func chosen(
    of documents: [ManifestDocument], _ console: Console
  ) throws(PackError) -> Set<Int>? {
    // If an ID is unknown, the check of the texts fails in any case.
    guard let shard, documents.allSatisfy({ $0.assetPackID != nil }) else { return nil }
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
  private func record(
    _ packs: [PlannedPack], _ updateChecks: [UpdateCheck], _ console: Console
  ) throws(PackError) {
    guard let place = input.run.document?.place else { return }
    let path = try PackSizes(of: packs.map(\.plan), and: updateChecks).write(
      for: place, console.work)
    console.summary("Wrote '\(path)'.")
  }

  /// Throws, before any work, if an output already exists or is an input of this run.
  private func checkOutputs(_ packs: [PlannedPack]) throws(PackError) {
    if writesToStandardOutput { return }
    // An output that is no input of its pack may be an input of another pack of this run.
    let outputs = packs.map { identity($0.path) }
    let existing = Set(outputs.compactMap(\.self))
    var sources = Set(input.paths.compactMap(identity))
    for pack in packs { sources.formUnion(pack.plan.sources(among: existing)) }
    for (pack, output) in zip(packs, outputs) {
      do throws(Failure) {
        try AtomicFile.check(pack.path, replacing: replaces, makingFolder: !writesOneFile)
      } catch {
        guard let outputPath, !writesOneFile, error.path != pack.path else {
          var refusal = PackError(error, while: .writing)
          if error.code == EEXIST, input.run.document != nil {
            refusal.remedies.insert("write only the changed packs with --update", at: 0)
          }
          throw refusal
        }
        guard error.code == ENOTDIR, let kind = try? FileStatus(ofFileAt: outputPath).kind,
          kind != .directory
        else { throw folderRefusal(error) }
        throw PackError(
          .exists, "'\(outputPath)' exists and is not a folder",
          remedy: "specify a folder with -o, or an archive that ends in '.aar'")
      }
      if let output, sources.contains(output) {
        throw PackError(
          .exists, "cannot replace '\(pack.path)': packing reads this file",
          remedy: .specifyAnotherOutput)
      }
    }
  }

  private func identity(_ path: String) -> FileIdentity? {
    try? FileStatus(ofFileAt: path).identity
  }

  private var place: ArchivePlace {
    ArchivePlace(path: writesToStandardOutput ? nil : outputPath, isFile: writesOneFile)
  }

  private func archivePath(_ id: String?) -> String { place.path(of: id ?? "") }

  private func withOutputFolder(
    _ body: () throws(PackError) -> Void
  ) throws(PackError) {
    guard let outputPath, !writesOneFile else { return try body() }
    let folder = try explaining(folderRefusal) { () throws(Failure) in
      try OutputFolder(outputPath)
    }
    try withExtendedLifetime(folder) { (_) throws(PackError) in try body() }
  }

  /// Returns the reason why the folder for the outputs does not exist and cannot be created.
  private func folderRefusal(_ error: Failure) -> PackError {
    PackError(
      error,
      remedy: error.code == ENOENT
        ? "one of its parent folders was deleted: use another folder with -o"
        : "use another folder with -o")
  }
}

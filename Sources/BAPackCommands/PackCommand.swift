import Arguments
import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO

/// `pack`: makes asset packs from manifests.
struct PackCommand: Subcommand {
  private static let output = Option(
    "output-path", short: "o", .file("aar"), called: "path", isRequired: true,
    needlessWith: dryRun, elsewhere: ProjectOptions.hint,
    """
    The archive to write, when it ends in '.aar'; '-' for standard output; else a folder that gets \
    '<assetPackID>.aar'. Without it, the 'output' of the project file.
    """)
  private static let force = Flag("force", short: "f", "Replace archives that exist already.")
  private static let dryRun = Flag(
    "dry-run", "Print what would be packed, and write nothing; fail where packing would.")
  private static let sha256 = Flag(
    "sha256", "Print the SHA-256 of each archive, as sha256sum does.")

  static let definition = Command(
    "pack", aliases: ["package"], overview: "Packs the files that manifests select.",
    discussion: [
      """
      Everything that 'validate' checks is checked first, and an error stops the work before \
      anything is compressed. An archive appears whole or not at all, and its bytes depend on the \
      manifest, the files and the options alone.
      """,
      """
      Without manifests, the packs of the project file are packed. What no option says is taken from \
      that file.
      """,
      """
      With '--format json', one object a line for each archive: 'path', 'assetPackID', 'files', \
      'contentBytes', 'archiveBytes', 'blocks', 'storedBlocks', 'seconds', 'cacheHits' and \
      'cacheMisses' with a cache, and 'sha256' if asked for; with '--dry-run', 'entries' instead \
      of what is known only afterwards.
      """,
    ],
    [ManifestInput.paths, output, ManifestInput.sourceRoot, force, dryRun]
      + PackingOptions.all + CacheOptions.all
      + [ManifestInput.hosting, ManifestInput.primaryLanguage, sha256, ReportFormat.option]
      + ProjectOptions.all,
    exclusive: [[dryRun, sha256], [dryRun, CacheOptions.asked], ProjectOptions.exclusive],
    dependent: CacheOptions.dependent,
    examples: [
      Term("ba-package Manifest.json -o Tutorial.aar", "Pack one manifest."),
      Term("ba-package pack", "Pack all that the project file names."),
      Term("ba-package pack Packs/*.json -o Archives", "Pack all, each under the name of its ID."),
      Term("ba-package pack Manifest.json -o - | sha256sum", "Pack into a pipe."),
      Term(
        "ba-package pack Manifest.json -o x.aar --level best --timestamp 2026-01-01",
        "Pack as small as possible, with a time of one's own."),
      Term(
        "ba-package pack Manifest.json -o x.aar --level best --cache ~/.cache/ba-package",
        "The same, and much faster the next time."),
    ])

  private var input: ManifestInput
  /// Nil only in a dry run without an output path, and before the project file is read.
  private var outputPath: String?
  private let replaces: Bool
  private let isDryRun: Bool
  private let printsDigest: Bool
  private let options: PackingOptions
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let paths = arguments[ManifestInput.paths]
    input = ManifestInput(arguments, operands: paths)
    PackingOptions.add(to: &input.run.settings, arguments)
    CacheOptions.add(to: &input.run.settings, arguments)
    outputPath = arguments[Self.output]
    replaces = arguments[Self.force]
    isDryRun = arguments[Self.dryRun]
    printsDigest = arguments[Self.sha256]
    options = try PackingOptions(arguments)
    format = arguments[ReportFormat.option]
    if let outputPath, writesOneFile, paths.count > 1 {
      throw UsageError(
        "'\(outputPath)' is one archive, but \(paths.count) manifests were given; name a folder")
    }
    if writesToStandardOutput, !isDryRun, printsDigest || format == .json {
      throw UsageError(
        "Standard output ('-') takes the archive, and '--sha256' and '--format json' print there, too"
      )
    }
    if paths.count(where: { $0 == "-" }) > 1 {
      throw UsageError("Standard input ('-') can be read only once")
    }
  }

  private var writesToStandardOutput: Bool { outputPath == "-" }

  private var writesOneFile: Bool {
    writesToStandardOutput || outputPath.map { FilePath($0).hasSuffix(".aar") } ?? false
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    guard let input = try input.opened(console, otherwise: "Nothing was packed") else {
      return .failed
    }
    var command = self
    command.input = input
    if outputPath == nil { command.outputPath = try input.run.output() }
    guard command.outputPath != nil || isDryRun else {
      throw PackError(
        .missing, "nothing says where the packs go",
        remedies: [.nameOutput, "say it in the project file, with 'output'"])
    }
    return try command.pack(console)
  }

  private func pack(_ console: Console) throws(PackError) -> ExitStatus {
    let settings = try options.settings(input.run.settings, console)
    let cache = try CacheOptions(input.run, console)
    if input.hosting == .apple, settings.compression != .lzfse {
      console.warning(
        "App Store Connect is known to take packs that are compressed with LZFSE; "
          + "nobody has seen it take '--compression \(settings.compression.rawValue)'")
    }
    if writesToStandardOutput, !isDryRun, console.output.isTerminal {
      throw PackError(
        .conflict, "an archive is nothing for a terminal",
        remedy: "send standard output to a file or a pipe, or name a file with -o")
    }
    let blocks = isDryRun ? nil : try cache.open(console)
    guard let packs = try checkedPacks(console, settings, leavingOut: cache.folder) else {
      return .failed
    }
    if outputPath != nil { try checkOutputs(packs) }
    let report = PackReport(console, format: format)
    if isDryRun {
      for pack in packs { report.plan(pack.plan, at: pack.path) }
      return .done
    }
    Leftovers.remove(from: packs.map { OutputPlace($0.path).folder }, console)
    Interrupt.install()
    try withOutputFolder { () throws(PackError) in
      for pack in packs { try write(pack.plan, to: pack.path, blocks, console, report) }
    }
    console.report(blocks)
    return .done
  }

  private typealias PlannedPack = (path: String, plan: PackPlan)

  /// All checks before the work: a plan for each manifest, or nil if one has errors.
  private func checkedPacks(
    _ console: Console, _ settings: PackSettings, leavingOut cache: String?
  ) throws(PackError) -> [PlannedPack]? {
    var project = try input.project(input.paths, console)
    project.settings = settings
    let inputs = project.inputs(saying: console)
    if let outputPath, writesOneFile, inputs.count > 1 {
      throw PackError(
        .conflict,
        "'\(outputPath)' is one archive, but there are \(Quantity.count(inputs.count, "manifest"))",
        remedy: "name a folder with -o")
    }
    var documents: [ManifestDocument] = []
    for input in inputs { documents.append(try project.document(of: input)) }
    // The cache is also written by this run.
    project.outputs =
      (outputPath == nil || writesToStandardOutput
        ? [] : documents.map { archivePath($0.assetPackID) })
      + (cache.map { [$0] } ?? [])
    let checked = try project.check(documents)
    if let trouble = checked.troubles.first { throw trouble }
    console.report(checked.report.findings, as: .text)
    guard let ready = checked.ready else {
      console.finding(text: "Nothing was packed: \(checked.report.findings.tally)\n")
      return nil
    }
    var packs: [PlannedPack] = []
    for pack in ready.packs {
      packs.append((archivePath(pack.manifest.assetPackID), try pack.plan()))
    }
    return packs
  }

  /// Throws, before any work, if an output exists already or is read by this run.
  private func checkOutputs(_ packs: [PlannedPack]) throws(PackError) {
    if writesToStandardOutput { return }
    let manifests = Set(input.paths.compactMap(identity))
    for pack in packs {
      do throws(Failure) {
        try AtomicFile.check(pack.path, replacing: replaces, makingFolder: !writesOneFile)
      } catch {
        guard let outputPath, !writesOneFile, error.path != pack.path else {
          throw PackError(error, while: .writing)
        }
        guard error.code == ENOTDIR, let kind = try? FileStatus(ofFileAt: outputPath).kind,
          kind != .directory
        else { throw folderRefusal(error) }
        throw PackError(
          .exists, "'\(outputPath)' is there already and is no folder",
          remedy: "name a folder with -o, or an archive that ends in '.aar'")
      }
      // An output that its own pack does not read may be read by another pack of this run.
      if let output = identity(pack.path),
        manifests.contains(output) || packs.contains(where: { $0.plan.reads(pack.path) })
      {
        throw PackError(
          .exists, "'\(pack.path)' is what is packed from", remedy: .nameAnotherOutput)
      }
    }
  }

  private func identity(_ path: String) -> FileIdentity? {
    try? FileStatus(ofFileAt: path).identity
  }

  private func archivePath(_ id: String?) -> String {
    let name = (id ?? "") + ".aar"
    guard let outputPath, !writesToStandardOutput else { return name }
    if writesOneFile { return outputPath }
    return FilePath(outputPath).appending(FilePath(name.utf8)).text
  }

  private func withOutputFolder(
    _ body: () throws(PackError) -> Void
  ) throws(PackError) {
    guard let outputPath, !writesOneFile else { return try body() }
    let folder = try explaining(folderRefusal) { () throws(Failure) in
      try OutputFolder(outputPath)
    }
    try withExtendedLifetime(folder) { (_) throws(PackError) in try body() }
  }

  /// Why the folder for the outputs does not exist and cannot be made.
  private func folderRefusal(_ error: Failure) -> PackError {
    PackError(
      error,
      remedy: error.code == ENOENT
        ? "a folder that it starts from was deleted; name another folder with -o"
        : "name another folder with -o")
  }

  private func write(
    _ plan: PackPlan, to path: String, _ cache: BlockCache?, _ console: Console,
    _ report: PackReport
  ) throws(PackError) {
    var packing = Packer.Options()
    packing.replacesExisting = replaces
    packing.makesFolder = !writesOneFile
    packing.computesSHA256 = printsDigest
    packing.cache = cache
    packing.isCancelled = { Interrupt.pending != nil }
    let line = ProgressLine(
      console, title: plan.manifest.assetPackID, total: plan.selection.totalSize)
    var named = -1
    let update = { (progress: PackProgress) in
      line.update(done: progress.bytes)
      if console.verbosity == .verbose, progress.entry != named,
        plan.selection.indices.contains(progress.entry)
      {
        named = progress.entry
        console.detail(plan.selection[named].destination)
      }
    }
    let packer =
      writesToStandardOutput
      ? Packer(
        plan, writing: console.output.write, named: console.output.path, packing, progress: update)
      : Packer(plan, to: path, packing, progress: update)
    let summary = try packer.pack()
    line.finish()
    report.summary(summary)
  }
}

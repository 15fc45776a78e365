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
    "force", short: "f", in: .output, "Replace existing archives, and rebuild all packs.")
  private static let update = Flag(
    "update", in: .output, "Rebuild only archives that are out of date.",
    details: """
      An archive is out of date if its files, its manifest or its settings have changed. This is \
      the default for the output folder of a project.
      """)
  private static let check = Flag(
    "check", in: .output, "List outdated archives.",
    details: "Writes nothing, exits with 1 if an archive is out of date, and prints the reason.")
  private static let depfile = Option(
    "depfile", .file("d"), called: "path", in: .build,
    "Write the dependencies for Make or Ninja.")
  private static let depfileFormat = Option<DepfileFormat>(
    "depfile-format", .choice, called: "tool", in: .build, "Set a tool.",
    details: "Without it, names that Make and Ninja read differently are errors.")
  private static let dryRun = Flag(
    "dry-run", short: "n", in: .output, "Print the contents of the archives, write nothing.",
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
      file. In the output folder of the project, archives that are out of date are rebuilt, and \
      '--force' rebuilds all. A file that is not a pack with the ID of its manifest is never \
      replaced there. Elsewhere, an existing archive is an error without '--force' or '--update'.
      """,
      """
      Budgets are checked before packing if the sizes are known, and again after packing. If an \
      archive exceeds a budget, it is kept and the exit status is 1. With '--update', \
      unchanged archives count. With '--shard', only this shard counts.
      """,
      """
      An archive that would not change is kept with its times, unless all are rebuilt. In the same \
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
    [ManifestOptions.paths] + ManifestOptions.sources + ProjectOptions.all
      + [output, force, update, check, dryRun, sha256, ReportFormat.option]
      + PackingOptions.all + CacheOptions.all + BudgetOptions.all
      + FindingOptions.all + [ManifestOptions.hosting, ManifestOptions.primaryLanguage]
      + [shard, recordSizes, depfile, depfileFormat],
    exclusive: [
      [dryRun, sha256], [dryRun, CacheOptions.selection], [dryRun, update], [force, update],
      [force, check], [dryRun, check],
      [check, sha256], [check, CacheOptions.selection], [dryRun, depfile], [check, depfile],
      [shard, recordSizes], [dryRun, recordSizes], [check, recordSizes], ProjectOptions.exclusive,
      ManifestOptions.exclusiveSources, [ManifestOptions.filesFrom, PackingOptions.preserve],
    ],
    dependent: [(depfileFormat, depfile)] + ManifestOptions.dependentSources,
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

  let input: ManifestOptions
  /// The output path on the command line.
  let outputPath: String?
  let rebuildsAll: Bool
  let updates: Bool
  let isCheck: Bool
  let depfilePath: String?
  let depfileFormat: DepfileFormat?
  let isDryRun: Bool
  let printsDigest: Bool
  let packing: PackingOptions
  let shard: Shard?
  let recordsSizes: Bool
  let cache: CacheOptions.Choices
  let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let paths = arguments[ManifestOptions.paths]
    var input = ManifestOptions(arguments, operands: paths)
    PackingOptions.add(to: &input.project.settings, arguments)
    try CacheOptions.add(to: &input.project.settings, arguments)
    BudgetOptions.add(to: &input.project.settings, arguments)
    FindingOptions.add(to: &input.project.settings, arguments)
    self.input = input
    outputPath = arguments[Self.output]
    isCheck = arguments[Self.check]
    updates = arguments[Self.update] || isCheck
    depfilePath = arguments[Self.depfile]
    depfileFormat = arguments[Self.depfileFormat]
    rebuildsAll = arguments[Self.force]
    isDryRun = arguments[Self.dryRun]
    printsDigest = arguments[Self.sha256]
    packing = try PackingOptions(arguments)
    shard = arguments[Self.shard]
    recordsSizes = arguments[Self.recordSizes]
    cache = CacheOptions.Choices(arguments)
    format = arguments[ReportFormat.option]
    if recordsSizes, !paths.isEmpty || input.project.place == nil {
      throw UsageError(
        "'--record-sizes' records all packs of a project",
        hint: "specify a project file and no manifests")
    }
    let archives = ArchivePlace(outputPath)
    if let outputPath, archives.isFile, paths.count > 1 {
      throw UsageError(
        "'\(outputPath)' is one archive, but \(paths.count) manifests were given",
        hint: "use a folder")
    }
    if archives.isStandardOutput, !isDryRun, printsDigest || format == .json {
      throw UsageError(
        "Standard output ('-') is used for the archive: '--sha256' and '--format json' "
          + "cannot print"
      )
    }
    if archives.isStandardOutput, updates {
      throw UsageError("'--update' cannot be used with standard output")
    }
    if archives.isStandardOutput, depfilePath != nil {
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

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    guard let input = try input.opened(console, otherwise: "No packs were written") else {
      return .failed
    }
    // With an option, an output folder of the project that cannot be used does not matter.
    let own = outputPath == nil ? try input.run.output() : (try? input.run.output()) ?? nil
    let output = outputPath ?? own
    guard output != nil || isDryRun else {
      throw PackError(
        .missing, "no output folder is specified",
        remedies: [.argument("specify a folder with -o"), "add 'output' to the project file"])
    }
    let isOwn = own.map { own in
      outputPath.map { FilePath($0).normalized == FilePath(own).normalized } ?? true
    }
    return try PackRun(self, input, ArchivePlace(output), isBuild: isOwn ?? false, console).run()
  }
}

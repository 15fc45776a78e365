import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// `extract`: extracts files from a pack into a folder, or into an archive of another format.
struct ExtractCommand: Subcommand {
  private static let paths = ArgumentList(
    "path", .file(), isRequired: false,
    "Files, folders or quoted patterns to extract (default: all).",
    details: "A pattern is 'Levels/*.json' or '**/*.png', for example.")
  private static let output = Option(
    "output-path", short: "o", .file(), called: "path", in: .output, isRequired: true,
    "Extract into this folder or archive, such as x.zip.",
    details: """
      The extension selects the format of an archive: \
      \(Extraction.exportSuffixes.joined(separator: ", ")).
      """)
  private static let all = Flag(
    "all", in: .output, "Extract all entries, 'Manifest.json' included.",
    details: "Entries keep their paths in the archive, such as 'Contents/a.txt'.")
  private static let force = Flag(
    "force", short: "f", in: .output, "Write into a folder with files, and replace files.")

  static let definition = Command(
    "extract", overview: "Extract files from an asset pack.",
    discussion: [
      """
      A new or empty folder receives all of the files or none. A folder with files requires \
      '--force'; then no file is replaced partially.
      """,
      """
      All output is inside of the folder, and links are not followed. Owners are not \
      restored. Permissions follow the umask.
      """,
      DocumentName.extract.described(),
    ],
    [PackInput.path, paths] + ProjectOptions.all
      + [output, all, force, ReportFormat.option, PackInput.threads, MemoryOption.option],
    exclusive: [ProjectOptions.exclusive],
    examples: [
      Term("ba-package extract Tutorial.aar -o Tutorial", "Extract a pack into a folder."),
      Term("ba-package extract Tutorial.aar -o Tutorial.zip", "Convert a pack to a zip file."),
      Term("ba-package extract Tutorial.aar Levels/one.json -o one", "Extract one file."),
    ])

  /// Names of archives that cannot be written: a folder of that name is probably a mistake.
  private static let unwritable = [
    ".aar", ".rar", ".iso", ".cab", ".dmg", ".tar.lz", ".tar.lzma", ".tar.z", ".tar.br",
  ]

  private let operand: String
  private let input: ManifestOptions
  private let target: String
  private let format: ReportFormat
  private let extraction: Extraction

  init(_ arguments: ParsedArguments) throws(UsageError) {
    operand = try arguments.required(PackInput.path)
    let paths = arguments[Self.paths]
    // If the first word is no archive, the others can be IDs.
    input = ManifestOptions(
      arguments, operands: [operand] + (FilePath(operand).hasSuffix(".aar") ? [] : paths))
    target = try arguments.required(Self.output)
    format = arguments[ReportFormat.option]
    if Self.unwritable.contains(where: target.lowercased().hasSuffix) {
      throw UsageError(
        "'\(target)' has the extension of an archive format that cannot be written",
        hint: "use \(Extraction.exportSuffixes.joined(separator: ", ")), or append a slash to the "
          + "name of a folder")
    }
    var extraction = Extraction()
    extraction.paths = paths
    extraction.scope = arguments[Self.all] ? .everything : .contents
    extraction.isForced = arguments[Self.force]
    extraction.threads = arguments[PackInput.threads] ?? ProcessState.processorCount
    extraction.memory = UInt64(arguments[MemoryOption.option])
    self.extraction = extraction
  }

  /// Returns the archive; nil after errors of the project file, which have been reported.
  private func pack(_ console: Console) throws(PackError) -> String? {
    let path = FilePath(operand)
    let isPresent = (try? FileStatus(ofFileAt: operand)) != nil
    // The packs of the project are needed only for an ID.
    guard let known = try PackOperands(input, console, otherwise: "No file was extracted") else {
      return nil
    }
    func isPack(_ word: String) -> Bool {
      word.lowercased().hasSuffix(".aar") || !known.packs(called: word).isEmpty
    }
    if !isPack(operand), let other = extraction.paths.first(where: isPack),
      !isPresent || (try? FileStatus(ofFileAt: other))?.kind == .file
    {
      let paths = ([operand] + extraction.paths.filter { $0 != other }).joined(separator: " ")
      throw PackError(
        .conflict, "The first argument is the pack, but '\(operand)' is none",
        remedy: .argument("use 'ba-package extract \(other) \(paths) -o \(target)'"))
    }
    if path.hasSuffix(".aar") { return operand }
    let packs = try known.resolve(operand)
    guard let pack = packs.first, packs.count == 1 else {
      throw PackError(
        .ambiguous, "'\(operand)' is \(packs.count) packs", remedy: "specify one of them")
    }
    return pack
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    guard let pack = try pack(console) else { return .failed }
    let isExport = Extraction.exportSuffixes.contains { target.lowercased().hasSuffix($0) }
    // A zip contains local time; it must not depend on the machine.
    if isExport { ProcessState.useUniversalTime() }
    Leftovers.remove(from: [OutputPlace(target).folder] + (isExport ? [] : [target]), console)
    let start = ContinuousClock.now
    let summary = try console.showing("Extracting") { (work) throws(PackError) in
      try isExport
        ? extraction.export(pack, to: target, work) : extraction.extract(pack, into: target, work)
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    if let moved = summary.movedTimes { console.warning(moved.phrase(in: target)) }
    let result = ExtractionResult(path: target, seconds: seconds, summary: summary)
    switch format {
    case .text:
      console.summary(
        "\(target): \(Quantity.count(summary.fileCount, "file")), "
          + "\(Quantity.bytes(summary.byteCount)) in \(Quantity.seconds(seconds))")
    case .json: console.result(text: JSONWriter.string(ExtractionResult.table.value(of: result)))
    }
    return .done
  }
}

/// The result for a program.
struct ExtractionResult: Described {
  let path: String
  let seconds: Double
  let summary: ExtractionSummary

  static let table = Table<Self>(written: "an extraction") {
    Key("path", written: \.path, .text, "The path of the folder.")
    Key("files", written: \.summary.fileCount, .count, "The number of files.")
    Key("directories", written: \.summary.directoryCount, .count, "The number of folders.")
    Key("bytes", written: \.summary.byteCount, .bytes, "The size of the files in bytes.")
    Key("seconds", written: \.seconds, .number(), "The duration in seconds.")
    Key(
      "movedTimes", written: { $0.summary.movedTimes?.count ?? 0 }, .count,
      "The number of times that were changed to the range of the file system or format.")
  }
}

extension ExtractionSummary.MovedTimes {
  fileprivate func phrase(in archive: String) -> String {
    "\(Quantity.count(count, "timestamp")) outside the range of '\(archive)', \(earliest) to "
      + "\(latest), \(count == 1 ? "was" : "were") changed to the nearest limit"
  }
}

import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// `extract`: extracts files from a pack into a folder, or into an archive of another format.
struct ExtractCommand: Subcommand {
  private static let paths = ArgumentList(
    "path", .file(), isRequired: false, "Files and folders to extract; all when none is named.")
  private static let output = Option(
    "output-path", short: "o", .file(), called: "path", isRequired: true,
    "A folder, or an archive by its ending: \(Extraction.exportSuffixes.joined(separator: ", ")).")
  private static let all = Flag(
    "all", "Extract every entry under its own path, 'Manifest.json' included.")
  private static let force = Flag(
    "force", short: "f", "Write into a folder that has something in it, and replace files.")

  static let definition = Command(
    "extract", overview: "Unpacks the files of an asset pack.",
    discussion: [
      """
      A folder gets all of the files or none, once all of them are on the disk. One that is there \
      already stays the one it is; with '--force' it may hold something, and files are replaced. \
      Nothing is written outside the folder, no link is followed, owners are not restored, and \
      permissions pass through the umask.
      """,
      """
      With '--format json', one object: \
      \(DocumentName.extract.members(of: ExtractionResult.table)).
      """,
    ],
    [
      PackInput.path, paths, output, all, force, PackInput.threads, MemoryOption.option,
      ReportFormat.option,
    ],
    examples: [
      Term("ba-package extract Tutorial.aar -o Tutorial", "Unpack what the app will see."),
      Term("ba-package extract Tutorial.aar Levels/one.json -o one", "Unpack one file."),
      Term("ba-package extract Tutorial.aar -o Tutorial.zip", "Turn a pack into a zip file."),
    ])

  /// Names of archives that cannot be written: a folder of that name is probably a mistake.
  private static let unwritable = [
    ".aar", ".rar", ".iso", ".cab", ".dmg", ".tar.lz", ".tar.lzma", ".tar.z", ".tar.br",
  ]

  private let pack: String
  private let target: String
  private let format: ReportFormat
  private var extraction = Extraction()

  init(_ arguments: ParsedArguments) throws(UsageError) {
    pack = try arguments.required(PackInput.path)
    target = try arguments.required(Self.output)
    format = arguments[ReportFormat.option]
    if Self.unwritable.contains(where: target.lowercased().hasSuffix) {
      throw UsageError(
        "'\(target)' has the extension of an archive format that cannot be written; use "
          + Extraction.exportSuffixes.joined(separator: ", ")
          + ", or append a slash to the name of a folder")
    }
    extraction.paths = arguments[Self.paths]
    extraction.scope = arguments[Self.all] ? .everything : .contents
    extraction.isForced = arguments[Self.force]
    extraction.threads = arguments[PackInput.threads] ?? ProcessState.processorCount
    extraction.memory = UInt64(arguments[MemoryOption.option])
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
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
    switch format {
    case .text:
      console.summary(
        "\(target): \(Quantity.count(summary.fileCount, "file")), "
          + "\(Quantity.bytes(summary.byteCount)) in \(Quantity.seconds(seconds))")
    case .json:
      console.result(
        text: JSONWriter.string(
          ExtractionResult.table.value(
            of: ExtractionResult(path: target, seconds: seconds, summary: summary))))
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
    "\(Quantity.count(count, "time")) outside the range of '\(archive)', \(earliest) to "
      + "\(latest), \(count == 1 ? "was" : "were") changed to the nearest limit"
  }
}

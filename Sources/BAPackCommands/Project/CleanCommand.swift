import Arguments
import BAPackKit
import TerminalText

/// `clean`: removes the outputs of a project.
struct CleanCommand: Subcommand {
  private static let dryRun = Flag("dry-run", "Print what would be removed, and remove nothing.")
  static let stale = Flag(
    "stale", "Remove only the packs that no manifest of the project makes any more.")

  static let definition = Command(
    "clean", overview: "Removes the packs that were made of the project.",
    discussion: [
      """
      It removes the packs of the project's manifests from the folder that the project file names \
      with 'output', what killed runs left there, and the folder when nothing else is in it. A \
      file of such a name that is no pack stays, and so does everything outside the project. A \
      cache stays, too: it may be shared, and it can be removed at any time.
      """,
      """
      It also removes packs there whose manifests are gone or have another ID now, if 'pack \
      --update' made them: the record beside such a pack proves whose it is. Any other pack stays, \
      also that of a manifest which is there and is none of the project's.
      """,
    ],
    [stale, dryRun] + ProjectOptions.all, exclusive: [ProjectOptions.exclusive],
    examples: [
      Term("ba-package clean --dry-run", "See what would go."),
      Term("ba-package clean --stale", "Keep the packs that manifests make."),
      Term("ba-package clean", "Begin anew."),
    ])

  private let input: ManifestInput
  private let isDryRun: Bool
  private let keepsCurrent: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = try ManifestInput(ofProject: arguments)
    isDryRun = arguments[Self.dryRun]
    keepsCurrent = arguments[Self.stale]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    guard let input = try input.opened(console, otherwise: "No files were removed"),
      let outputs = try ProjectOutputs(input, console, otherwise: "No files were removed")
    else { return .failed }
    var sweep = ProjectSweep(isDryRun: isDryRun)
    let stale = try outputs.folder.map { folder throws(PackError) in
      try StaleArchives(in: folder, besides: outputs.paths, proof: .bytes, console.work)
    }
    if !keepsCurrent {
      for path in outputs.paths { try sweep.removePack(path) }
    }
    let current = sweep.removed.count
    if let stale { try sweep.remove(stale) }
    if let folder = outputs.folder { sweep.tidy(folder) }
    for path in sweep.removed { console.result(path) }
    for (path, reason) in sweep.kept { console.warning("'\(path)' was kept: \(reason)") }
    console.summary(summary(sweep.removed.count, of: sweep.removed.count - current))
    return .done
  }

  private func summary(_ count: Int, of stale: Int) -> String {
    let packs = Quantity.count(
      count, keepsCurrent ? "pack without a manifest" : "pack",
      plural: keepsCurrent ? "packs without a manifest" : "packs")
    let among = stale > 0 && !keepsCurrent ? ", \(stale) of them without a manifest" : ""
    return isDryRun ? "\(packs) would be removed\(among)." : "Removed \(packs)\(among)."
  }
}

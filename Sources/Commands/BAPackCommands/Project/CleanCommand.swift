import Arguments
import BAPackKit
import TerminalText

/// `clean`: removes the outputs of a project.
struct CleanCommand: Subcommand {
  private static let dryRun = Flag(
    "dry-run", short: "n", "Print the files to remove, remove nothing.")
  static let stale = Flag(
    "stale", "Remove only packs without a manifest.")

  static let definition = Command(
    "clean", overview: "Remove the packs built from the project.",
    discussion: [
      """
      Removes the packs of the project's manifests from the 'output' folder of the project file, \
      temporary files of stopped runs, and the folder if it is empty then. Files that are not \
      packs, files outside of the project, and caches are kept.
      """,
      """
      Also removes the other packs in that folder, whose manifests were removed or have a new ID: \
      those that 'pack' reports. A pack of an existing manifest outside of the project is kept.
      """,
    ],
    [stale, dryRun] + ProjectOptions.required,
    examples: [
      Term("ba-package clean --dry-run", "List the files to remove."),
      Term("ba-package clean --stale", "Keep the packs of existing manifests."),
      Term("ba-package clean", "Remove all packs of the project."),
    ],
    topics: ["project-file"])

  private let input: ManifestOptions
  private let isDryRun: Bool
  private let keepsCurrent: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = try ManifestOptions(ofProject: arguments)
    isDryRun = arguments[Self.dryRun]
    keepsCurrent = arguments[Self.stale]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    guard let input = try input.opened(console, otherwise: "No files were removed"),
      let outputs = try ProjectOutputs(input, console, otherwise: "No files were removed")
    else { return .failed }
    var sweep = ProjectSweep(isDryRun: isDryRun)
    let stale = try outputs.folder.map { folder throws(PackError) in
      try StaleArchives(in: folder, besides: outputs.paths, console.work)
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

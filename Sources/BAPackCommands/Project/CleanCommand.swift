import Arguments
import BAPackKit
import TerminalText

/// `clean`: removes what was made of a project.
struct CleanCommand: Subcommand {
  private static let dryRun = Flag("dry-run", "Print what would be removed, and remove nothing.")

  static let definition = Command(
    "clean", overview: "Removes the packs that were made of the project.",
    discussion: [
      """
      It removes the packs of the project's manifests from the folder that the project file names with \
      'output', what killed runs left there, and the folder when nothing else is in it. A file of such a \
      name that is no pack stays, and so does everything outside the project. A cache stays, too: it may \
      be shared, and it can be removed at any time.
      """
    ],
    [dryRun] + ProjectOptions.all, exclusive: [ProjectOptions.exclusive],
    examples: [
      Term("ba-package clean --dry-run", "See what would go."),
      Term("ba-package clean", "Begin anew."),
    ])

  private let input: ManifestInput
  private let isDryRun: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = try ManifestInput(ofProject: arguments)
    isDryRun = arguments[Self.dryRun]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    guard let input = try input.opened(console, otherwise: "Nothing was removed"),
      let outputs = try ProjectOutputs(input, console, otherwise: "Nothing was removed")
    else { return .failed }
    var sweep = ProjectSweep(isDryRun: isDryRun)
    for path in outputs.paths { try sweep.removePack(path) }
    if let folder = outputs.folder { sweep.tidy(folder) }
    for path in sweep.removed { console.result(path) }
    for (path, reason) in sweep.kept { console.warning("'\(path)' stays: \(reason)") }
    let count = Quantity.count(sweep.removed.count, "pack")
    console.summary(isDryRun ? "\(count) would be removed." : "Removed \(count).")
    return .done
  }
}

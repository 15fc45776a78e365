import Arguments
import BAPackKit
import Proposing

/// The prompt of a command before it writes files, and the options that replace the prompt.
struct WritingPrompt {
  /// The decision of the user.
  enum Decision {
    case write, leave, onlyPrint, missing
  }

  static let yes = Flag("yes", short: "y", in: .output, "Write the files without a prompt.")

  static let diff = Flag(
    "diff", in: .output, "Print the changes, write nothing.",
    details: "The format is that of 'diff -u'.")
  static let force = Flag(
    "force", short: "f", in: .output, "Change files with changes that are not committed in Git.")
  /// The options of commands that change files.
  static let ofChanges = [yes, diff, force]

  var isDryRun = false
  /// Whether the changes are printed, and no file is written.
  var showsDifference = false
  /// Whether files with changes that are not committed may be changed.
  var isForced = false
  let isConfirmed: Bool
  let format: ReportFormat
  /// The remedy if there is no terminal.
  let remedy: String

  /// Throws if a report and the changes would both be on standard output.
  static func checkDifference(_ format: ReportFormat) throws(UsageError) {
    guard format != .text else { return }
    throw UsageError(
      "With '--diff' standard output is used for the diff, so '--format \(format.rawValue)' "
        + "cannot write its report")
  }

  /// Prints changes of files as a diff.
  static func show(_ changes: FileChanges, _ console: Console) {
    for edit in changes.edits {
      console.result(bytes: UnifiedDiff.render(edit.before, edit.after, named: edit.path.shown))
    }
    for file in changes.newFiles {
      console.result(bytes: UnifiedDiff.render([], file.bytes, named: file.path.shown))
    }
  }

  /// Returns whether the prompt can be shown.
  func isShown(_ console: Console) -> Bool {
    !isDryRun && !isConfirmed && format == .text && console.canPrompt
  }

  func decide(_ question: String, _ console: Console) throws(PackError) -> Decision {
    if isDryRun { return .onlyPrint }
    if isConfirmed { return .write }
    guard isShown(console) else { return .missing }
    return try console.confirm(question) ? .write : .leave
  }

  /// Reports that no file was written.
  func conclude(without decision: Decision, _ console: Console) -> ExitStatus {
    if decision == .missing {
      console.error(
        "no file was written, because the prompt requires a terminal", remedy: remedy)
      return .usage
    }
    console.summary("No file was written.")
    return .done
  }
}

extension WritingPrompt {
  /// Reads ``ofChanges``.
  init(ofChanges arguments: ParsedArguments, format: ReportFormat) throws(UsageError) {
    self.init(
      showsDifference: arguments[Self.diff], isForced: arguments[Self.force],
      isConfirmed: arguments[Self.yes], format: format,
      remedy: "use --yes to write the files, or --diff to print the changes only")
    if showsDifference { try Self.checkDifference(format) }
  }
}

import Arguments
import BAPackKit

/// The prompt of a command before it writes files, and the options that replace the prompt.
struct WritingPrompt {
  /// The decision of the user.
  enum Decision {
    case write, leave, onlyPrint, missing
  }

  static let yes = Flag("yes", short: "y", in: .output, "Write the files without a prompt.")

  var isDryRun = false
  let isConfirmed: Bool
  let format: ReportFormat
  /// The remedy if there is no terminal.
  let remedy: String

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

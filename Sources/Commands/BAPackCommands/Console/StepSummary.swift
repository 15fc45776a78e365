import SystemIO
import TerminalText

/// The summary of a step of GitHub Actions: Markdown, appended to the text of other steps.
enum StepSummary {
  /// Adds a table; without such a file, or if it cannot be written, the call has no effect.
  static func add(
    _ title: String, _ head: [String], _ rows: [[String]], _ end: String, _ console: Console
  ) {
    guard let path = console.value("GITHUB_STEP_SUMMARY") else { return }
    var lines = ["### \(inMarkdown(title))", ""]
    lines.append("| \(head.map(inMarkdown).joined(separator: " | ")) |")
    lines.append("|\(String(repeating: " --- |", count: head.count))")
    for row in rows { lines.append("| \(row.map(inMarkdown).joined(separator: " | ")) |") }
    lines += ["", inMarkdown(end), "", ""]
    write(lines.joined(separator: "\n"), to: path, console)
  }

  /// Adds Markdown, in the same way.
  static func add(_ text: String, _ console: Console) {
    guard let path = console.value("GITHUB_STEP_SUMMARY") else { return }
    write(text + "\n", to: path, console)
  }

  private static func write(_ text: String, to path: String, _ console: Console) {
    do throws(Failure) {
      let file = try FileDescriptor.open(path, for: .appending)
      try file.write(Array(text.utf8))
    } catch {
      console.warning("cannot write the summary of this step: \(error)")
    }
  }
}

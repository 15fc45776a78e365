import Arguments
import BAPackKit
import Proposing
import SourceDiagnostics
import SystemIO
import TerminalText

// MARK: - Additions to a project

extension InitCommand {
  func add(_ console: Console) throws(PackError) -> ExitStatus {
    guard
      let project = try ProjectAdditions(folder, packsFolder: packsFolder, console)
    else { return .failed }
    let additions = try project.additions(choices.options, console)
    func write(_ isWritten: Bool) {
      guard format == .json else { return }
      let result = AdditionsResult(additions, of: project, isWritten: isWritten)
      console.result(bytes: AdditionsResult.table.bytes(of: result))
    }
    console.finding(text: AdditionsResult.remainders(of: additions, to: project))
    guard !additions.isEmpty else {
      write(false)
      console.summary(
        additions.notAdded.isEmpty
          ? "Every file is in a pack, or a rule leaves it out." : "No file was added.")
      return .done
    }
    if showsDifference {
      for edit in additions.edits {
        console.result(
          bytes: UnifiedDiff.render(edit.before, edit.after, named: project.shownPath(edit.path)))
      }
      for file in additions.newManifests {
        console.result(bytes: UnifiedDiff.render([], file.bytes, named: file.path.shown))
      }
      if let edit = additions.projectEdit {
        console.result(
          bytes: UnifiedDiff.render(edit.before, edit.after, named: project.shownPath(edit.path)))
      }
      return .done
    }
    if format == .text, showsText(console) {
      console.result(text: AdditionsResult.text(of: additions, to: project))
    }
    let changed = Quantity.count(additions.edits.count, "manifest")
    let new = Quantity.count(additions.newManifests.count, "new manifest")
    let decision = try prompt.decide("Change \(changed), and write \(new)?", console)
    if decision == .write { try additions.write() }
    write(decision == .write)
    guard decision == .write else { return prompt.conclude(without: decision, console) }
    console.summary("Changed \(changed), and wrote \(new).")
    console.summary("Next step: ba-package validate")
    return .done
  }

  /// Writes the scenarios of the first launch again.
  func writeScenarios(_ console: Console) throws(PackError) -> ExitStatus {
    guard let scenarios = try ProjectScenarios(folder, console) else { return .failed }
    func list(_ paths: [FilePath]) -> String {
      paths.map { "'\($0)'" }.joined(separator: " and ")
    }
    let changed = scenarios.changes.map(\.path)
    guard !changed.isEmpty else {
      console.summary(
        "\(list(scenarios.paths)) \(scenarios.paths.count == 1 ? "is" : "are") up to date.")
      return .done
    }
    if showsDifference || format == .text {
      for change in scenarios.changes {
        console.result(
          bytes: UnifiedDiff.render(change.before, change.after, named: change.path.shown))
      }
    }
    if showsDifference { return .done }
    let decision = try prompt.decide("Write \(list(changed))?", console)
    guard decision == .write else { return prompt.conclude(without: decision, console) }
    try scenarios.write()
    console.summary("Wrote \(list(changed)).")
    return .done
  }
}

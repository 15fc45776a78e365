import BAPackKit
import Proposing
import SourceDiagnostics
import SystemIO
import TerminalText

/// The result of `init --add` for programs.
struct AdditionsResult: Described {
  private let project: String
  private let additions: Additions
  private let unselected: [FilePath]
  private let isWritten: Bool

  init(_ additions: Additions, of project: ProjectAdditions, isWritten: Bool) {
    self.project = project.place.path
    self.additions = additions
    unselected = project.unselected + additions.unselected
    self.isWritten = isWritten
  }

  static let table = Table<Self>(written: "additions to a project") {
    Key("project", written: \.project, .text, "The path of the project file.")
    Key(
      "changed", written: \.additions.edits, .list(of: .object(edit)),
      "The manifests that get more selectors.")
    Key(
      "new", written: { $0.additions.newManifests.map(\.path.text) }, .list(of: .text),
      "The new manifests, relative to the project.")
    Key(
      "budgets", written: \.additions.raisedBudgets, .list(of: .object(budget)),
      "The budgets of the project file that are raised.")
    Key(
      "unselected", written: { $0.unselected.map(\.text) }, .list(of: .text),
      "The manifests that no entry of 'packs' selects.")
    Key(
      "leftOut", written: \.additions.leftOut, .list(of: .object(leftOut)),
      "The files that exclusions leave out.")
    Key(
      "notAdded", written: \.additions.notAdded, .list(of: .object(remainder)),
      "The files that no pack can get.")
    Key(
      "packed", written: \.additions.packed, .list(of: .object(remainder)),
      "The files that packs contain, although a rule leaves out such files.")
    Key("written", written: \.isWritten, .flag, "Whether the files were written.")
  }

  private static let edit = Table<Additions.Edit>(written: "a changed manifest") {
    Key("path", written: \.path.text, .text, "The path of the manifest.")
    Key(Manifest.key(of: \.assetPackID), written: \.packID, .text, "The ID of the pack.")
    Key(
      Manifest.key(of: \.downloadPolicy), written: \.policy, .policy,
      "The download policy of the pack.")
    Key("paths", written: \.paths, .list(of: .text), "The files and folders that are added.")
    Key(
      "exclusions", written: \.exclusions, .list(of: .text),
      "The patterns of exclusions that are added.")
    Key(
      "removed", written: \.removed, .list(of: .text),
      "The files of other languages whose selectors are removed: the language has own files now.")
  }

  private static let budget = Table<Additions.RaisedBudget>(written: "a raised budget") {
    Key("name", written: \.name, .text, "The name of the budget.")
    Key("before", written: \.before, .text, "The limit in the project file.")
    Key("after", written: \.after, .text, "The new limit.")
    Key("estimatedBytes", written: \.size, .bytes, "The estimated size with the additions.")
  }

  private static let leftOut = Table<Additions.Remainder>(written: "files that are left out") {
    Key("exclusion", written: \.reason, .text, "The pattern, and its manifest if it has one.")
    Key("paths", written: \.paths, .list(of: .object(path)), "The files.")
  }

  private static let remainder = Table<Additions.Remainder>(written: "files without a change") {
    Key("reason", written: \.reason, .text, "The reason.")
    Key("remedy", written: \.remedy, .text, "The advice.")
    Key("paths", written: \.paths, .list(of: .object(path)), "The files.")
  }

  private static let path = Table<[UInt8]>(written: "a path") {
    Key.path("path", written: { $0[...] }, "The path below the source root.")
  }
}

// MARK: - Texts

extension AdditionsResult {
  private static let mostShown = 8

  /// The additions as text: a line for each manifest and its first paths.
  static func text(of additions: Additions, to project: ProjectAdditions) -> String {
    var lines: [String] = []
    for edit in additions.edits {
      lines.append(
        "\(project.shownPath(edit.path)) ('\(edit.packID)', \(edit.policy.phrase)) "
          + (edit.removed.isEmpty ? "gets:" : "changes:"))
      lines += list(
        edit.paths.map { shown($0) } + edit.exclusions.map { shown("not \($0)") }
          + edit.removed.map { shown("no longer \($0), because it has its own file") })
    }
    for file in additions.newManifests { lines.append("\(file.path) is a new manifest.") }
    for budget in additions.raisedBudgets {
      lines.append(
        shown(
          "\(project.shownPath(FilePath(project.place.path))) gets the budget '\(budget.name)' of "
            + "\(budget.after) instead of \(budget.before): about \(Quantity.bytes(budget.size)) "
            + "with the new files."))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The files that no change concerns as text; empty if there are none.
  static func remainders(of additions: Additions, to project: ProjectAdditions) -> String {
    var lines: [String] = []
    for group in additions.leftOut {
      let count = Quantity.count(group.paths.count, "file")
      lines.append(
        shown("left out: \(count) \(group.paths.count == 1 ? "matches" : "match") \(group.reason)"))
    }
    for (word, groups) in [("packed", additions.packed), ("not added", additions.notAdded)] {
      for group in groups {
        let count = Quantity.count(group.paths.count, "file")
        lines.append(
          shown((group.isProblem ? "warning: " : "") + "\(word): \(count): \(group.reason)"))
        lines += list(group.paths.map { FilePath($0).shown })
        if let remedy = group.remedy { lines.append(shown("hint: \(remedy)")) }
      }
    }
    for path in project.unselected + additions.unselected {
      lines.append(
        shown("warning: no entry of 'packs' in '\(project.place.path)' selects '\(path)'"))
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func list(_ items: [String]) -> [String] {
    items.prefix(mostShown).map { "  " + $0 }
      + (items.count > mostShown ? ["  and \(items.count - mostShown) more"] : [])
  }
}

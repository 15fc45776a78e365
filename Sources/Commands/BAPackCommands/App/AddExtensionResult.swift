import AppSide
import Proposing
import SourceDiagnostics
import SystemIO

/// The result of `app add-extension` for programs.
struct AddExtensionResult: Described {
  private let addition: ExtensionAddition
  var isWritten = false

  init(_ addition: ExtensionAddition) { self.addition = addition }

  static let table = Table<Self>(written: "an extension in a project") {
    Key("project", written: \.addition.project.text, .text, "The path of the Xcode project.")
    Key("app", written: \.addition.app, .text, "The target of the app.")
    Key("extension", written: \.addition.target, .text, "The target of the extension.")
    Key("addsTarget", written: \.addition.addsTarget, .flag, "Whether the target is new.")
    Key(
      "new", written: { $0.addition.changes.newFiles.map(\.path.text) }, .list(of: .text),
      "The new files, and the copy of the former project.")
    Key(
      "changed", written: { $0.addition.changes.edits.map(\.path.text) }, .list(of: .text),
      "The changed files.")
    Key("notes", written: \.addition.notes, .list(of: .text), "What remains to be done.")
    Key("written", written: \.isWritten, .flag, "Whether the files were written.")
  }

  /// The changes as text: a line for each file.
  var text: String {
    let subject =
      addition.addsTarget
      ? "adds the extension '\(addition.target)' to the app '\(addition.app)'"
      : "completes the extension '\(addition.target)' of the app '\(addition.app)'"
    var lines = ["This \(subject):"]
    lines += addition.changes.edits.map { "  changes \($0.path)" }
    lines += addition.changes.newFiles.map { "  creates \($0.path)" }
    return lines.joined(separator: "\n") + "\n"
  }
}

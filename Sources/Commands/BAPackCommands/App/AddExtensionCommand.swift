import AppSide
import Arguments
import BAPackKit
import Converting
import Proposing
import SourceDiagnostics
import SystemIO
import TerminalText

/// `app add-extension`: adds the downloader extension to the Xcode project of an app.
struct AddExtensionCommand: Subcommand {
  private static let project = Argument("xcodeproj", .file("xcodeproj"), "The Xcode project.")
  private static let target = Option(
    "target", .text, called: "name", in: .input, "Select this app of several in the project.")

  static let definition = Command(
    "add-extension", overview: "Add the extension for packs to an Xcode project.",
    discussion: [
      """
      Adds the target 'Downloader' with its folder, the dependency of the app, and the copy phase \
      'Embed ExtensionKit Extensions'. Adds the app group to the entitlements of the app, and the \
      keys to its Info.plist. A file that the app lacks is created. All other bytes of the files \
      are unchanged.
      """,
      """
      Existing parts are not added again: a second run writes nothing. The former project is kept \
      as 'project.pbxproj.orig', or with a further number if this file exists.
      """,
      """
      A project that is not understood is refused with the reason, and no file is written. Before \
      the first file is written, the new project is read again: it must have exactly the former \
      objects and the new ones.
      """,
      """
      Without a terminal, '--yes' and '--diff', the command prints the changes as a list, writes \
      no file, and exits with status 64. '--format json' shows no prompt either. An engine writes \
      a new project with each export: call this command with '--yes' after it.
      """,
      DocumentName.addExtension.described(),
    ],
    [project, target] + ProjectOptions.all + AppKeys.all
      + WritingPrompt.ofChanges + [ReportFormat.option, MemoryOption.option],
    exclusive: [
      PublicationOptions.platforms, ProjectOptions.exclusive,
      [WritingPrompt.yes, WritingPrompt.diff],
    ],
    examples: [
      Term(
        "ba-package app add-extension Game.xcodeproj --app-group-id group.com.example.game --diff",
        "Print the changes of a project."),
      Term(
        "ba-package app add-extension build/ios/Unity-iPhone.xcodeproj --target Unity-iPhone "
          + "--app-group-id group.com.example.game --yes",
        "Change the project of an engine in a script."),
    ],
    topics: ["project-file"])

  private let project: FilePath
  private let target: String?
  private let keys: AppKeys
  private let format: ReportFormat
  private let prompt: WritingPrompt

  init(_ arguments: ParsedArguments) throws(UsageError) {
    project = FilePath(try arguments.required(Self.project)).trimmed
    target = arguments[Self.target]
    keys = try AppKeys(arguments)
    format = arguments[ReportFormat.option]
    prompt = try WritingPrompt(ofChanges: arguments, format: format)
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    let found = try AppProject(inspecting: [project], target: target, console.work)
    console.report(found.findings, as: .text, of: ConvertingRules.all)
    guard !found.findings.hasErrors else {
      return console.reportFailure("The project was not changed", found.findings)
    }
    let addition = try addition(to: found, console)
    if prompt.showsDifference {
      var changes = addition.changes
      changes.newFiles.removeAll { $0.path.shown.contains(".pbxproj.orig") }
      WritingPrompt.show(changes, console)
      return .done
    }
    var result = AddExtensionResult(addition)
    guard !addition.changes.isEmpty else {
      write(result, console)
      console.summary(
        "The project has the extension '\(addition.target)' already. No file was written.")
      return .done
    }
    if !prompt.isForced {
      try UncommittedChanges.check(addition.changes.edits.map(\.path), console.work)
    }
    if format == .text { console.result(text: result.text) }
    let decision = try prompt.decide("Write these files?", console)
    if decision == .write {
      let changes = addition.changes
      let paths = changes.newFiles.map(\.path) + changes.edits.map(\.path)
      Leftovers.remove(from: paths.map { $0.folder.text }, console)
      try addition.write()
      result.isWritten = true
    }
    write(result, console)
    guard decision == .write else { return prompt.conclude(without: decision, console) }
    let new = Quantity.count(addition.changes.newFiles.count, "new file")
    let changed = Quantity.count(addition.changes.edits.count, "file")
    console.summary("Wrote \(new), and changed \(changed).")
    for note in addition.notes { console.summary(note) }
    let path = project.shown.contains(" ") ? "'\(project)'" : "\(project)"
    console.summary("Next step: ba-package app check \(path)")
    return .done
  }

  /// Determines the change of a project.
  private func addition(
    to found: AppProject, _ console: Console
  ) throws(PackError) -> ExtensionAddition {
    guard let project = found.project, let app = found.app else {
      throw PackError(
        .missing, "'\(self.project)' is not an Xcode project",
        remedy: "specify the .xcodeproj of the app")
    }
    var keys = keys
    try keys.complete(from: found, console)
    guard let group = keys.app.appGroupID, !group.contains("$(") else {
      throw PackError(
        .missing, "the app group is unknown",
        remedy: .advice(
          "specify it with --\(InfoPlistOptions.appGroupID.parameter.name), for example "
            + "group.com.example.game"))
    }
    let fragment = try keys.keys(console)
    if keys.app.kind == .selfHosted, fragment?.missingKeys.isEmpty != true {
      throw PackError(
        .missing,
        "the keys of the app are unknown: they contain sizes and the address of the packs",
        remedy: "pack the packs of the project first, and specify --manifest-url")
    }
    return try ExtensionAddition(
      to: project.path, app: app.name,
      .init(kind: keys.app.kind, group: group, keys: fragment?.keys), console.work)
  }

  private func write(_ result: AddExtensionResult, _ console: Console) {
    if format == .json { console.result(bytes: AddExtensionResult.table.bytes(of: result)) }
  }
}

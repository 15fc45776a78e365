import AppSide
import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO

/// `app setup`: prints what an app needs for its packs, and writes the files of its extension.
struct SetupCommand: Subcommand {
  private typealias Keys = InfoPlistOptions

  private static let inputs = ArgumentList(
    "input", .file("xcodeproj", "plist", "entitlements"), isRequired: false,
    "Xcode projects, folders, Info.plist and entitlements.",
    details: """
      The default is the current folder. A folder of an engine may contain the exported Xcode \
      project.
      """)
  private static let target = Option(
    "target", .text, called: "name", in: .input, "Inspect this app of several in a project.")
  private static let language = DefaultedOption<DownloaderExtension.Language>(
    "language", called: "language", in: .output, default: .swift,
    "Set the language of the extension.")
  private static let output = Option(
    "output-path", short: "o", .folder, called: "folder", in: .output,
    "Write the files into this folder.",
    details: "A file with equal contents is kept. Files with other contents are never replaced.")

  /// The format of the tasks.
  enum Format: String, Sendable, CaseIterable {
    case text, markdown, json

    static let option = DefaultedOption<Format>(
      "format", called: "format", in: .output, default: .text, "Set the output format.")
  }

  static let definition = Command(
    "setup", overview: "Print what an app needs for its packs.",
    discussion: [
      """
      Prints the keys of Info.plist with their values, the entitlements, the extension and the \
      settings for signing, in order. Each task is 'done', 'missing', or 'check' if the inspected \
      files do not show it.
      """,
      """
      With '-o', writes the folder 'Downloader' with the Info.plist, the entitlements and the code \
      of the extension, the entitlements of the app, and the keys as a property list and as a \
      fragment. The Xcode project is not changed: 'app add-extension' does that.
      """,
      """
      The keys of packs on your own server contain sizes, which are computed from the archives of \
      the project.
      """,
      DocumentName.appSetup.described(),
    ],
    [inputs, target] + ProjectOptions.all + AppKeys.all
      + [language, output, Format.option, MemoryOption.option],
    exclusive: [PublicationOptions.platforms, ProjectOptions.exclusive],
    examples: [
      Term("ba-package app setup Game.xcodeproj", "Print what a project lacks."),
      Term(
        "ba-package app setup --app-group-id group.com.example.game -o AppSetup",
        "Write the files of the extension."),
      Term("ba-package app setup Game.xcodeproj --format markdown", "Print a checklist."),
    ],
    topics: ["project-file"])

  private let inputs: [FilePath]
  private let target: String?
  private let keys: AppKeys
  private let language: DownloaderExtension.Language
  private let output: FilePath?
  private let format: Format

  init(_ arguments: ParsedArguments) throws(UsageError) {
    inputs = arguments[Self.inputs].map { FilePath($0).trimmed }
    target = arguments[Self.target]
    keys = try AppKeys(arguments)
    language = arguments[Self.language]
    output = arguments[Self.output].map { FilePath($0) }
    format = arguments[Format.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let project = try AppProject(inspecting: inputs, target: target, console.work)
    console.report(project.findings, as: .text, of: AppRules.all)
    guard !project.findings.hasErrors else {
      return console.reportFailure("The project was not inspected", project.findings)
    }
    var keys = keys
    try keys.complete(from: project, console)
    let app = keys.app
    let setup = AppSetup(
      of: project, as: app.kind, keys: try keys.keys(console), group: app.appGroupID,
      language: language)
    switch format {
    case .text: console.result(text: setup.text)
    case .markdown: console.result(text: setup.markdown)
    case .json: console.result(JSONWriter.string(AppSetup.table.value(of: setup), .compact))
    }
    if let output {
      for path in try SetupFiles(of: setup).write(to: output, console.work) {
        console.summary("Wrote '\(path)'.")
      }
    }
    if app.appGroupID == nil {
      console.summary("Use --\(Keys.appGroupID.parameter.name) to set the group of the app.")
    }
    return .done
  }
}

import Arguments
import BAPackKit
import SourceDiagnostics

/// `template`: prints a template of a manifest or, with options, a complete manifest.
struct TemplateCommand: Subcommand {
  private typealias Choices = ManifestChoices
  private static let files = OptionList(
    "file", .file(), called: "path", in: .manifest, "Add a file at the same path.")
  private static let directories = OptionList(
    "directory", .folder, called: "path", in: .manifest, "Add a folder with all of its contents.")
  private static let patterns = OptionList(
    "file-pattern", .text, called: "pattern", in: .manifest,
    "Add files that match, for example 'Audio/**/*.wav'.")
  private static let schema = Option(
    "schema", .text, called: "url", in: .output, "Add '$schema' with this URL or file for editors.",
    details: "'ba-package schema -o' writes the file.")
  private static let project = Flag(
    "project", in: .output, "Print a project file instead of a manifest.")
  private static let strictJSON = Flag(
    "strict-json", in: .output, "Omit comments, for readers of strict JSON.")

  static let definition = Command(
    "template", overview: "Print a template of a manifest or project file.",
    discussion: [
      """
      Without options, the manifest has placeholders and comments that explain every key. With \
      options, it has an ID, a policy and selectors, and is valid.
      """,
      """
      With '--language', folders are renamed, because an app uses the same path in every language: \
      'Voices/es' for 'es' becomes 'Voices'. Patterns are not renamed.
      """,
    ],
    [
      Choices.id, Choices.essential, Choices.prefetch, Choices.onDemand, Choices.events,
      Choices.platforms, Choices.language, files, directories, patterns, TextOutput.path,
      TextOutput.force, schema, strictJSON, project,
    ],
    exclusive: [Choices.policies]
      + (Choices.all + [files, directories, patterns]).map { [project, $0] },
    dependent: [TextOutput.forceNeedsPath],
    examples: [
      Term("ba-package template -o Manifest.json", "Write a manifest with comments."),
      Term(
        "ba-package template --asset-pack-id Tutorial --essential --directory Tutorial",
        "Print a complete manifest for a folder."),
      Term("ba-package template --project -o ba-package.json", "Write a project file."),
    ],
    topics: ["selectors", "project-file"])

  private let output: TextOutput
  private let text: [UInt8]
  private let findings: Ledger?
  /// Notes about the manifest.
  private let notes: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    output = TextOutput(arguments)
    if arguments[Self.project] {
      let address = arguments[Self.schema]
      text = Array(
        (arguments[Self.strictJSON]
          ? ProjectSettings.strictTemplate(schema: address)
          : ProjectSettings.template(
            schema: address, advice: "'ba-package project' prints the settings in effect.")).utf8)
      findings = nil
      notes = []
      return
    }
    let template = try Self.template(arguments)
    notes = Self.notes(on: template)
    text = Array((arguments[Self.strictJSON] ? template.strictJSON : template.text).utf8)
    guard template.isFilled else {
      findings = nil
      return
    }
    let document = ManifestDocument(parsing: text, named: "the manifest")
    if let error = document.findings.first(where: { $0.severity == .error }) {
      throw UsageError("The manifest would not be valid: \(error.message)")
    }
    findings = document.findings
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    if let findings { console.report(findings, as: .text) }
    for note in notes { console.summary(note) }
    try output.write(text, console)
    return .done
  }
}

extension TemplateCommand {
  /// Returns a note for each pattern whose files have a path in a single language.
  private static func notes(on template: ManifestTemplate) -> [String] {
    guard let language = template.language else { return [] }
    return template.fileSelectors.compactMap { selector in
      guard case .filePattern(let pattern) = selector, selector.mapped(outOf: language) != nil
      else { return nil }
      return "The files of '\(pattern)' keep the path of one language, because a pattern has no "
        + "destination. '--directory' with their folder gives them the same path in every "
        + "language."
    }
  }

  /// Returns the values of the options: complete for a manifest, or none.
  private static func template(_ arguments: ParsedArguments) throws(UsageError) -> ManifestTemplate
  {
    var template = ManifestTemplate()
    template.assetPackID = arguments[Choices.id]
    template.downloadPolicy = try Choices.policy(arguments)
    let language = arguments[Choices.language]
    let selectors =
      arguments[files].map(FileSelector.file)
      + arguments[directories].map(FileSelector.directory)
      + arguments[patterns].map(FileSelector.filePattern)
    template.fileSelectors = selectors.map { selector in
      language.map { selector.atSamePath(inEveryLanguage: $0) } ?? selector
    }
    template.platforms = arguments.isGiven(Choices.platforms) ? arguments[Choices.platforms] : nil
    template.language = language
    template.schema = arguments[schema]
    template.advice = "'ba-package validate' checks the file."
    guard template.isFilled else { return template }
    let missing = [
      template.assetPackID == nil ? "'--asset-pack-id'" : nil,
      template.downloadPolicy == nil ? "'--essential', '--prefetch' or '--on-demand'" : nil,
      template.fileSelectors.isEmpty ? "'--file', '--directory' or '--file-pattern'" : nil,
    ].compactMap(\.self)
    guard missing.isEmpty else {
      throw UsageError("A complete manifest also needs \(missing.joined(separator: ", and "))")
    }
    return template
  }
}

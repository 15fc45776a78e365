import Arguments
import BAPackKit
import SourceDiagnostics

/// `template`: prints a template of a manifest or, with options, a complete manifest.
struct TemplateCommand: Subcommand {
  private typealias Choices = ManifestChoices
  private static let files = OptionList(
    "file", .file(), called: "path", "A file of the pack, at its own path.")
  private static let directories = OptionList(
    "directory", .folder, called: "path", "A folder of the pack, with everything below it.")
  private static let patterns = OptionList(
    "file-pattern", .text, called: "pattern",
    "A pattern such as 'Audio/**/*.wav' for files of the pack, each at its own path.")
  private static let schema = Option(
    "schema", .text, called: "url",
    "Write '$schema', by which editors find the schema: an address, or a file of 'schema -o'.")
  private static let project = Flag(
    "project", "A project file to start from, for 'ba-package.json', instead of a manifest.")
  private static let strictJSON = Flag(
    "strict-json", "Leave out the comments, so that every JSON reader takes it.")

  static let definition = Command(
    "template", overview: "Prints a manifest, or a project file, to start from.",
    discussion: [
      """
      Without options the manifest has placeholders, and comments that teach every key. With \
      options it is finished: it has an ID, a policy and selectors, and it validates.
      """,
      """
      With '--language', folders have a destination, because an app uses the same path in every \
      language: 'Voices/es' for 'es' becomes 'Voices'. Patterns have none.
      """,
    ],
    [
      TextOutput.path, TextOutput.force, Choices.id, Choices.essential, Choices.prefetch,
      Choices.onDemand, Choices.events, Choices.platforms, Choices.language, files, directories,
      patterns, schema, strictJSON, project,
    ],
    exclusive: [Choices.policies]
      + (Choices.all + [files, directories, patterns]).map { [project, $0] },
    dependent: [TextOutput.forceNeedsPath],
    examples: [
      Term("ba-package template -o Manifest.json", "A manifest to fill in by hand."),
      Term("ba-package template --project -o ba-package.json", "A project file to fill in."),
      Term(
        "ba-package template --asset-pack-id Tutorial --essential --directory Tutorial",
        "A finished one."),
    ])

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
  /// A note for each pattern whose files have a path in a single language.
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

  /// The values of the options: complete for a manifest, or none.
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

import Arguments
import BAPackKit
import SourceDiagnostics

/// `template`: prints a manifest to start from or, with options, a finished one.
struct TemplateCommand: Subcommand {
  private static let id = Option(
    "asset-pack-id", .text, called: "id", "The name under which the app asks for the pack.")
  private static let essential = Flag(
    "essential", "Download while the app installs; the app opens when the pack is there.")
  private static let prefetch = Flag(
    "prefetch", "Begin to download while the app installs, and go on behind it.")
  private static let onDemand = Flag("on-demand", "Download when the app asks.")
  private static let events = OptionList<InstallationEvent>(
    "installation-event-types", .choice, called: "event",
    "The installations that '--essential' or '--prefetch' applies to; both when left out.")
  private static let platforms = OptionList<Platform>(
    "platforms", .choice, called: "platform",
    "Where the pack is offered; everywhere when left out.")
  private static let language = Option(
    "language", .language, called: "tag", "The language of a localized pack, such as 'zh-Hant'.")
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
  private static let strictJSON = Flag(
    "strict-json", "Leave out the comments, so that every JSON reader takes it.")

  static let definition = Command(
    "template", overview: "Prints a manifest to start from.",
    discussion: [
      """
      Without options the manifest has placeholders, and comments that teach every key. With \
      options it is finished: it has an ID, a policy and selectors, and it validates.
      """
    ],
    [
      TextOutput.path, TextOutput.force, id, essential, prefetch, onDemand, events, platforms,
      language, files, directories, patterns, schema, strictJSON,
    ],
    exclusive: [[essential, prefetch, onDemand]],
    dependent: [TextOutput.forceNeedsPath],
    examples: [
      Term("ba-package template -o Manifest.json", "A manifest to fill in by hand."),
      Term(
        "ba-package template --asset-pack-id Tutorial --essential --directory Tutorial",
        "A finished one."),
    ])

  private let output: TextOutput
  private let text: [UInt8]
  private let findings: Ledger?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    output = TextOutput(arguments)
    let template = try Self.template(arguments)
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
    try output.write(text, console)
    return .done
  }
}

extension TemplateCommand {
  /// What the options fill in: everything that a finished manifest needs, or nothing.
  private static func template(_ arguments: ParsedArguments) throws(UsageError) -> ManifestTemplate
  {
    var template = ManifestTemplate()
    template.assetPackID = arguments[id]
    template.downloadPolicy = try policy(arguments)
    template.fileSelectors =
      arguments[files].map(FileSelector.file)
      + arguments[directories].map(FileSelector.directory)
      + arguments[patterns].map(FileSelector.filePattern)
    template.platforms = arguments.isGiven(platforms) ? arguments[platforms] : nil
    template.language = arguments[language]
    template.schema = arguments[schema]
    template.advice = "'ba-package validate' checks the file."
    guard template.isFilled else { return template }
    let missing = [
      template.assetPackID == nil ? "'--asset-pack-id'" : nil,
      template.downloadPolicy == nil ? "'--essential', '--prefetch' or '--on-demand'" : nil,
      template.fileSelectors.isEmpty ? "'--file', '--directory' or '--file-pattern'" : nil,
    ].compactMap(\.self)
    guard missing.isEmpty else {
      throw UsageError("A finished manifest also needs \(missing.joined(separator: ", and "))")
    }
    return template
  }

  private static func policy(_ arguments: ParsedArguments) throws(UsageError) -> DownloadPolicy? {
    let given = Set(arguments[events])
    let events = given.isEmpty ? Set(InstallationEvent.allCases) : given
    if arguments[essential] { return .essential(events) }
    if arguments[prefetch] { return .prefetch(events) }
    if !given.isEmpty {
      throw UsageError(
        "'--installation-event-types' goes with '--essential' or '--prefetch' only")
    }
    return arguments[onDemand] ? .onDemand : nil
  }
}

extension ValueType where Value == LanguageTag {
  fileprivate static var language: Self {
    Self { word throws(InvalidValue) in
      guard let tag = LanguageTag(word) else {
        throw InvalidValue(
          "a language with an optional script and region is needed, such as 'zh-Hant-TW'")
      }
      return tag
    }
  }
}

import Arguments
import BAPackKit
import Proposing
import SourceDiagnostics
import SystemIO
import TerminalText

/// `init`: proposes packs for a folder of assets, and writes their manifests.
struct InitCommand: Subcommand {
  private static let folder = Argument(
    "folder", .folder, isRequired: false,
    "The project, or the folder of its assets (default: the current folder).")
  private static let hosting = DefaultedOption<Hosting>(
    "hosting", called: "hosting", in: .manifest, default: .apple, "Set the hosting of the packs.",
    details: "'apple' is App Store Connect, 'self' a self-hosted server.")
  private static let packsFolder = DefaultedOption(
    "packs-dir", ValueType<FilePath>.projectFolder, called: "folder", in: .output,
    default: "Packs", shownAs: "Packs", "Write manifests to this folder in the project.",
    details: "If 'Packs' contains other files than manifests, the default is 'AssetPacks'.")
  private static let add = Flag(
    "add", in: .input, "Add files that no pack of an existing project contains.",
    details: "New selectors are added to the manifests; their other text is unchanged.")
  private static let scenario = Flag(
    "scenario", in: .input, "Write the scenarios of the first launch again.",
    details: "They are written from the packs of an existing project as they are.")
  private static let diff = Flag(
    "diff", in: .output, "Print the changes of '--add' or '--scenario', write nothing.",
    details: "The format is that of 'diff -u'.")
  private static let dryRun = Flag(
    "dry-run", short: "n", in: .output, "Print the proposal, write nothing.")
  private static let yes = WritingPrompt.yes

  /// The options about a proposal, which '--scenario' does not have.
  private static let proposalOptions: [any TypedParameter] =
    InitChoices.options + [
      add, ManifestChoices.platforms, hosting, packsFolder, ReportFormat.option,
    ]

  private static var exclusive: [[any TypedParameter]] {
    var sets: [[any TypedParameter]] = [
      [dryRun, yes, diff], [add, hosting], [add, InitChoices.essentialLimit],
      [add, InitChoices.policy], [add, InitChoices.oldestSystem],
      [add, InitChoices.noHistory],
    ]
    for option in proposalOptions { sets.append([scenario, option]) }
    return sets
  }

  static let definition = Command(
    "init", overview: "Propose packs for a folder of assets.",
    discussion: [
      """
      Detects the engine of a project, searches the folder of its assets, and proposes packs: the \
      files for the first launch, a pack for each language, level and quality, and separate packs \
      for large media. No file is written before the user confirms it, at a prompt or with '--yes'.
      """,
      """
      Writes a manifest for each pack, 'Scenarios/first-launch.scenario' and 'ba-package.json', \
      and appends a line to '.gitignore'. With localized packs, the second scenario \
      'oldest-system.scenario' is for systems before version 27. No existing file is replaced.
      """,
      """
      At the prompt, '?' lists the changes that can be typed, such as 'policy music=on-demand' or \
      'rename core base'. The proposal is shown again after each change.
      """,
      """
      The project file is written to the folder. If the folder has a usual name of asset folders, \
      such as 'Assets' or 'Resources', and is below the current folder, the project file is \
      written to the current folder.
      """,
      """
      With '--add', the folder is a project. Files that no pack contains are added to the pack of \
      their folder or language, or to new manifests, by the same rules. With '--scenario', only \
      the scenarios are written again, for packs that were changed by hand.
      """,
      """
      Each decision follows a rule: 'ba-package explain init.localized' describes one of them. \
      Equal folders give equal proposals.
      """,
      """
      Without a terminal, '--yes' and '--dry-run', the command prints the proposal, writes no \
      file, and exits with status 64. '--format json' shows no prompt either.
      """,
      DocumentName.proposal.described(),
    ],
    [
      folder, InitChoices.exclude, InitChoices.include, InitChoices.essentialLimit,
      InitChoices.primaryLanguage, InitChoices.oldestSystem, InitChoices.noLocalized,
      InitChoices.policy, InitChoices.noHistory, ManifestChoices.platforms, hosting, packsFolder,
      add, scenario, dryRun, diff, yes, ReportFormat.option,
    ],
    exclusive: exclusive,
    examples: [
      Term("ba-package init", "Propose packs for the project in the current folder."),
      Term("ba-package init Assets --dry-run", "Print a proposal, write nothing."),
      Term(
        "ba-package init --essential-limit 20M --exclude '*-draft.png' --yes",
        "Write manifests with a smaller first download."),
      Term("ba-package init --add --diff", "Print where new files of a project would go."),
    ],
    topics: ["project-file", "selectors", "scenarios", "budgets"])

  let folder: String?
  let packsFolder: FilePath?
  private let adds: Bool
  private let writesScenario: Bool
  let showsDifference: Bool
  let choices: InitChoices
  private let hosting: Hosting?
  /// The program, which reads options at the prompt.
  private let program: Program
  let prompt: WritingPrompt
  let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = arguments[Self.folder]
    packsFolder = arguments.isGiven(Self.packsFolder) ? arguments[Self.packsFolder] : nil
    adds = arguments[Self.add]
    writesScenario = arguments[Self.scenario]
    if writesScenario, ProjectPlace(from: folder ?? ".") == nil { throw ProjectOptions.missing }
    if adds, ProjectPlace(from: folder ?? ".") == nil { throw ProjectOptions.missing }
    showsDifference = arguments[Self.diff]
    format = arguments[ReportFormat.option]
    prompt = WritingPrompt(
      isDryRun: arguments[Self.dryRun], isConfirmed: arguments[Self.yes], format: format,
      remedy: "use --yes to write the files, or --dry-run to print the proposal only")
    if showsDifference, !adds, !writesScenario {
      throw UsageError("'--diff' has no effect without '--add' or '--scenario'")
    }
    if showsDifference { try WritingPrompt.checkDifference(format) }
    choices = InitChoices(arguments)
    hosting = arguments[Self.hosting]
    program = arguments.path.program
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    do throws(PackError) {
      if writesScenario { return try writeScenarios(console) }
      return try adds ? add(console) : propose(console)
    } catch {
      throw error.withOwnRemedies
    }
  }

  private func propose(_ console: Console) throws(PackError) -> ExitStatus {
    let place = try NewProject(folder)
    try place.checkIsNew(console)
    var choices = choices
    var draft = try InitDraft(choices, hosting, at: place, packsFolder: packsFolder, console)
    if prompt.isShown(console), try draft.complete(&choices, console) {
      draft = try InitDraft(choices, hosting, at: place, packsFolder: packsFolder, console)
    }
    var isShown = false
    while true {
      // The proposal is useful even if it cannot be written.
      if let obstacle = draft.obstacle, !prompt.isDryRun { throw obstacle }
      if format == .text, !isShown { show(draft, choices, console) }
      isShown = true
      let dialog = ProposalDialog(draft, program, console)
      switch try dialog.decision(choices, prompt) {
      case .change(let changed):
        do throws(PackError) {
          draft = try InitDraft(changed, hosting, at: place, packsFolder: packsFolder, console)
          choices = changed
          isShown = false
        } catch  where [.invalidValue, .missing].contains(error.kind) {
          console.error(error)
        }
      case .decided(let decision):
        return try conclude(decision, draft, console)
      }
    }
  }

  private func show(_ draft: InitDraft, _ choices: InitChoices, _ console: Console) {
    if showsText(console) {
      let isChosen = choices.options.primaryLanguage != nil
      let text = ProposalText(draft.proposal, draft.layout, isChosen: isChosen)
      console.result(text: text.text(columns: console.output.columns))
    }
    console.report(draft.findings.from(.warning), as: .text)
  }

  private func conclude(
    _ decision: WritingPrompt.Decision, _ draft: InitDraft, _ console: Console
  ) throws(PackError) -> ExitStatus {
    var result = draft.result
    if decision == .write {
      Leftovers.remove(
        from: draft.files.paths.map { draft.layout.projectFolder.appending($0).folder.text },
        console)
      result.written = try draft.files.write(in: draft.layout.projectFolder)
    }
    if format == .json { console.result(bytes: ProposalResult.table.bytes(of: result)) }
    if let obstacle = draft.obstacle { throw obstacle }
    switch decision {
    case .write:
      for path in result.written { console.detail("wrote '\(path)'") }
      console.summary("Wrote \(result.list(isWritten: true)).")
      for line in result.nextSteps { console.summary(line) }
      return .done
    case .leave, .onlyPrint, .missing: return prompt.conclude(without: decision, console)
    }
  }

  /// Whether a person reads the proposal: not if it is confirmed already, and `--quiet` is given.
  func showsText(_ console: Console) -> Bool {
    !prompt.isConfirmed || console.verbosity > .quiet
  }
}

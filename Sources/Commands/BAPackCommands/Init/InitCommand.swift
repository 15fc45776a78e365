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
  private static let exclude = RepeatableOption(
    "exclude", .exclusion, called: "pattern", in: .input,
    "Leave out files that match, such as '*-draft.png'; repeatable.",
    details: "Manifests whose folders have such files get it as a 'fileExclusion'.")
  private static let include = RepeatableOption(
    "include", .exclusion, called: "pattern", in: .input,
    "Pack files that a rule about names leaves out, such as '*.lua'; repeatable.",
    details: "'--exclude' wins over '--include'.")
  private static let essentialLimit = DefaultedOption(
    "essential-limit", .decimalSize, called: "size", in: .manifest, default: 50_000_000,
    shownAs: "50M", "Limit the download before the first launch.",
    details: "Sizes are decimal: 50M is 50,000,000 bytes. A tenth of it is the size up to which "
      + "other folders than those of the first screen are in 'core'.")
  private static let policy = RepeatableOption(
    "policy", .policyOfPack, called: "id=policy", in: .manifest,
    "Set the policy of a pack, such as music=on-demand; repeatable.",
    details: "The policies are 'essential', 'prefetch' and 'on-demand'.")
  private static let noLocalized = Flag(
    "no-localized", in: .manifest, "Propose no localized packs; the app chooses languages.",
    details: "Systems before version 27 receive no localized packs.")
  private static let primaryLanguage = Option(
    "primary-language", ManifestOptions.languageTag, called: "tag", in: .manifest,
    "Set the primary language of the app, such as en.",
    details: "The default is the setting of the project.")
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
    "scenario", in: .input, "Write the scenario of the first launch again.",
    details: "It is written from the packs of an existing project as they are.")
  private static let diff = Flag(
    "diff", in: .output, "Print the changes of '--add' or '--scenario', write nothing.",
    details: "The format is that of 'diff -u'.")
  private static let dryRun = Flag(
    "dry-run", short: "n", in: .output, "Print the proposal, write nothing.")
  private static let yes = WritingPrompt.yes

  /// The options about a proposal, which '--scenario' does not have.
  private static let proposalOptions: [any TypedParameter] = [
    add, exclude, include, essentialLimit, primaryLanguage, noLocalized, policy,
    ManifestChoices.platforms, hosting, packsFolder, ReportFormat.option,
  ]

  private static var exclusive: [[any TypedParameter]] {
    var sets: [[any TypedParameter]] = [
      [dryRun, yes, diff], [add, essentialLimit], [add, hosting], [add, policy],
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
      and appends a line to '.gitignore'. No existing file is replaced.
      """,
      """
      The project file is written to the folder. If the folder has a usual name of asset folders, \
      such as 'Assets' or 'Resources', and is below the current folder, the project file is \
      written to the current folder.
      """,
      """
      With '--add', the folder is a project. Files that no pack contains are added to the pack of \
      their folder or language, or to new manifests, by the same rules. With '--scenario', only \
      the scenario is written again, for packs that were changed by hand.
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
      folder, exclude, include, essentialLimit, primaryLanguage, noLocalized, policy,
      ManifestChoices.platforms, hosting, packsFolder, add, scenario, dryRun, diff, yes,
      ReportFormat.option,
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
  private let policies: [PackPolicy]
  let showsDifference: Bool
  let options: ProposalOptions
  let prompt: WritingPrompt
  let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = arguments[Self.folder]
    packsFolder = arguments.isGiven(Self.packsFolder) ? arguments[Self.packsFolder] : nil
    adds = arguments[Self.add]
    policies = arguments[Self.policy]
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
    if showsDifference, format != .text {
      throw UsageError(
        "With '--diff' standard output is used for the diff, so '--format \(format.rawValue)' "
          + "cannot write its report")
    }
    let platforms = Set(arguments[ManifestChoices.platforms])
    var options = ProposalOptions()
    options.essentialLimit = arguments[Self.essentialLimit]
    options.primaryLanguage = arguments[Self.primaryLanguage]
    options.platforms = Platform.allCases.filter(platforms.contains)
    options.hosting = arguments[Self.hosting]
    options.exclusions = arguments[Self.exclude]
    options.inclusions = arguments[Self.include]
    options.localizes = !arguments[Self.noLocalized]
    self.options = options
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    do throws(PackError) {
      if writesScenario { return try writeScenario(console) }
      return try adds ? add(console) : propose(console)
    } catch {
      throw error.withOwnRemedies
    }
  }

  private func propose(_ console: Console) throws(PackError) -> ExitStatus {
    let place = try NewProject(folder)
    try place.checkIsNew(console)
    let inclusions = self.options.inclusions
    let (project, tree) = try console.showing("Searching") { work throws(PackError) in
      let project = try FoundProject.find(at: place.inspected, work)
      let root = place.folder(ofAssets: project.assets)
      return (project, try AssetTree(reading: root, including: inclusions, work))
    }
    let layout = try place.layout(
      assets: project.assets, packsFolder: packsFolder, hosting: options.hosting)
    var options = options
    options.ownPaths = layout.ownPaths
    options.outputPaths = layout.outputPaths
    var proposal = try propose(tree, project, &options, console)
    guard !proposal.packs.isEmpty else { throw Self.nothingToPack(proposal, place) }
    try setPolicies(of: &proposal)
    try console.showing("Estimating sizes") { work throws(PackError) in
      try proposal.estimateSizes(of: tree, work)
    }
    proposal.describeSmallerLimit(than: options, tree)
    let files = ProposedFiles(proposal, of: tree, in: layout)
    var result = ProposalResult(proposal, tree, files, layout)
    var obstacle: PackError?
    do throws(PackError) {
      result.planned = try place.checkIsNew(files, in: layout)
    } catch {
      // The proposal is useful even if it cannot be written.
      guard prompt.isDryRun else { throw error }
      obstacle = error
    }
    let findings = try Self.findings(
      of: files, for: options, proposal.primaryLanguage, tree, console.work)
    result.add(findings)
    if format == .text, showsText(console) {
      let text = ProposalText(proposal, layout, isChosen: options.primaryLanguage != nil)
      console.result(text: text.text(columns: console.output.columns))
    }
    if format == .text { console.report(findings.from(.warning), as: .text) }
    let decision = try prompt.decide("Write \(result.list(isWritten: false))?", console)
    if decision == .write {
      Leftovers.remove(
        from: files.paths.map { layout.projectFolder.appending($0).folder.text }, console)
      result.written = try files.write(in: layout.projectFolder)
    }
    if format == .json { console.result(bytes: ProposalResult.table.bytes(of: result)) }
    if let obstacle { throw obstacle }
    return conclude(decision, result, console)
  }

  /// Returns the proposal; if nothing determines the primary language, the user can choose it.
  private func propose(
    _ tree: AssetTree, _ project: FoundProject, _ options: inout ProposalOptions,
    _ console: Console
  ) throws(PackError) -> Proposal {
    let proposal = Proposal(of: tree, in: project, options)
    guard prompt.isShown(console), options.primaryLanguage == nil, project.primaryLanguage == nil,
      let first = proposal.primaryLanguage ?? proposal.languages.first,
      proposal.languages.count > 1
    else { return proposal }
    options.primaryLanguage = try console.choose(among: proposal.languages, first)
    return Proposal(of: tree, in: project, options)
  }

  /// The number of files above which their contents are not checked before the question.
  private static let mostChecked = 100_000

  /// Returns the findings about the manifests and their files before they are written.
  private static func findings(
    of files: ProposedFiles, for options: ProposalOptions, _ primaryLanguage: LanguageTag?,
    _ tree: AssetTree, _ work: Work
  ) throws(PackError) -> Ledger {
    var project = Project(
      files.manifests.map { .text($0.bytes, named: $0.path.text) }, hosting: options.hosting)
    project.primaryLanguage = primaryLanguage
    project.sourceRoot = tree.root
    let documents = project.inputs.map { [project] in project.read($0, work) }
    return try project.check(documents, lookingAtFiles: tree.files.count <= mostChecked, work)
      .report.findings
  }

  /// Sets the policies that the user chose.
  private func setPolicies(of proposal: inout Proposal) throws(PackError) {
    for choice in policies {
      guard
        let index = proposal.packs.firstIndex(where: {
          $0.manifest.assetPackID == choice.id
        })
      else {
        let ids = proposal.packs.map(\.manifest.assetPackID)
        let near = Spelling.nearest(to: choice.id, among: ids)
        throw PackError(
          .invalidValue, "no proposed pack has the ID '\(shown(choice.id))'",
          remedy: near.map { "did you mean '\($0)'?" }
            ?? "'ba-package init --dry-run' prints the IDs")
      }
      proposal.packs[index].manifest.downloadPolicy = choice.policy
    }
  }

  private static func nothingToPack(_ proposal: Proposal, _ place: NewProject) -> PackError {
    let count = proposal.leftOut.reduce(0) { $0 + $1.count }
    let reasons = proposal.leftOut.map(\.reason.text).prefix(3).joined(separator: ", ")
    let advice = proposal.project.advice.map { Remedy.advice($0.text) }
    return PackError(
      .missing,
      "there are no files to pack in '\(place.inspected)'"
        + (count == 0 ? "" : ": \(Quantity.count(count, "file")) left out (\(reasons))"),
      remedies: advice.isEmpty ? ["specify the folder of the assets"] : advice)
  }
}

// MARK: - The decision of the user

extension InitCommand {
  /// Whether a person reads the proposal: not if it is confirmed already, and `--quiet` is given.
  func showsText(_ console: Console) -> Bool {
    !prompt.isConfirmed || console.verbosity > .quiet
  }

  private func conclude(
    _ decision: WritingPrompt.Decision, _ result: ProposalResult, _ console: Console
  ) -> ExitStatus {
    switch decision {
    case .write:
      for path in result.written { console.detail("wrote '\(path)'") }
      console.summary("Wrote \(result.list(isWritten: true)).")
      for line in result.nextSteps { console.summary(line) }
      return .done
    case .leave, .onlyPrint, .missing: return prompt.conclude(without: decision, console)
    }
  }
}

extension Console {
  /// Prompts for the primary language; an empty line or the end of input chooses the first one.
  fileprivate func choose(
    among languages: [LanguageTag], _ first: LanguageTag
  ) throws(PackError) -> LanguageTag {
    let names = languages.map(\.description)
    finding(text: "Languages: \(names.joined(separator: ", "))\n")
    while let reply = try prompt("Primary language [\(first)]:"), !reply.isEmpty {
      if let tag = LanguageTag(locale: reply), languages.contains(tag) { return tag }
      let near = Spelling.nearest(to: reply, among: names).map { "; did you mean '\($0)'?" } ?? ""
      finding(text: shown("There are no files in the language '\(reply)'\(near)") + "\n")
    }
    return first
  }
}

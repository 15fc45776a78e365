import Arguments
import AssetHistory
import BAPackKit
import Planning
import Proposing
import Reporting
import SourceDiagnostics
import SystemIO
import TerminalText

/// `plan`: shows what updates cost in the history of the files, and proposes other borders between
/// packs.
struct PlanCommand: Subcommand {
  private static let pin = RepeatableOption(
    "pin", .text, called: "id", in: .input, "Keep this pack as it is; repeatable.")
  private static let mostPacks = DefaultedOption(
    "max-packs", .number(in: 1...200), called: "count", in: .input, default: 200, shownAs: "200",
    "Propose at most this number of packs.")
  private static let weights = Option(
    "weights", .file("csv"), called: "table", in: .input,
    "Weight updates by the numbers of their installations.",
    details: """
      The first line of the CSV file names its columns: 'installs', and any of 'release', \
      'platform' and 'language'. An empty field applies to all.
      """)
  private static let asReleased = RepeatableOption(
    "as-released", .file("json", "aar"), called: "packs", in: .input,
    "Show the cost of former releases, too; repeatable.",
    details: """
      The row 'as released' has the downloads of these packs: reports, folders of packs or \
      download manifests, the oldest first.
      """)
  private static let newPacks = Flag(
    "new-packs", in: .output, "Allow '--write' to move released files to new packs.",
    details: """
      Apps that are not updated lack these files until their update: 'diff' reports a breaking \
      change for each of them. Use it if today's packs are not released yet, or if that is \
      acceptable.
      """)
  private static let write = Option(
    "write", .text, called: "proposal", in: .output, "Write this proposal, such as 'best'.",
    details: """
      The start of a name is enough. Only selectors are changed, and manifests are added; all \
      other bytes are unchanged.
      """)

  static let definition = Command(
    "plan", overview: "Propose packs with smaller updates.",
    discussion: [
      """
      An update downloads each changed pack as a whole. This command computes the updates of \
      today's packs in the history of their files, and searches for other borders between the \
      packs, so that files that change often are not in one pack with files that do not.
      """,
      """
      The search uses the first 70 % of the updates. A proposal is shown only if it also saves \
      downloads in the other ones. 'x' is the number of downloaded bytes for each byte that changed.
      """,
      """
      Without '--history', the releases are the newest \(GitReleases.mostOfNewest) tags, and the \
      last commit. With fewer than \(GitReleases.fewestTags) tags, and without '--releases', they \
      are commits that changed the files, at equal distances. All source roots must be in one Git \
      repository. Files move only between packs with the same source root.
      """,
      """
      Policies, platforms and languages are unchanged, and no pack is removed. On-demand packs and \
      localized packs are unchanged, because released apps can request them for their files. \
      Proposals without new packs contain nothing that 'diff' reports as a breaking change. The \
      others name the number of files in new packs; '--write' requires '--new-packs' for them. No \
      proposal causes a finding of 'validate'.
      """,
      """
      Ctrl-C ends the search, and the best proposals up to then are shown.
      """,
      DocumentName.plan.described(),
    ],
    [ManifestOptions.paths, HistoryOptions.history, HistoryOptions.tags, asReleased, weights, pin]
      + [mostPacks, ManifestOptions.sourceRoot] + ProjectOptions.all
      + [write, newPacks] + WritingPrompt.ofChanges + [ReportFormat.option]
      + [PackInput.threads, MemoryOption.option],
    exclusive: [ProjectOptions.exclusive, [WritingPrompt.yes, WritingPrompt.diff]],
    dependent: [
      (newPacks, on: write), (WritingPrompt.yes, on: write), (WritingPrompt.diff, on: write),
      (WritingPrompt.force, on: write),
    ],
    examples: [
      Term("ba-package plan", "Show proposals."),
      Term(
        "ba-package plan --history v1.0..HEAD --write best --diff",
        "Print the changes of the best proposal."),
    ],
    topics: ["project-file"])

  private let input: ManifestOptions
  private let history: HistoryOptions
  private let options: Plan.Options
  private let weights: String?
  private let released: [String]
  private let chosen: String?
  private let allowsNewPacks: Bool
  private let format: ReportFormat
  private let prompt: WritingPrompt
  private let threads: Int
  private let memory: UInt64

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = ManifestOptions(arguments, operands: arguments[ManifestOptions.paths])
    history = try HistoryOptions(arguments)
    var options = Plan.Options()
    options.mostPacks = arguments[Self.mostPacks]
    options.pinned = Set(arguments[Self.pin])
    self.options = options
    weights = arguments[Self.weights]
    released = arguments[Self.asReleased]
    if released.count == 1 {
      throw UsageError(
        "'--as-released' requires two releases or more",
        hint: "repeat it for each release, the oldest first")
    }
    chosen = arguments[Self.write]
    if chosen != nil, input.operands.contains("-") {
      throw UsageError("'--write' cannot change a manifest from standard input")
    }
    allowsNewPacks = arguments[Self.newPacks]
    format = arguments[ReportFormat.option]
    prompt = try WritingPrompt(ofChanges: arguments, format: format)
    threads = arguments[PackInput.threads] ?? ProcessState.processorCount
    memory = UInt64(arguments[MemoryOption.option])
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    let outcome = "No proposal was made"
    guard let input = try input.opened(console, otherwise: outcome) else { return .failed }
    let project = try input.project(input.paths, console)
    var findings = Ledger()
    var documents: [ManifestDocument] = []
    for place in project.inputs(saying: console) {
      let document = project.read(place, console.work)
      findings.add(contentsOf: document.findings)
      documents.append(document)
    }
    try console.work.checkCancellation()
    guard !findings.hasErrors else {
      console.report(findings, as: .text)
      return console.reportFailure(outcome, findings)
    }
    let search = PlanSearch(
      project, documents, input, history, reader: reader(of: project), options, console)
    let result = try search.result(
      weights: weights, released: released.isEmpty ? [] : formerReleases(project, console))
    for note in result.plan.notes { console.warning(note) }
    guard let chosen else {
      write(result, console)
      return .done
    }
    let proposal = try proposal(named: chosen, in: result.plan)
    let edits = try PlanEdits(proposal.packs, proposal.reasons, of: documents)
    return try apply(proposal, try search.changes(edits), result, console)
  }

  private func reader(of project: Project) -> InventoryReader {
    var reader = InventoryReader()
    reader.project = project
    reader.memory = memory
    reader.threads = threads
    reader.detail = [.shares]
    return reader
  }

  /// Returns the packs of former releases.
  private func formerReleases(
    _ project: Project, _ console: Console
  ) throws(PackError) -> [Inventory] {
    var findings = Ledger()
    var reader = reader(of: project)
    reader.detail = [.digests, .archiveDigest]
    return try released.map { (path) throws(PackError) in
      if let release = try reader.read([path], &findings, console.work) { return release }
      console.report(findings, as: .text)
      throw PackError(
        .invalidValue, "'\(path)' is not a readable release", remedy: "correct these errors")
    }
  }

  // MARK: A proposal

  private func proposal(named name: String, in plan: Plan) throws(PackError) -> Plan.Proposal {
    let named = plan.proposals.filter { !name.isEmpty && $0.name.hasPrefix(name) }
    let allowed = named.filter { allowsNewPacks || $0.lackingFiles == 0 }
    // The last one has the smallest updates.
    if let found = allowed.first(where: { $0.name == name }) ?? allowed.last { return found }
    if let found = named.last {
      throw PackError(
        .conflict,
        "'\(found.name)' moves \(Quantity.count(found.lackingFiles, "file")) to new packs: apps "
          + "that are not updated lack them",
        remedy: "use --new-packs if today's packs are not released, or if you accept this")
    }
    throw PackError(
      .missing, "there is no proposal '\(name)'",
      remedy: plan.proposals.isEmpty
        ? "no proposal makes the updates smaller; keep the packs as they are"
        : .advice("choose \(Finding.choices(plan.proposals.map(\.name)))"))
  }

  private func apply(
    _ proposal: Plan.Proposal, _ changes: FileChanges, _ result: PlanResult, _ console: Console
  ) throws(PackError) -> ExitStatus {
    var result = result
    if prompt.showsDifference {
      WritingPrompt.show(changes, console)
      return .done
    }
    if result.plan.isInterrupted {
      write(result, console)
      throw PackError(.interrupted, "interrupted; no file was written")
    }
    if !prompt.isForced { try UncommittedChanges.check(changes.edits.map(\.path), console.work) }
    if format == .text {
      var lines = ["", "'\(proposal.name)' changes these files:"]
      lines += changes.edits.map { "  changes \($0.path)" }
      lines += changes.newFiles.map { "  creates \($0.path)" }
      console.result(text: result.text + lines.joined(separator: "\n") + "\n")
    }
    let decision = try prompt.decide("Write these files?", console)
    if decision == .write {
      let paths = changes.newFiles.map(\.path) + changes.edits.map(\.path)
      Leftovers.remove(from: paths.map { $0.folder.text }, console)
      try changes.write()
      result.written = proposal.name
    }
    if format == .json { write(result, console) }
    guard decision == .write else { return prompt.conclude(without: decision, console) }
    let changed = Quantity.count(changes.edits.count, "file")
    let new = Quantity.count(changes.newFiles.count, "new manifest")
    console.summary("Changed \(changed), and wrote \(new).")
    console.summary("Next step: ba-package validate")
    return .done
  }

  private func write(_ result: PlanResult, _ console: Console) {
    switch format {
    case .text: console.result(text: result.text)
    case .json: console.result(bytes: PlanResult.table.bytes(of: result))
    }
  }
}

import Arguments
import BAPackKit
import DeviceSimulator
import Reporting
import SourceDiagnostics
import SystemIO
import TerminalText

/// `diff`: prints the changes between two sets of packs, their download sizes, and breaking
/// changes.
struct DiffCommand: Subcommand {
  private static let old = Argument(
    "old", .file("aar", "json"), elsewhere: ProjectOptions.hint(key: "baseline"),
    "The old packs (default: the 'baseline' of the project).",
    details: """
      A pack, a folder of packs, a download manifest, manifests with their files, the output of \
      'list --digests', or the output of 'report --format json'.
      """)
  private static let new = Argument(
    "new", .file("aar", "json"), elsewhere: ProjectOptions.hint,
    "The new packs (default: the packs of the project).",
    details: "The same forms as the old packs.")
  private static let failOn = RepeatableOption<[Reason]>(
    "fail-on",
    ValueType(choices: Reason.allCases.map(\.rawValue)) { word throws(InvalidValue) in
      var reasons: [Reason] = []
      for part in word.split(separator: ",", omittingEmptySubsequences: false) {
        guard let reason = Reason(rawValue: String(part)) else {
          throw InvalidValue("not one of the choices")
        }
        reasons.append(reason)
      }
      return reasons
    }, called: "reasons", in: .check, "Fail for these reasons, for example breaking,budget.",
    details: """
      'breaking': a change breaks released apps. 'budget': a budget is exceeded, which is always \
      an error. 'any': a pack changed: its files, or the values of its manifest.
      """)
  private static let accept = Option(
    "accept", .file("json"), called: "file", in: .check,
    "Accept the breaking changes that this file lists.",
    details: """
      The form is {"accepted": [{"breaks": "path-removed", "pack": "cave", "path": \
      "Levels/*.json", "reason": "…", "until": "2027-01-31"}]}. 'pack' and 'path' can be patterns. \
      See 'ba-package schema --for accepted'.
      """)
  private static let all = Flag(
    "all", in: .output, "Print all changed files (default: the largest).")
  /// The conditions under which the command fails.
  enum Reason: String, Sendable, CaseIterable {
    case breaking, budget, any
  }

  /// The format of the comparison.
  enum Format: String, Sendable, CaseIterable {
    case text, json, markdown, github

    static let option = DefaultedOption<Format>(
      "format", called: "format", in: .output, default: .text, "Set the output format.",
      details: """
        'markdown' is a comment for a pull request of at most \
        \(Quantity.grouped(MarkdownPage.longest)) characters. 'github' adds annotations of GitHub \
        Actions.
        """)
  }

  static let definition = Command(
    "diff", overview: "List changes, update size and breaking changes.",
    discussion: [
      """
      Files are compared by their contents; times are ignored. Released apps receive the new \
      packs. A change breaks a released app if a device can read fewer files than before, or if a \
      request for a pack fails. This is computed as by 'simulate': for each platform and language, \
      for systems without localized packs, after an installation and after an update, and for \
      every set of requested packs, in any language. Requests that failed in the old release are \
      not compared. A file can move to another pack if all devices receive that \
      pack as early as before.
      """,
      """
      The size of the update is the download of a device with all packs of its language installed. \
      If a release has no pack for the language, the next language or the primary language \
      applies: the one with the largest update is assumed, and shown as 'de (then en)'. A device \
      downloads a changed pack completely; smaller updates are undocumented. Other platforms and \
      languages are shown if they download a different amount.
      """,
      """
      In GitHub Actions, '--format markdown' and '--format github' also add the comment to the \
      summary of the step.
      """,
      """
      If the old packs are a folder with the folders or reports 'store', 'external' and \
      'internal', the new packs are compared with each of these channels.
      """,
      DocumentName.comparison.described(),
    ],
    [old, new, BaselineChannels.option, ManifestOptions.sourceRoot] + ProjectOptions.all
      + [failOn, accept, ManifestOptions.hosting] + BudgetOptions.all
      + FindingOptions.all + [all, Format.option, PackInput.threads, MemoryOption.option],
    exclusive: [ProjectOptions.exclusive],
    examples: [
      Term("ba-package diff main/packs build/packs", "Show the changes and the update size."),
      Term(
        "ba-package diff main/packs build/packs --fail-on breaking --format markdown",
        "Comment on a pull request; fail if released apps break."),
      Term(
        "ba-package diff old.sha256 build/cave.aar",
        "Compare with the output of 'list --digests'."),
    ],
    topics: ["budgets", "project-file"])

  private let old: String?
  private let new: String?
  private let channel: Channel?
  private let input: ManifestOptions
  private let failures: Set<Reason>
  private let acceptedFile: String?
  private let showsAll: Bool
  private let threads: Int
  private let memory: UInt64
  private let format: Format

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let given = [arguments[Self.old], arguments[Self.new]].compactMap { $0 }
    // A single operand is the old side; the new side is the project.
    old = given.first
    new = given.count > 1 ? given[1] : nil
    channel = arguments[BaselineChannels.option]
    var input = ManifestOptions(arguments, operands: given.count > 1 ? given : [])
    BudgetOptions.add(to: &input.project.settings, arguments)
    FindingOptions.add(to: &input.project.settings, arguments)
    self.input = input
    if given.count < 2, input.project.place == nil {
      throw UsageError(
        "Missing expected argument '<\(given.isEmpty ? "old" : "new")>'",
        hint: given.isEmpty ? ProjectOptions.hint(key: "baseline") : ProjectOptions.hint)
    }
    failures = Set(arguments[Self.failOn].joined())
    acceptedFile = arguments[Self.accept]
    showsAll = arguments[Self.all]
    threads = arguments[PackInput.threads] ?? ProcessState.processorCount
    memory = UInt64(arguments[MemoryOption.option])
    format = arguments[Format.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    let outcome = "No packs were compared"
    guard let input = try input.opened(console, otherwise: outcome),
      let paths = try paths(input, console, otherwise: outcome)
    else { return .failed }
    var findings = Ledger()
    let accepted = try accepted(&findings, console.work)
    var reader = InventoryReader()
    reader.project = try input.project([], console)
    reader.memory = memory
    reader.threads = threads
    let sides = try channels(of: paths.old)
    var before: [Inventory] = []
    for side in sides {
      guard let release = try side.old.read(by: reader, &findings, console.work) else { break }
      reader.addKnown(release)
      before.append(release)
    }
    let now = try reader.read(
      paths.new, named: new == nil ? input.run.name : nil, &findings, console.work)
    guard before.count == sides.count, let now, !findings.hasErrors else {
      console.report(findings, as: .text, of: Self.rules)
      console.finding(text: "\(outcome): \(findings.tally)\n")
      return .failed
    }
    let comparisons = try before.map { (release) throws(PackError) in
      try Comparison(from: release, to: now, memory: memory, threads: threads, console.work)
    }
    let holdings = now.holdings(update: BudgetHoldings.Update.largest(of: comparisons))
    let uses = input.run.budgets.map { BudgetUse(of: $0, by: holdings) }
    console.report(open: uses)
    var budgets = Ledger()
    budgets.add(uses)
    budgets.follow(input.run.policy)
    let verdicts = judge(comparisons, sides.map(\.channel), accepted, budgets, &findings)
    try write(verdicts, findings, input, console)
    console.report(off: findings)
    console.report(off: budgets)
    return fails(verdicts) ? .failed : .done
  }

  private static let rules = ChangeRules.all + RuleCatalogue.rules(of: .publishing)

  /// Returns the paths of both sides; nil after errors that were reported.
  private func paths(
    _ input: ManifestInput, _ console: Console, otherwise outcome: String
  ) throws(PackError) -> (old: OldSide, new: [String])? {
    let before = try oldSide(input, console)
    if let new { return (before, try input.packsOrManifests([new], console)) }
    guard let outputs = try ProjectOutputs(input, console, otherwise: outcome) else { return nil }
    try outputs.checkMade()
    return (before, outputs.paths)
  }

  /// The old packs.
  private enum OldSide {
    case at([String])
    /// There is no release yet.
    case none(String)

    func read(
      by reader: InventoryReader, _ findings: inout Ledger, _ work: Work
    ) throws(PackError) -> Inventory? {
      switch self {
      case .at(let paths): try reader.read(paths, &findings, work)
      case .none(let name): .missing(name)
      }
    }
  }

  private func oldSide(_ input: ManifestInput, _ console: Console) throws(PackError) -> OldSide {
    if let old {
      return .at(new == nil ? [old] : try input.packsOrManifests([old], console))
    }
    switch try input.run.formerPacks(console) {
    case .at(let path): return .at([path])
    case .none(let path): return .none(path)
    case .unknown:
      throw PackError(
        .missing, "the project file has no baseline",
        remedies: [
          "add 'baseline' to the project file", .argument("specify the old packs"),
        ])
    }
  }

  /// Returns the old packs of each channel; one side without a channel for other old packs.
  private func channels(of old: OldSide) throws(PackError) -> [(channel: Channel?, old: OldSide)] {
    guard case .at(let paths) = old, paths.count == 1 else { return [(nil, old)] }
    if let channel {
      return [(channel, .at([try BaselineChannels.path(of: channel, at: paths[0])]))]
    }
    let found = BaselineChannels(at: paths[0]).paths
    return found.isEmpty ? [(nil, old)] : found.map { ($0.channel, .at([$0.path])) }
  }

  private func accepted(_ findings: inout Ledger, _ work: Work) throws(PackError) -> AcceptedBreaks?
  {
    guard let acceptedFile else { return nil }
    let bytes = try mapFailure(.reading) { () throws(Failure) in
      try FileDescriptor.open(acceptedFile, for: .waiting(work)).readToEnd(
        atMost: ManifestDocument.readingLimit)
    }
    let accepted = AcceptedBreaks(parsing: bytes, named: acceptedFile)
    findings.add(contentsOf: accepted.findings)
    return accepted
  }

  /// Judges each comparison; the last one has the findings about budgets.
  private func judge(
    _ comparisons: [Comparison], _ channels: [Channel?], _ accepted: AcceptedBreaks?,
    _ budgets: Ledger, _ findings: inout Ledger
  ) -> [Verdict] {
    let today = String("\(Moment.now)".prefix(10))
    // An entry is unused if no channel has its break.
    _ = accepted?.divide(comparisons.flatMap(\.breaks), today: today, &findings)
    return comparisons.indices.map { index in
      let breaks = comparisons[index].breaks
      var counted = Ledger()
      let (open, known) = accepted?.divide(breaks, today: today, &counted) ?? (breaks, [])
      return Verdict(
        comparisons[index], channel: channels[index]?.rawValue, breaks: open,
        accepted: known.map { ($0.found, $0.entry.reason, $0.entry.until) },
        budgets: index == comparisons.count - 1 ? budgets : Ledger())
    }
  }

  private func fails(_ verdicts: [Verdict]) -> Bool {
    verdicts.contains { verdict in
      verdict.budgets.hasErrors || failures.contains(.breaking) && !verdict.breaks.isEmpty
    } || failures.contains(.any) && hasChanges(verdicts)
  }

  /// Returns whether anything changed since a release; false before the first release.
  private func hasChanges(_ verdicts: [Verdict]) -> Bool {
    verdicts.contains { !$0.comparison.isEmpty && !$0.comparison.old.isMissing }
  }

  /// Returns the breaks in any channel, each once.
  private static func breaks(_ verdicts: [Verdict]) -> [Break] {
    verdicts.dropFirst().reduce(into: verdicts.first?.breaks ?? []) { all, verdict in
      all += verdict.breaks.filter { !all.contains($0) }
    }
  }

  // MARK: Writing

  private func write(
    _ verdicts: [Verdict], _ findings: Ledger, _ input: ManifestInput, _ console: Console
  ) throws(PackError) {
    let budgets = verdicts.last?.budgets ?? Ledger()
    let markdown = verdicts.map { ComparisonMarkdown($0).text(oneOf: verdicts.count) }
      .joined(separator: "\n")
    switch format {
    case .text:
      for (index, verdict) in verdicts.enumerated() {
        if index > 0 { console.result("") }
        for line in ComparisonText(verdict, filesShown: showsAll ? nil : 20).lines {
          console.result(line)
        }
      }
    case .json:
      for verdict in verdicts { console.result(JSONWriter.string(verdict.json, .compact)) }
    case .markdown:
      console.result(text: markdown)
      StepSummary.add(markdown, console)
    case .github:
      var all = findings
      all.add(contentsOf: budgets)
      all.add(contentsOf: try annotations(Self.breaks(verdicts), verdicts, input, console))
      console.report(all, as: .github, of: Self.rules)
      StepSummary.add(markdown, console)
      return
    }
    console.report(findings, as: .text, of: Self.rules)
    console.report(budgets, as: .text, of: Self.rules)
    if format == .text { explainFailure(verdicts, console) }
  }

  private func explainFailure(_ verdicts: [Verdict], _ console: Console) {
    let count = Self.breaks(verdicts).count
    if failures.contains(.breaking), count > 0 {
      console.finding(
        text: "error: \(Quantity.count(count, "change")) \(count == 1 ? "breaks" : "break") apps "
          + "that are already released\n")
    }
    if failures.contains(.any), hasChanges(verdicts) {
      console.finding(text: "error: packs changed\n")
    }
  }

  /// Returns the breaking changes, each at the manifest of its pack, or at the project file if the
  /// pack has no manifest.
  private func annotations(
    _ found: [Break], _ verdicts: [Verdict], _ input: ManifestInput, _ console: Console
  ) throws(PackError) -> Ledger {
    var documents: [PackID: ManifestDocument] = [:]
    if let manifests = input.run.settings.packs?.value {
      let project = try input.project(manifests, console)
      for found in project.found().inputs {
        let document = project.read(found, console.work)
        if let id = document.assetPackID { documents[PackID(id)] = document }
      }
    }
    var breaks = Ledger()
    for found in found {
      let isError = failures.contains(.breaking)
      if let document = documents[found.pack] {
        let span = document.locations[of: found.breakage] ?? document.locations.assetPackID
        breaks.add(
          ChangeRules.finding(found, isError: isError, at: span), about: document.source)
      } else if let project = input.run.document {
        let span = project.span(of: \ProjectSettings.packs)
        breaks.add(ChangeRules.finding(found, isError: isError, at: span), about: project.source)
      } else {
        let packs = verdicts.map(\.comparison).lazy.flatMap { [$0.new, $0.old] }
        let place = packs.compactMap { $0[found.pack]?.place }.first
        breaks.add(
          ChangeRules.finding(found, isError: isError, at: nil),
          about: SourceText([], named: place ?? verdicts.first?.comparison.new.name ?? ""))
      }
    }
    return breaks
  }
}

extension ManifestLocations {
  /// The position of a breaking change in a manifest; nil if it has no key there.
  fileprivate subscript(of breakage: Breakage) -> SourceSpan? {
    switch breakage {
    case .policyWeakened: self.downloadPolicy
    case .platformDropped: self.platforms
    case .languageDropped: self.language
    case .pathRemoved, .pathCase, .pathAmbiguous: self.fileSelectors
    case .packRemoved: nil
    }
  }
}

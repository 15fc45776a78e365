import Arguments
import BAPackKit
import DeviceSimulator
import Reporting
import SourceDiagnostics
import SystemIO
import TerminalText

/// `report`: draws the contents of packs and their download sizes.
struct ReportCommand: Subcommand {
  private static let packs = ArgumentList(
    "packs", .file("aar", "json"), elsewhere: ProjectOptions.hint,
    triedAs: ManifestOptions.inputGuesses,
    "The packs to describe (default: the packs of the project).",
    details: """
      Packs, folders of packs, manifests with their files, a download manifest, or an old report.
      """)
  private static let output = Option(
    "output-path", short: "o", .file("html", "json", "csv", "md"), called: "path", in: .output,
    "Write to this file (default: standard output).",
    details: "An existing report of the same format is replaced.")
  private static let baseline = RepeatableOption(
    "baseline", .file("aar", "json"), called: "old", in: .input,
    "Compare with these packs or reports; repeatable.",
    details: """
      The default is the 'baseline' of the project. Several reports, the oldest first, or a folder \
      of reports are shown as a history.
      """)

  enum Format: String, Sendable, CaseIterable {
    case html, json, csv, markdown, cyclonedx

    static let option = Option<Format>(
      "format", .choice, called: "format", in: .output,
      "Set the format (default: from the extension).",
      details: """
        'html' is a page without external resources, 'json' the complete report, 'csv' a row for \
        each file, 'markdown' a comment of at most \
        \(Quantity.grouped(MarkdownPage.longest)) characters, and 'cyclonedx' a bill of materials. \
        The extensions are .html, .json, .csv, .md and .cdx.json.
        """)

    /// Whether a report contains the SHA-256 of archives.
    var hasArchiveDigests: Bool {
      switch self {
      case .json, .cyclonedx: true
      case .html, .csv, .markdown: false
      }
    }

    /// The format of a file by its extension; nil if there is none.
    init?(ofFileNamed path: String) {
      let name = FilePath(FilePath(path).name.bytes).text.lowercased()
      let ends: [(String, Format)] = [
        (".cdx.json", .cyclonedx), (".bom.json", .cyclonedx), (".json", .json), (".csv", .csv),
        (".md", .markdown), (".markdown", .markdown), (".html", .html), (".htm", .html),
      ]
      if let end = ends.first(where: { name.hasSuffix($0.0) }) {
        self = end.1
      } else if name.contains(".") {
        return nil
      } else {
        // Names without an extension, such as '/dev/stdout'.
        self = .html
      }
    }
  }

  static let definition = Command(
    "report", overview: "Write a report about the contents of packs.",
    discussion: [
      """
      The page has a map of all bytes, a table of all files, the download of each language, \
      duplicate files, files that do not compress, and files that a language lacks. With \
      '--baseline' it shows the changes, as 'diff' does. With several former releases, or with \
      '--history', it shows what each pack cost in updates, and how much of it had changed. Equal \
      inputs give equal bytes.
      """,
      """
      The bill of materials is CycloneDX 1.6 with a digest for each file. Its time is \
      SOURCE_DATE_EPOCH.
      """,
      DocumentName.report.described(),
    ],
    [
      packs, baseline, BaselineChannels.option, HistoryOptions.history, HistoryOptions.tags,
      ManifestOptions.sourceRoot,
    ] + ProjectOptions.all
      + [output, TextOutput.force, Format.option]
      + [ManifestOptions.hosting, ManifestOptions.primaryLanguage] + BudgetOptions.all
      + FindingOptions.all
      + [PackInput.threads, MemoryOption.option],
    exclusive: [ProjectOptions.exclusive],
    dependent: [
      (TextOutput.force, on: output), (HistoryOptions.tags, on: HistoryOptions.history),
    ],
    examples: [
      Term("ba-package report build/packs -o report.html", "Write a page."),
      Term(
        "ba-package report build/packs --baseline released -o report.html",
        "Include the changes since a release."),
      Term("ba-package report build/packs -o 1.2.json", "Write data for a later comparison."),
      Term(
        "ba-package report --history v1.0..HEAD -o report.html",
        "Show what the updates since a tag cost."),
    ],
    topics: ["budgets", "project-file"])

  private let operands: [String]
  private let input: ManifestOptions
  private let output: String?
  private let replaces: Bool
  private let baselines: [String]
  private let channel: Channel?
  private let history: HistoryOptions?
  private let format: Format
  private let threads: Int
  private let memory: UInt64

  init(_ arguments: ParsedArguments) throws(UsageError) {
    operands = arguments[Self.packs]
    var input = ManifestOptions(arguments, operands: operands)
    BudgetOptions.add(to: &input.project.settings, arguments)
    FindingOptions.add(to: &input.project.settings, arguments)
    self.input = input
    if operands.isEmpty, input.project.place == nil {
      throw UsageError("Missing expected argument '<packs> ...'", hint: ProjectOptions.hint)
    }
    let output = arguments[Self.output]
    self.output = output == "-" ? nil : output
    replaces = arguments[TextOutput.force]
    baselines = arguments[Self.baseline]
    channel = arguments[BaselineChannels.option]
    history = arguments[HistoryOptions.history] == nil ? nil : try HistoryOptions(arguments)
    guard let format = arguments[Format.option] ?? Format(ofFileNamed: self.output ?? "") else {
      throw UsageError(
        "'\(output ?? "")' does not have the extension of a report format",
        hint: "use .html, .json, .csv, .md or .cdx.json, or specify '--format'")
    }
    self.format = format
    threads = arguments[PackInput.threads] ?? ProcessState.processorCount
    memory = UInt64(arguments[MemoryOption.option])
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    let outcome = "No report was written"
    guard let input = try input.opened(console, otherwise: outcome),
      let (paths, documents) = try paths(input, console, otherwise: outcome)
    else { return .failed }
    if output == nil, console.output.isTerminal, format == .html {
      throw PackError(
        .invalidValue, "refusing to write a page to a terminal",
        remedy: "specify a file with -o, or use '--format markdown'")
    }
    var findings = Ledger()
    var reader = InventoryReader()
    reader.project = try input.project([], console)
    reader.memory = memory
    reader.threads = threads
    let former = try formerReleases(input, console)
    reader.detail = [.shares, .digests]
    // Packs that did not change since a former release are recognized by their digests.
    if format.hasArchiveDigests || !former.isEmpty { reader.detail.insert(.archiveDigest) }
    let before = try releases(former, &reader, &findings, console)
    reader.examinesManifests = true
    let now = try reader.read(
      paths, named: name(input), &findings, console.work)
    guard let now, let before else {
      console.report(findings, as: .text)
      console.finding(text: "\(outcome): \(findings.tally)\n")
      return .failed
    }
    let updates = try updates(of: now, documents, input, reader.project, console)
    let (report, budgets) = try report(
      on: now.withDigests(memory: memory, threads: threads, console.work), before, updates, input,
      findings, console.work)
    try write(report, console)
    console.report(budgets.findings, as: .text)
    console.report(off: findings)
    console.report(off: budgets.findings)
    console.report(open: budgets.uses)
    return budgets.findings.hasErrors ? .failed : .done
  }

  /// The name of the project or of the folder; nil for several packs.
  private func name(_ input: ManifestInput) -> String? {
    if operands.isEmpty { return input.run.name }
    return operands.count == 1 && PackInput.isFolder(operands[0]) ? operands[0] : nil
  }

  /// Returns the paths of the packs, and the manifests of the project if none are specified; nil
  /// after errors, which are reported.
  private func paths(
    _ input: ManifestInput, _ console: Console, otherwise outcome: String
  ) throws(PackError) -> ([String], [ManifestDocument])? {
    guard operands.isEmpty else {
      return (try input.packsOrManifests(operands, console), [])
    }
    guard let outputs = try ProjectOutputs(input, console, otherwise: outcome) else { return nil }
    try outputs.checkMade()
    return (outputs.paths, outputs.documents)
  }

  /// Returns the paths of the earlier releases, the oldest first.
  private func formerReleases(
    _ input: ManifestInput, _ console: Console
  ) throws(PackError) -> [String] {
    var paths = baselines
    if paths.isEmpty, case .at(let path) = try input.run.formerPacks(console) { paths = [path] }
    return try paths.map { (path) throws(PackError) in
      if let channel { return try BaselineChannels.path(of: channel, at: path) }
      guard let first = BaselineChannels(at: path).paths.first else { return path }
      console.summary(
        "The old packs are those of the channel '\(first.channel.rawValue)'; '--channel' selects "
          + "another one.")
      return first.path
    }
  }

  /// Returns the earlier releases, the oldest first; nil after an error, which is reported.
  private func releases(
    _ former: [String], _ reader: inout InventoryReader, _ findings: inout Ledger,
    _ console: Console
  ) throws(PackError) -> [Inventory]? {
    var releases: [Inventory] = []
    for path in former {
      for path in try InventoryReader.releases(at: path) {
        guard let release = try reader.read([path], &findings, console.work) else { return nil }
        releases.append(release)
        reader.addKnown(release)
      }
    }
    return releases
  }

  /// Returns the updates in the history of the files; nil if it is not requested.
  private func updates(
    of now: Inventory, _ documents: [ManifestDocument], _ input: ManifestInput,
    _ project: Project, _ console: Console
  ) throws(PackError) -> UpdateHistory? {
    guard let history else { return nil }
    let packs = try now.packs.map { (pack) throws(PackError) -> HistoryOptions.Rooted in
      let document = documents.first { $0.manifest?.assetPackID == pack.id.text }
      let root = document.map {
        SourceRoot.path(
          for: $0, given: input.sourceRoot, defaultRoot: project.defaultSourceRoot.text)
      }
      if let document, let manifest = document.manifest, let root {
        return .init(manifest: manifest, place: document.source.name, root: root)
      }
      switch pack.source {
      case .files(let ready):
        return .init(manifest: ready.manifest, place: pack.place, root: ready.source.path)
      case .archive(let outline):
        return .init(
          manifest: outline.manifest, place: pack.place,
          root: input.sourceRoot ?? project.defaultSourceRoot.text)
      case .none:
        throw PackError(
          .invalidValue, "'\(pack.id)' has no manifest, so its history is unknown",
          remedy: "specify packs or manifests")
      }
    }
    let updates = try UpdateHistory(
      replaying: history.replays(of: packs, measuredBy: now, console.work), threads: threads,
      console.work)
    for note in updates.notes { console.warning(note) }
    guard !updates.updates.isEmpty else {
      throw PackError(
        .missing, "fewer than two releases contain files of the packs",
        remedy: "specify old packs or reports with '--baseline' if the files are not in Git")
    }
    return updates
  }

  private func report(
    on now: Inventory, _ before: [Inventory], _ replayed: UpdateHistory?, _ input: ManifestInput,
    _ findings: Ledger, _ work: Work
  ) throws(PackError) -> (Report, budgets: (findings: Ledger, uses: [BudgetUse])) {
    var points: [HistoryPoint] = []
    var comparison: Comparison?
    var last: Inventory?
    var updates = UpdateHistory()
    for release in before + [now] {
      if let previous = last {
        let next = try Comparison(
          from: previous, to: release, memory: memory, threads: threads, work)
        updates.append(next)
        comparison = next
      }
      let update = comparison.flatMap {
        $0.update == nil ? nil : $0.costs.largestUpdate?.wholeUpdate
      }
      points.append(HistoryPoint(release, update: update))
      last = release
    }
    let uses = input.run.budgets.map {
      BudgetUse(of: $0, by: now.holdings(update: comparison?.update))
    }
    var budgets = Ledger()
    budgets.add(uses)
    budgets.follow(input.run.policy)
    var all = findings
    all.add(contentsOf: budgets)
    let report = Report(
      now, findings: all, comparison: comparison, history: before.isEmpty ? [] : points,
      updates: replayed ?? (updates.isKnown ? updates : nil))
    return (report, (budgets, uses))
  }

  /// Returns whether a file is a report of the same type, which may be replaced.
  private static func isReport(_ path: String, like bytes: [UInt8]) -> Bool {
    guard
      let start = try? FileDescriptor.open(path, for: .reading).readToEnd(atMost: 2_000),
      start.starts(with: bytes.prefix(15))
    else { return false }
    let isPage = start.starts(with: Array("<!doctype".utf8))
    return !isPage
      || String(decoding: start, as: UTF8.self).contains(#"name="generator" content="ba-package"#)
  }

  /// Returns a text with the exact characters of paths.
  private static func exact(_ text: [UInt8]) -> [UInt8] {
    // The first byte of the characters that represent bytes.
    guard text.contains(0xF4) else { return text }
    return Array(restoringCharacters(in: String(decoding: text, as: UTF8.self)).utf8)
  }

  private func write(_ report: Report, _ console: Console) throws(PackError) {
    let time = try PackingOptions.epoch(console)
    let bytes = try mapFailure(.writing) { () throws(Failure) -> [UInt8] in
      switch format {
      case .html: try ReportPage(of: report, madeBy: "ba-package \(version)").html()
      case .json: Self.exact(ReportJSON(of: report).bytes)
      case .csv: ReportCSV(of: report).bytes
      case .markdown: Array(ReportMarkdown(of: report).text.utf8)
      case .cyclonedx:
        Self.exact(
          try ReportCycloneDX(
            of: report, tool: "ba-package", version: version, at: time
          ).bytes())
      }
    }
    if format == .markdown { StepSummary.add(String(decoding: bytes, as: UTF8.self), console) }
    if let summary = report.updates?.summary { console.summary(summary) }
    guard let output else { return console.result(bytes: bytes) }
    Leftovers.remove(beside: output, console)
    try mapFailure(.writing) { () throws(Failure) in
      try AtomicFile.write(
        bytes, to: output, replacing: replaces || Self.isReport(output, like: bytes))
    }
    console.summary(
      "Wrote '\(output)': \(Quantity.count(report.totals.packs, "pack")), "
        + "\(Quantity.count(report.totals.files, "file")), \(Quantity.bytes(UInt64(bytes.count)))")
  }
}

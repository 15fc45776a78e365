// Long because it is one command: its options, an installation, a matrix, and a scenario.
import Arguments
import BAPackKit
import DeviceSimulator
import SourceDiagnostics
import SystemIO
import TLSIdentity
import TerminalText

/// `simulate`: prints the downloads of a device, their times, and their languages.
struct SimulateCommand: Subcommand {
  private static let sources = ArgumentList(
    "packs", .file("aar", "json"), isRequired: false,
    "Packs, folders, a download manifest or an https URL (default: the packs of the project).",
    details: "The packs of a local download manifest are used if they exist.")
  private static let scenario = Option(
    "scenario", .file(), called: "path", in: .input,
    "Run the steps of this file and check its expectations.",
    details: """
      '-' is standard input. A folder selects all of its '*.scenario' files. Paths in a scenario \
      start at the current folder.
      """
  )
  private static let platform = DefaultedOption<Platform>(
    "platform", .choice, called: "platform", in: .device, default: .iOS, shownAs: "iOS",
    "Set the platform.")
  private static let system = DefaultedOption(
    "os",
    ValueType(choices: DeviceProfile.systems.map { "\($0)" }) { word throws(InvalidValue) in
      guard let system = DeviceProfile.system(written: word) else {
        throw InvalidValue("not one of the choices")
      }
      return system
    }, called: "version", in: .device, default: 27, shownAs: "27", "Set the system version.",
    details: "Systems before 27 do not support localized packs.")
  private static let language = RepeatableOption(
    "language", ManifestOptions.languageTag, called: "tag", in: .device,
    "Set a preferred language; repeatable, in order.")
  private static let primaryLanguage = Option(
    "primary-language", ManifestOptions.languageTag, called: "tag", in: .device,
    "Set the primary language of the app.",
    details: "It is the fallback if no pack has a language of the device.")
  private static let free = Option(
    "free", .decimalSize, called: "size", in: .device, "Limit the free space, for example 4G.",
    details: "Powers of 1000.")
  private static let bandwidth = Option(
    "bandwidth",
    .rate, called: "rate", in: .device, "Limit the download speed, for example 50mbit.")
  private static let explain = Flag(
    "explain", in: .output, "Print the rules that led to the result.",
    details: """
      Each rule has its source and how certain it is. Without packs, all rules are listed.
      """)
  private static let why = RepeatableOption(
    "why", .text, called: "pack", in: .output,
    "Explain why the device has or lacks this pack.")
  private static let authority = RepeatableOption(
    "ca", .file("pem", "crt"), called: "file", in: .input, "Trust this PEM certificate.",
    details: "The certificate authority of 'serve' is always trusted.")
  private static let timeout = DefaultedOption(
    "timeout", .duration, called: "time", in: .input, default: .seconds(3600), shownAs: "1h",
    "Limit the time of each download.",
    details: """
      Retries are included. The limit for a manifest is 1m. A request with less than 100 bytes a \
      second for 30 s fails.
      """)
  private static let matrix = Option<DeviceMatrix.Axis>(
    "matrix", .choice, called: "axis", in: .output, "Compare devices by languages or platforms.",
    details: """
      The table has the downloads, and the files that are missing compared with the primary \
      language or with '--platform'.
      """)
  private static let app = RepeatableOption(
    "app", .folder, called: "folder", in: .input,
    "Search sources of the app for paths that no pack has.",
    details: "Literals in Swift, C#, GDScript, C, C++ and Objective-C are searched.")
  private static let junit = Option(
    "junit", .file("xml"), called: "path", in: .output, "Write the expectations as a JUnit report.")

  static let definition = Command(
    "simulate", overview: "Simulate the downloads of a device.",
    discussion: [
      """
      Without a scenario, the app is installed. With a scenario, a failed expectation is an error \
      at its line. A failed installation or update is also an error, unless 'expect app not \
      installed' or 'expect app not updated' follows.
      """,
      """
      Where Apple's documentation is incomplete, the more pessimistic behavior is assumed and \
      marked with '?'. Sizes are decimal.
      """,
      """
      With a URL, a fault of 'serve' has the same effect as in a scenario. Other transient \
      failures are repeated at most 3 times, and each retry is reported.
      """,
      """
      With '--format json', prints one object; see 'ba-package schema --for \
      \(DocumentName.simulate.rawValue)', '--for \(DocumentName.scenario.rawValue)' for \
      '--scenario', and '--for \(DocumentName.matrix.rawValue)' for '--matrix'.
      """,
    ],
    [
      sources, scenario, app, authority, timeout,
    ] + ProjectOptions.all + [
      platform, system, language, primaryLanguage, free, bandwidth, matrix, explain, why, junit,
      ReportFormat.option, MemoryOption.option,
    ],
    exclusive: [
      ProjectOptions.exclusive,
      [scenario, matrix], [scenario, app], [scenario, why], [matrix, why], [matrix, app],
      [matrix, free], [matrix, bandwidth],
    ],
    dependent: [(junit, on: scenario)],
    examples: [
      Term(
        "ba-package simulate build/packs --language es-MX --language en",
        "Show the downloads of a new app user."),
      Term(
        "ba-package simulate --scenario update.scenario --junit report.xml",
        "Check the cost of an update in CI."),
      Term("ba-package simulate --explain", "List the rules about devices."),
    ],
    topics: ["scenarios", "faults"])

  private var sources: [String]
  private let input: ManifestOptions
  private let scenario: String?
  /// Applies the options to the device, and keeps its other properties.
  private var describe: @Sendable (inout DeviceProfile) -> Void
  private let authorities: [String]
  private let timeout: Duration
  private let matrix: DeviceMatrix.Axis?
  private let apps: [String]
  private let explains: Bool
  private let packsToExplain: [PackID]
  private let junit: String?
  private let memory: UInt64
  /// Whether the rules are the only output.
  private let listsRules: Bool
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    sources = arguments[Self.sources]
    if let path = sources.first(where: { FilePath($0).hasSuffix(".scenario") }) {
      var error = UsageError("'\(path)' is a scenario, not a pack")
      error.hint = "use '--scenario \(path)'"
      throw error
    }
    input = ManifestOptions(arguments, operands: sources)
    scenario = arguments[Self.scenario]
    describe = { profile in
      if arguments.isGiven(Self.platform) { profile.platform = arguments[Self.platform] }
      if arguments.isGiven(Self.system) { profile.system = arguments[Self.system] }
      if arguments.isGiven(Self.language) { profile.languages = arguments[Self.language] }
      profile.primaryLanguage = arguments[Self.primaryLanguage] ?? profile.primaryLanguage
      profile.free = arguments[Self.free] ?? profile.free
      profile.bytesPerSecond = arguments[Self.bandwidth] ?? profile.bytesPerSecond
    }
    authorities = arguments[Self.authority]
    timeout = arguments[Self.timeout]
    matrix = arguments[Self.matrix]
    apps = arguments[Self.app]
    explains = arguments[Self.explain]
    packsToExplain = arguments[Self.why].map { PackID($0) }
    junit = arguments[Self.junit]
    memory = UInt64(arguments[MemoryOption.option])
    format = arguments[ReportFormat.option]
    if let file = sources.first(where: { $0.lowercased().hasSuffix(".scenario") }) {
      throw UsageError("'\(file)' is a scenario, not a pack", hint: "use '--scenario \(file)'")
    }
    let needsPacks =
      !explains || matrix != nil || !apps.isEmpty || !packsToExplain.isEmpty
    if sources.isEmpty, scenario == nil, input.project.place == nil, needsPacks {
      throw UsageError(
        "Missing expected argument '<packs> ...', or '--scenario'", hint: ProjectOptions.hint)
    }
    listsRules = !needsPacks && sources.isEmpty && scenario == nil
  }

  private static let nothing = "No device was simulated"

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    if listsRules {
      SimulationReport(console, format).write(RulesResult(rules: SemanticRule.all))
      return .done
    }
    Interrupt.install()
    if let scenario {
      var command = self
      if sources.isEmpty { command.sources = try packsOfProject(console) }
      return PackInput.isFolder(scenario)
        ? try command.playAll(in: scenario, console) : try command.play([scenario], console)
    }
    guard let input = try input.opened(console, otherwise: Self.nothing) else { return .failed }
    var command = self
    if sources.isEmpty {
      guard let outputs = try ProjectOutputs(input, console, otherwise: Self.nothing) else {
        return .failed
      }
      try outputs.checkMade()
      command.sources = outputs.paths
    }
    let primaryLanguage = input.primaryLanguage
    command.describe = { [describe] profile in
      profile.primaryLanguage = primaryLanguage ?? profile.primaryLanguage
      describe(&profile)
    }
    return try command.install(console)
  }

  /// Returns the packs of the project for a scenario; none without a project, or before they are
  /// built, because a scenario may publish other packs.
  private func packsOfProject(_ console: Console) throws(PackError) -> [String] {
    guard input.project.place != nil,
      let input = try input.opened(console, otherwise: Self.nothing),
      try input.run.output() != nil,
      let outputs = try ProjectOutputs(input, console, otherwise: Self.nothing),
      outputs.paths.allSatisfy({ (try? FileStatus(ofFileAt: $0)) != nil })
    else { return [] }
    return outputs.paths
  }

  // MARK: Without a scenario

  private func install(_ console: Console) throws(PackError) -> ExitStatus {
    var reader = ReleaseReader(memory: memory)
    var findings = Ledger()
    var releases = SimulatedReleases()
    try releases.add(sources, reading: &reader, &findings, console.work)
    let downloads = try DownloadFolder.open(for: releases)
    defer { extendLifetime(downloads) }
    let world = try world(releases, downloads, console)
    console.report(findings, as: .text, of: RuleCatalogue.rules(of: .publishing))
    if findings.hasErrors { return .failed }
    let report = SimulationReport(console, format)
    let profile = self.profile
    if let matrix {
      let table = try DeviceMatrix(matrix, for: profile) { (platform) throws(PackError) in
        try world.whole(0, for: platform, console.work)
      }
      let rules = SemanticRule.all.filter(Set(table.rows.flatMap(\.rules)).contains)
      report.write(MatrixResult(matrix: table, rules: explains ? rules : nil))
      return .done
    }
    var start = DeviceState()
    start.profile = profile
    start.server = 0
    let (device, events) = start.after(.install, in: world)
    try console.work.checkCancellation()
    let asked = try askedPaths(
      world.whole(0, for: profile.platform, console.work), console.work)
    let shared = SharedPaths(of: device.manifest ?? Release("", []), for: profile, in: world)
    report.write(
      InstallationResult(
        events: events, device: device, shared: shared, asked: asked,
        reasons: packsToExplain.map { PackReason($0, on: device, after: events) },
        rules: explains ? events.rules : nil))
    if let trouble = Self.trouble(events, device) { throw trouble }
    return .done
  }

  /// Returns the first error of a server or of its data, as opposed to properties of the device.
  private static func trouble(_ events: [Event], _ device: DeviceState) -> PackError? {
    var packs: [String] = []
    var reason: String?
    for event in events {
      if case .manifestFailed(let why) = event.kind {
        reason = reason ?? why
      } else if case .failed(let id, .trouble(let why)) = event.kind {
        packs.append(id.text)
        reason = reason ?? "cannot download '\(id)': \(why)"
      } else if let failure = event.kind.failure, !device.hasApp {
        reason = reason ?? "cannot download '\(failure.id)': \(failure.reason.phrase)"
      }
    }
    guard let reason else { return nil }
    let others = Quantity.count(packs.count - 1, "other pack")
    let more = packs.count > 1 ? "; \(others) failed, too" : ""
    return PackError(.missing, (device.hasApp ? "" : "the app is not installed: ") + reason + more)
  }

  /// The device that the options describe.
  private var profile: DeviceProfile {
    var profile = DeviceProfile()
    describe(&profile)
    return profile
  }

  /// Returns the releases as a device sees them; retries are reported immediately.
  private func world(
    _ releases: SimulatedReleases, _ downloads: borrowing DownloadFolder, _ console: Console
  ) throws(PackError) -> ReleaseSource {
    var options = RemoteServer.Options()
    options.memory = memory
    options.threads = ProcessState.processorCount
    options.timeout = timeout
    options.retried = { console.summary($0.text) }
    return try releases.world(
      keepingIn: downloads, options, trusting: trusted(console), console.work)
  }

  /// Returns the certificates to trust in addition to those of the system: the given ones, and the
  /// root of `serve`.
  private func trusted(_ console: Console) -> [String] {
    guard let own = try? KeepingOptions.identityFolder(nil, console).rootPath,
      (try? FileStatus(ofFileAt: own)) != nil
    else { return authorities }
    return authorities + [own]
  }

  private func askedPaths(
    _ release: @autoclosure () throws(PackError) -> Release, _ work: Work
  ) throws(PackError) -> AskedPaths? {
    guard !apps.isEmpty else { return nil }
    let release = try release()
    guard release.knowsContents else {
      throw PackError(
        .missing, "the files in the packs are unknown: no packs were specified",
        remedy: "also specify the packs")
    }
    var asked = AskedPaths(of: release)
    for app in apps { try asked.search(in: app, work) }
    return asked
  }

  // MARK: Scenarios

  /// Runs the scenarios in a folder, in the order of their names.
  private func playAll(in folder: String, _ console: Console) throws(PackError) -> ExitStatus {
    let names = try mapFailure(.reading) { () throws(Failure) in
      let listing = try FileDescriptor.open(folder, for: .directory).list()
      return listing.items.map { listing.fileName(of: $0) }
    }
    let scenarios = names.filter { $0.bytes.suffix(9).elementsEqual(".scenario".utf8) }
    guard !scenarios.isEmpty else {
      throw PackError(.missing, "no file in '\(folder)' ends in '.scenario'")
    }
    return try play(scenarios.map { FilePath(folder).appending($0).text }, console)
  }

  /// Runs scenarios, each with a separate device, and writes one report of all.
  private func play(_ paths: [String], _ console: Console) throws(PackError) -> ExitStatus {
    var runs: [ScenarioRun] = []
    var failures = 0
    for path in paths {
      let run =
        try paths.count == 1
        ? played(path, console)
        : console.attempt { () throws(PackError) in try played(path, console) }
      if let run { runs.append(run.0) }
      if run?.failed ?? true { failures += 1 }
    }
    if let junit {
      try ScenarioRun.junit(of: runs).write(to: junit)
    }
    if paths.count > 1 {
      console.summary(
        "\(Quantity.count(paths.count, "scenario")): "
          + (failures == 0 ? "all passed" : "\(failures) failed"))
    }
    return failures == 0 ? .done : .failed
  }

  /// Runs one scenario, and reports its events.
  private func played(
    _ path: String, _ console: Console
  ) throws(PackError) -> (ScenarioRun, failed: Bool) {
    let limit = ScenarioDocument.largestText + 1
    let bytes = try mapFailure(.reading) { () throws(Failure) in
      path == "-"
        ? try console.readInput(atMost: limit)
        : try FileDescriptor.open(path, for: .waiting(console.work)).readToEnd(atMost: limit)
    }
    let name = path == "-" ? ManifestInput.standardInput : path
    let document = ScenarioDocument(
      parsing: bytes, named: name, profile: profile, hasRelease: !sources.isEmpty)
    var findings = Ledger()
    var reader = ReleaseReader(memory: memory)
    let releases = try read(document, &reader, &findings, console.work)
    let downloads = try DownloadFolder.open(for: releases)
    defer { extendLifetime(downloads) }
    var state = DeviceState()
    state.profile = profile
    state.server = sources.isEmpty ? nil : 0
    let run = ScenarioRun(
      document, from: state, in: try world(releases, downloads, console),
      releases: releases.releases, unread: releases.unread)
    try console.work.checkCancellation()
    findings.add(contentsOf: run.findings)
    let report = SimulationReport(console, format)
    report.write(ScenarioResult(run: run, rules: explains ? run.events.rules : nil))
    let expectations = run.moments.count { $0.isMet != nil }
    console.conclude(
      findings, about: "\(name): \(Quantity.count(expectations, "expectation"))",
      failed: findings.hasErrors, as: .text, of: ScenarioRules.all)
    return (run, findings.hasErrors)
  }
}

extension SimulateCommand {
  /// Reads the files that a scenario names.
  private func read(
    _ document: ScenarioDocument, _ reader: inout ReleaseReader, _ findings: inout Ledger,
    _ work: Work
  ) throws(PackError) -> SimulatedReleases {
    var releases = SimulatedReleases()
    // A scenario with errors is not run.
    if document.findings.hasErrors { return releases }
    for source in document.releases {
      guard source.span != nil else {
        try releases.add(sources, reading: &reader, &findings, work)
        continue
      }
      do throws(PackError) {
        try releases.add(source.paths, reading: &reader, &findings, work)
      } catch {
        guard error.kind != .interrupted else { throw error }
        releases.add(unreadable: source.paths, error)
      }
    }
    return releases
  }
}

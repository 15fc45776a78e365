import Arguments
import BAPackKit
import DeviceSimulator
import SourceDiagnostics
import SystemIO
import TLSIdentity
import TerminalText

/// One run of `simulate`.
struct SimulateRun {
  private let settings: SimulateCommand
  /// The packs, releases and servers.
  private let sources: [String]
  private let profile: DeviceProfile
  private let console: Console
  /// The reason why the project has no packs.
  private let absence: PackError?

  init(
    _ settings: SimulateCommand, _ sources: [String], _ profile: DeviceProfile, _ console: Console,
    absence: PackError? = nil
  ) {
    self.absence = absence
    self.settings = settings
    self.sources = sources
    self.profile = profile
    self.console = console
  }

  // MARK: Without a scenario

  func install() throws(PackError) -> ExitStatus {
    var reader = ReleaseReader(memory: settings.memory)
    var findings = Ledger()
    var releases = SimulatedReleases()
    try releases.add(sources, reading: &reader, &findings, console.work)
    let downloads = try DownloadFolder.open(for: releases)
    defer { extendLifetime(downloads) }
    let source = try releaseSource(releases, downloads)
    console.report(findings, as: .text, of: RuleCatalogue.rules(of: .publishing))
    if findings.hasErrors { return .failed }
    let report = SimulationReport(console, settings.format)
    if let matrix = settings.matrix {
      let table = try DeviceMatrix(matrix, for: profile) { (platform) throws(PackError) in
        try source.whole(0, for: platform, console.work)
      }
      let rules = SemanticRule.all.filter(Set(table.rows.flatMap(\.rules)).contains)
      report.write(MatrixResult(matrix: table, rules: settings.explains ? rules : nil))
      return .done
    }
    var start = DeviceState()
    start.profile = profile
    start.publish(0)
    let (device, events) = start.after(.install, in: source)
    try console.work.checkCancellation()
    let shared = SharedPaths(of: device.knownRelease, for: profile, in: source)
    report.write(
      InstallationResult(
        events: events, device: device, shared: shared,
        reasons: settings.packsToExplain.map { PackReason($0, on: device, after: events) },
        rules: settings.explains ? events.rules : nil))
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

  /// Returns the releases as a device sees them; retries are reported immediately.
  private func releaseSource(
    _ releases: SimulatedReleases, _ downloads: borrowing DownloadFolder
  ) throws(PackError) -> ReleaseSource {
    var options = RemoteServer.Options()
    options.memory = settings.memory
    options.threads = ProcessState.processorCount
    options.timeout = settings.timeout
    options.retried = { console.summary($0.text) }
    return try releases.world(
      keepingIn: downloads, options, trusting: trusted(), console.work)
  }

  /// Returns the certificates to trust in addition to those of the system: the given ones, and the
  /// root of `serve`.
  private func trusted() -> [String] {
    guard let own = try? KeepingOptions.identityFolder(nil, console).rootPath,
      (try? FileStatus(ofFileAt: own)) != nil
    else { return settings.authorities }
    return settings.authorities + [own]
  }

  // MARK: Scenarios

  /// Runs a scenario, or those in a folder, in the order of their names.
  func play(_ scenario: String) throws(PackError) -> ExitStatus {
    guard PackInput.isFolder(scenario) else { return try play([scenario]) }
    let names = try mapFailure(.reading) { () throws(Failure) in
      let listing = try FileDescriptor.open(scenario, for: .directory).list()
      return listing.items.map { listing.fileName(of: $0) }
    }
    let scenarios = names.filter { $0.bytes.suffix(9).elementsEqual(".scenario".utf8) }
    guard !scenarios.isEmpty else {
      throw PackError(.missing, "no file in '\(scenario)' ends in '.scenario'")
    }
    return try play(scenarios.map { FilePath(scenario).appending($0).text })
  }

  /// Runs scenarios, each with a separate device, and writes one report of all.
  private func play(_ paths: [String]) throws(PackError) -> ExitStatus {
    var runs: [ScenarioRun] = []
    var failures = 0
    for path in paths {
      let run =
        try paths.count == 1
        ? played(path)
        : console.attempt { () throws(PackError) in try played(path) }
      if let run { runs.append(run.0) }
      if run?.failed ?? true { failures += 1 }
    }
    if let junit = settings.junit {
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
  private func played(_ path: String) throws(PackError) -> (ScenarioRun, failed: Bool) {
    let limit = ScenarioDocument.largestText + 1
    let bytes = try mapFailure(.reading) { () throws(Failure) in
      path == "-"
        ? try console.readInput(atMost: limit)
        : try FileDescriptor.open(path, for: .waiting(console.work)).readToEnd(atMost: limit)
    }
    let name = path == "-" ? ManifestInput.standardInput : path
    let document = ScenarioDocument(
      parsing: bytes, named: name, profile: profile, hasRelease: !sources.isEmpty,
      overriding: settings.override)
    if let absence, document.needsRelease { throw absence }
    var findings = Ledger()
    var reader = ReleaseReader(memory: settings.memory)
    let releases = try read(document, &reader, &findings)
    let downloads = try DownloadFolder.open(for: releases)
    defer { extendLifetime(downloads) }
    var state = DeviceState()
    state.profile = profile
    if !sources.isEmpty { state.publish(0) }
    let run = ScenarioRun(
      document, from: state, in: try releaseSource(releases, downloads),
      releases: releases.releases, unread: releases.unread)
    try console.work.checkCancellation()
    findings.add(contentsOf: run.findings)
    let report = SimulationReport(console, settings.format)
    report.write(ScenarioResult(run: run, rules: settings.explains ? run.events.rules : nil))
    let expectations = run.moments.count { $0.isMet != nil }
    console.conclude(
      findings, about: "\(name): \(Quantity.count(expectations, "expectation"))",
      failed: findings.hasErrors, as: .text, of: ScenarioRules.all)
    return (run, findings.hasErrors)
  }

  /// Reads the files that a scenario names.
  private func read(
    _ document: ScenarioDocument, _ reader: inout ReleaseReader, _ findings: inout Ledger
  ) throws(PackError) -> SimulatedReleases {
    var releases = SimulatedReleases()
    // A scenario with errors is not run.
    if document.findings.hasErrors { return releases }
    for source in document.releases {
      guard source.span != nil else {
        try releases.add(sources, reading: &reader, &findings, console.work)
        continue
      }
      do throws(PackError) {
        try releases.add(source.paths, reading: &reader, &findings, console.work)
      } catch {
        guard error.kind != .interrupted else { throw error }
        releases.add(unreadable: source.paths, error)
      }
    }
    return releases
  }
}

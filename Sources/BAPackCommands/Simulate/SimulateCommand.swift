import Arguments
import BAPackKit
import DeviceSimulator
import SourceDiagnostics
import SystemIO
import TLSIdentity

/// `simulate`: what a device would download, when, and in which language.
struct SimulateCommand: Subcommand {
  private static let sources = ArgumentList(
    "packs", .file("aar", "json"), isRequired: false,
    """
    Packs, folders of packs, a download manifest, with its packs behind it if they are here, or the \
    https:// address of a server or of a manifest.
    """)
  private static let scenario = Option(
    "scenario", .file(), called: "path",
    "Play the steps in this file, and check what it expects; its paths start at the current folder."
  )
  private static let platform = DefaultedOption<Platform>(
    "platform", .choice, called: "platform", default: .iOS, shownAs: "iOS", "The kind of device.")
  private static let system = DefaultedOption(
    "os",
    ValueType(choices: DeviceProfile.systems.map { "\($0)" }) { word throws(InvalidValue) in
      guard let system = Int(word), DeviceProfile.systems.contains(system) else {
        throw InvalidValue("not one of the choices")
      }
      return system
    }, called: "version", default: 27, shownAs: "27",
    "The version of its system; before 27 there are no localized packs.")
  private static let language = RepeatableOption(
    "language", ManifestInput.languageTag, called: "tag",
    "A language of its owner; the most wanted first.")
  private static let primaryLanguage = Option(
    "primary-language", ManifestInput.languageTag, called: "tag",
    "The app's primary language, which devices get whose own no pack has.")
  private static let free = Option(
    "free",
    ValueType<UInt64> { word throws(InvalidValue) in
      guard let size = ByteCount.readDecimal(word) else {
        throw InvalidValue("a size such as 4G or 500M is needed, in powers of 1000")
      }
      return size
    }, called: "size", "How much room it has for packs; 4G is 4,000,000,000 bytes.")
  private static let bandwidth = Option(
    "bandwidth",
    .rate, called: "rate", "How fast it downloads.")
  private static let explain = Flag(
    "explain",
    "Say which rules led to that, how sure each is, and who says so; without packs, list all rules."
  )
  private static let state = Option(
    "state", .folder, called: "folder",
    "Keep the device in this folder between runs: where the app is there already, see its updates.")
  private static let authority = RepeatableOption(
    "ca", .file("pem", "crt"), called: "file",
    """
    Also trust this certificate, in PEM form, when packs are downloaded; the one of 'ba-package \
    identity' is trusted in any case.
    """)
  private static let matrix = Option<DeviceMatrix.Axis>(
    "matrix", .choice, called: "axis",
    """
    Show devices side by side, for each language or platform: what is downloaded, and which files are \
    missing compared with the primary language, or with '--platform'.
    """)
  private static let app = RepeatableOption(
    "app", .folder, called: "folder",
    """
    Also look into the app's sources (Swift, C#, GDScript, C++) for literals that look like paths, and \
    that no pack has.
    """)
  private static let junit = Option(
    "junit", .file("xml"), called: "path", "Also write the expectations as a JUnit report.")

  static let definition = Command(
    "simulate",
    overview: "Shows what a device would download, when, and in which language.",
    discussion: [
      """
      Without a scenario, the app is installed. A scenario has one step a line, and '#' begins a \
      comment: \(steps). What is expected in vain is a finding at its line, and the command fails.
      """,
      """
      Where Apple documents nothing the more pessimistic reading is taken, and marked '?'. Sizes are \
      decimal. With '--format json', one object: the whole timeline, and the rules behind each event.
      """,
    ],
    [
      sources, scenario, platform, system, language, primaryLanguage, free, bandwidth, state,
      authority, matrix, app, explain, junit, MemoryOption.option, ReportFormat.option,
    ],
    exclusive: [
      [scenario, matrix], [scenario, app], [matrix, state], [matrix, app], [matrix, free],
      [matrix, bandwidth],
    ],
    dependent: [(junit, on: scenario)],
    examples: [
      Term(
        "ba-package simulate build/packs --language es-MX --language en --free 4G",
        "See what a new player downloads."),
      Term(
        "ba-package simulate --scenario update.scenario --junit report.xml",
        "Check in CI what an update costs."),
      Term("ba-package simulate --explain", "List what is known of devices, and what is not."),
    ])

  private static var steps: String {
    ScenarioDocument.steps.map { "'\($0)'" }.joined(separator: ", ")
  }

  private let sources: [String]
  private let scenario: String?
  private let profile: DeviceProfile
  private let state: String?
  private let authorities: [String]
  private let matrix: DeviceMatrix.Axis?
  private let apps: [String]
  private let explains: Bool
  private let junit: String?
  private let memory: UInt64
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    sources = arguments[Self.sources]
    scenario = arguments[Self.scenario]
    var profile = DeviceProfile()
    profile.platform = arguments[Self.platform]
    profile.system = arguments[Self.system]
    profile.languages = arguments[Self.language]
    profile.primaryLanguage = arguments[Self.primaryLanguage]
    profile.free = arguments[Self.free]
    profile.bytesPerSecond = arguments[Self.bandwidth]
    self.profile = profile
    state = arguments[Self.state]
    authorities = arguments[Self.authority]
    matrix = arguments[Self.matrix]
    apps = arguments[Self.app]
    explains = arguments[Self.explain]
    junit = arguments[Self.junit]
    memory = UInt64(arguments[MemoryOption.option])
    format = arguments[ReportFormat.option]
    if sources.isEmpty, scenario == nil, !explains {
      throw UsageError("Missing expected argument '<packs> ...', or '--scenario'")
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    if sources.isEmpty, scenario == nil {
      SimulationReport(console, format).explain(SemanticRule.all)
      return .done
    }
    if let scenario { return try play(scenario, console) }
    return try install(console)
  }

  // MARK: Without a scenario

  private func install(_ console: Console) throws(PackError) -> ExitStatus {
    var kept = try state.map { path throws(PackError) in try Kept(path, console) } ?? Kept()
    var reader = ReleaseReader(memory: memory, versions: kept.versions)
    var findings = Ledger()
    let downloads = try DownloadFolder.open(for: [sources], keeping: state)
    defer { extendLifetime(downloads) }
    let world = try SimulatedWorld(
      [sources], reading: &reader, &findings, keepingIn: downloads, trusting: trusted(console))
    console.report(findings, as: .text, of: RuleCatalogue.rules(of: .publishing))
    if findings.hasErrors { return .failed }
    let report = SimulationReport(console, format)
    if let matrix {
      let table = DeviceMatrix(matrix, of: try world.whole(0, for: profile.platform), for: profile)
      report.matrix(table)
      if explains {
        report.explain(SemanticRule.all.filter(Set(table.rows.flatMap(\.rules)).contains))
      }
      return .done
    }
    var device = kept.device
    device.profile = profile
    device.server = 0
    var events: [Event] = []
    for step in device.hasApp ? [Step.launch, .checkForUpdates] : [.install] {
      let result = device.after(step, in: world.world)
      device = result.state
      events += result.events
    }
    try kept.keep(device, reader)
    let asked = try askedPaths(world.whole(0, for: profile.platform))
    let shared = SharedPaths(
      of: device.manifest ?? Release("", []), for: profile, in: world.world)
    report.installation(events, device, shared, asked)
    if explains { report.explain(events.rules) }
    return device.hasApp ? .done : .failed
  }

  /// Certificates that are trusted besides the system's: those that were given, and our own.
  private func trusted(_ console: Console) -> [String] {
    guard let own = try? KeepingOptions.identityFolder(nil, console).rootPath,
      (try? FileStatus(ofFileAt: own)) != nil
    else { return authorities }
    return authorities + [own]
  }

  private func askedPaths(
    _ release: @autoclosure () throws(PackError) -> Release
  ) throws(PackError) -> AskedPaths? {
    guard !apps.isEmpty else { return nil }
    let release = try release()
    guard release.knowsContents else {
      throw PackError(
        .missing, "which files are in the packs is not known: no packs given",
        remedy: "name the packs, too")
    }
    var asked = AskedPaths(of: release)
    for app in apps { try asked.look(into: app) }
    return asked
  }

  // MARK: Scenarios

  private func play(_ path: String, _ console: Console) throws(PackError) -> ExitStatus {
    let bytes = try during(.reading) { () throws(Failure) in
      try FileDescriptor.open(path, for: .waiting)
        .readToEnd(atMost: ScenarioDocument.largestText + 1)
    }
    let document = ScenarioDocument(
      parsing: bytes, named: path, profile: profile, hasRelease: !sources.isEmpty)
    var findings = Ledger()
    var kept = try self.state.map { path throws(PackError) in try Kept(path, console) } ?? Kept()
    var reader = ReleaseReader(memory: memory, versions: kept.versions)
    let sources = document.releases.map { $0.isEmpty ? self.sources : $0 }
    let downloads = try DownloadFolder.open(for: sources, keeping: self.state)
    defer { extendLifetime(downloads) }
    let world = try SimulatedWorld(
      sources, reading: &reader, &findings, keepingIn: downloads, trusting: trusted(console))
    var state = kept.device
    state.profile = profile
    state.server = self.sources.isEmpty ? nil : 0
    let run = ScenarioRun(
      document, from: state, in: world.world, releases: world.isKnown ? world.releases : [])
    try kept.keep(run.state, reader)
    findings.add(contentsOf: run.findings)
    if let junit {
      try during(.writing) { () throws(Failure) in
        try AtomicFile.write(Array(run.junit.utf8), to: junit, replacing: true)
      }
    }
    let report = SimulationReport(console, format)
    report.timeline(run)
    if explains { report.explain(run.rules) }
    let expectations = run.moments.count { $0.isMet != nil }
    console.conclude(
      findings, about: "\(path): \(Quantity.count(expectations, "expectation"))",
      failed: findings.hasErrors, as: .text, of: RuleCatalogue.rules(of: .simulating))
    return findings.hasErrors ? .failed : .done
  }
}

/// The device that a run begins with, and where it is kept afterwards.
private struct Kept: ~Copyable {
  private var folder: StateFolder?
  let device: DeviceState
  let versions: [PackID: ReleaseReader.KnownVersion]

  /// A new device, which nobody keeps.
  init() {
    folder = nil
    device = DeviceState()
    versions = [:]
  }

  init(_ path: String, _ console: Console) throws(PackError) {
    let opened = try StateFolder(path) {
      console.summary("Waiting: another run has the device in '\(path)'.")
    }
    device = opened.state
    versions = opened.versions
    folder = consume opened
  }

  mutating func keep(_ device: DeviceState, _ reader: ReleaseReader) throws(PackError) {
    guard let folder = folder.take() else { return }
    try folder.keep(device, versions: try reader.recorded())
  }
}

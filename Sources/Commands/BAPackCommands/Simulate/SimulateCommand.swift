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
    details: """
      The packs of a local download manifest are used if they exist. In a project, a pack can also \
      be an ID or a pattern of IDs.
      """)
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
    ValueType(choices: DeviceSystem.supported.map { "\($0)" }) { word throws(InvalidValue) in
      guard let system = DeviceSystem(word) else {
        throw InvalidValue("not one of the choices")
      }
      return system
    }, called: "version", in: .device, default: DeviceSystem(27), shownAs: "27",
    "Set the system version.",
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
      sources, scenario, authority, timeout,
    ] + ProjectOptions.all + [
      platform, system, language, primaryLanguage, free, bandwidth, matrix, explain, why, junit,
      ReportFormat.option, MemoryOption.option,
    ],
    exclusive: [
      ProjectOptions.exclusive,
      [scenario, matrix], [scenario, why], [matrix, why], [matrix, free], [matrix, bandwidth],
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

  let sources: [String]
  private let input: ManifestOptions
  private let scenario: String?
  /// Applies the options to the device, and keeps its other properties.
  private let describe: @Sendable (inout DeviceProfile) -> Void
  let authorities: [String]
  let timeout: Duration
  let matrix: DeviceMatrix.Axis?
  let explains: Bool
  let packsToExplain: [PackID]
  /// Applies the options to a device of a scenario.
  var override: @Sendable (inout DeviceProfile) -> Void { describe }
  let junit: String?
  let memory: UInt64
  /// Whether the rules are the only output.
  private let listsRules: Bool
  let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    sources = arguments[Self.sources]
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
    explains = arguments[Self.explain]
    packsToExplain = arguments[Self.why].map { PackID($0) }
    junit = arguments[Self.junit]
    memory = UInt64(arguments[MemoryOption.option])
    format = arguments[ReportFormat.option]
    if let file = sources.first(where: { $0.lowercased().hasSuffix(".scenario") }) {
      throw UsageError("'\(file)' is a scenario, not a pack", hint: "use '--scenario \(file)'")
    }
    let needsPacks = !explains || matrix != nil || !packsToExplain.isEmpty
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
    guard let known = try PackOperands(input, console, otherwise: Self.nothing) else {
      return .failed
    }
    var sources: [String] = []
    for source in self.sources { sources += try known.resolve(source) }
    if let scenario {
      let project = sources.isEmpty ? try packsOfProject(console) : nil
      return try SimulateRun(
        self, project?.packs ?? sources, profile(), console, absence: project?.absence
      ).play(scenario)
    }
    guard let input = try input.opened(console, otherwise: Self.nothing) else { return .failed }
    if sources.isEmpty {
      guard let outputs = try ProjectOutputs(input, console, otherwise: Self.nothing) else {
        return .failed
      }
      try outputs.checkMade()
      sources = outputs.paths
    }
    return try SimulateRun(self, sources, profile(input.primaryLanguage), console).install()
  }

  /// Returns the device of the options; `primaryLanguage` is that of the project.
  private func profile(_ primaryLanguage: LanguageTag? = nil) -> DeviceProfile {
    var profile = DeviceProfile()
    profile.primaryLanguage = primaryLanguage ?? profile.primaryLanguage
    describe(&profile)
    return profile
  }

  /// Returns the packs of the project for a scenario; none without a project, or before they are
  /// built, because a scenario may publish other packs.
  ///
  /// If they are not built, the error is for a scenario that publishes no others.
  private func packsOfProject(
    _ console: Console
  ) throws(PackError) -> (packs: [String], absence: PackError?) {
    guard input.project.place != nil,
      let input = try input.opened(console, otherwise: Self.nothing),
      try input.run.output() != nil,
      let outputs = try ProjectOutputs(input, console, otherwise: Self.nothing)
    else { return ([], nil) }
    do throws(PackError) {
      try outputs.checkMade()
      return (outputs.paths, nil)
    } catch {
      return ([], error)
    }
  }
}

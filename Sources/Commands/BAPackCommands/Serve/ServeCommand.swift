import Arguments
import AssetServer
import BAPackKit
import Faults
import SystemIO
import TLSIdentity
import TerminalText

/// `serve`: a server for test devices.
struct ServeCommand: Subcommand {
  private static let operands = ArgumentList(
    "packs", .file("aar"), elsewhere: ProjectOptions.hint, triedAs: ManifestOptions.inputGuesses,
    "Packs, folders or IDs of packs (default: the packs of the project).")
  private static let host = Option(
    "host", .host, called: "host", in: .server, "Set the host name or IP address for devices.",
    details: """
      The default is the address of the default route. With a loopback address, only this machine \
      can connect.
      """)
  private static let port = DefaultedOption(
    "port", .port, called: "port", in: .server, default: 8443, shownAs: "8443", "Set the port.",
    details: "0 selects a free port, also for the other ports.")
  private static let versions = OptionList(
    "asset-pack-versions", .number(in: 0...Int.max), called: "version", in: .server,
    "Set the versions of the packs, in their order.",
    details: "Without it, the version of a changed pack is incremented and never decreases.")
  private static let identityPath = RepeatableOption(
    "identity-path", .file("pem"), called: "path", in: .certificate,
    "Use this PEM certificate; repeat for its key file.",
    details: "Intermediate certificates follow the certificate in the file.")
  private static let automatic = Flag(
    "choose-identity-automatically", in: .certificate,
    "Accepted for compatibility; has no effect.")
  private static let unconstrained = Flag(
    "no-name-constraints", in: .certificate,
    "Create a certificate authority for any host.",
    details: """
      Without it, a new authority is restricted to the network of this machine. The restriction is \
      tested with OpenSSL, but not on devices.
      """)
  private static let noLanguage = Flag(
    "no-language", in: .server, "Omit languages from the download manifest.",
    details: "The behavior of devices with a language in this manifest is undocumented.")
  private static let user = Option(
    "user", .text, called: "name", in: .server,
    "Require this user and the password in BA_SERVE_PASSWORD.",
    details: "On a device, the URL of the override is https://name:password@host.")
  private static let watch = Flag(
    "watch", in: .server, "Serve changed and new packs without a restart.")

  private static let pack = Flag(
    "pack", in: .server, "Pack the project's changed files and serve the packs.",
    details: """
      Watches the manifests and their files. A pack with changed bytes has a new version. After a \
      build with errors, the old packs are served.
      """)

  private static let latency = Option(
    "latency", .duration, called: "time", in: .fault, "Delay every response, for example 200ms.")
  private static let throttle = Option(
    "throttle", .rate, called: "rate", in: .fault, "Limit the speed of each device, such as 3mbit.")
  private static let offline = Flag(
    "offline", in: .fault, "Close connections without a response.",
    details: "The live page disables this.")
  private static let fault = RepeatableOption<DownloadFault>(
    "fault", .fault(), called: "fault", in: .fault,
    "Cause a fault, such as 'level-*: cut 60%'; repeatable.",
    details: "See 'ba-package help faults'.")

  private static let noEnrolment = Flag(
    "no-enrolment", in: .certificate, "Disable the page that installs the certificate.")
  private static let enrolmentPort = Option(
    "enrolment-port", .port, called: "port", in: .certificate,
    "Set the port of the enrolment page (default: 8480).")
  private static let noPage = Flag("no-page", in: .server, "Disable the live page.")
  private static let pagePort = Option(
    "page-port", .port, called: "port", in: .server,
    "Set the port of the live page (default: 8481).")

  private static let log = Option(
    "log", .file("jsonl"), called: "path", in: .output, "Append each request to this file as JSON.",
    details: "One object a line; see 'ba-package schema --for requests'.")
  private static let readyFile = Option(
    "ready-file", .file("json"), called: "path", in: .output,
    "Write the URLs to this file when the server is ready.",
    details: "The file is removed at the end; see 'ba-package schema --for serve-ready'.")
  private static let idle = Option(
    "exit-when-idle", .duration, called: "time", in: .server,
    "Exit after this long without requests, such as 60s.")
  private static let exec = Flag(
    "exec", in: .server, "Run a command and stop the server when it ends.",
    details: """
      The command follows '--' and runs without a shell. Its exit status is the result, or 127 if \
      it does not exist.
      """)
  private static let command = TrailingWords("command", with: exec, "The command to run.")

  static let definition = Command(
    "serve", overview: "Serve packs over HTTPS to test devices.",
    discussion: [
      """
      The first run creates a certificate authority and shows a QR code with which a device trusts \
      it. Every pack is verified before it is served. The version of a changed pack is \
      incremented and never decreases, also in later runs.
      """,
      """
      On the device, open Settings > Developer > Development Overrides > URL Override, and enter \
      the printed URL. TestFlight and App Store builds ignore the override. If a device keeps \
      its old manifest after a restart of the server, enter the URL again. Essential packs are \
      downloaded only when the app requests them.
      """,
      """
      A device requires permission of its user before an app uses the local network. Add \
      NSLocalNetworkUsageDescription to the app, and start a request in the app before its \
      extension downloads. If the app ends at its first call, or downloads nothing, \
      'ba-package app check' names the cause.
      """,
      """
      A fault applies only to responses whose body it changes. Responses to HEAD, and with status \
      304, 412 or 416, do not count.
      """,
      """
      With '--format json', prints one object a line; see 'ba-package schema --for \
      \(DocumentName.serve.rawValue)'. The command of '--exec' has the URLs, the certificate and \
      the token in BA_BASE_URL, BA_PAGE_URL, BA_CA_FILE and BA_CONTROL_TOKEN.
      """,
    ],
    [operands] + ProjectOptions.all + [
      host, port, versions, noLanguage, user, watch, pack, KeepingOptions.state, pagePort, noPage,
      idle, exec, latency, throttle, offline, fault, KeepingOptions.identity, identityPath,
      automatic,
      unconstrained, enrolmentPort, noEnrolment, log, readyFile, ReportFormat.option,
      MemoryOption.option, command,
    ],
    exclusive: [
      [exec, idle], [pack, watch], [pack, versions],
      ProjectOptions.exclusive,
      [enrolmentPort, noEnrolment], [pagePort, noPage], [identityPath, unconstrained],
      [identityPath, KeepingOptions.identity],
    ],
    examples: [
      Term("ba-package serve build/packs", "Serve the packs in a folder."),
      Term("ba-package serve --pack", "Pack and serve each changed file of the project."),
      Term(
        "ba-package serve build/packs --watch --fault 'level-*: cut 60% once'",
        "Test how the app handles an interrupted download."),
      Term(
        "ba-package serve build/packs --host localhost --port 0 --exec -- python3 check.py",
        "Run a test against the server."),
    ],
    topics: ["faults", "project-file"])

  private let settings: ServeSettings
  private let input: ManifestOptions
  /// Whether the packs of the project are built, and rebuilt.
  private let isBuilding: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    var settings = ServeSettings()
    settings.operands = arguments[Self.operands]
    settings.host = arguments[Self.host]
    settings.port = UInt16(arguments[Self.port])
    settings.versions = try Self.versions(arguments, for: settings.operands)
    settings.identityPaths = arguments[Self.identityPath]
    guard settings.identityPaths.count <= 2 else {
      throw UsageError(
        "'--identity-path' accepts a certificate and its key: \(settings.identityPaths.count) "
          + "files are too many")
    }
    settings.isConstrained = !arguments[Self.unconstrained]
    settings.identityFolder = arguments[KeepingOptions.identity]
    settings.stateFolder = arguments[KeepingOptions.state]
    settings.showsLanguages = !arguments[Self.noLanguage]
    settings.user = arguments[Self.user]
    if let user = settings.user, user.isEmpty || user.contains(":") {
      throw UsageError("the name of '--user' cannot be empty or contain ':'")
    }
    settings.isWatching = arguments[Self.watch]
    isBuilding = arguments[Self.pack]
    settings.latency = arguments[Self.latency] ?? .zero
    settings.bytesPerSecond = arguments[Self.throttle]
    settings.isOffline = arguments[Self.offline]
    settings.faults = arguments[Self.fault]
    let usual: (UInt16) -> UInt16 = { settings.port == 0 ? 0 : $0 }
    if !arguments[Self.noEnrolment], settings.identityPaths.isEmpty {
      settings.enrolmentPort = arguments[Self.enrolmentPort].map { UInt16($0) } ?? usual(8480)
    } else if arguments.isGiven(Self.enrolmentPort), !settings.identityPaths.isEmpty {
      throw UsageError(
        "'--enrolment-port' has no effect with '--identity-path': there is no root certificate to "
          + "install"
      )
    }
    if !arguments[Self.noPage] {
      settings.pagePort = arguments[Self.pagePort].map { UInt16($0) } ?? usual(8481)
    }
    settings.memory = UInt64(arguments[MemoryOption.option])
    settings.log = arguments[Self.log]
    settings.readyFile = arguments[Self.readyFile]
    settings.idleTime = arguments[Self.idle]
    settings.command = arguments[Self.command]
    settings.format = arguments[ReportFormat.option]
    if arguments[Self.exec], settings.command.isEmpty {
      throw UsageError("Missing command after '--', for example '--exec -- python3 check.py'")
    }
    self.settings = settings
    input = ManifestOptions(arguments, operands: settings.operands)
    if isBuilding, input.project.place == nil { throw ProjectOptions.missing }
    if isBuilding, let operand = settings.operands.first {
      throw UsageError(
        "'--pack' serves the packs of the project, and '\(operand)' was given",
        hint: "use '--watch' for packs that another command builds")
    }
  }

  private static func versions(
    _ arguments: ParsedArguments, for operands: [String]
  ) throws(UsageError) -> [Int?] {
    let given = arguments[versions]
    guard !given.isEmpty, given.count != operands.count else { return given }
    throw UsageError(
      "'--asset-pack-versions' requires one version for each pack, in the same order: "
        + "\(Quantity.count(operands.count, "pack")), \(Quantity.count(given.count, "version"))")
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    var settings = settings
    let outcome = "No packs are served"
    if isBuilding {
      guard let build = try ProjectBuild(self.input, console, otherwise: outcome),
        try settings.begin(build, console)
      else { return .failed }
    } else if settings.operands.isEmpty {
      guard let input = try input.opened(console, otherwise: outcome),
        let outputs = try ProjectOutputs(input, console, otherwise: outcome)
      else { return .failed }
      try outputs.checkMade()
      settings.operands = outputs.paths
    } else {
      guard let known = try PackOperands(input, console, otherwise: outcome) else {
        return .failed
      }
      try settings.resolve(known)
    }
    return try ServeRun(settings, console).run()
  }
}

/// The options of `serve`.
struct ServeSettings: Sendable {
  var operands: [String] = []
  /// The files in folders of the project that no manifest creates.
  var leftOut: Set<FileIdentity> = []
  /// The builds of the project, if it is built when its sources change.
  var build: ProjectBuild?
  var host: HostName?
  var port: UInt16 = 0
  var versions: [Int?] = []
  var identityPaths: [String] = []
  var isConstrained = true
  var identityFolder: String?
  var stateFolder: String?
  var showsLanguages = true
  var user: String?
  var isWatching = false
  var latency: Duration = .zero
  var bytesPerSecond: UInt64?
  var isOffline = false
  var faults: [DownloadFault] = []
  /// nil if there is no value.
  var enrolmentPort: UInt16?
  var pagePort: UInt16?
  /// The maximum memory for one block of a pack.
  var memory = PackReader.defaultMemory
  var log: String?
  var readyFile: String?
  var idleTime: Duration?
  var command: [String] = []
  var format = ReportFormat.text

  /// Builds the packs, and serves the output folder; returns false after errors, which have been
  /// reported.
  fileprivate mutating func begin(
    _ build: ProjectBuild, _ console: Console
  ) throws(PackError) -> Bool {
    let result = build.run(console.work)
    try console.work.checkCancellation()
    guard result.isDone else {
      console.finding(text: result.messages)
      return false
    }
    for line in result.messages.split(separator: "\n") { console.summary(String(line)) }
    self.build = build
    operands = [build.output]
    leftOut = result.stale ?? []
    return true
  }

  /// Replaces IDs by their packs, and finds the packs without a manifest.
  ///
  /// A folder is kept, because packs can be added to it.
  mutating func resolve(_ known: PackOperands) throws(PackError) {
    var paths: [String] = []
    for operand in operands {
      if PackInput.isFolder(operand), known.packs(called: operand).isEmpty {
        leftOut.formUnion(known.staleFiles(in: operand))
        paths.append(operand)
        continue
      }
      let packs = try known.resolve(operand)
      guard versions.isEmpty || packs.count == 1 else {
        throw PackError(
          .invalidValue, "a version is for one pack, and '\(operand)' is \(packs.count) packs",
          remedy: "specify the packs themselves")
      }
      paths += packs
    }
    operands = paths
  }
}

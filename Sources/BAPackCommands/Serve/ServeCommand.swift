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
    "pack", .file("aar"), elsewhere: ProjectOptions.hint,
    """
    Packs, and folders of packs, also in folders inside them; without any, those of the project \
    file.
    """)
  private static let host = Option(
    "host", .host, called: "host",
    """
    The name or address by which devices reach this machine; that of its default route by default. \
    With a loopback address nobody else can reach the server.
    """)
  private static let port = DefaultedOption(
    "port", .port, called: "port", default: 8443, shownAs: "8443",
    "The port; 0 is any that is free, for the other ports, too, unless they are named.")
  private static let versions = OptionList(
    "asset-pack-versions", .number(in: 0...Int.max), called: "version",
    """
    The version of each pack, in the order of the packs; without this option versions rise by \
    themselves when packs change, and never fall.
    """)
  private static let identityPath = RepeatableOption(
    "identity-path", .file("pem"), called: "path",
    """
    A certificate of your own as PEM, with those that signed it behind it; and, given a second \
    time, its key.
    """)
  private static let automatic = Flag(
    "choose-identity-automatically", "Accepted for compatibility; has no effect.")
  private static let unconstrained = Flag(
    "no-name-constraints",
    """
    When the certificate authority is made, do not bind it to this machine's network. The bounds \
    are proven with OpenSSL and untried on devices.
    """)
  private static let noLanguage = Flag(
    "no-language",
    "Leave the language of packs out of the manifest: nobody knows what devices make of it.")
  private static let user = Option(
    "user", .text, called: "name",
    """
    Let in only who says this name, and the password in BA_SERVE_PASSWORD: a device says them \
    where the override's address has them, https://name:password@host.
    """)
  private static let watch = Flag(
    "watch", "Take up packs that change, come or go while the server runs.")

  private static let latency = Option(
    "latency", .duration, called: "time", "Let every answer begin so much later: 200ms.")
  private static let throttle = Option(
    "throttle", .rate, called: "rate", "Give each device no more than so many bits a second: 3mbit."
  )
  private static let offline = Flag(
    "offline", "Answer nothing, as without a network; the live page switches it off.")
  private static let fault = RepeatableOption(
    "fault", .fault(in: .downloads), called: "fault",
    """
    Cause a fault, repeatable: 'level-*: cut 60%', 'manifest: stale'. 'once', 'twice' or '5 times' \
    after it counts for each address and path.
    """)

  private static let noEnrolment = Flag(
    "no-enrolment", "Do not serve the page on which a device learns to trust this server.")
  private static let enrolmentPort = Option(
    "enrolment-port", .port, called: "port", "The port of that page; 8480 by default.")
  private static let noPage = Flag("no-page", "Serve no live page.")
  private static let pagePort = Option(
    "page-port", .port, called: "port",
    "The port of the live page on this machine; 8481 by default.")

  private static let log = Option(
    "log", .file("jsonl"), called: "path",
    "Also write each request as a JSON object on a line of this file, behind what is there.")
  private static let readyFile = Option(
    "ready-file", .file("json"), called: "path",
    "Write where the server is to this file when it is ready, and remove it in the end.")
  private static let idle = Option(
    "exit-when-idle", .duration, called: "time",
    "End when nobody has asked for anything for so long: 60s.")
  private static let exec = Flag(
    "exec",
    """
    Run the command after '--' without a shell, stop the server when it ends, and return its exit \
    status, or 127 if it does not exist.
    """)
  private static let command = TrailingWords("command", with: exec, "The command to run.")

  static let definition = Command(
    "serve", overview: "Serves packs to test devices, over HTTPS and with faults on demand.",
    discussion: [
      """
      Makes a certificate authority on the first run, and shows a code that a device scans to \
      trust it. Every pack is verified before it is served. Versions rise when packs change and \
      never fall, also from one run to the next.
      """,
      """
      On the device: Settings > Developer > Development Overrides > URL Override, with the address \
      that is printed. TestFlight and App Store builds ignore the override. After some restarts of \
      the server it must be entered again, because the device keeps its old manifest. Essential \
      packs do not come by themselves: they arrive when the app asks for them. A device asks once \
      whether the app may use the local network; give the app an NSLocalNetworkUsageDescription, \
      and let it ask before its extension downloads.
      """,
      """
      Faults of packs ('level-*: cut 60%'), of all packs ('*') or of the manifest ('manifest: \
      stale'): \(FaultScope.downloads.summary).
      """,
      """
      After a fault, 'once', 'twice', '5 times', 'call 3' or 'calls 3-5' limits it, for each \
      device and path. A fault applies only to responses whose body it changes: responses to HEAD \
      and with 304, 412 or 416 do not count.
      """,
      """
      With '--format json', and in the file of '--log', one object a line for each request: \
      \(LoggedRequest.table.names), as far as it has them; on standard output with 'event', beside \
      lines about the server. 'schema --for requests' describes them. The ready file has \
      \(ReadyServer.table.names); the command of '--exec' finds them in BA_BASE_URL, BA_PAGE_URL, \
      BA_CA_FILE and BA_CONTROL_TOKEN.
      """,
    ],
    [
      operands, host, port, versions, identityPath, automatic, unconstrained, noLanguage, user,
      watch,
      latency, throttle, offline, fault, enrolmentPort, noEnrolment, pagePort, noPage,
      KeepingOptions.identity, KeepingOptions.state, log, readyFile, idle, exec,
      MemoryOption.option, ReportFormat.option,
    ] + ProjectOptions.all + [command],
    exclusive: [
      [exec, idle],
      ProjectOptions.exclusive,
      [enrolmentPort, noEnrolment], [pagePort, noPage], [identityPath, unconstrained],
      [identityPath, KeepingOptions.identity],
    ],
    examples: [
      Term(
        "ba-package serve build/packs", "Serve what 'pack' made, to a device that scans the code."),
      Term(
        "ba-package serve build/packs --watch --fault 'level-*: cut 60% once'",
        "See what an app makes of a download that breaks off."),
      Term(
        "ba-package serve build/packs --host localhost --port 0 --exec -- python3 check.py",
        "Run a test against the server, and end with it."),
    ])

  private let settings: ServeSettings
  private let input: ManifestInput

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
    input = ManifestInput(arguments, operands: settings.operands)
  }

  private static func versions(
    _ arguments: ParsedArguments, for operands: [String]
  ) throws(UsageError) -> [Int?] {
    let given = arguments[versions]
    guard !given.isEmpty, given.count != operands.count else { return given }
    throw UsageError(
      "'--asset-pack-versions' takes exactly one version for each pack, in their order: "
        + "\(Quantity.count(operands.count, "pack")), \(Quantity.count(given.count, "version"))")
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    var settings = settings
    if settings.operands.isEmpty {
      let outcome = "No packs are served"
      guard let input = try input.opened(console, otherwise: outcome),
        let outputs = try ProjectOutputs(input, console, otherwise: outcome)
      else { return .failed }
      try outputs.checkMade()
      settings.operands = outputs.paths
    }
    return try ServeRun(settings, console).run()
  }
}

/// The options of `serve`.
struct ServeSettings: Sendable {
  var operands: [String] = []
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
  var faults: [Fault] = []
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
}

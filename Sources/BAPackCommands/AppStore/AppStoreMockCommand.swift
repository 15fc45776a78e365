import AppStoreMock
import Arguments
import BAPackKit
import Faults
import SourceDiagnostics
import SystemIO

/// `app-store mock`: a mock of App Store Connect on this machine.
struct AppStoreMockCommand: Subcommand {
  private static let apps = RepeatableOption(
    "apps", .app, called: "app",
    """
    Restrict the apps to this one: 'com.example.lantern', or with its Apple ID and its platforms \
    '1234567890:com.example.lantern:IOS,MAC_OS' (default: every app that a client requests).
    """)
  private static let port = DefaultedOption(
    "port", .port, called: "port", default: 8490, shownAs: "8490",
    "The port of the interface; 0 is any that is free, for that of the storage, too.")
  private static let storagePort = Option(
    "storage-port", .port, called: "port",
    "The port to which parts are uploaded; 8491 by default.")
  private static let switches = Option(
    "switches", .file("json"), called: "path",
    "Read from this file how the mock behaves where nobody knows how App Store Connect does.")
  private static let printsSwitches = Flag(
    "print-switches",
    "Print such a file, with every switch as it is without one and what it is about, and end.")
  private static let fault = RepeatableOption(
    "fault", .fault(in: .service), called: "fault",
    """
    Cause a fault, repeatable: 'PUT /upload/*: status 503 once'. '*' matches any method, and any \
    text in a path.
    """)
  private static let state = Option(
    "state", .file("json"), called: "path",
    "Go on from what an earlier run left in this file, and keep there what there is.")
  private static let log = Option(
    "log", .file("jsonl"), called: "path",
    "Also write each request as a JSON object on a line of this file, behind what is there.")
  private static let exchanges = Option(
    "record-exchanges", .folder, called: "folder",
    """
    Write each request to the interface with its answer into this folder, a file for each; tokens \
    are left out.
    """)
  private static let readyFile = Option(
    "ready-file", .file("json"), called: "path",
    "Write where the mock is to this file when it is ready, and remove it in the end.")
  private static let exec = Flag(
    "exec",
    """
    Run the command behind '--' while the mock is there, without a shell, and end with it and its \
    exit status.
    """)
  private static let command = TrailingWords("command", with: exec, "The command to run.")

  static let definition = Command(
    "mock", overview: "Serves a mock of App Store Connect on this machine.",
    discussion: [
      """
      It checks requests as App Store Connect is known to, and refuses where nobody knows what App \
      Store Connect does: tokens, members of documents, parameters, parts, states, what is in an \
      archive and in its manifest. Nobody but this machine can reach it. Parts are put aside in \
      files without names, below TMPDIR; nothing of them is left.
      """,
      """
      The command of '--exec' gets the address of the mock in ASC_API_URL, the certificate to \
      trust in ASC_CA_FILE, and a key in ASC_KEY_ID, ASC_ISSUER_ID and ASC_KEY_PATH; other \
      variables with keys of App Store Connect are removed. XDG_STATE_HOME is a separate folder, \
      so that the user's records of uploads are not changed: FILE.client with '--state FILE', \
      otherwise a folder that is removed at the end. The ready file has \
      \(ReadyMock.table.names): the same key as one person's, without an issuer.
      """,
      """
      Faults: \(FaultScope.service.summary).
      """,
      """
      After a fault, 'once', 'twice', '5 times', 'call 3' or 'calls 3-5' limits it to these calls, \
      counted among the calls of its method and path.
      """,
      """
      For 'upload', each run of the mock is another service, unless '--state' continues an earlier \
      run: 'upload' records uploads under the service ID from GET /__mock/service, independent of \
      the port.
      """,
      """
      Tests steer it at the address of the interface, without a token: GET /__mock/state, and POST \
      /__mock/advance {"seconds": 600}, /__mock/fault {"fault": "…"}, /__mock/review \
      {"submission": "ID", "decision": "begin", "accept" or "reject"} or {"version": "ID", "beta": \
      "submit", "begin", "accept" or "reject"}, and /__mock/reset; DELETE /__mock/fault removes \
      one fault or, without a body, all of them. 'advance' makes all transitions that are due \
      within that time; tokens are still checked against the clock. Requests from another origin, \
      and for a host name that is not of this machine, are refused.
      """,
    ],
    [
      apps, port, storagePort, switches, printsSwitches, fault, state, KeepingOptions.identity, log,
      exchanges,
      readyFile, exec, ReportFormat.option, command,
    ],
    examples: [
      Term(
        "ba-package app-store mock --port 0 --exec -- ./upload-test.sh",
        "Run a test of an upload against the mock, and end with it."),
      Term(
        "ba-package app-store mock --print-switches",
        "See all switches, for the beginning of a file of your own."),
      Term(
        "ba-package app-store mock --fault 'PATCH *: apply-and-drop once'",
        "See what a client makes of an answer that never comes."),
    ])

  private let settings: MockSettings

  init(_ arguments: ParsedArguments) throws(UsageError) {
    var settings = MockSettings()
    settings.apps = arguments[Self.apps]
    settings.hasEveryApp = settings.apps.isEmpty
    if settings.hasEveryApp {
      settings.apps = [App(id: "1234567890", bundleID: "com.example.lantern", name: "Lantern")]
    }
    if Set(settings.apps.map(\.id)).count < settings.apps.count {
      throw UsageError("'--apps' names two apps with the same Apple ID")
    }
    settings.port = UInt16(arguments[Self.port])
    settings.storagePort =
      arguments[Self.storagePort].map { UInt16($0) } ?? (settings.port == 0 ? 0 : 8491)
    settings.switches = arguments[Self.switches]
    settings.printsSwitches = arguments[Self.printsSwitches]
    settings.faults = arguments[Self.fault]
    settings.state = arguments[Self.state]
    settings.identityFolder = arguments[KeepingOptions.identity]
    settings.log = arguments[Self.log]
    settings.exchanges = arguments[Self.exchanges]
    settings.readyFile = arguments[Self.readyFile]
    settings.command = arguments[Self.command]
    settings.format = arguments[ReportFormat.option]
    if arguments[Self.exec], settings.command.isEmpty {
      throw UsageError("Missing command after '--', for example '--exec -- python3 check.py'")
    }
    self.settings = settings
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    if settings.printsSwitches {
      console.result(text: Switches.template)
      return .done
    }
    Interrupt.install()
    return try MockRun(settings, console).run()
  }
}

/// The options of `app-store mock`.
struct MockSettings: Sendable {
  var apps: [App] = []
  /// Whether every app that a client requests exists, in addition to ``apps``.
  var hasEveryApp = false
  var port: UInt16 = 0
  var storagePort: UInt16 = 0
  var switches: String?
  var printsSwitches = false
  var faults: [Fault] = []
  var state: String?
  var identityFolder: String?
  var log: String?
  var exchanges: String?
  var readyFile: String?
  var command: [String] = []
  var format = ReportFormat.text
}

extension ValueType where Value == App {
  static var app: Self {
    Self { word throws(InvalidValue) in
      let parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      if parts.count == 1, App.isBundleID(word) { return App(bundleID: word) }
      guard (2...3).contains(parts.count), App.isAppleID(parts[0]), App.isBundleID(parts[1]) else {
        throw InvalidValue(
          "expected a bundle ID, or an Apple ID and a bundle ID: 1234567890:com.example.lantern")
      }
      guard parts.count == 3 else { return App(id: parts[0], bundleID: parts[1], name: parts[1]) }
      let platforms = parts[2].split(separator: ",").map(String.init)
      guard !platforms.isEmpty, platforms.allSatisfy(Platforms.all.contains) else {
        throw InvalidValue("the platforms are \(Platforms.all.joined(separator: ", "))")
      }
      return App(id: parts[0], bundleID: parts[1], name: parts[1], platforms: platforms)
    }
  }
}

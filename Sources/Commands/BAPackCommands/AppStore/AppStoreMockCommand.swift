import AppStoreMock
import Arguments
import BAPackKit
import Faults
import SourceDiagnostics
import SystemIO

/// `app-store mock`: a mock of App Store Connect on this machine.
struct AppStoreMockCommand: Subcommand {
  private static let apps = RepeatableOption(
    "apps", .app, called: "app", in: .server,
    "Add an app, and only serve added apps; repeatable.",
    details: """
      A bundle ID, such as 'com.example.lantern', or Apple ID, bundle ID and platforms, such as \
      '1234567890:com.example.lantern:IOS,MAC_OS'. Without it, every requested app exists.
      """)
  private static let port = DefaultedOption(
    "port", .port, called: "port", in: .server, default: 8490, shownAs: "8490",
    "Set the port of the API.", details: "0 selects free ports, also for the storage.")
  private static let storagePort = Option(
    "storage-port", .port, called: "port", in: .server,
    "Set the port for uploaded parts (default: 8491).")
  private static let switches = Option(
    "switches", .file("json"), called: "path", in: .fault,
    "Read the behavior in undocumented cases from this file.")
  private static let printsSwitches = Flag(
    "print-switches", in: .fault, "Print the switches with their defaults and exit.")
  private static let fault = RepeatableOption<ServiceFault>(
    "fault", .fault(), called: "fault", in: .fault,
    "Cause a fault, such as 'PUT *: drop once'; repeatable.",
    details: """
      '*' matches any method, and any text in a path. See 'ba-package help faults'.
      """)
  private static let state = Option(
    "state", .file("json"), called: "path", in: .server,
    "Keep the state between runs in this file.")
  private static let log = Option(
    "log", .file("jsonl"), called: "path", in: .output, "Append each request to this file as JSON.",
    details: "One object a line; see 'ba-package schema --for mock-request'.")
  private static let exchanges = Option(
    "record-exchanges", .folder, called: "folder", in: .output,
    "Write each request and response to this folder.", details: "Tokens are omitted.")
  private static let readyFile = Option(
    "ready-file", .file("json"), called: "path", in: .output,
    "Write the URLs to this file when the mock is ready.",
    details: "The file is removed at the end; see 'ba-package schema --for mock-ready'.")
  private static let exec = Flag(
    "exec", in: .server, "Run a command and stop the mock when it ends.",
    details: "The command follows '--' and runs without a shell. Its exit status is the result.")
  private static let command = TrailingWords("command", with: exec, "The command to run.")

  static let definition = Command(
    "mock", overview: "Serve a mock of App Store Connect.",
    discussion: [
      """
      The mock checks tokens, documents, parameters, parts, states, archives and their manifests \
      as App Store Connect does. In undocumented cases it rejects the request. Only this machine \
      can connect. Uploaded parts are stored in unnamed temporary files below TMPDIR.
      """,
      """
      The command of '--exec' has the URL in ASC_API_URL, the certificate in ASC_CA_FILE, and a \
      key in ASC_KEY_ID, ASC_ISSUER_ID and ASC_KEY_PATH. Other variables with keys are removed. \
      XDG_STATE_HOME is a separate folder, so that journals of real uploads are not changed: \
      FILE.client with '--state FILE', else a temporary folder. The ready file has the same key \
      as an individual key, without an issuer.
      """,
      """
      Each run is another service for 'upload', unless '--state' continues an earlier run. \
      'upload' records uploads under the service ID from GET /__mock/service; the port does not \
      matter.
      """,
      """
      Tests control the mock at the URL of the API, without a token: GET /__mock/state, and POST \
      /__mock/advance {"seconds": 600}, /__mock/fault {"fault": "…"}, /__mock/review \
      {"submission": "ID", "decision": "begin", "accept" or "reject"} or {"version": "ID", "beta": \
      "submit", "begin", "accept" or "reject"}, and /__mock/reset. DELETE /__mock/fault removes \
      one fault or, without a body, all of them. 'advance' performs all transitions that are due \
      within this time; tokens are still checked against the clock. Requests from another origin \
      or for another host name are rejected.
      """,
      """
      POST /v1/webhooks, as in App Store Connect, adds a webhook, whose URL must be on this \
      machine. The mock sends it the changes of packs with a signature, once.
      """,
    ],
    [
      apps, port, storagePort, state, exec, switches, printsSwitches, fault,
      KeepingOptions.identity, log, exchanges, readyFile, ReportFormat.option, command,
    ],
    examples: [
      Term(
        "ba-package app-store mock --port 0 --exec -- ./upload-test.sh",
        "Run a test of uploads against the mock."),
      Term(
        "ba-package app-store mock --fault 'PATCH *: apply-and-drop once'",
        "Test how a client handles a lost response."),
      Term(
        "ba-package app-store mock --print-switches", "Print a file of switches to edit."),
    ],
    topics: ["faults"])

  private let settings: MockRunSettings

  init(_ arguments: ParsedArguments) throws(UsageError) {
    var settings = MockRunSettings()
    settings.apps = arguments[Self.apps]
    settings.hasEveryApp = settings.apps.isEmpty
    if settings.hasEveryApp {
      settings.apps = [MockApp(id: "1234567890", bundleID: "com.example.lantern", name: "Lantern")]
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
      console.result(text: MockSettings.template)
      return .done
    }
    Interrupt.install()
    return try MockRun(settings, console).run()
  }
}

/// The options of `app-store mock`.
struct MockRunSettings: Sendable {
  var apps: [MockApp] = []
  /// Whether every app that a client requests exists, in addition to ``apps``.
  var hasEveryApp = false
  var port: UInt16 = 0
  var storagePort: UInt16 = 0
  var switches: String?
  var printsSwitches = false
  var faults: [ServiceFault] = []
  var state: String?
  var identityFolder: String?
  var log: String?
  var exchanges: String?
  var readyFile: String?
  var command: [String] = []
  var format = ReportFormat.text
}

extension ValueType where Value == MockApp {
  static var app: Self {
    Self { word throws(InvalidValue) in
      let parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      if parts.count == 1, MockApp.isBundleID(word) { return MockApp(bundleID: word) }
      guard (2...3).contains(parts.count), MockApp.isAppleID(parts[0]), MockApp.isBundleID(parts[1])
      else {
        throw InvalidValue(
          "expected a bundle ID, or an Apple ID and a bundle ID: 1234567890:com.example.lantern")
      }
      guard parts.count == 3 else {
        return MockApp(id: parts[0], bundleID: parts[1], name: parts[1])
      }
      let platforms = parts[2].split(separator: ",").map(String.init)
      guard !platforms.isEmpty, platforms.allSatisfy(Platforms.all.contains) else {
        throw InvalidValue("the platforms are \(Platforms.all.joined(separator: ", "))")
      }
      return MockApp(id: parts[0], bundleID: parts[1], name: parts[1], platforms: platforms)
    }
  }
}

import AppStoreConnect
import Arguments
import BAPackKit
import SystemIO
import TerminalText
import Transfers

/// The options that all commands of App Store Connect share: the app, the key and the address of
/// the service.
struct AppStoreOptions: Sendable {
  private static let app = Option(
    "app", .text, called: "id", in: .appStore, isRequired: true,
    elsewhere: ProjectOptions.hint(key: "appStore.app"),
    "Set the app by its Apple ID or bundle ID.",
    details: "The default is 'appStore.app' of the project file.")
  private static let key = Option(
    "api-key", .text, called: "id", in: .appStore,
    "Set the ID of the API key (default: ASC_KEY_ID).")
  private static let issuer = Option(
    "api-issuer", .text, called: "uuid", in: .appStore,
    "Set the issuer of a team key (default: ASC_ISSUER_ID).")
  private static let keyFile = Option(
    "p8-file-path", .file("p8"), called: "path", in: .appStore,
    "Read the key from this file (default: ASC_KEY_PATH).",
    details: """
      Without both, the key is read from ASC_KEY, or from AuthKey_<id>.p8 in ./private_keys, \
      ~/private_keys, ~/.private_keys or ~/.appstoreconnect/private_keys.
      """)
  private static let subject = Option<KeySubject>(
    "api-key-subject", .choice, called: "subject", in: .appStore,
    "Use the key as an individual key ('user').",
    details: "The issuer in the environment is ignored.")
  private static let url = Option(
    "api-url", .text, called: "url", in: .appStore,
    "Use this service, such as a mock (default: ASC_API_URL).")
  private static let authority = RepeatableOption(
    "ca", .file("pem", "crt"), called: "file", in: .appStore,
    "Trust this PEM certificate (default: ASC_CA_FILE).")

  static let all: [any TypedParameter] =
    [
      app, key, issuer, keyFile, subject, url, authority,
    ] + ProjectOptions.all

  enum KeySubject: String, Sendable, CaseIterable { case user }

  private let given: String?
  private let project: ProjectPlace?
  private let search: APIKeySearch
  private let url: String?
  private let authorities: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    given = arguments[Self.app]
    project = ProjectOptions(arguments).place
    var search = APIKeySearch(
      id: arguments[Self.key], issuer: arguments[Self.issuer], path: arguments[Self.keyFile])
    search.isIndividual = arguments[Self.subject] == .user
    if search.isIndividual, search.issuer != nil {
      throw .withoutEffect(Self.issuer, beside: "--api-key-subject user")
    }
    self.search = search
    url = arguments[Self.url]
    authorities = arguments[Self.authority]
    if let url {
      do throws(PackError) {
        _ = try ServiceAddress(url)
      } catch {
        throw UsageError(error)
      }
    }
  }

  var namesKey: Bool { search.id != nil || search.path != nil }

  func service(_ console: Console) throws(PackError) -> AppStoreService {
    var search = search
    let environment = console.environment
    search.environment = { environment($0) }
    let key = try search.find()
    if key.isOpenToOthers {
      console.warning(
        "other users of this machine can read \(key.origin), which gives access to App Store "
          + "Connect",
        remedy: "run 'chmod 600'")
    }
    let given = url ?? console.value("ASC_API_URL")
    let address = if let given { try ServiceAddress(given) } else { ServiceAddress.apple }
    if !address.isApple { console.detail("sending requests to \(address) instead of Apple") }
    var options = Transfers.Options()
    options.roots = try Authorities.read(
      authorities, else: console.value("ASC_CA_FILE"), console.work)
    options.retried = { console.summary($0.text) }
    let transfers = try mapFailure(.connecting) { () throws(Failure) in try Transfers(options) }
    return AppStoreService(address, transfers, TokenSource(key), console.work) { notice in
      switch notice {
      case .waitingForRate(let duration):
        console.summary(
          "The key exceeded its hourly limit; waiting \(Quantity.briefly(duration)).")
      case .retrying(let error, let pause):
        console.summary("\(error.message); trying again in \(Quantity.briefly(pause))")
      case .querying(let error, let pause):
        console.summary(
          "\(error.message); checking in \(Quantity.briefly(pause)) whether the change was made")
      case .clockDiffers(let difference):
        let seconds = difference.components.seconds
        console.warning(
          "the local clock is \(seconds.magnitude) s "
            + "\(seconds > 0 ? "ahead of" : "behind") the clock of App Store Connect; "
            + "tokens use the time of App Store Connect"
        )
      }
    }
  }

  /// Returns the service and the app.
  ///
  /// After this call, a signal ends waits.
  func open(_ console: Console) throws(PackError) -> (service: AppStoreService, app: AppRecord) {
    Interrupt.install()
    let service = try service(console)
    return (service, try app(service, console))
  }

  func app(_ service: AppStoreService, _ console: Console) throws(PackError) -> AppRecord {
    let app = try app(console)
    return try AppStoreService.perform("find the app") { () throws(ServiceError) in
      try service.app(app)
    }
  }

  /// Returns the app of the option or of the project file.
  ///
  /// It sends no request and reads no key.
  func app(_ console: Console) throws(PackError) -> String {
    if let given { return given }
    if let project {
      let document = try ProjectDocument(reading: project, as: console.projectOwner, console.work)
      guard !document.findings.hasErrors else {
        throw PackError(
          .invalidValue, "the project file '\(project.path)' has errors",
          remedies: [
            "try 'ba-package validate --project \(project.path)'", "specify the app with --app",
          ])
      }
      if let app = document.settings?.appStore.app { return app }
    }
    throw PackError(
      .missing, "no app is specified",
      remedies: [
        .argument("specify it with --app"),
        .advice("add '\(ProjectSettings.key(of: \.appStore.app))' to the project file"),
      ])
  }
}

extension Console {
  /// Prints the findings of processing for a version of a pack.
  func report(_ findings: [(isError: Bool, text: String)], of pack: PackID) {
    for finding in findings {
      let text = "\(pack): \(finding.text)"
      if finding.isError { error(text) } else { warning(text) }
    }
  }

  /// Prints an event of a wait; calls `report` for a line about a pack.
  func report(
    _ notice: Processing.Notice, for goal: Processing.Goal = .internal,
    _ report: (PackID, String) -> Void
  ) {
    switch notice {
    case .changed(let item, let version):
      report(item.pack, "\(item.version.phrase)   \(version.stateText(for: goal))")
    case .waiting(let versions, let pause):
      let what = versions == 1 ? "1 version is" : "\(versions) versions are"
      let state = goal == .internal ? "being processed" : "not available for \(goal.phrase) yet"
      summary("\(what) \(state): next check in \(Quantity.briefly(pause))")
    case .lost(let error, let pause):
      summary("\(error.message); next check in \(Quantity.briefly(pause))")
    }
  }

  func packs(
    of app: AppRecord, _ service: AppStoreService
  ) throws(PackError) -> [PackRecord] {
    try AppStoreService.perform("list the packs") { () throws(ServiceError) in
      try service.packs(of: app.id)
    }
  }
}

/// The timeout of a command that waits for processing.
enum WaitOptions {
  static let timeout = DefaultedOption(
    "timeout", .duration, called: "time", in: .waiting, default: .seconds(7200), shownAs: "2h",
    "Limit the waiting time, for example 30m.")
  static let strict = Flag("strict", in: .waiting, "Fail on warnings of processing.")
}

extension Processing.Goal {
  /// The users in messages.
  var phrase: String {
    switch self {
    case .internal: "internal testers"
    case .external: "external testers"
    case .distribution: "all users"
    }
  }
}

extension PackVersion {
  /// The state as text, with that of the release for the users of a goal.
  func stateText(for goal: Processing.Goal) -> String {
    guard goal != .internal, !hasFailed, isComplete else { return stateText }
    return "\(release(for: goal)?.phrase ?? "not submitted") for \(goal.phrase)"
  }

  /// The state as text: `processing`, `ready for internal testing`.
  var stateText: String {
    if hasFailed { return "failed" }
    if isTestable {
      return internalState == "READY_FOR_TESTING"
        ? "ready for internal testing"
        : "\(internalState?.phrase ?? "complete") in internal testing"
    }
    if isComplete { return "complete, not yet ready for internal testing" }
    return state?.phrase ?? "in an unknown state"
  }

  /// The findings of the service, a line each, with hints.
  var findingsText: [(isError: Bool, text: String)] {
    func phrase(_ detail: StateDetail) -> String {
      let code = detail.code.isEmpty ? "" : " (\(detail.code))"
      let remedy = ProcessingAdvice.remedy(for: detail.code).map { "; \($0)" } ?? ""
      return "\(detail.text.isEmpty ? "no reason given" : detail.text)\(code)\(remedy)"
    }
    return errors.map { (true, phrase($0)) } + warnings.map { (false, phrase($0)) }
  }
}

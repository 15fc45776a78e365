import AppStoreConnect
import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO

/// The result of `app-store wait`.
struct WaitResult: Described {
  /// A version at the end of the wait.
  struct Version: Described {
    enum Outcome: String, Sendable, CaseIterable { case ready, failed, processing }

    let found: FoundVersion
    let outcome: Outcome

    init(_ found: FoundVersion, for goal: Processing.Goal, isStrict: Bool) {
      self.found = found
      outcome =
        switch Processing.Outcome(found.version, for: goal) {
        case .failed: .failed
        case .unfinished: .processing
        case .available: isStrict && !found.version.warnings.isEmpty ? .failed : .ready
        }
    }

    static let table = Table<Self>(written: "a version") {
      Key(inlined: \.found, of: FoundVersion.table)
      Key(
        "outcome", written: \.outcome, .word,
        "The end of the wait for it; 'processing' includes a review.")
    }
  }

  let app: ResourceID
  let versions: [Version]
  let error: PackError?

  static let table = Table<Self>(written: "the result of a wait") {
    Key("app", written: \.app, .resourceID, "The Apple ID of the app.")
    Key("versions", written: \.versions, .list(of: .object), "The versions.")
    Key(
      "error", written: \.error?.message, .nullable(.text),
      "The error that ended the wait, or null.")
  }
}

/// `app-store wait`: waits for processing or for a release.
struct AppStoreWaitCommand: Subcommand {
  private static let packs = ArgumentList(
    "id", .text, isRequired: false, "The IDs of packs (default: all packs of the app).")
  private static let version = Option(
    "version", .number(in: 1...Int.max), called: "number", in: .waiting,
    "Wait for this version (default: the newest uploaded one).")

  private static let goal = DefaultedOption<Processing.Goal>(
    "for", called: "users", in: .waiting, default: .internal,
    "Wait until these users have the versions.",
    details: "'internal' testers have a version after processing, 'external' testers after a "
      + "review for TestFlight, and with 'distribution' all users after App Review.")

  static let definition = Command(
    "wait", overview: "Wait until users have versions, or until these failed.",
    discussion: [
      """
      Waits for the newest uploaded version of each pack. A version that is not uploaded \
      completely is ignored; 'ba-package upload' resumes it. A request with a transient failure is \
      repeated until the timeout.
      """,
      """
      A version that was rejected in review is reported as failed. A version that was not \
      submitted is awaited, too.
      """,
      DocumentName.appStoreWait.described(),
    ],
    [packs, goal, version, WaitOptions.timeout, WaitOptions.strict] + AppStoreOptions.all
      + [ReportFormat.option],
    examples: [
      Term(
        "ba-package app-store wait --app 1234567890 --timeout 30m",
        "Continue after 'upload --wait' timed out with exit status 75."),
      Term(
        "ba-package app-store wait level-cave --version 7 --app 1234567890",
        "Wait for one version, even if newer versions exist."),
      Term(
        "ba-package app-store wait --for distribution --app 1234567890 --timeout 24h",
        "Wait after 'app-store submit' until all users have the versions."),
    ])

  private let packs: [PackID]
  private let goal: Processing.Goal
  private let number: Int?
  private let options: AppStoreOptions
  private let timeout: Duration
  private let isStrict: Bool
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    packs = arguments[Self.packs].map { PackID($0) }
    goal = arguments[Self.goal]
    number = arguments[Self.version]
    options = try AppStoreOptions(arguments)
    timeout = arguments[WaitOptions.timeout]
    isStrict = arguments[WaitOptions.strict]
    format = arguments[ReportFormat.option]
    if number != nil, packs.count != 1 {
      throw UsageError("'--version' requires the ID of one pack")
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let (service, app) = try options.open(console)
    var found = try AppStoreVersions(service, app, console).find(
      packs, number: number, newestOnly: true, where: { !$0.isAwaitingUpload })
    for pack in packs where !found.contains(where: { $0.pack.pack == pack }) {
      throw PackError(
        .missing,
        (number.map { "version \($0) of '\(pack)'" } ?? "each version of '\(pack)'")
          + " waits for its upload",
        remedy: "run 'ba-package upload': it resumes the upload")
    }
    if found.isEmpty { console.summary("There are no versions.") }
    let ending = Processing(service, of: app.id, until: goal).wait(
      for: found.map { .init($0.pack.pack, $0.version.key) }, atMost: timeout
    ) { notice in
      console.report(notice, for: goal) { console.summary("\($0)  \($1)") }
    }
    for index in found.indices {
      let item = Processing.Awaited(found[index].pack.pack, found[index].version.key)
      if let seen = ending.seen[item] { found[index].version = seen }
    }
    let status = conclude(found, after: ending.failure, of: app, console)
    if let trouble = ending.failure, trouble.kind == .interrupted { throw trouble }
    return status
  }

  private func conclude(
    _ found: [FoundVersion], after trouble: PackError?, of app: AppRecord, _ console: Console
  ) -> ExitStatus {
    for item in found {
      console.report(item.version.findingsText, of: item.pack.pack)
      if item.version.hasFailed, item.version.errors.isEmpty {
        console.error("\(item.pack.pack): processing failed, no reason given")
      }
      if goal != .internal, item.version.release(for: goal) == "REJECTED" {
        console.error(
          "\(item.pack.pack): \(item.version.key.phrase) was rejected",
          remedy: "App Store Connect shows the reviewer's message")
      }
    }
    let versions = found.map { WaitResult.Version($0, for: goal, isStrict: isStrict) }
    if format == .json {
      console.result(
        json: WaitResult(app: app.id, versions: versions, error: trouble), .readable)
    }
    if let trouble {
      if trouble.kind != .interrupted { console.error(trouble) }
      return .failed
    }
    let outcomes = versions.map(\.outcome)
    if outcomes.contains(.failed) { return .failed }
    guard outcomes.contains(.processing) else { return .done }
    console.error(
      goal == .internal
        ? "timed out: versions are still being processed"
        : "timed out: versions are not available for \(goal.phrase) yet",
      remedy: "wait again")
    return .unfinished
  }
}

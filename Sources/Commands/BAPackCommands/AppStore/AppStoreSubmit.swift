import AppStoreConnect
import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// `app-store submit`: sends versions to App Review.
struct AppStoreSubmitCommand: Subcommand {
  private static let packs = ArgumentList(
    "id", .text, isRequired: false, "The IDs of one to ten packs.",
    details: "The newest complete version of each pack is submitted.")
  private static let all = Flag("all", "Submit all packs that are ready.")
  private static let appVersion = Option(
    "with-app-version", .text, called: "version",
    "Submit the packs with this version of the app, for example 1.0.")
  private static let submission = Option(
    "submission", .text, called: "id",
    "Add the packs to an open submission, and keep its other items.",
    details: "Without packs, its items are submitted as they are.")
  private static let preparing = Flag(
    "no-submit", "Prepare the submission, but do not send it.")
  private static let external = Flag(
    "external", "Submit the packs to TestFlight review for external testers.",
    details: "Version 4.4.1 of the interface has no request for it; this is tried.")
  private static let yes = Flag(
    "yes", "Submit the packs (default: print the plan only).")
  private static let platform = Option<ReviewPlatform>(
    "platform", .choice, called: "platform", "Set the platform if Apple requires it.")

  enum ReviewPlatform: String, Sendable, CaseIterable {
    case iOS, macOS, tvOS, visionOS

    var name: String {
      switch self {
      case .iOS: "IOS"
      case .macOS: "MAC_OS"
      case .tvOS: "TV_OS"
      case .visionOS: "VISION_OS"
      }
    }
  }

  static let definition = Command(
    "submit", overview: "Submit packs to App Review.",
    discussion: [
      """
      An approved version replaces the live version immediately, in every installed version of \
      the app, and cannot be withdrawn.
      """,
      """
      The first packs of an app must be submitted together with a version of the app, which exists \
      in App Store Connect with its build and texts: '--with-app-version 1.0' adds that version to \
      the submission, or adds the packs to the submission that has it. '--no-submit' leaves the \
      submission open, so that other items can be added in App Store Connect; '--submission ID \
      --yes' sends it.
      """,
      """
      TestFlight review for external testers: Apple's private interface has a request for it, and \
      the public one, of which version 4.4.1 was compared, has none. '--external' tries it, and \
      explains the manual step if App Store Connect refuses it.
      """,
      """
      Apple's page says about localized packs that TestFlight has them now, and the App Store has \
      them later this year (page read on 2026-11-29).
      """,
      """
      A version that is already live or in review is refused. An open (unsent) submission with \
      packs only is reused, and versions of an earlier attempt are removed from it. If App Store \
      Connect refuses, the new versions are removed, too. A submission with other items is used \
      only with '--submission' or '--with-app-version'; its other items are kept. 'app-store \
      submissions' lists and cancels submissions.
      """,
      DocumentName.appStoreSubmit.described(),
    ],
    [packs, all, appVersion, submission, preparing, external, yes, platform] + AppStoreOptions.all
      + [
        ReportFormat.option
      ],
    examples: [
      Term(
        "ba-package app-store submit level-cave --app 1234567890 --yes",
        "Submit the newest version of one pack."),
      Term(
        "ba-package app-store submit --all --with-app-version 1.0 --app 1234567890 --yes",
        "Submit the first release of the app with its packs."),
    ])

  private let request: Review.Request
  private let options: AppStoreOptions
  private let isConfirmed: Bool
  private let isPrepared: Bool
  private let isExternal: Bool
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let packs = arguments[Self.packs].map { PackID($0) }
    options = try AppStoreOptions(arguments)
    isConfirmed = arguments[Self.yes]
    isPrepared = arguments[Self.preparing]
    isExternal = arguments[Self.external]
    format = arguments[ReportFormat.option]
    request = Review.Request(
      arguments[Self.all] ? nil : packs, for: arguments[Self.platform]?.name,
      with: arguments[Self.appVersion], in: arguments[Self.submission])
    guard packs.count <= Review.mostPacks else {
      throw UsageError(
        "\(packs.count) packs exceed the limit: a submission has at most \(Review.mostPacks)")
    }
    guard Set(packs).count == packs.count else {
      throw UsageError("A pack is named twice; a submission contains one version of each pack")
    }
    if arguments[Self.all], !packs.isEmpty {
      throw UsageError("'--all' and IDs of packs cannot be combined")
    }
    if isExternal, isPrepared || request.appVersion != nil || request.submission != nil {
      throw UsageError(
        "'--external' and '--with-app-version', '--submission' or '--no-submit' cannot be combined")
    }
    if packs.isEmpty, !arguments[Self.all], request.submission == nil {
      throw UsageError("Specify the IDs of packs, '--all', or '--submission'")
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let (service, app) = try options.open(console)
    if isExternal { return try submitExternally(service, app, console) }
    let review = Review(service, of: app.id)
    let plan = try review.plan(request)
    show(plan, console)
    guard isConfirmed || isPrepared else {
      report(.planned, plan, of: app, console)
      console.error("no pack was submitted", remedy: "use --yes to submit")
      return .failed
    }
    let submission: Submission
    do throws(PackError) {
      submission = try review.submit(plan, preparing: isPrepared)
    } catch {
      report(.failed, plan, of: app, console)
      throw error
    }
    report(isPrepared ? .prepared : .submitted, plan, submission, of: app, console)
    let packs = Quantity.count(plan.candidates.count, "pack")
    let contents = ([packs] + (plan.appVersion.map { [$0.phrase] } ?? [])).joined(
      separator: " and ")
    console.summary(
      isPrepared
        ? "Prepared the submission \(submission.id) with \(contents). 'ba-package app-store submit "
          + "--submission \(submission.id) --yes' sends it."
        : "Submitted \(contents): \(submission.state?.phrase ?? "sent").")
    return .done
  }

  /// Starts the review for external testers.
  private func submitExternally(
    _ service: AppStoreService, _ app: AppRecord, _ console: Console
  ) throws(PackError) -> ExitStatus {
    let found = try AppStoreVersions(service, app, console).find(
      request.packs ?? [], newestOnly: true, where: \.isComplete)
    if let missing = request.packs?.first(where: { id in !found.contains { $0.pack.pack == id } }) {
      throw PackError(
        .missing, "no version of the pack '\(missing)' is complete",
        remedy: "wait until the service has processed one")
    }
    for item in found {
      console.summary(
        "\(item.pack.pack)  \(item.version.key.phrase)   "
          + (item.version.externalState?.phrase ?? "not submitted") + " for external testers")
    }
    guard isConfirmed else {
      console.error("no pack was submitted", remedy: "use --yes to submit")
      return .failed
    }
    for item in found { try BetaReview(service).start(item.version, of: item.pack.pack) }
    console.summary("Submitted \(Quantity.count(found.count, "pack")) to TestFlight review.")
    return .done
  }

  private func show(_ plan: Review.Plan, _ console: Console) {
    for item in plan.candidates {
      let live = item.pack.storeVersion.map { "replaces \($0.key.phrase) for all app users" }
      console.summary(
        "\(item.pack.pack)  \(item.version.key.phrase)   "
          + (live ?? "first version in the App Store"))
    }
    if let version = plan.appVersion { console.summary("With \(version.phrase).") }
    if let open = plan.submission {
      console.summary("The open submission \(open.id) is reused.")
    }
    for item in plan.kept {
      console.summary("It also contains \(item.phrase).")
    }
    for item in plan.removed {
      console.summary(
        "\(item.version?.key.phrase ?? "An item") (\(item.id)) of an earlier attempt is removed "
          + "from it.")
    }
    if !plan.firstReleases.isEmpty, request.appVersion == nil, request.submission == nil {
      console.summary(
        "The first packs of an app must be submitted with a version of the app: use "
          + "--with-app-version, if no version of the app is in the App Store.")
    }
    for item in plan.candidates {
      guard let language = item.version.locale else { continue }
      console.summary(
        "'\(item.pack.pack)' is a localized pack (\(language)): TestFlight has these now, the App "
          + "Store later this year, as Apple's page of 2026-11-29 says.")
    }
    console.summary(
      "An approved version replaces the live version for all app users. It cannot be withdrawn.")
  }

  private func report(
    _ outcome: SubmitResult.Outcome, _ plan: Review.Plan, _ submission: Submission? = nil,
    of app: AppRecord, _ console: Console
  ) {
    guard format == .json else { return }
    console.result(
      json: SubmitResult(app: app.id, outcome: outcome, plan: plan, submission: submission),
      .readable)
  }
}

/// The result of `app-store submit`.
struct SubmitResult: Described {
  enum Outcome: String, Sendable, CaseIterable { case submitted, prepared, planned, failed }

  let app: ResourceID
  let outcome: Outcome
  let plan: Review.Plan
  /// The submission that was sent.
  let submission: Submission?

  static let table = Table<Self>(written: "a submission to App Review") {
    Key("app", written: \.app, .resourceID, "The Apple ID of the app.")
    Key("outcome", written: \.outcome, .word, "Whether the packs were submitted.")
    Key(
      "submission", written: { ($0.submission ?? $0.plan.submission)?.id },
      .nullable(.resourceID), "The ID of the submission; null if there is none yet.")
    Key(
      "state", written: \.submission?.state, .nullable(.state),
      "Apple's name of the submission's state; null if it was not sent.")
    Key(
      "appVersion", written: \.plan.appVersion?.number, .nullable(.text),
      "The version of the app that is submitted with the packs, or null.")
    Key("packs", written: \.plan.candidates, .list(of: .object(pack)), "The packs.")
  }

  static let pack = Table<Review.Candidate>(written: "a pack") {
    Key("id", written: \.pack.pack, .packID, "The ID of the pack.")
    Key("version", written: \.version.number, .nullable(.integer), "The submitted version.")
    Key(
      "replaces", written: \.pack.storeVersion?.number, .nullable(.integer),
      "The live version, or null.")
  }
}

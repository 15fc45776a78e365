import AppStoreConnect
import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

// The commands that change the packs of all app users: `app-store submit` and `archive`. Both
// require confirmation.

/// `app-store submit`: sends versions to App Review.
struct AppStoreSubmitCommand: Subcommand {
  private static let packs = ArgumentList(
    "id", .text, "The IDs of one to ten packs.",
    details: "The newest complete version of each pack is submitted.")
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
      the app, and cannot be withdrawn. A pack without a live version must be submitted together \
      with a version of the app, in App Store Connect.
      """,
      """
      TestFlight review for external testers is started in App Store Connect: the public API has \
      no request for it.
      """,
      """
      A version that is already live or in review is refused. An open (unsent) submission with \
      packs only is reused, and versions of an earlier attempt are removed from it. If App Store \
      Connect refuses, the new versions are removed, too. 'app-store submissions' lists and \
      cancels submissions.
      """,
      DocumentName.appStoreSubmit.described(),
    ],
    [packs, yes, platform] + AppStoreOptions.all + [ReportFormat.option],
    examples: [
      Term(
        "ba-package app-store submit level-cave --app 1234567890 --yes",
        "Submit the newest version of one pack.")
    ])

  private let packs: [PackID]
  private let options: AppStoreOptions
  private let isConfirmed: Bool
  private let platform: ReviewPlatform?
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    packs = arguments[Self.packs].map { PackID($0) }
    options = try AppStoreOptions(arguments)
    isConfirmed = arguments[Self.yes]
    platform = arguments[Self.platform]
    format = arguments[ReportFormat.option]
    guard packs.count <= Review.mostPacks else {
      throw UsageError(
        "\(packs.count) packs exceed the limit: a submission has at most \(Review.mostPacks)")
    }
    guard Set(packs).count == packs.count else {
      throw UsageError("A pack is named twice; a submission contains one version of each pack")
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let (service, app) = try options.open(console)
    let review = Review(service, of: app.id)
    let plan = try review.plan(packs, for: platform?.name)
    for item in plan.candidates {
      let live = item.pack.storeVersion.map { "replaces \($0.key.phrase) for all app users" }
      console.summary(
        "\(item.pack.pack)  \(item.version.key.phrase)   "
          + (live ?? "first version in the App Store"))
    }
    if let open = plan.submission {
      console.summary("The open submission \(open.id) is reused.")
    }
    for item in plan.removed {
      console.summary(
        "\(item.version?.key.phrase ?? "An item") (\(item.id)) of an earlier attempt is removed "
          + "from it.")
    }
    console.summary(
      "An approved version replaces the live version for all app users. It cannot be withdrawn.")
    guard isConfirmed else {
      report(.planned, plan, of: app, console)
      console.error("no pack was submitted", remedy: "use --yes to submit")
      return .failed
    }
    let submission: Submission
    do throws(PackError) {
      submission = try review.submit(plan, for: platform?.name)
    } catch {
      report(.failed, plan, of: app, console)
      throw error
    }
    report(.submitted, plan, submission, of: app, console)
    console.summary(
      "Submitted \(Quantity.count(plan.candidates.count, "pack")): "
        + "\(submission.state?.phrase ?? "sent").")
    return .done
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
  enum Outcome: String, Sendable, CaseIterable { case submitted, planned, failed }

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

/// `app-store archive`: archives a pack permanently.
struct AppStoreArchiveCommand: Subcommand {
  private static let pack = Argument("id", .text, "The ID of the pack.")
  private static let confirmed = Option(
    "confirm", .text, called: "id", "Repeat the ID, instead of the prompt.")

  static let definition = Command(
    "archive", overview: "Remove a pack from App Store Connect permanently.",
    discussion: [
      """
      All versions are removed, the live version included, and no device can download the pack. \
      Its ID cannot be used again. This cannot be undone.
      """
    ],
    [pack, confirmed] + AppStoreOptions.all,
    examples: [
      Term(
        "ba-package app-store archive old-level --app 1234567890 --confirm old-level",
        "Remove a pack that no installed app requests.")
    ])

  private let pack: PackID
  private let confirmed: String?
  private let options: AppStoreOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    pack = PackID(try arguments.required(Self.pack))
    confirmed = arguments[Self.confirmed]
    options = try AppStoreOptions(arguments)
    if let confirmed, PackID(confirmed) != pack {
      throw UsageError("'--confirm' names a different pack: '\(confirmed)'")
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let (service, app) = try options.open(console)
    guard let record = try console.packs(of: app, service).first(where: { $0.pack == pack }) else {
      throw PackError(
        .missing, "the app has no pack '\(pack)'",
        remedy: "'ba-package app-store list' lists the packs of the app")
    }
    guard !record.isArchived else {
      console.summary("The pack '\(pack)' is already archived.")
      return .done
    }
    guard try isConfirmed(record, console) else {
      console.error(
        "the pack was not archived: the ID was not confirmed",
        remedy: "type the ID, or use --confirm")
      return .failed
    }
    _ = try AppStoreService.perform("archive the pack '\(pack)'") { () throws(ServiceError) in
      try service.settling { () throws(ServiceError) in
        try service.archive(record)
      } unless: { () throws(ServiceError) in
        try service.packs(of: app.id).first { $0.id == record.id && $0.isArchived }
      }
    }
    console.summary("Archived '\(pack)'.")
    return .done
  }

  private func isConfirmed(_ record: PackRecord, _ console: Console) throws(PackError) -> Bool {
    if confirmed != nil { return true }
    let live = record.storeVersion.map { "; its \($0.key.phrase) is live" } ?? ""
    console.finding(
      text: "Archiving '\(pack)' cannot be undone\(live). Afterwards no device can download it, "
        + "and its ID cannot be used again.\nType the ID to continue: ")
    return try console.typedLine().map { PackID($0) } == pack
  }
}

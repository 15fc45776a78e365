import AppStoreConnect
import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

// `app-store submissions`: lists and cancels submissions to App Review.

/// `app-store submissions`.
struct AppStoreSubmissionsCommand: Subcommand {
  static let subcommands: [any Subcommand.Type] = [
    AppStoreSubmissionsListCommand.self, AppStoreSubmissionsCancelCommand.self,
  ]

  static let definition = Command(
    "submissions", overview: "List and cancel submissions to App Review.",
    discussion: ["'ba-package app-store submit' creates a submission, or reuses an open one."],
    subcommands: subcommands.map { $0.definition })

  init(_ arguments: ParsedArguments) throws(UsageError) { throw .missingSubcommand }

  func run(_ console: Console) -> ExitStatus { .usage }
}

extension SubmissionItem {
  var phrase: String {
    if let version { return "\(version.key.phrase) of a pack" }
    return appVersion?.phrase ?? "an item that is not a pack"
  }
}

/// A submission with its contents.
struct ShownSubmission: Described {
  /// An item of a submission, and its pack.
  struct Item: Described {
    let item: SubmissionItem
    let pack: PackID?

    var phrase: String {
      let state = item.state.map { " (\($0.phrase))" } ?? ""
      guard let version = item.version else { return item.phrase + state }
      return "\(pack?.text ?? "a pack") \(version.key.phrase)\(state)"
    }

    static let table = Table<Self>(written: "an item") {
      Key("id", written: \.item.id, .resourceID, "The ID of the item.")
      Key("state", written: \.item.state, .nullable(.state), "Apple's name of the state.")
      Key("pack", written: \.pack, .nullable(.packID), "The pack; null if it is not a pack.")
      Key(
        "versionID", written: \.item.version?.id, .nullable(.resourceID),
        "The ID of the version; null if it is not a pack.")
      Key(
        "version", written: \.item.version?.number, .nullable(.integer),
        "The number of the version; null if it is not a pack.")
    }
  }

  let submission: Submission
  let items: [Item]

  init(_ submission: Submission, _ items: [SubmissionItem], _ packs: [ResourceID: PackID]) {
    self.submission = submission
    self.items = items.map { item in
      Item(item: item, pack: item.version.flatMap { packs[$0.id] })
    }
  }

  var hasOthers: Bool { items.contains { $0.item.version == nil } }

  var phrase: String {
    items.isEmpty ? "no items" : items.map(\.phrase).joined(separator: ", ")
  }

  static let table = Table<Self>(written: "a submission") {
    Key("id", written: \.submission.id, .resourceID, "The ID of the submission.")
    Key("state", written: \.submission.state, .nullable(.state), "Apple's name of the state.")
    Key("platform", written: \.submission.platform, .nullable(.text), "The platform, or null.")
    Key(
      "submitted", written: \.submission.submitted, .nullable(.moment),
      "The time at which it was sent; null if it was not sent.")
    Key("items", written: \.items, .list(of: .object), "The items.")
  }

  /// Reads the items of submissions, and the packs of their versions.
  static func read(
    _ submissions: [Submission], _ review: Review, _ service: AppStoreService
  ) throws(PackError) -> [ShownSubmission] {
    var packs: [ResourceID: PackID] = [:]
    var shown: [ShownSubmission] = []
    for submission in submissions {
      let items = try review.contents(of: submission)
      for version in items.compactMap(\.version) where packs[version.id] == nil {
        packs[version.id] = try AppStoreService.perform("read a version") {
          () throws(ServiceError) in try service.pack(ofVersion: version.id)
        }
      }
      shown.append(ShownSubmission(submission, items, packs))
    }
    return shown
  }
}

/// The result of `app-store submissions list`.
struct SubmissionList: Described {
  let app: ResourceID
  let submissions: [ShownSubmission]

  static let table = Table<Self>(written: "the submissions of an app") {
    Key("app", written: \.app, .resourceID, "The Apple ID of the app.")
    Key("submissions", written: \.submissions, .list(of: .object), "The submissions.")
  }
}

/// The result of `app-store submissions cancel`.
struct CanceledSubmission: Described {
  let app: ResourceID
  let outcome: Review.Cancellation
  let submission: ShownSubmission

  static let table = Table<Self>(written: "a canceled submission") {
    Key("app", written: \.app, .resourceID, "The Apple ID of the app.")
    Key(
      "outcome", written: \.outcome, .word,
      "Whether it was withdrawn, its items were removed because it was not sent, or no change "
        + "was needed.")
    Key(
      "submission", written: \.submission, .object,
      "The submission, with its state and items before the command.")
  }
}

/// `app-store submissions list`.
struct AppStoreSubmissionsListCommand: Subcommand {
  private static let all = Flag("all", in: .output, "Also list completed submissions.")

  static let definition = Command(
    "list", overview: "List the open submissions and their items.",
    discussion: [DocumentName.submissions.described()],
    AppStoreOptions.all + [all, ReportFormat.option],
    examples: [
      Term(
        "ba-package app-store submissions list --app 1234567890",
        "List the submissions that are not completed.")
    ])

  private let showsAll: Bool
  private let options: AppStoreOptions
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    showsAll = arguments[Self.all]
    options = try AppStoreOptions(arguments)
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let (service, app) = try options.open(console)
    let review = Review(service, of: app.id)
    let found = try ShownSubmission.read(
      try review.submissions().filter { showsAll || !$0.isOver }, review, service)
    console.result(SubmissionList(app: app.id, submissions: found), as: format, .readable) {
      var table = TextTable()
      for one in found {
        let date = one.submission.submitted.map { "submitted \($0)" } ?? "not submitted"
        table.add(
          one.submission.id.text, one.submission.state?.phrase ?? "in an unknown state", date,
          one.phrase)
      }
      for line in table.lines { console.result(line) }
      if found.isEmpty {
        console.summary(
          showsAll ? "The app has no submission." : "The app has no incomplete submission.")
      }
    }
    return .done
  }
}

/// `app-store submissions cancel`.
struct AppStoreSubmissionsCancelCommand: Subcommand {
  private static let submission = Argument(
    "id", .text, "The ID of a submission from 'app-store submissions list'.")
  private static let allItems = Flag(
    "all-items", "Cancel a submission even if it has other items than packs.",
    details: "For example, a version of the app.")

  static let definition = Command(
    "cancel", overview: "Withdraw a submission from App Review.",
    discussion: [
      """
      A submission that was not sent cannot be canceled or deleted: its items are removed, and \
      the next 'app-store submit' reuses it. Approved packs remain live.
      """,
      DocumentName.cancellation.described(),
    ],
    [submission, allItems] + AppStoreOptions.all + [ReportFormat.option],
    examples: [
      Term(
        "ba-package app-store submissions cancel 2f8a6d41-7c3b --app 1234567890",
        "Withdraw a submission before its review.")
    ])

  private let id: String
  private let isConfirmed: Bool
  private let options: AppStoreOptions
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    id = try arguments.required(Self.submission)
    isConfirmed = arguments[Self.allItems]
    options = try AppStoreOptions(arguments)
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let (service, app) = try options.open(console)
    let review = Review(service, of: app.id)
    guard let submission = try review.submissions().first(where: { $0.id.text == id }) else {
      throw PackError(
        .missing, "the app has no submission '\(id)'",
        remedy: "'ba-package app-store submissions list --all' lists all submissions")
    }
    guard let shown = try ShownSubmission.read([submission], review, service).first else {
      return .failed
    }
    guard isConfirmed || !shown.hasOthers else {
      console.error(
        "the submission was not canceled: it has items that are not packs",
        remedy: "use --all-items to withdraw all items")
      return .failed
    }
    let outcome = try review.cancel(submission)
    if format == .json {
      console.result(
        json: CanceledSubmission(app: app.id, outcome: outcome, submission: shown), .readable)
    }
    switch outcome {
    case .canceled: console.summary("Canceled the submission \(id): \(shown.phrase).")
    case .emptied:
      console.summary(
        "Removed the items of the submission \(id), which was not sent: \(shown.phrase).")
    case .unchanged:
      console.summary(
        submission.isOpen
          ? "The submission \(id) was not sent, and has no items."
          : "The submission \(id) is already being canceled.")
    }
    return .done
  }
}

package import BAPackKit
import SystemIO
import Transfers

/// Submits versions to App Review, all of them together or none.
package struct Review {
  /// The maximum number of packs in one submission.
  package static let mostPacks = 10

  private let service: AppStoreService
  private let app: ResourceID

  package init(_ service: AppStoreService, of app: ResourceID) {
    self.service = service
    self.app = app
  }

  /// A version to submit.
  package struct Candidate: Sendable {
    package let pack: PackRecord
    package let version: PackVersion
  }

  /// The versions to submit, and the open submission that is used for them.
  package struct Plan: Sendable {
    package let candidates: [Candidate]
    /// The open submission that is used; nil if a new one is needed.
    package let submission: Submission?
    /// The items of earlier attempts that are removed first.
    package let removed: [SubmissionItem]
    /// The IDs of the candidates that the submission already contains.
    fileprivate let present: Set<ResourceID>
    /// The IDs of all existing submissions.
    fileprivate let known: Set<ResourceID>
  }

  // MARK: Planning

  /// Returns the plan for submitting the newest complete version of each pack; changes nothing.
  package func plan(_ ids: [PackID], for platform: String?) throws(PackError) -> Plan {
    let candidates = try candidates(ids)
    let requested = Set(candidates.map(\.version.id))
    let all = try perform("list the submissions") { () throws(ServiceError) in
      try service.submissions(of: app)
    }
    var ours: [(submission: Submission, items: [SubmissionItem])] = []
    for submission in all where submission.isOpen {
      let items = try contents(of: submission)
      // This program adds only packs, so a submission with other items was made in App Store
      // Connect.
      if items.allSatisfy({ $0.version != nil }) {
        ours.append((submission, items))
      } else if let held = items.compactMap(\.version).first(where: { requested.contains($0.id) }) {
        throw PackError(
          .conflict,
          "\(held.key.phrase) is in the open submission \(submission.id), which also contains "
            + "other items",
          remedy: "in App Store Connect, send that submission, or remove the version from it")
      }
    }
    let used = ours.first { platform == nil || $0.submission.platform == platform }
    let removed = ours.flatMap { one in
      one.items.filter { item in
        let isWanted = item.version.map { requested.contains($0.id) } ?? false
        return one.submission == used?.submission ? !isWanted : isWanted
      }
    }
    return Plan(
      candidates: candidates, submission: used?.submission, removed: removed,
      present: Set(used?.items.compactMap(\.version?.id) ?? []).intersection(requested),
      known: Set(all.map(\.id)))
  }

  /// Returns the newest complete version of each pack; throws if it is already live or in review.
  private func candidates(_ ids: [PackID]) throws(PackError) -> [Candidate] {
    let packs = try perform("list the packs") { () throws(ServiceError) in
      try service.packs(of: app)
    }
    var found: [Candidate] = []
    for id in ids {
      guard let pack = packs.first(where: { $0.pack == id }) else {
        throw PackError(
          .missing, "the app has no pack '\(id)'", remedy: "upload it first")
      }
      guard !pack.isArchived else { throw PackError.archived(id) }
      let versions = try perform("list the versions of '\(id)'") { () throws(ServiceError) in
        try service.versions(of: pack.id)
      }
      guard let version = versions.first(where: \.isComplete) else {
        throw PackError(
          .missing, "no version of the pack '\(id)' is complete",
          remedy: "wait until the service has processed one")
      }
      if version.id == pack.storeVersion?.id || version.storeState == "READY_FOR_DISTRIBUTION" {
        throw PackError(
          .conflict, "\(version.key.phrase) of '\(id)' is already live",
          remedy: "upload a changed pack, and submit its new version")
      }
      if let state = version.storeState, Self.submitted.contains(state.name) {
        throw PackError(
          .conflict, "\(version.key.phrase) of '\(id)' was already submitted: \(state.phrase)",
          remedy: .listSubmissions)
      }
      found.append(Candidate(pack: pack, version: version))
    }
    return found
  }

  /// The states of a version between its submission and its release.
  private static let submitted: Set<String> = [
    "WAITING_FOR_REVIEW", "IN_REVIEW", "ACCEPTED", "PROCESSING_FOR_DISTRIBUTION",
  ]

  // MARK: Submitting

  /// Submits the versions of a plan; removes them from the submission if the service refuses.
  package func submit(_ plan: Plan, for platform: String?) throws(PackError) -> Submission {
    var used = plan.submission
    do throws(ServiceError) {
      for item in plan.removed { try remove(item) }
      let submission = if let used { used } else { try make(for: platform, besides: plan.known) }
      used = submission
      for version in plan.candidates.map(\.version.id) where !plan.present.contains(version) {
        try add(version, to: submission.id)
      }
      return try service.settling { () throws(ServiceError) in
        try service.finish(submission.id)
      } unless: { () throws(ServiceError) in
        let seen = try service.submission(submission.id)
        return seen.isOpen ? nil : seen
      }
    } catch {
      throw explained(error, used, plan)
    }
  }

  private func make(
    for platform: String?, besides known: Set<ResourceID>
  ) throws(ServiceError) -> Submission {
    try service.settling { () throws(ServiceError) in
      try service.makeSubmission(of: app, for: platform)
    } unless: { () throws(ServiceError) in
      try service.submissions(of: app).first { $0.isOpen && !known.contains($0.id) }
    }
  }

  private func add(
    _ version: ResourceID, to submission: ResourceID
  ) throws(ServiceError) {
    try service.settling { () throws(ServiceError) in
      try service.add(version, to: submission)
    } unless: { () throws(ServiceError) in
      try service.items(of: submission).contains { $0.version?.id == version } ? () : nil
    }
  }

  /// Removes an item; succeeds if it was removed before.
  private func remove(_ item: SubmissionItem) throws(ServiceError) {
    try service.settling { () throws(ServiceError) in
      try service.remove(item)
    } unless: { () throws(ServiceError) in
      nil
    }
  }

  /// Removes the versions of a refused attempt from its submission, and returns the error.
  private func explained(
    _ failure: ServiceError, _ submission: Submission?, _ plan: Plan
  ) -> PackError {
    let error = failure.error("submit for review")
    guard error.kind != .interrupted else { return error }
    guard case .refused(let refusal) = failure else {
      return PackError(
        error.kind, error.message,
        remedies: error.remedies + [
          "run the command again: it continues with the open submission"
        ])
    }
    var remedies = error.remedies
    if refusal.status == 409 {
      remedies = [
        "if the pack was never live, submit it with a version of the app, in App Store Connect",
        "wait for the review of the other submission, or cancel that submission", .listSubmissions,
      ]
    }
    if let submission, !isEmptied(submission, of: plan) {
      remedies.append(
        .advice(
          "the open submission \(submission.id) keeps the versions; the next attempt reuses it"
        ))
    }
    return PackError(error.kind, error.message, remedies: remedies)
  }

  private func isEmptied(_ submission: Submission, of plan: Plan) -> Bool {
    let requested = Set(plan.candidates.map(\.version.id))
    do throws(ServiceError) {
      for item in try service.items(of: submission.id) {
        if let version = item.version, requested.contains(version.id) { try remove(item) }
      }
      return true
    } catch {
      return false
    }
  }

  // MARK: Reading and cancelling

  /// Returns the submissions of the app in the order of the service: the newest is last.
  package func submissions() throws(PackError) -> [Submission] {
    try perform("list the submissions") { () throws(ServiceError) in
      try service.submissions(of: app)
    }
  }

  package func contents(of submission: Submission) throws(PackError) -> [SubmissionItem] {
    try perform("list the items of the submission \(submission.id)") { () throws(ServiceError) in
      try service.items(of: submission.id)
    }
  }

  /// The result of cancelling a submission.
  package enum Cancellation: String, Sendable, CaseIterable {
    /// The submission is withdrawn from review.
    case canceled
    /// The submission was not sent yet; the service keeps it without items.
    case emptied
    /// The submission was empty, or is being cancelled already.
    case unchanged
  }

  /// Withdraws a submission; removes its items if it was not sent yet.
  package func cancel(_ submission: Submission) throws(PackError) -> Cancellation {
    if submission.isCanceling { return .unchanged }
    if submission.isOpen {
      let items = try contents(of: submission)
      for item in items {
        try perform("remove a version from the submission") { () throws(ServiceError) in
          try remove(item)
        }
      }
      return items.isEmpty ? .unchanged : .emptied
    }
    guard submission.isCancellable else {
      throw PackError(
        .conflict,
        "cannot cancel the submission \(submission.id): "
          + (submission.state?.phrase ?? "its state is unknown"),
        remedy: .listSubmissions)
    }
    _ = try perform("cancel the submission \(submission.id)") { () throws(ServiceError) in
      try service.settling { () throws(ServiceError) in
        try service.finish(submission.id, cancelling: true)
      } unless: { () throws(ServiceError) in
        let seen = try service.submission(submission.id)
        return seen.isCancellable ? nil : seen
      }
    }
    return .canceled
  }

  private func perform<Success>(
    _ task: String, _ body: () throws(ServiceError) -> Success
  ) throws(PackError) -> Success {
    try AppStoreService.perform(task, body)
  }
}

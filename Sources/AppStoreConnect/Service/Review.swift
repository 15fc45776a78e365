package import BAPackKit
import SystemIO
import Transfers

/// Sending versions to App Review, all of them together or none.
package struct Review {
  /// The most packs that one submission may have.
  package static let mostPacks = 10

  private let service: AppStoreService
  private let app: ResourceID

  package init(_ service: AppStoreService, of app: ResourceID) {
    self.service = service
    self.app = app
  }

  /// A version that is to be submitted.
  package struct Candidate: Sendable {
    package let pack: PackRecord
    package let version: PackVersion
  }

  /// What is to be submitted, and which open submission is used for it.
  package struct Plan: Sendable {
    package let candidates: [Candidate]
    /// The open submission that is used; nil: a new one is made.
    package let submission: Submission?
    /// The items of earlier attempts that are taken out first.
    package let removed: [SubmissionItem]
    /// The candidates that are in the submission already.
    fileprivate let present: Set<ResourceID>
    /// The submissions that there are.
    fileprivate let known: Set<ResourceID>
  }

  // MARK: Planning

  /// Returns what a submission of the newest complete version of each pack takes; changes nothing.
  package func plan(_ ids: [PackID], for platform: String?) throws(PackError) -> Plan {
    let candidates = try candidates(ids)
    let wanted = Set(candidates.map(\.version.id))
    let all = try asking("list the submissions") { () throws(ServiceTrouble) in
      try service.submissions(of: app)
    }
    var ours: [(submission: Submission, items: [SubmissionItem])] = []
    for submission in all where submission.isOpen {
      let items = try contents(of: submission)
      // One with anything else than packs was prepared by a person.
      if items.allSatisfy({ $0.version != nil }) {
        ours.append((submission, items))
      } else if let held = items.compactMap(\.version).first(where: { wanted.contains($0.id) }) {
        throw PackError(
          .conflict,
          "\(held.key.words) is in the open submission \(submission.id), which has more than packs",
          remedy: "submit that one in App Store Connect, or remove the version from it there")
      }
    }
    let used = ours.first { platform == nil || $0.submission.platform == platform }
    let removed = ours.flatMap { one in
      one.items.filter { item in
        let isWanted = item.version.map { wanted.contains($0.id) } ?? false
        return one.submission == used?.submission ? !isWanted : isWanted
      }
    }
    return Plan(
      candidates: candidates, submission: used?.submission, removed: removed,
      present: Set(used?.items.compactMap(\.version?.id) ?? []).intersection(wanted),
      known: Set(all.map(\.id)))
  }

  /// The newest complete version of each pack; one that is live or in review already is refused.
  private func candidates(_ ids: [PackID]) throws(PackError) -> [Candidate] {
    let packs = try asking("list the packs") { () throws(ServiceTrouble) in
      try service.packs(of: app)
    }
    var found: [Candidate] = []
    for id in ids {
      guard let pack = packs.first(where: { $0.pack == id }) else {
        throw PackError(
          .missing, "the app has no pack '\(id)'", remedy: "upload it first")
      }
      guard !pack.isArchived else { throw PackUploader.archived(id) }
      let versions = try asking("list the versions of '\(id)'") { () throws(ServiceTrouble) in
        try service.versions(of: pack.id)
      }
      guard let version = versions.first(where: \.isComplete) else {
        throw PackError(
          .missing, "no version of the pack '\(id)' is complete",
          remedy: "wait until the service has processed one")
      }
      if version.id == pack.storeVersion?.id || version.storeState == "READY_FOR_DISTRIBUTION" {
        throw PackError(
          .conflict, "\(version.key.words) of '\(id)' is live already",
          remedy: "upload a changed pack, and submit its new version")
      }
      if let state = version.storeState, Self.underWay.contains(state.name) {
        throw PackError(
          .conflict, "\(version.key.words) of '\(id)' was submitted already: \(state.words)",
          remedy: .listSubmissions)
      }
      found.append(Candidate(pack: pack, version: version))
    }
    return found
  }

  /// The states of a version between its submission and its release.
  private static let underWay: Set<String> = [
    "WAITING_FOR_REVIEW", "IN_REVIEW", "ACCEPTED", "PROCESSING_FOR_DISTRIBUTION",
  ]

  // MARK: Submitting

  /// Submits a plan's versions; if the service refuses, the submission is left without items.
  package func submit(_ plan: Plan, for platform: String?) throws(PackError) -> Submission {
    var used = plan.submission
    do throws(ServiceTrouble) {
      for item in plan.removed { try remove(item) }
      let submission = if let used { used } else { try make(for: platform, besides: plan.known) }
      used = submission
      for version in plan.candidates.map(\.version.id) where !plan.present.contains(version) {
        try add(version, to: submission.id)
      }
      return try service.settling { () throws(ServiceTrouble) in
        try service.finish(submission.id)
      } unless: { () throws(ServiceTrouble) in
        let seen = try service.submission(submission.id)
        return seen.isOpen ? nil : seen
      }
    } catch {
      throw explained(error, used, plan)
    }
  }

  private func make(
    for platform: String?, besides known: Set<ResourceID>
  ) throws(ServiceTrouble) -> Submission {
    try service.settling { () throws(ServiceTrouble) in
      try service.makeSubmission(of: app, for: platform)
    } unless: { () throws(ServiceTrouble) in
      try service.submissions(of: app).first { $0.isOpen && !known.contains($0.id) }
    }
  }

  private func add(
    _ version: ResourceID, to submission: ResourceID
  ) throws(ServiceTrouble) {
    try service.settling { () throws(ServiceTrouble) in
      try service.add(version, to: submission)
    } unless: { () throws(ServiceTrouble) in
      try service.items(of: submission).contains { $0.version?.id == version } ? () : nil
    }
  }

  /// Removes an item; one that is gone already is as good.
  private func remove(_ item: SubmissionItem) throws(ServiceTrouble) {
    try service.settling { () throws(ServiceTrouble) in
      try service.remove(item)
    } unless: { () throws(ServiceTrouble) in
      nil
    }
  }

  /// Takes what a refused attempt put into a submission out again, and explains the refusal.
  private func explained(
    _ trouble: ServiceTrouble, _ submission: Submission?, _ plan: Plan
  ) -> PackError {
    let error = trouble.error("submit for review")
    guard error.kind != .interrupted else { return error }
    guard case .refused(let refusal) = trouble else {
      return PackError(
        error.kind, error.message,
        remedies: error.remedies + [
          "run this again: it looks at what was done, and goes on with the open submission"
        ])
    }
    var remedies = error.remedies
    if refusal.status == 409 {
      remedies = [
        "submit a pack that was never live together with a version of the app, in App Store Connect",
        "wait until a submission that is under way is over, or cancel it", .listSubmissions,
      ]
    }
    if let submission, !isEmptied(submission, of: plan) {
      remedies.append(
        .advice(
          "the open submission \(submission.id) keeps the versions: the next attempt uses it"
        ))
    }
    return PackError(error.kind, error.message, remedies: remedies)
  }

  private func isEmptied(_ submission: Submission, of plan: Plan) -> Bool {
    let wanted = Set(plan.candidates.map(\.version.id))
    do throws(ServiceTrouble) {
      for item in try service.items(of: submission.id) {
        if let version = item.version, wanted.contains(version.id) { try remove(item) }
      }
      return true
    } catch {
      return false
    }
  }

  // MARK: Looking and cancelling

  /// The submissions of the app, the newest last as the service lists them.
  package func submissions() throws(PackError) -> [Submission] {
    try asking("list the submissions") { () throws(ServiceTrouble) in
      try service.submissions(of: app)
    }
  }

  package func contents(of submission: Submission) throws(PackError) -> [SubmissionItem] {
    try asking("list what is in the submission \(submission.id)") { () throws(ServiceTrouble) in
      try service.items(of: submission.id)
    }
  }

  /// What became of a submission that was to be cancelled.
  package enum Cancellation: String, Sendable {
    /// It is withdrawn from review.
    case canceled
    /// It was not sent yet: the service keeps it, without items.
    case emptied
    /// It is being cancelled already.
    case unchanged
  }

  /// Withdraws a submission, or removes the items of one that was not sent yet.
  package func cancel(_ submission: Submission) throws(PackError) -> Cancellation {
    if submission.isCanceling { return .unchanged }
    if submission.isOpen {
      let items = try contents(of: submission)
      for item in items {
        try asking("remove a version from the submission") { () throws(ServiceTrouble) in
          try remove(item)
        }
      }
      return items.isEmpty ? .unchanged : .emptied
    }
    guard submission.isCancellable else {
      throw PackError(
        .conflict,
        "the submission \(submission.id) cannot be canceled: \(submission.state?.words ?? "its state is unknown")",
        remedy: .listSubmissions)
    }
    _ = try asking("cancel the submission \(submission.id)") { () throws(ServiceTrouble) in
      try service.settling { () throws(ServiceTrouble) in
        try service.finish(submission.id, cancelling: true)
      } unless: { () throws(ServiceTrouble) in
        let seen = try service.submission(submission.id)
        return seen.isCancellable ? nil : seen
      }
    }
    return .canceled
  }

  private func asking<Success>(
    _ task: String, _ body: () throws(ServiceTrouble) -> Success
  ) throws(PackError) -> Success {
    try AppStoreService.asking(task, body)
  }
}

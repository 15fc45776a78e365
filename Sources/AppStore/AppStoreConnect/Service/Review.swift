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
    /// The IDs of all versions of the pack.
    fileprivate let siblings: Set<ResourceID>
  }

  /// The versions to submit, and the open submission that is used for them.
  package struct Plan: Sendable {
    package let candidates: [Candidate]
    /// The version of the app that is submitted, too.
    package let appVersion: AppVersion?
    /// The open submission that is used; nil if a new one is needed.
    package let submission: Submission?
    /// The items of earlier attempts that are removed first.
    package let removed: [SubmissionItem]
    /// The other items that the submission has.
    package let kept: [SubmissionItem]
    fileprivate let platform: String?
    /// The IDs of the versions that the submission already contains.
    fileprivate let present: Set<ResourceID>
    /// The IDs of all existing submissions.
    fileprivate let known: Set<ResourceID>

    /// The packs without a version in the App Store.
    package var firstReleases: [PackID] {
      candidates.filter { $0.pack.storeVersion == nil }.map(\.pack.pack)
    }

    fileprivate var requested: [(id: ResourceID, kind: SubmissionItem.Kind)] {
      candidates.map { ($0.version.id, .pack) } + (appVersion.map { [($0.id, .app)] } ?? [])
    }
  }

  // MARK: Planning

  /// Returns the plan for submitting the newest complete version of each pack; changes nothing.
  package func plan(_ request: Request) throws(PackError) -> Plan {
    let candidates = try candidates(request.packs)
    let appVersion = try appVersion(request)
    let requested = Set(candidates.map(\.version.id))
    let all = try submissions()
    var open: [Open] = []
    for submission in all where submission.isOpen {
      open.append(Open(submission: submission, items: try contents(of: submission)))
    }
    let platform = appVersion?.platform ?? request.platform
    let used = try choose(from: open, request, appVersion, platform, all)
    // The other items of a submission that was named, or of that of the app's version, are kept.
    let keepsItems = request.submission != nil || used?.hasOnlyPacks == false
    let siblings = candidates.reduce(into: Set<ResourceID>()) { $0.formUnion($1.siblings) }
    var removed: [SubmissionItem] = []
    for one in open {
      let wanted = one.items.filter { $0.version.map { requested.contains($0.id) } ?? false }
      if one.submission == used?.submission {
        removed += one.items.filter { item in
          guard let version = item.version, !requested.contains(version.id) else { return false }
          return !keepsItems || siblings.contains(version.id)
        }
      } else if one.hasOnlyPacks {
        removed += wanted
      } else if let held = wanted.first?.version {
        throw PackError(
          .conflict,
          "\(held.key.phrase) is in the open submission \(one.submission.id), which also contains "
            + "other items",
          remedy: .submitInSubmission(one.submission.id.text))
      }
    }
    let kept = (used?.items ?? []).filter { item in
      !removed.contains(item) && item.version.map { !requested.contains($0.id) } ?? true
    }
    let count = candidates.count + kept.count(where: \.isPack)
    guard count <= Self.mostPacks else {
      throw PackError(
        .conflict, "the submission would have \(count) packs; the maximum is \(Self.mostPacks)",
        remedy: "name at most \(Self.mostPacks) packs, and submit the others after the review")
    }
    return Plan(
      candidates: candidates, appVersion: appVersion, submission: used?.submission,
      removed: removed, kept: kept, platform: platform,
      present: Set(used?.items.compactMap(\.versionID) ?? []), known: Set(all.map(\.id)))
  }

  /// An open submission with its items.
  private struct Open {
    let submission: Submission
    let items: [SubmissionItem]

    var hasOnlyPacks: Bool { items.allSatisfy(\.isPack) }
  }

  /// Returns the open submission for a request: the named one, that of the app's version, or one
  /// that has only packs.
  private func choose(
    from open: [Open], _ request: Request, _ appVersion: AppVersion?, _ platform: String?,
    _ all: [Submission]
  ) throws(PackError) -> Open? {
    if let id = request.submission {
      if let named = open.first(where: { $0.submission.id.text == id }) { return named }
      try unusable(id, all)
    }
    let own = appVersion.flatMap { version in
      open.first { $0.items.contains { $0.appVersion?.id == version.id } }
    }
    return own
      ?? open.first {
        $0.hasOnlyPacks && (platform == nil || $0.submission.platform == platform)
      }
  }

  /// Throws the reason why a submission accepts no items.
  private func unusable(_ id: String, _ all: [Submission]) throws(PackError) -> Never {
    guard let found = all.first(where: { $0.id.text == id }) else {
      throw PackError(.missing, "the app has no submission '\(id)'", remedy: .listSubmissions)
    }
    throw PackError(
      .conflict,
      "the submission \(id) accepts no items: \(found.state?.phrase ?? "its state is unknown")",
      remedy: .listSubmissions)
  }

  /// Returns the requested version of the app; throws if it cannot be submitted.
  private func appVersion(_ request: Request) throws(PackError) -> AppVersion? {
    guard let number = request.appVersion else { return nil }
    let all = try perform("find the version \(number) of the app") { () throws(ServiceError) in
      try service.appVersions(of: app, number: number)
    }
    let found = all.filter { request.platform == nil || $0.platform == request.platform }
    guard let version = found.first else {
      throw PackError(
        .missing,
        "the app has no version '\(number)'"
          + (request.platform.map { " for \($0)" } ?? ""),
        remedy: "create it in App Store Connect, with its build and its texts")
    }
    guard found.count == 1 else {
      let platforms = found.compactMap(\.platform).joined(separator: ", ")
      throw PackError(
        .conflict, "the app has a version '\(number)' for each of \(platforms)",
        remedy: .specifyReviewPlatform)
    }
    guard version.isOpen else {
      throw PackError(
        .conflict,
        "\(version.phrase) cannot be submitted: "
          + (version.state?.phrase ?? "its state is unknown"),
        remedy: .listSubmissions)
    }
    return version
  }

  /// Returns the newest complete version of each pack; throws if it is already live or in review.
  ///
  /// Without IDs, packs whose version cannot be submitted are skipped.
  private func candidates(_ ids: [PackID]?) throws(PackError) -> [Candidate] {
    if ids?.isEmpty == true { return [] }
    let packs = try perform("list the packs") { () throws(ServiceError) in
      try service.packs(of: app)
    }
    var found: [Candidate] = []
    for id in ids ?? packs.filter({ !$0.isArchived }).map(\.pack).sorted() {
      guard let pack = packs.first(where: { $0.pack == id }) else {
        throw PackError(
          .missing, "the app has no pack '\(id)'", remedy: "upload it first")
      }
      guard !pack.isArchived else { throw PackError.archived(id) }
      let versions = try perform("list the versions of '\(id)'") { () throws(ServiceError) in
        try service.versions(of: pack.id)
      }
      let version = versions.first(where: \.isComplete)
      if let obstacle = obstacle(version, pack) {
        if ids == nil { continue }
        throw obstacle
      }
      guard let version else { continue }
      found.append(
        Candidate(pack: pack, version: version, siblings: Set(versions.map(\.id))))
    }
    guard ids != nil || !found.isEmpty else {
      throw PackError(
        .missing, "no pack is ready to submit",
        remedy: "'app-store status' shows the versions that are live, in review or in processing")
    }
    return found
  }

  /// Returns the reason why the newest complete version of a pack cannot be submitted.
  private func obstacle(_ version: PackVersion?, _ pack: PackRecord) -> PackError? {
    guard let version else {
      return PackError(
        .missing, "no version of the pack '\(pack.pack)' is complete",
        remedy: "wait until the service has processed one")
    }
    if version.id == pack.storeVersion?.id || version.storeState == "READY_FOR_DISTRIBUTION" {
      return PackError(
        .conflict, "\(version.key.phrase) of '\(pack.pack)' is already live",
        remedy: "upload a changed pack, and submit its new version")
    }
    if let state = version.storeState, Self.submitted.contains(state.name) {
      return PackError(
        .conflict, "\(version.key.phrase) of '\(pack.pack)' was already submitted: \(state.phrase)",
        remedy: .listSubmissions)
    }
    return nil
  }

  /// The states of a version between its submission and its release.
  private static let submitted: Set<String> = [
    "WAITING_FOR_REVIEW", "IN_REVIEW", "ACCEPTED", "PROCESSING_FOR_DISTRIBUTION",
  ]

  // MARK: Submitting

  /// Submits the versions of a plan; removes them from the submission if the service refuses.
  ///
  /// If it is only to be prepared, the submission remains open.
  package func submit(_ plan: Plan, preparing isPrepared: Bool) throws(PackError) -> Submission {
    var used = plan.submission
    do throws(ServiceError) {
      for item in plan.removed { try remove(item) }
      let submission = if let used { used } else { try make(plan) }
      used = submission
      for version in plan.requested where !plan.present.contains(version.id) {
        try add(version.id, as: version.kind, to: submission.id)
      }
      if isPrepared { return submission }
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

  private func make(_ plan: Plan) throws(ServiceError) -> Submission {
    try service.settling { () throws(ServiceError) in
      try service.makeSubmission(of: app, for: plan.platform)
    } unless: { () throws(ServiceError) in
      try service.submissions(of: app).first { $0.isOpen && !plan.known.contains($0.id) }
    }
  }

  private func add(
    _ version: ResourceID, as kind: SubmissionItem.Kind, to submission: ResourceID
  ) throws(ServiceError) {
    try service.settling { () throws(ServiceError) in
      try service.add(version, as: kind, to: submission)
    } unless: { () throws(ServiceError) in
      try service.items(of: submission).contains { $0.versionID == version } ? () : nil
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
        plan.appVersion == nil
          ? .submitWithAppVersion
          : "complete the version of the app in App Store Connect: its build, texts and pictures",
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

  /// Removes the requested versions; keeps those that were there before other items.
  private func isEmptied(_ submission: Submission, of plan: Plan) -> Bool {
    var requested = Set(plan.requested.map(\.id))
    if !plan.kept.isEmpty { requested.subtract(plan.present) }
    do throws(ServiceError) {
      for item in try service.items(of: submission.id) {
        if let version = item.versionID, requested.contains(version) { try remove(item) }
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

import SystemIO

/// Review: the submissions, and the decisions of reviewers.
extension MockStore {
  private static let invalidState = "STATE_ERROR.INVALID_STATE"
  /// The maximum number of packs in one submission.
  private static let mostItems = 10
  /// The maximum number of open submissions: one with a version of the app, and one without.
  private static let mostSubmissions = 2

  mutating func createSubmission(
    _ document: CheckedDocument
  ) throws(APIErrors) -> ReviewSubmission {
    let appID = document.target("app") ?? ""
    _ = try Self.target("app", .apps, appID, in: apps)
    let platform = document.text("platform")
    let open = submissions.all.filter {
      $0.appID == appID && $0.platform == platform && $0.state != .complete
    }
    guard open.count < Self.mostSubmissions else {
      throw APIErrors(.state("There are \(open.count) review submissions in progress already."))
    }
    let submission = ReviewSubmission(id: makeID(), appID: appID, platform: platform)
    submissions.add(submission)
    return submission
  }

  mutating func createItem(
    _ document: CheckedDocument
  ) throws(APIErrors) -> ReviewItem {
    let id = document.target("reviewSubmission") ?? ""
    let submission = try Self.target("reviewSubmission", .submissions, id, in: submissions)
    let targets = (document.target("backgroundAssetVersion"), document.target("appStoreVersion"))
    switch targets {
    case (nil, nil):
      throw APIErrors(
        .entity(
          "RELATIONSHIP.REQUIRED", "The provided entity is missing a required relationship",
          "You must provide a version to review", at: "/data/relationships"))
    case (.some, .some):
      throw APIErrors(
        .entity(
          "RELATIONSHIP.INVALID",
          "The provided entity includes a relationship with an invalid value",
          "A review submission item must have exactly one version", at: "/data/relationships"))
    default: break
    }
    guard submission.state == .readyForReview else {
      throw APIErrors(
        .state(
          "The review submission is in the state \(submission.state.rawValue).",
          code: Self.invalidState))
    }
    if let version = targets.0 {
      try checkItem(version, in: submission)
      var release =
        release(.appStore, of: version)
        ?? addRelease(.appStore, .prepareForSubmission, of: version)
      release.state = .readyForReview
      releases[release.id] = release
    } else if let version = targets.1 {
      try checkAppVersion(version, in: submission)
    }
    let item = ReviewItem(
      id: makeID(), submissionID: id, versionID: targets.0, appStoreVersionID: targets.1)
    items.add(item)
    return item
  }

  /// Returns the items of a submission that were not removed.
  private func live(_ submission: String) -> [ReviewItem] {
    items(of: submission).filter { $0.state != .removed }
  }

  private func checkAppVersion(
    _ id: String, in submission: ReviewSubmission
  ) throws(APIErrors) {
    guard let app = apps[submission.appID],
      let version = Self.versions(of: app).first(where: { $0.id == id })
    else {
      throw APIErrors(.missingTarget("appStoreVersion", "appStoreVersions", id))
    }
    guard submission.platform.map({ $0 == version.platform }) ?? true else {
      throw APIErrors(.state("The review submission is for another platform."))
    }
    guard !live(submission.id).contains(where: { $0.appStoreVersionID != nil }) else {
      throw APIErrors(.state("The review submission already has a version of the app."))
    }
    let state = state(of: version)
    guard state == .prepareForSubmission else {
      throw APIErrors(
        .state("The version of the app is in the state \(state.rawValue).", code: Self.invalidState)
      )
    }
  }

  private func checkItem(
    _ id: String, in submission: ReviewSubmission
  ) throws(APIErrors) {
    guard let version = versions[id], let pack = packs[version.packID],
      pack.appID == submission.appID
    else {
      throw APIErrors(
        .missingTarget("backgroundAssetVersion", ResourceKind.versions.rawValue, id))
    }
    func unreviewable(_ reason: String) -> APIErrors {
      // The service reports the cause as an associated error of the resource.
      var error = APIError.state(
        "backgroundAssetVersions with id '\(id)' is not in valid state. This resource cannot be "
          + "reviewed, please check associated errors to see why.", code: Self.invalidState)
      error.associated = [("/v1/backgroundAssetVersions/\(id)", [.state(reason)])]
      return APIErrors(error)
    }
    guard !pack.isArchived else { throw unreviewable("The asset pack is archived.") }
    guard version.state == .complete else {
      throw unreviewable("The version is in the state \(version.state.rawValue), not COMPLETE.")
    }
    if let release = release(.appStore, of: id),
      ![.prepareForSubmission, .rejected].contains(release.state)
    {
      throw unreviewable(
        "The App Store release of the version is in the state \(release.state.rawValue).")
    }
    let others = live(submission.id).compactMap { versions[$0.versionID] }
    guard !others.contains(where: { $0.packID == pack.id }) else {
      throw APIErrors(.state("The review submission already has a version of this asset pack."))
    }
    guard others.count < Self.mostItems else {
      throw APIErrors(
        .state("A review submission has at most \(Self.mostItems) asset packs."))
    }
  }

  mutating func updateSubmission(
    _ id: String, _ document: CheckedDocument, _ switches: MockSettings, at now: Moment
  ) throws(APIErrors) -> ReviewSubmission {
    guard var submission = submissions[id] else {
      throw APIErrors(.notFound("reviewSubmissions", id))
    }
    let (submitted, canceled) = (document.flag("submitted"), document.flag("canceled"))
    if submitted == true, canceled == true {
      throw APIErrors(
        .invalidAttribute("canceled", "A review submission cannot be submitted and canceled"))
    }
    if submitted == false || canceled == false {
      let name = submitted == false ? "submitted" : "canceled"
      throw APIErrors(.invalidAttribute(name, "'\(name)' can only be true"))
    }
    if let platform = document.text("platform"), platform != submission.platform {
      throw APIErrors(
        .invalidAttribute("platform", "The platform of a review submission cannot be changed"))
    }
    if submitted == true {
      try checkSubmitting(submission, switches)
      submission.state = .waitingForReview
      submission.submitted = now
      submissions[id] = submission
      changeReleases(of: id, to: .waitingForReview)
    }
    if canceled == true {
      guard [.waitingForReview, .inReview, .unresolvedIssues].contains(submission.state) else {
        throw APIErrors(
          .state("Resource is not in cancellable state", code: Self.invalidState))
      }
      submission.state = .canceling
      submission.due = now.adding(seconds: Int64(switches.processingSeconds))
      submissions[id] = submission
      changeReleases(of: id, to: .prepareForSubmission)
    }
    return submission
  }

  private func checkSubmitting(
    _ submission: ReviewSubmission, _ switches: MockSettings
  ) throws(APIErrors) {
    guard [.readyForReview, .unresolvedIssues].contains(submission.state) else {
      throw APIErrors(
        .state(
          "The review submission is in the state \(submission.state.rawValue).",
          code: Self.invalidState))
    }
    let live = live(submission.id)
    guard !live.isEmpty else {
      throw APIErrors(.state("The review submission has no items."))
    }
    if live.contains(where: { $0.state == .rejected }) {
      throw APIErrors(.state("The review submission has items that are not resolved."))
    }
    let hasAppVersion = live.contains { $0.appStoreVersionID != nil }
    // A pack with an available version was approved with a version of the app.
    let isNew = live.contains { item in
      versions[item.versionID].flatMap { packs[$0.packID] }?.appStoreVersion == nil
    }
    guard
      switches.hasApprovedAppVersion || hasAppVersion || !isNew
        || hasApprovedVersion(submission.appID)
    else {
      throw APIErrors(
        .state(
          "App must have an approved appStoreVersions, or an appStoreVersions must be included in "
            + "this review submission."))
    }
  }

  private mutating func changeReleases(
    of submission: String, to state: ReleaseState
  ) {
    for item in live(submission) {
      guard let version = item.versionID, var release = release(.appStore, of: version) else {
        continue
      }
      change(&release, to: state)
    }
  }

  mutating func updateItem(
    _ id: String, _ document: CheckedDocument
  ) throws(APIErrors) -> ReviewItem {
    guard var item = items[id] else { throw APIErrors(.notFound("reviewSubmissionItems", id)) }
    if document.flag("removed") == true {
      guard item.state != .removed else {
        throw APIErrors(.state("The item has already been removed.", code: Self.invalidState))
      }
      try checkOpen(item)
      item.state = .removed
      items[id] = item
      putBack(item)
    }
    if document.flag("resolved") == true {
      guard item.state == .rejected else {
        throw APIErrors(.state("The item has no unresolved issues.", code: Self.invalidState))
      }
      item.state = .readyForReview
      items[id] = item
    }
    return item
  }

  mutating func deleteItem(_ id: String) throws(APIErrors) {
    guard let item = items[id] else { throw APIErrors(.notFound("reviewSubmissionItems", id)) }
    try checkOpen(item)
    items.remove(id)
    if item.state != .removed { putBack(item) }
  }

  /// Throws unless items can be removed: the submission must not be in review.
  private func checkOpen(_ item: ReviewItem) throws(APIErrors) {
    guard let state = submissions[item.submissionID]?.state,
      [.readyForReview, .unresolvedIssues].contains(state)
    else {
      throw APIErrors(
        .state("The review submission is in progress.", code: Self.invalidState))
    }
  }

  private mutating func putBack(_ item: ReviewItem) {
    guard let version = item.versionID, var release = release(.appStore, of: version) else {
      return
    }
    change(&release, to: .prepareForSubmission)
  }

  // MARK: Reviewers

  /// The decisions of a reviewer.
  enum Decision: String, CaseIterable { case begin, accept, reject }

  /// Decides about a submission; returns the reason if the decision is not possible.
  mutating func decide(
    _ decision: Decision, on id: String, _ switches: MockSettings, at now: Moment
  ) -> String? {
    guard var submission = submissions[id] else { return "no submission '\(id)'" }
    guard [.waitingForReview, .inReview].contains(submission.state) else {
      return "the submission is in the state \(submission.state.rawValue)"
    }
    let due = now.adding(seconds: Int64(switches.processingSeconds))
    switch decision {
    case .begin:
      submission.state = .inReview
      changeReleases(of: id, to: .inReview)
    case .accept:
      submission.state = .completing
      submission.due = due
      for var item in live(id) {
        item.state = .approved
        items[item.id] = item
        guard let version = item.versionID, var release = release(.appStore, of: version) else {
          continue
        }
        change(&release, to: .accepted)
        release.due = due
        change(&release, to: .processingForDistribution)
      }
    case .reject:
      submission.state = .unresolvedIssues
      for var item in live(id) {
        item.state = .rejected
        items[item.id] = item
      }
      changeReleases(of: id, to: .rejected)
    }
    submissions[id] = submission
    return nil
  }

  /// Starts the review for external testers, where the service has a request for it.
  mutating func createBetaReview(
    _ document: CheckedDocument, _ switches: MockSettings, at now: Moment
  ) throws(APIErrors) -> MockRelease {
    let id = document.target("backgroundAssetVersion") ?? ""
    _ = try Self.target("backgroundAssetVersion", .versions, id, in: versions)
    if let problem = decideBeta(.submit, on: id, switches, at: now) {
      throw APIErrors(.state("The version cannot be reviewed: \(problem)."))
    }
    guard let release = release(.externalBeta, of: id) else {
      throw APIErrors(.notFound(ResourceKind.externalReleases.rawValue, id))
    }
    return release
  }

  /// The steps of a review for external testers.
  enum BetaStep: String, CaseIterable { case submit, begin, accept, reject }

  /// Performs a step of that review; returns the reason if the step is not possible.
  mutating func decideBeta(
    _ step: BetaStep, on id: String, _ switches: MockSettings, at now: Moment
  ) -> String? {
    guard let version = versions[id], version.state == .complete else {
      return "no complete version '\(id)'"
    }
    if step == .submit, release(.externalBeta, of: id) == nil {
      addRelease(.externalBeta, .readyForBetaSubmission, of: id)
    }
    guard var release = release(.externalBeta, of: id) else {
      return "the version has no release for external testers yet"
    }
    let from: [ReleaseState] =
      switch step {
      case .submit: [.readyForBetaSubmission, .rejected]
      case .begin: [.waitingForReview]
      case .accept, .reject: [.waitingForReview, .inReview]
      }
    guard from.contains(release.state) else {
      return "the release is in the state \(release.state.rawValue)"
    }
    switch step {
    case .submit: change(&release, to: .waitingForReview)
    case .begin: change(&release, to: .inReview)
    case .reject: change(&release, to: .rejected)
    case .accept:
      release.due = now.adding(seconds: Int64(switches.processingSeconds))
      change(&release, to: .processingForTesting)
    }
    return nil
  }
}

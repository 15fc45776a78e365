/// A version of an app, which can be submitted to review together with packs.
///
/// Each app has one version for each of its platforms. Its state is that of its last review.
struct MockAppVersion: Sendable, Identifiable {
  enum State: String, Sendable, CaseIterable {
    case prepareForSubmission = "PREPARE_FOR_SUBMISSION"
    case readyForReview = "READY_FOR_REVIEW"
    case waitingForReview = "WAITING_FOR_REVIEW"
    case inReview = "IN_REVIEW"
    case rejected = "REJECTED"
    case processingForDistribution = "PROCESSING_FOR_DISTRIBUTION"
    case readyForDistribution = "READY_FOR_DISTRIBUTION"
  }

  /// The number of each version.
  static let number = "1.0"

  let id: String
  let platform: String
}

extension MockStore {
  /// Returns the versions of an app, one for each platform.
  static func versions(of app: MockApp) -> [MockAppVersion] {
    app.platforms.enumerated().map { index, platform in
      let name = index == 0 ? app.id : "\(app.id)/\(platform)"
      return MockAppVersion(id: id(of: "appStoreVersion/\(name)"), platform: platform)
    }
  }

  func appVersion(_ id: String?) -> MockAppVersion? {
    items.all.last { $0.appStoreVersionID == id }
      .flatMap { submissions[$0.submissionID] }.flatMap { apps[$0.appID] }
      .flatMap { Self.versions(of: $0).first { $0.id == id } }
  }

  func state(of version: MockAppVersion) -> MockAppVersion.State {
    let item = items.all.last { $0.appStoreVersionID == version.id && $0.state != .removed }
    guard let item, let submission = submissions[item.submissionID] else {
      return .prepareForSubmission
    }
    return switch submission.state {
    case .readyForReview: .readyForReview
    case .waitingForReview: .waitingForReview
    case .inReview: .inReview
    case .unresolvedIssues: .rejected
    case .canceling: .prepareForSubmission
    case .completing: .processingForDistribution
    case .complete: item.state == .approved ? .readyForDistribution : .prepareForSubmission
    }
  }

  /// Returns whether a version of an app was approved.
  func hasApprovedVersion(_ app: String) -> Bool {
    (apps[app].map(Self.versions) ?? []).contains {
      [.processingForDistribution, .readyForDistribution].contains(state(of: $0))
    }
  }
}

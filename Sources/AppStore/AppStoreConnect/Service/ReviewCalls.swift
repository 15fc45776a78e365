package import BAPackKit
import SourceDiagnostics
package import SystemIO

// The requests for review submissions, with one function for each.

/// A review submission: the items that are sent to App Review together.
package struct Submission: Sendable, Equatable {
  package let id: ResourceID
  package let state: StateName?
  package let platform: String?
  package let submitted: Moment?

  /// Whether it was not sent yet, and accepts items.
  package var isOpen: Bool { state == "READY_FOR_REVIEW" }
  /// Whether it can be withdrawn as a whole.
  package var isCancellable: Bool {
    ["WAITING_FOR_REVIEW", "IN_REVIEW", "UNRESOLVED_ISSUES"].contains(state?.name)
  }
  package var isOver: Bool { state == "COMPLETE" }
  package var isCanceling: Bool { state == "CANCELING" }
}

package struct SubmissionItem: Sendable, Equatable {
  package let id: ResourceID
  package let state: StateName?
  /// The version of a pack; nil for anything else, such as a version of the app.
  package let version: PackVersion?
  /// The version of the app; nil for anything else.
  package let appVersion: AppVersion?

  /// The types of items that this program adds: the names of their relationships.
  enum Kind: String, Sendable {
    case pack = "backgroundAssetVersion"
    case app = "appStoreVersion"
  }

  /// Whether it is a version of a pack.
  var isPack: Bool { version != nil }
  var isRemoved: Bool { state == "REMOVED" }
  /// The ID of the version of a pack or of the app.
  var versionID: ResourceID? { version?.id ?? appVersion?.id }
}

/// A version of an app for one platform, which the App Store reviews.
package struct AppVersion: Sendable, Equatable {
  package let id: ResourceID
  package let number: String?
  package let platform: String?
  package let state: StateName?

  /// Whether it can be added to a submission.
  var isOpen: Bool {
    [
      "PREPARE_FOR_SUBMISSION", "READY_FOR_REVIEW", "DEVELOPER_REJECTED", "REJECTED",
      "METADATA_REJECTED",
    ].contains(state?.name)
  }
  /// The version in messages: `version 1.0 of the app (IOS)`.
  package var phrase: String {
    "version \(number ?? id.text) of the app" + (platform.map { " (\($0))" } ?? "")
  }
}

extension AppStoreService {
  /// Returns the versions of an app with a number, one for each platform.
  func appVersions(of app: ResourceID, number: String) throws(ServiceError) -> [AppVersion] {
    try all(
      "/v1/apps/\(app)/appStoreVersions", [("filter[versionString]", number), ("limit", "200")],
      to: "find the version \(number) of the app"
    ) { AppVersion($0) }.filter { $0.number == number }
  }

  /// Returns the submissions of an app, including the completed ones.
  package func submissions(of app: ResourceID) throws(ServiceError) -> [Submission] {
    try all(
      "/v1/reviewSubmissions", [("filter[app]", app.text), ("limit", "200")],
      to: "list the submissions"
    ) { Submission($0) }
  }

  func submission(_ id: ResourceID) throws(ServiceError) -> Submission {
    try one("GET", "/v1/reviewSubmissions/\(id)", to: "read a submission") { Submission($0) }
  }

  /// Returns the items of a submission, without the removed ones.
  package func items(of submission: ResourceID) throws(ServiceError) -> [SubmissionItem] {
    try all(
      "/v1/reviewSubmissions/\(submission)/items",
      [("limit", "200"), ("include", "backgroundAssetVersion,appStoreVersion")],
      to: "list the items of a submission"
    ) { SubmissionItem($0) }.filter { !$0.isRemoved }
  }

  /// Returns the ID of a version's pack; nil if the response does not contain it.
  package func pack(ofVersion id: ResourceID) throws(ServiceError) -> PackID? {
    try one(
      "GET", "/v1/backgroundAssetVersions/\(id)", [("include", "backgroundAsset")],
      to: "read a version"
    ) { node in .some(node.related("backgroundAsset").flatMap { PackRecord($0) }?.pack) }
  }

  func makeSubmission(
    of app: ResourceID, for platform: String?
  ) throws(ServiceError) -> Submission {
    try one(
      "POST", "/v1/reviewSubmissions", [],
      .data(
        "reviewSubmissions",
        attributes: platform.map { [("platform", .string($0))] } ?? [],
        relationships: [("app", "apps", app)]),
      to: "create a submission"
    ) { Submission($0) }
  }

  /// Adds a version of a pack or of the app to a submission.
  func add(
    _ version: ResourceID, as kind: SubmissionItem.Kind, to submission: ResourceID
  ) throws(ServiceError) {
    _ = try one(
      "POST", "/v1/reviewSubmissionItems", [],
      .data(
        "reviewSubmissionItems",
        relationships: [
          ("reviewSubmission", "reviewSubmissions", submission),
          (kind.rawValue, "\(kind.rawValue)s", version),
        ]), to: "add a version to the submission"
    ) { $0.id }
  }

  func remove(_ item: SubmissionItem) throws(ServiceError) {
    try remove("/v1/reviewSubmissionItems/\(item.id)", to: "remove a version from the submission")
  }

  /// Starts the review of a version for external testers.
  ///
  /// The interface of version 4.4.1 has no such request.
  func startBetaReview(of version: ResourceID) throws(ServiceError) {
    _ = try one(
      "POST", "/v1/betaBackgroundAssetReviewSubmissions", [],
      .data(
        "betaBackgroundAssetReviewSubmissions",
        relationships: [("backgroundAssetVersion", "backgroundAssetVersions", version)]),
      to: "start the review for external testers"
    ) { $0.id }
  }

  /// Sends a submission to review, or withdraws it.
  func finish(
    _ submission: ResourceID, cancelling isCancelled: Bool = false
  ) throws(ServiceError) -> Submission {
    try one(
      "PATCH", "/v1/reviewSubmissions/\(submission)", [],
      .data(
        "reviewSubmissions", id: submission,
        attributes: [(isCancelled ? "canceled" : "submitted", .bool(true))]),
      to: isCancelled ? "cancel the submission" : "submit for review"
    ) { Submission($0) }
  }
}

extension Submission {
  fileprivate init?(_ node: ResourceNode) {
    guard let id = node.id else { return nil }
    self.init(
      id: id, state: node.text("state").map { StateName($0) }, platform: node.text("platform"),
      submitted: node.moment("submittedDate"))
  }
}

extension AppVersion {
  fileprivate init?(_ node: ResourceNode) {
    guard let id = node.id else { return nil }
    self.init(
      id: id, number: node.text("versionString"), platform: node.text("platform"),
      state: (node.text("appVersionState") ?? node.text("appStoreState")).map { StateName($0) })
  }
}

extension SubmissionItem {
  fileprivate init?(_ node: ResourceNode) {
    guard let id = node.id else { return nil }
    self.init(
      id: id, state: node.text("state").map { StateName($0) },
      version: node.related("backgroundAssetVersion").flatMap { PackVersion($0) },
      appVersion: node.related("appStoreVersion").flatMap { AppVersion($0) })
  }
}

import SystemIO
import TerminalText

/// An app that the mock has; it has nothing of it but what packs need.
package struct App: Sendable, Codable, Equatable {
  /// The Apple ID: digits.
  package let id: String
  package let bundleID: String
  package let name: String
  /// The platforms of the app's record.
  package let platforms: [String]

  package init(
    id: String, bundleID: String, name: String, platforms: [String] = Platforms.all
  ) {
    self.id = id
    self.bundleID = bundleID
    self.name = name
    self.platforms = platforms
  }
}

extension App {
  /// Creates an app from its bundle ID; the Apple ID is derived from the bundle ID.
  package init(bundleID: String) {
    let digits = Store.id(of: "app/\(bundleID)").utf8.compactMap(\.hexadecimalDigitValue)
    let number =
      digits.reduce(into: 0) { $0 = ($0 &* 16 &+ Int($1)) % 9_000_000_000 } + 1_000_000_000
    self.init(id: "\(number)", bundleID: bundleID, name: bundleID)
  }

  /// Returns whether a text is an Apple ID: 1 to 19 digits.
  package static func isAppleID(_ text: String) -> Bool {
    (1...19).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit)
  }

  /// Returns whether a text is a bundle ID: two or more parts of letters, digits and hyphens, with periods.
  package static func isBundleID(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 155 && parts.count > 1
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
      }
  }
}

/// The platforms as the service names them.
package enum Platforms {
  package static let all = ["IOS", "MAC_OS", "TV_OS", "VISION_OS"]
}

/// The record of a pack.
struct Pack: Sendable, Codable {
  let id: String
  let appID: String
  let identifier: String
  let created: Moment
  var isArchived = false
  /// The highest number that was given out; numbers are never given out twice.
  var lastVersion = 0
  var internalBetaVersion: String?
  var externalBetaVersion: String?
  var appStoreVersion: String?
}

/// One version of a pack.
struct Version: Sendable, Codable {
  enum State: String, Sendable, Codable, CaseIterable {
    case awaitingUpload = "AWAITING_UPLOAD"
    case processing = "PROCESSING"
    case failed = "FAILED"
    case complete = "COMPLETE"
  }

  let id: String
  let packID: String
  let number: Int
  let created: Moment
  var state = State.awaitingUpload
  var details = Details()
  /// What the manifest says; nil before it was read.
  var platforms: [String]?
  var locale: String?
  var assetFile: String?
  var manifestFile: String?
  /// When what was uploaded is processed.
  var due: Moment?
}

/// What processing has to say.
struct Details: Sendable, Codable, Equatable {
  var errors: [Detail] = []
  var warnings: [Detail] = []

  struct Detail: Sendable, Codable, Equatable {
    let code: String
    let description: String
  }
}

/// The findings in the bytes of a committed file.
struct Judgement: Sendable, Codable {
  var details = Details()
  /// Whether the bytes are not a valid file of their kind.
  var isBroken = false
  var platforms: [String] = []
  var locale: String?
}

/// A file on its way to the service.
struct MockFile: Sendable, Codable {
  enum Kind: String, Sendable, Codable { case asset = "ASSET", manifest = "MANIFEST" }

  enum State: String, Sendable, Codable {
    case awaitingUpload = "AWAITING_UPLOAD"
    case uploadComplete = "UPLOAD_COMPLETE"
    case complete = "COMPLETE"
    case failed = "FAILED"
  }

  let id: String
  let versionID: String
  let kind: Kind
  let name: String
  let size: UInt64
  let token: String
  var expires: Moment
  var parts: [Part]
  var state = State.awaitingUpload
  var errors: [Details.Detail] = []
  /// The checksum of all parts, as object storage computes it; nil before the commit.
  var composite: String?
  /// The MD5 of the file that the commit declared; nil if it declared none.
  var md5: String?
  /// The findings in the bytes, read at the commit; they take effect when the file is due.
  var judgement: Judgement?
  /// When the file is processed.
  var due: Moment?

  /// A piece of it.
  struct Part: Sendable, Codable {
    let number: Int
    let offset: UInt64
    let length: UInt64
    /// The MD5 of the received bytes; nil until all bytes are received.
    var tag: String?
  }

  /// Whether it has been committed.
  var isCommitted: Bool { composite != nil }
}

/// Where a version is offered: to testers inside, to testers outside, or in the App Store.
struct MockRelease: Sendable, Codable {
  enum Kind: String, Sendable, Codable, CaseIterable {
    case internalBeta = "backgroundAssetVersionInternalBetaReleases"
    case externalBeta = "backgroundAssetVersionExternalBetaReleases"
    case appStore = "backgroundAssetVersionAppStoreReleases"

    /// The states that it can have, in their order.
    var states: [ReleaseState] {
      switch self {
      case .internalBeta: [.readyForTesting, .superseded]
      case .externalBeta:
        [
          .readyForBetaSubmission, .waitingForReview, .inReview, .rejected, .processingForTesting,
          .readyForTesting, .superseded,
        ]
      case .appStore:
        [
          .prepareForSubmission, .readyForReview, .waitingForReview, .inReview, .accepted,
          .rejected, .processingForDistribution, .readyForDistribution, .superseded,
        ]
      }
    }

    /// The relationship of a version that leads to it.
    var relationship: String {
      switch self {
      case .internalBeta: "internalBetaRelease"
      case .externalBeta: "externalBetaRelease"
      case .appStore: "appStoreRelease"
      }
    }
  }

  let id: String
  let versionID: String
  let kind: Kind
  var state: ReleaseState
  /// When the state that passes by itself is over.
  var due: Moment?
}

enum ReleaseState: String, Sendable, Codable {
  case readyForTesting = "READY_FOR_TESTING"
  case superseded = "SUPERSEDED"
  case readyForBetaSubmission = "READY_FOR_BETA_SUBMISSION"
  case waitingForReview = "WAITING_FOR_REVIEW"
  case inReview = "IN_REVIEW"
  case rejected = "REJECTED"
  case processingForTesting = "PROCESSING_FOR_TESTING"
  case prepareForSubmission = "PREPARE_FOR_SUBMISSION"
  case readyForReview = "READY_FOR_REVIEW"
  case accepted = "ACCEPTED"
  case processingForDistribution = "PROCESSING_FOR_DISTRIBUTION"
  case readyForDistribution = "READY_FOR_DISTRIBUTION"
}

/// What is sent to review together.
struct ReviewSubmission: Sendable, Codable {
  enum State: String, Sendable, Codable, CaseIterable {
    case readyForReview = "READY_FOR_REVIEW"
    case waitingForReview = "WAITING_FOR_REVIEW"
    case inReview = "IN_REVIEW"
    case unresolvedIssues = "UNRESOLVED_ISSUES"
    case canceling = "CANCELING"
    case completing = "COMPLETING"
    case complete = "COMPLETE"
  }

  let id: String
  let appID: String
  var platform: String?
  var submitted: Moment?
  var state = State.readyForReview
  var due: Moment?
}

/// One thing in it: a version of a pack, or of the app.
struct ReviewItem: Sendable, Codable {
  enum State: String, Sendable, Codable {
    case readyForReview = "READY_FOR_REVIEW"
    case accepted = "ACCEPTED"
    case approved = "APPROVED"
    case rejected = "REJECTED"
    case removed = "REMOVED"
  }

  let id: String
  let submissionID: String
  var versionID: String?
  var appStoreVersionID: String?
  var state = State.readyForReview
}

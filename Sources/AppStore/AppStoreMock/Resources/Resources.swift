package import SourceDiagnostics
import SystemIO
import TerminalText

/// An app of the mock, with the properties that packs require.
package struct MockApp: Sendable, Identifiable, Equatable {
  /// The Apple ID: digits.
  package internal(set) var id: String
  package internal(set) var bundleID: String
  package internal(set) var name: String
  /// The platforms of the app's record.
  package internal(set) var platforms: [String]

  package init(
    id: String, bundleID: String, name: String, platforms: [String] = Platforms.all
  ) {
    self.id = id
    self.bundleID = bundleID
    self.name = name
    self.platforms = platforms
  }
}

extension MockApp {
  /// Creates an app from its bundle ID; the Apple ID is derived from the bundle ID.
  package init(bundleID: String) {
    let digits = MockStore.id(of: "app/\(bundleID)").utf8.compactMap(\.hexadecimalDigitValue)
    let number =
      digits.reduce(into: 0) { $0 = ($0 &* 16 &+ Int($1)) % 9_000_000_000 } + 1_000_000_000
    self.init(id: "\(number)", bundleID: bundleID, name: bundleID)
  }

  /// Returns whether a text is an Apple ID: 1 to 19 digits.
  package static func isAppleID(_ text: String) -> Bool {
    (1...19).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit)
  }

  /// Returns whether a text is a bundle ID: two or more parts of letters, digits and hyphens,
  /// separated by periods.
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
struct MockPack: Sendable, Identifiable {
  var id: String
  var appID: String
  var identifier: String
  var created: Moment
  var isArchived = false
  /// The highest assigned number; numbers are never assigned twice.
  var lastVersion = 0
  var internalBetaVersion: String?
  var externalBetaVersion: String?
  var appStoreVersion: String?
}

/// One version of a pack.
struct MockVersion: Sendable, Identifiable {
  enum State: String, Sendable, CaseIterable {
    case awaitingUpload = "AWAITING_UPLOAD"
    case processing = "PROCESSING"
    case failed = "FAILED"
    case complete = "COMPLETE"
  }

  var id: String
  var packID: String
  var number: Int
  var created: Moment
  var state = State.awaitingUpload
  var details = Details()
  /// The platforms in the manifest; nil before the manifest is read.
  var platforms: [String]?
  var locale: String?
  var assetFile: String?
  var manifestFile: String?
  /// The time at which the upload is processed.
  var due: Moment?
}

/// The findings of processing.
struct Details: Sendable, Equatable {
  var errors: [Detail] = []
  var warnings: [Detail] = []

  struct Detail: Sendable, Equatable {
    var code: String
    var description: String
  }
}

/// The findings in the bytes of a committed file.
struct Judgement: Sendable {
  var details = Details()
  /// Whether the bytes are not a valid file of their kind.
  var isBroken = false
  var platforms: [String] = []
  var locale: String?
}

/// An uploaded file.
struct MockFile: Sendable, Identifiable {
  enum Kind: String, Sendable, CaseIterable { case asset = "ASSET", manifest = "MANIFEST" }

  enum State: String, Sendable, CaseIterable {
    case awaitingUpload = "AWAITING_UPLOAD"
    case uploadComplete = "UPLOAD_COMPLETE"
    case complete = "COMPLETE"
    case failed = "FAILED"
  }

  var id: String
  var versionID: String
  var kind: Kind
  var name: String
  var size: UInt64
  var token: String
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
  /// The time at which the file is processed.
  var due: Moment?

  struct Part: Sendable {
    var number: Int
    var offset: UInt64
    var length: UInt64
    /// The MD5 of the received bytes; nil until all bytes are received.
    var tag: String?
  }

  var isCommitted: Bool { composite != nil }
}

/// The availability of a version for internal testers, external testers or the App Store.
struct MockRelease: Sendable, Identifiable {
  enum Kind: String, Sendable, CaseIterable {
    case internalBeta = "backgroundAssetVersionInternalBetaReleases"
    case externalBeta = "backgroundAssetVersionExternalBetaReleases"
    case appStore = "backgroundAssetVersionAppStoreReleases"

    /// The possible states, in their order.
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

    /// The name of the relationship of a version with this release.
    var relationship: String {
      switch self {
      case .internalBeta: "internalBetaRelease"
      case .externalBeta: "externalBetaRelease"
      case .appStore: "appStoreRelease"
      }
    }
  }

  var id: String
  var versionID: String
  var kind: Kind
  var state: ReleaseState
  /// The time at which the state ends, if it depends only on time.
  var due: Moment?
}

enum ReleaseState: String, Sendable, CaseIterable {
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

/// A submission to App Review.
struct ReviewSubmission: Sendable, Identifiable {
  enum State: String, Sendable, CaseIterable {
    case readyForReview = "READY_FOR_REVIEW"
    case waitingForReview = "WAITING_FOR_REVIEW"
    case inReview = "IN_REVIEW"
    case unresolvedIssues = "UNRESOLVED_ISSUES"
    case canceling = "CANCELING"
    case completing = "COMPLETING"
    case complete = "COMPLETE"
  }

  var id: String
  var appID: String
  var platform: String?
  var submitted: Moment?
  var state = State.readyForReview
  var due: Moment?
}

/// An item of a submission: a version of a pack or of the app.
struct ReviewItem: Sendable, Identifiable {
  enum State: String, Sendable, CaseIterable {
    case readyForReview = "READY_FOR_REVIEW"
    case accepted = "ACCEPTED"
    case approved = "APPROVED"
    case rejected = "REJECTED"
    case removed = "REMOVED"
  }

  var id: String
  var submissionID: String
  var versionID: String?
  var appStoreVersionID: String?
  var state = State.readyForReview
}

// MARK: - In the state file

extension MockApp: Described {
  package static let table = Table("an app", blank: MockApp(id: "", bundleID: "", name: "")) {
    Key("id", \.id, .text, "The Apple ID.")
    Key("bundleID", \.bundleID, .text, "The bundle ID.")
    Key("name", \.name, .text, "The name.")
    Key("platforms", \.platforms, .list(of: .text), "The platforms.")
  }
}

extension Moment { fileprivate static let blank = Moment(seconds: 0) }

extension MockPack: Described {
  static let table = Table(
    "a pack", blank: MockPack(id: "", appID: "", identifier: "", created: .blank)
  ) {
    Key("id", \.id, .text, "The ID of the record.")
    Key("appID", \.appID, .text, "The Apple ID of the app.")
    Key("identifier", \.identifier, .text, "The ID of the pack.")
    Key("created", \.created, .milliseconds, "The time of the creation.")
    Key("isArchived", \.isArchived, .flag, "Whether the pack is archived.")
    Key("lastVersion", \.lastVersion, .count, "The highest number of a version.")
    Key(
      "internalBetaVersion", \.internalBetaVersion, .text,
      "The ID of the version for internal testers.")
    Key(
      "externalBetaVersion", \.externalBetaVersion, .text,
      "The ID of the version for external testers.")
    Key("appStoreVersion", \.appStoreVersion, .text, "The ID of the version in the App Store.")
  }
}

extension MockVersion: Described {
  static let table = Table(
    "a version", blank: MockVersion(id: "", packID: "", number: 0, created: .blank)
  ) {
    Key("id", \.id, .text, "The ID.")
    Key("packID", \.packID, .text, "The ID of the pack's record.")
    Key("number", \.number, .integer, "The number.")
    Key("created", \.created, .milliseconds, "The time of the creation.")
    Key("state", \.state, .word, "The state.")
    Key("details", \.details, .object, "The findings of processing.")
    Key("platforms", \.platforms, .list(of: .text), "The platforms of the manifest.")
    Key("locale", \.locale, .text, "The language of the manifest.")
    Key("assetFile", \.assetFile, .text, "The ID of the archive.")
    Key("manifestFile", \.manifestFile, .text, "The ID of the manifest that was sent ahead.")
    Key("due", \.due, .milliseconds, "The time at which the version is processed.")
  }
}

extension Details: Described {
  static let table = Table("details", blank: Details()) {
    Key("errors", \.errors, .list(of: .object), "The errors.")
    Key("warnings", \.warnings, .list(of: .object), "The warnings.")
  }
}

extension Details.Detail: Described {
  static let table = Table("a detail", blank: Self(code: "", description: "")) {
    Key("code", \.code, .text, "The code.")
    Key("description", \.description, .text, "The text.")
  }
}

extension Judgement: Described {
  static let table = Table("a judgement", blank: Judgement()) {
    Key("details", \.details, .object, "The findings.")
    Key("isBroken", \.isBroken, .flag, "Whether the bytes are not a valid file.")
    Key("platforms", \.platforms, .list(of: .text), "The platforms of the manifest.")
    Key("locale", \.locale, .text, "The language of the manifest.")
  }
}

extension MockFile: Described {
  static let table = Table(
    "a file",
    blank: MockFile(
      id: "", versionID: "", kind: .asset, name: "", size: 0, token: "", expires: .blank, parts: [])
  ) {
    Key("id", \.id, .text, "The ID.")
    Key("versionID", \.versionID, .text, "The ID of the version.")
    Key("kind", \.kind, .word, "The type of the file.")
    Key("name", \.name, .text, "The name.")
    Key("size", \.size, .bytes, "The size in bytes.")
    Key("token", \.token, .text, "The token.")
    Key("expires", \.expires, .milliseconds, "The time at which its addresses expire.")
    Key("parts", \.parts, .list(of: .object), "The parts.")
    Key("state", \.state, .word, "The state.")
    Key("errors", \.errors, .list(of: .object), "The errors.")
    Key("composite", \.composite, .text, "The checksum of all parts.")
    Key("md5", \.md5, .text, "The declared MD5.")
    Key("judgement", \.judgement, .object, "The findings in the bytes.")
    Key("due", \.due, .milliseconds, "The time at which the file is processed.")
  }
}

extension MockFile.Part: Described {
  static let table = Table("a part", blank: Self(number: 0, offset: 0, length: 0)) {
    Key("number", \.number, .integer, "The number.")
    Key("offset", \.offset, .bytes, "The offset of the first byte.")
    Key("length", \.length, .bytes, "The size in bytes.")
    Key("tag", \.tag, .text, "The MD5 of the received bytes.")
  }
}

extension MockRelease: Described {
  static let table = Table(
    "a release", blank: MockRelease(id: "", versionID: "", kind: .appStore, state: .superseded)
  ) {
    Key("id", \.id, .text, "The ID.")
    Key("versionID", \.versionID, .text, "The ID of the version.")
    Key("kind", \.kind, .word, "The type of the release.")
    Key("state", \.state, .word, "The state.")
    Key("due", \.due, .milliseconds, "The time at which the state ends.")
  }
}

extension ReviewSubmission: Described {
  static let table = Table("a submission", blank: ReviewSubmission(id: "", appID: "")) {
    Key("id", \.id, .text, "The ID.")
    Key("appID", \.appID, .text, "The Apple ID of the app.")
    Key("platform", \.platform, .text, "The platform.")
    Key("submitted", \.submitted, .milliseconds, "The time of the submission.")
    Key("state", \.state, .word, "The state.")
    Key("due", \.due, .milliseconds, "The time at which the state ends.")
  }
}

extension ReviewItem: Described {
  static let table = Table("an item", blank: ReviewItem(id: "", submissionID: "")) {
    Key("id", \.id, .text, "The ID.")
    Key("submissionID", \.submissionID, .text, "The ID of the submission.")
    Key("versionID", \.versionID, .text, "The ID of the version of a pack.")
    Key("appStoreVersionID", \.appStoreVersionID, .text, "The ID of the version of the app.")
    Key("state", \.state, .word, "The state.")
  }
}

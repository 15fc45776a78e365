package import SourceDiagnostics

/// The behavior of the mock where that of the service is unknown or varies.
///
/// The defaults follow the best evidence; without evidence, the mock refuses. A test of the client
/// sets each switch; behavior that no test changes has no switch.
package struct MockSettings: Described, Equatable {
  // All requests
  /// The largest number of requests of a key in a rolling hour.
  package var rateLimit = 3500
  package var rateLimitHeader = RateLimitHeader.present
  package var retryAfter = RetryAfter.none

  // Packs and versions
  package var packLimit = 200
  package var releases = Releases.complete
  package var platformsBefore = PlatformsBefore.null
  /// The number of seconds from a commit until the file is processed.
  package var processingSeconds = 2

  // Files
  package var partSize = 5_242_880
  package var partSizes = PartSizes.equal
  package var operationOrder = OperationOrder.ascending
  package var extraHeader = false
  package var uploadAddresses = UploadAddresses.kept
  package var md5 = Checksums.refuse
  package var commitState = CommitState.uploadComplete

  // Review
  package var hasApprovedAppVersion = false
  package var betaReviewSubmissions = BetaReviewSubmissions.absent
  package var webhookSignature = WebhookSignature.prefixed

  // The form of responses
  package var nullAttributes = NullAttributes.null
  package var toOneRelationships = Relationships.absent
  package var dates = Dates.offset
  package var unknownMembers = false
  package var unknownStates = false

  package init() {}

  package enum RateLimitHeader: String, Sendable, CaseIterable { case present, absent, malformed }
  package enum RetryAfter: String, Sendable, CaseIterable { case none, seconds, date }
  package enum Releases: String, Sendable, CaseIterable { case complete, submission }
  package enum PlatformsBefore: String, Sendable, CaseIterable { case null, empty }
  package enum PartSizes: String, Sendable, CaseIterable { case equal, uneven }
  package enum OperationOrder: String, Sendable, CaseIterable { case ascending, shuffled }
  package enum UploadAddresses: String, Sendable, CaseIterable { case kept, renewed }
  package enum Checksums: String, Sendable, CaseIterable { case refuse, compare }
  package enum CommitState: String, Sendable, CaseIterable {
    case uploadComplete = "UPLOAD_COMPLETE"
    case complete = "COMPLETE"
  }
  package enum BetaReviewSubmissions: String, Sendable, CaseIterable { case absent, present }
  package enum WebhookSignature: String, Sendable, CaseIterable { case prefixed, digits }
  package enum NullAttributes: String, Sendable, CaseIterable { case null, absent }
  package enum Relationships: String, Sendable, CaseIterable { case absent, links }
  package enum Dates: String, Sendable, CaseIterable {
    case offset, letter, zero, mixed

    /// The time zones of dates, in turn.
    var zones: [WrittenZone] {
      switch self {
      case .offset: [.offset]
      case .letter: [.letter]
      case .zero: [.zero]
      case .mixed: [.offset, .letter, .zero]
      }
    }
  }
}

extension MockSettings {
  /// All switches; readers, help and tests use this table.
  package static let table = Table("a file of switches", blank: MockSettings(), unknown: .refused) {
    Key(
      "rateLimit", \.rateLimit, .integer(in: 0...1_000_000), is: .optional,
      "Maximum number of requests of a key in a rolling hour.")
    Key(
      "rateLimitHeader", \.rateLimitHeader, .word, is: .optional,
      "Form of the field 'X-Rate-Limit'.")
    Key(
      "retryAfter", \.retryAfter, .word, is: .optional,
      "Form of 'Retry-After' after too many requests of a key.")
    Key(
      "packLimit", \.packLimit, .integer(in: 0...10_000), is: .optional,
      "Maximum number of packs of an app.")
    Key(
      "releases", \.releases, .word, is: .optional,
      "Time at which the external and App Store releases of a version are created.")
    Key(
      "platformsBefore", \.platformsBefore, .word, is: .optional,
      "Platforms of a version before it is processed.")
    Key(
      "processingSeconds", \.processingSeconds, .integer(in: 0...86_400), is: .optional,
      "Seconds from a commit until the file is processed.")
    Key(
      "partSize", \.partSize, .integer(in: 1 ... .max), is: .optional,
      "Size of a part of an upload, in bytes.")
    Key(
      "partSizes", \.partSizes, .word, is: .optional,
      "Whether all parts have the same size.")
    Key(
      "operationOrder", \.operationOrder, .word, is: .optional,
      "Order of the upload operations in a response.")
    Key(
      "extraHeader", \.extraHeader, .flag, is: .optional,
      "Whether an upload requires one more, unusual field.")
    Key(
      "uploadAddresses", \.uploadAddresses, .word, is: .optional,
      "Whether reading a reservation renews its addresses for another seven days.")
    Key(
      "md5", \.md5, .word, is: .optional,
      "Whether a commit refuses checksums, or compares MD5 of the file and of the parts.")
    Key(
      "commitState", \.commitState, .word, is: .optional,
      "State of a file after its commit.")
    Key(
      "hasApprovedAppVersion", \.hasApprovedAppVersion, .flag, is: .optional,
      "Whether a version of the app was approved before, so that packs can be reviewed alone.")
    Key(
      "betaReviewSubmissions", \.betaReviewSubmissions, .word, is: .optional,
      "Whether a request starts TestFlight review; version 4.4.1 of the interface has none.")
    Key(
      "webhookSignature", \.webhookSignature, .word, is: .optional,
      "Whether the signature of a webhook begins with 'hmacsha256=', or has only the digits.")
    Key(
      "nullAttributes", \.nullAttributes, .word, is: .optional,
      "Form of an attribute without a value.")
    Key(
      "toOneRelationships", \.toOneRelationships, .word, is: .optional,
      "Form of a relationship that was not requested.")
    Key(
      "dates", \.dates, .word, is: .optional,
      "Zone of dates: -08:00, Z, +00:00, or all three in turn.")
    Key(
      "unknownMembers", \.unknownMembers, .flag, is: .optional,
      "Whether responses have members that the interface does not define yet.")
    Key(
      "unknownStates", \.unknownStates, .flag, is: .optional,
      "Whether a version in processing has a state that the interface does not define yet.")
  }

  /// The names of switches.
  package static func names(of properties: [PartialKeyPath<MockSettings>]) -> [String] {
    table.keys.filter { key in key.property.map { properties.contains($0) } ?? false }
      .flatMap(\.record.names)
  }
}

// MARK: - Parsing

extension MockSettings {
  /// A parsed file of switches, with its findings.
  package struct Document: Sendable {
    package let switches: MockSettings
    package let findings: Ledger
  }

  /// Parses a file of switches: one object with a member for each switch.
  package static func read(_ source: SourceText) -> Document {
    let document = JSONDocument(parsing: source)
    var findings = document.findings
    let switches = document.root.flatMap { table.read($0, into: &findings) }
    return Document(switches: switches ?? MockSettings(), findings: findings)
  }

  /// A file with the default of every switch, and a comment for each.
  package static var template: String {
    let lines = zip(table.record.keys, table.members(of: MockSettings())).flatMap { key, member in
      [
        "  // \(key.summary)", "  // Value: \(key.shape.choices).",
        "  \"\(key.name)\": \(member.value),",
      ]
    }
    return "{\n" + lines.joined(separator: "\n") + "\n}\n"
  }
}

extension JSONShape {
  /// The values of a switch, as a text.
  fileprivate var choices: String {
    switch self {
    case .word(let words): words.map { "\"\($0)\"" }.joined(separator: ", ")
    case .integer(let range):
      range.upperBound == .max
        ? "a whole number, at least \(range.lowerBound)"
        : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .bool, .string, .number, .size, .array, .record, .nullable, .alternatives,
      .either, .emptyObject, .values, .anyObject, .anything:
      expectation
    }
  }
}

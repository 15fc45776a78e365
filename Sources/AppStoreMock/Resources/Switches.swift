package import SourceDiagnostics

/// The behaviour of the mock where that of the service is unknown or varies.
///
/// The defaults follow the best evidence; without evidence, the mock refuses. A test of the client
/// sets each switch; behaviour that no test changes has no switch.
package struct Switches: Sendable, Equatable {
  // Every request
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

  // The form of responses
  package var nullAttributes = NullAttributes.null
  package var toOneRelationships = Relationships.absent
  package var dates = Dates.offset
  package var unknownMembers = false
  package var unknownStates = false

  package init() {}

  /// A closed set of values of a switch.
  package protocol Choice: RawRepresentable<String>, CaseIterable, Sendable, Equatable {}

  package enum RateLimitHeader: String, Choice { case present, absent, malformed }
  package enum RetryAfter: String, Choice { case none, seconds, date }
  package enum Releases: String, Choice { case complete, submission }
  package enum PlatformsBefore: String, Choice { case null, empty }
  package enum PartSizes: String, Choice { case equal, uneven }
  package enum OperationOrder: String, Choice { case ascending, shuffled }
  package enum UploadAddresses: String, Choice { case kept, renewed }
  package enum Checksums: String, Choice { case refuse, compare }
  package enum CommitState: String, Choice {
    case uploadComplete = "UPLOAD_COMPLETE"
    case complete = "COMPLETE"
  }
  package enum NullAttributes: String, Choice { case null, absent }
  package enum Relationships: String, Choice { case absent, links }
  package enum Dates: String, Choice {
    case offset, letter, zero, mixed

    /// The zones that dates are written in, in turn.
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

/// One switch: its name, what it may be set to, and what it is about.
package struct Switch: Sendable {
  package let name: String
  package let values: Values
  package let summary: String

  package enum Values: Sendable {
    case flag(any WritableKeyPath<Switches, Bool> & Sendable)
    case number(ClosedRange<Int>, any WritableKeyPath<Switches, Int> & Sendable)
    case choice(
      [String], @Sendable (Switches) -> String, @Sendable (inout Switches, String) -> Bool)
  }

  private init(_ name: String, _ values: Values, _ summary: String) {
    self.name = name
    self.values = values
    self.summary = summary
  }

  private init<Choice: Switches.Choice>(
    _ name: String, _ path: any WritableKeyPath<Switches, Choice> & Sendable, _ summary: String
  ) {
    self.init(
      name,
      .choice(
        Choice.allCases.map(\.rawValue), { $0[keyPath: path].rawValue },
        { switches, text in
          guard let choice = Choice(rawValue: text) else { return false }
          switches[keyPath: path] = choice
          return true
        }), summary)
  }

  /// All switches; readers, help and tests use this table.
  package static let all: [Switch] = [
    Switch(
      "rateLimit", .number(0...1_000_000, \.rateLimit),
      "Largest number of requests of a key in a rolling hour."),
    Switch(
      "rateLimitHeader", \.rateLimitHeader,
      "Form of the field 'X-Rate-Limit'."),
    Switch(
      "retryAfter", \.retryAfter,
      "Form of 'Retry-After' after too many requests of a key."),
    Switch(
      "packLimit", .number(0...10_000, \.packLimit), "Largest number of packs of an app."),
    Switch(
      "releases", \.releases,
      "When the external and App Store releases of a version are created."),
    Switch(
      "platformsBefore", \.platformsBefore,
      "Platforms of a version before it is processed."),
    Switch(
      "processingSeconds", .number(0...86_400, \.processingSeconds),
      "Seconds from a commit until the file is processed."),
    Switch(
      "partSize", .number(1...Int.max, \.partSize), "Size of a part of an upload, in bytes."),
    Switch(
      "partSizes", \.partSizes,
      "Whether all parts have the same size."),
    Switch(
      "operationOrder", \.operationOrder,
      "Order of the upload operations in a response."),
    Switch(
      "extraHeader", .flag(\.extraHeader), "Whether an upload requires one more, unusual field."),
    Switch(
      "uploadAddresses", \.uploadAddresses,
      "Whether reading a reservation renews its addresses and their seven days."),
    Switch(
      "md5", \.md5,
      "Whether a commit refuses checksums, or compares MD5 of the file and of the parts."),
    Switch(
      "commitState", \.commitState,
      "State of a file after its commit."),
    Switch(
      "hasApprovedAppVersion", .flag(\.hasApprovedAppVersion),
      "Whether a version of the app was approved before, so that packs can be reviewed alone."),
    Switch(
      "nullAttributes", \.nullAttributes,
      "Form of an attribute without a value."),
    Switch(
      "toOneRelationships", \.toOneRelationships,
      "Form of a relationship that was not requested."),
    Switch(
      "dates", \.dates,
      "Zone of dates: -08:00, Z, +00:00, or all three in turn."),
    Switch(
      "unknownMembers", .flag(\.unknownMembers),
      "Whether responses have members that the interface does not define yet."),
    Switch(
      "unknownStates", .flag(\.unknownStates),
      "Whether a version in processing has a state that the interface does not define yet."),
  ]

  /// What it can be set to, in words.
  package var choices: String {
    switch values {
    case .flag: "true or false"
    case .number(let range, _):
      range.upperBound == Int.max
        ? "a whole number from \(range.lowerBound) on"
        : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .choice(let words, _, _): words.map { "\"\($0)\"" }.joined(separator: ", ")
    }
  }

  /// Its value among others, as a file has it.
  package func value(in switches: Switches) -> JSONValue {
    switch values {
    case .flag(let path): .bool(switches[keyPath: path])
    case .number(_, let path): .integer(switches[keyPath: path])
    case .choice(_, let text, _): .string(text(switches))
    }
  }

  /// Sets it to a value; false if it cannot have that one.
  fileprivate func set(_ switches: inout Switches, to node: JSONNode) -> Bool {
    switch values {
    case .flag(let path):
      guard let value = node.bool else { return false }
      switches[keyPath: path] = value
    case .number(let range, let path):
      guard let text = node.number, let value = Int(text), range.contains(value) else {
        return false
      }
      switches[keyPath: path] = value
    case .choice(_, _, let set):
      guard let value = node.string, set(&switches, value) else { return false }
    }
    return true
  }
}

// MARK: - Reading

extension Switches {
  /// A file of switches, read: what it sets, and what is wrong with it.
  package struct Document: Sendable {
    package let switches: Switches
    package let findings: Ledger
  }

  /// Reads the text of such a file: one object, each member a switch.
  package static func read(_ source: SourceText) -> Document {
    let document = JSONDocument(parsing: source)
    var findings = document.findings
    var switches = Switches()
    guard let root = document.root else { return Document(switches: switches, findings: findings) }
    guard root.kind == .object else {
      findings.add(.wrongType(root, "switches are an object, each member one of them"))
      return Document(switches: switches, findings: findings)
    }
    let reader = JSONObjectReader(
      root,
      keys: Switch.all.map { JSONKey($0.name, .anything, is: .optional, $0.summary) },
      owner: "switches", into: &findings)
    for each in Switch.all {
      guard let value = reader[each.name] else { continue }
      if !each.set(&switches, to: value) {
        findings.add(
          Finding(
            .wrongType, .error,
            Finding.Message(whole: "'\(each.name)' takes \(each.choices)"),
            at: value.span))
      }
    }
    return Document(switches: switches, findings: findings)
  }
}

extension Switches {
  /// The text of a file that sets every switch to what it is without one, each with what it is
  /// about.
  package static var template: String {
    let usual = Switches()
    let lines = Switch.all.flatMap { each in
      [
        "  // \(each.summary)", "  // Takes \(each.choices).",
        "  \"\(each.name)\": \(each.value(in: usual)),",
      ]
    }
    return "{\n" + lines.joined(separator: "\n") + "\n}\n"
  }
}

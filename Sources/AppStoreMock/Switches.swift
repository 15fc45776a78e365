package import SourceDiagnostics

/// What nobody knows of the service, or what it does now so and now so: how the mock behaves there.
///
/// The defaults are what the evidence supports best, and where there is none, what refuses.
package struct Switches: Sendable, Equatable {
  // Around every request
  /// How many requests a key may make in a rolling hour.
  package var rateLimit = 3500
  package var rateLimitHeader = "present"
  package var retryAfter = "none"
  package var audienceList = false
  /// How many seconds a token may be made in the future.
  package var clockTolerance = 60
  package var role = "ADMIN"
  package var entityErrorStatus = "409"
  package var missingTargetStatus = "409"
  package var missingAppStatus = "409"

  // Packs and versions
  package var packLimit = 200
  package var doubleHyphen = "refuse"
  package var longestPackID = 64
  package var defaultSort = "-createdDate"
  package var releases = "complete"
  package var platformsBefore = "null"
  package var idMismatch = "error"
  /// How many seconds pass until what was uploaded is processed.
  package var processingSeconds = 2

  // Files
  package var secondFile = "refuse"
  package var partSize = 5_242_880
  package var partSizes = "equal"
  package var operationOrder = "ascending"
  package var extraHeader = false
  package var uploadAddresses = "kept"
  package var chunkedParts = "refuse"
  package var md5 = "refuse"
  package var uploadedFalse = "accept"
  package var commitState = "UPLOAD_COMPLETE"
  package var manifestErrors = "file"

  // Review
  package var hasApprovedAppVersion = false
  package var cancelledReleases = "PREPARE_FOR_SUBMISSION"

  // How answers look
  package var nullAttributes = "null"
  package var toOneRelationships = "absent"
  package var dates = "offset"
  package var unknownMembers = false
  package var unknownStates = false

  package init() {}

  /// The parts that are used in more than one place.
  var zones: [WrittenZone] {
    switch dates {
    case "letter": [.letter]
    case "zero": [.zero]
    case "mixed": [.offset, .letter, .zero]
    default: [.offset]
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
    case word([String], any WritableKeyPath<Switches, String> & Sendable)
  }

  private init(_ name: String, _ values: Values, _ summary: String) {
    self.name = name
    self.values = values
    self.summary = summary
  }

  /// All there are; readers, help and tests use this table.
  package static let all: [Switch] = [
    Switch(
      "rateLimit", .number(0...1_000_000, \.rateLimit),
      "How many requests a key may make in a rolling hour."),
    Switch(
      "rateLimitHeader", .word(["present", "absent", "malformed"], \.rateLimitHeader),
      "What 'X-Rate-Limit' says."),
    Switch(
      "retryAfter", .word(["none", "seconds", "date"], \.retryAfter),
      "What 'Retry-After' says when there were too many."),
    Switch(
      "audienceList", .flag(\.audienceList), "Whether 'aud' of a token may be an array."),
    Switch(
      "clockTolerance", .number(0...3600, \.clockTolerance),
      "How many seconds 'iat' of a token may be ahead."),
    Switch(
      "role", .word(Self.roles, \.role), "The role of the key; some may not touch packs."),
    Switch(
      "entityErrorStatus", .word(["409", "422"], \.entityErrorStatus),
      "The status of what is wrong with a body."),
    Switch(
      "missingTargetStatus", .word(["409", "404"], \.missingTargetStatus),
      "The status when a relationship leads to nothing."),
    Switch(
      "missingAppStatus", .word(["409", "404"], \.missingAppStatus),
      "The status when a pack is made for an app that is not there."),
    Switch(
      "packLimit", .number(0...10_000, \.packLimit), "How many packs an app may have."),
    Switch(
      "doubleHyphen", .word(["refuse", "accept"], \.doubleHyphen),
      "What becomes of an identifier such as 'a--b'."),
    Switch(
      "longestPackID", .number(1...1000, \.longestPackID),
      "How many bytes an identifier may have."),
    Switch(
      "defaultSort",
      .word(
        ["-createdDate", "createdDate", "assetPackIdentifier", "-assetPackIdentifier"],
        \.defaultSort), "The order of packs when a request names none."),
    Switch(
      "releases", .word(["complete", "submission"], \.releases),
      "When the external and App Store releases of a version come into being."),
    Switch(
      "platformsBefore", .word(["null", "empty"], \.platformsBefore),
      "What a version says of its platforms before it is processed."),
    Switch(
      "idMismatch", .word(["error", "warning", "ignore"], \.idMismatch),
      "What the processing says when the manifest has another identifier than the record."),
    Switch(
      "processingSeconds", .number(0...86_400, \.processingSeconds),
      "How long processing takes."),
    Switch(
      "secondFile", .word(["refuse", "accept"], \.secondFile),
      "What becomes of a second file of one type for a version."),
    Switch(
      "partSize", .number(1...Int.max, \.partSize), "How many bytes a part of an upload has."),
    Switch(
      "partSizes", .word(["equal", "uneven"], \.partSizes), "Whether all parts are as large."),
    Switch(
      "operationOrder", .word(["ascending", "shuffled"], \.operationOrder),
      "The order in which upload operations are listed."),
    Switch(
      "extraHeader", .flag(\.extraHeader), "Whether an upload wants one more, unusual field."),
    Switch(
      "uploadAddresses", .word(["kept", "renewed"], \.uploadAddresses),
      "Whether reading a reservation renews its addresses and their seven days."),
    Switch(
      "chunkedParts", .word(["refuse", "accept"], \.chunkedParts),
      "What becomes of a part that comes in chunks and does not say how long it is."),
    Switch(
      "md5", .word(["refuse", "compare"], \.md5),
      "What a commit does with an MD5 of the whole file."),
    Switch(
      "uploadedFalse", .word(["accept", "refuse"], \.uploadedFalse),
      "What a commit does that does not say 'uploaded'."),
    Switch(
      "commitState", .word(["UPLOAD_COMPLETE", "COMPLETE"], \.commitState),
      "The state of a file right behind its commit."),
    Switch(
      "manifestErrors", .word(["file", "version"], \.manifestErrors),
      "Where the errors of a manifest appear that was sent ahead."),
    Switch(
      "hasApprovedAppVersion", .flag(\.hasApprovedAppVersion),
      "Whether the app was approved before, so that packs can be reviewed without it."),
    Switch(
      "cancelledReleases",
      .word(["PREPARE_FOR_SUBMISSION", "READY_FOR_REVIEW"], \.cancelledReleases),
      "The state of releases whose submission was cancelled."),
    Switch(
      "nullAttributes", .word(["null", "absent"], \.nullAttributes),
      "How an attribute without a value looks."),
    Switch(
      "toOneRelationships", .word(["absent", "links"], \.toOneRelationships),
      "How a relationship looks that was not asked for."),
    Switch(
      "dates", .word(["offset", "letter", "zero", "mixed"], \.dates),
      "How dates name their zone: -08:00, Z, +00:00, or now so and now so."),
    Switch(
      "unknownMembers", .flag(\.unknownMembers),
      "Whether answers have members that nobody knows yet."),
    Switch(
      "unknownStates", .flag(\.unknownStates),
      "Whether a version that is processed is in a state that nobody knows yet."),
  ]

  /// Those that may touch packs, and then one that may not.
  static let roles = ["ACCOUNT_HOLDER", "ADMIN", "APP_MANAGER", "DEVELOPER", "MARKETING"]

  /// What it can be set to, in words.
  package var choices: String {
    switch values {
    case .flag: "true or false"
    case .number(let range, _):
      range.upperBound == Int.max
        ? "a whole number from \(range.lowerBound) on"
        : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .word(let words, _): words.map { "\"\($0)\"" }.joined(separator: ", ")
    }
  }

  /// Its value among others, as a file has it.
  package func value(in switches: Switches) -> JSONValue {
    switch values {
    case .flag(let path): .bool(switches[keyPath: path])
    case .number(_, let path): .integer(switches[keyPath: path])
    case .word(_, let path): .string(switches[keyPath: path])
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
    case .word(let words, let path):
      guard let value = node.string, words.contains(value) else { return false }
      switches[keyPath: path] = value
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
            "json.wrong-type", .error,
            Finding.Message(whole: "'\(each.name)' takes \(each.choices)"),
            at: value.span))
      }
    }
    return Document(switches: switches, findings: findings)
  }
}

extension Switches {
  /// The text of a file that sets every switch to what it is without one, each with what it is about.
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

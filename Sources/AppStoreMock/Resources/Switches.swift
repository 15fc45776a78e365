package import SourceDiagnostics

/// The behaviour of the mock where that of the service is unknown or varies.
///
/// The defaults follow the best evidence; without evidence, the mock refuses. A test of the client sets
/// each switch; behaviour that no test changes has no switch.
package struct Switches: Sendable, Equatable {
  // Every request
  /// The largest number of requests of a key in a rolling hour.
  package var rateLimit = 3500
  package var rateLimitHeader = "present"
  package var retryAfter = "none"

  // Packs and versions
  package var packLimit = 200
  package var releases = "complete"
  package var platformsBefore = "null"
  /// The number of seconds from a commit until the file is processed.
  package var processingSeconds = 2

  // Files
  package var partSize = 5_242_880
  package var partSizes = "equal"
  package var operationOrder = "ascending"
  package var extraHeader = false
  package var uploadAddresses = "kept"
  package var md5 = "refuse"
  package var commitState = "UPLOAD_COMPLETE"

  // Review
  package var hasApprovedAppVersion = false

  // The form of responses
  package var nullAttributes = "null"
  package var toOneRelationships = "absent"
  package var dates = "offset"
  package var unknownMembers = false
  package var unknownStates = false

  package init() {}

  /// The zones that dates are written in, in turn.
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

  /// All switches; readers, help and tests use this table.
  package static let all: [Switch] = [
    Switch(
      "rateLimit", .number(0...1_000_000, \.rateLimit),
      "Largest number of requests of a key in a rolling hour."),
    Switch(
      "rateLimitHeader", .word(["present", "absent", "malformed"], \.rateLimitHeader),
      "Form of the field 'X-Rate-Limit'."),
    Switch(
      "retryAfter", .word(["none", "seconds", "date"], \.retryAfter),
      "Form of 'Retry-After' after too many requests of a key."),
    Switch(
      "packLimit", .number(0...10_000, \.packLimit), "Largest number of packs of an app."),
    Switch(
      "releases", .word(["complete", "submission"], \.releases),
      "When the external and App Store releases of a version are created."),
    Switch(
      "platformsBefore", .word(["null", "empty"], \.platformsBefore),
      "Platforms of a version before it is processed."),
    Switch(
      "processingSeconds", .number(0...86_400, \.processingSeconds),
      "Seconds from a commit until the file is processed."),
    Switch(
      "partSize", .number(1...Int.max, \.partSize), "Size of a part of an upload, in bytes."),
    Switch(
      "partSizes", .word(["equal", "uneven"], \.partSizes),
      "Whether all parts have the same size."),
    Switch(
      "operationOrder", .word(["ascending", "shuffled"], \.operationOrder),
      "Order of the upload operations in a response."),
    Switch(
      "extraHeader", .flag(\.extraHeader), "Whether an upload requires one more, unusual field."),
    Switch(
      "uploadAddresses", .word(["kept", "renewed"], \.uploadAddresses),
      "Whether reading a reservation renews its addresses and their seven days."),
    Switch(
      "md5", .word(["refuse", "compare"], \.md5),
      "Whether a commit refuses checksums, or compares MD5 of the file and of the parts."),
    Switch(
      "commitState", .word(["UPLOAD_COMPLETE", "COMPLETE"], \.commitState),
      "State of a file after its commit."),
    Switch(
      "hasApprovedAppVersion", .flag(\.hasApprovedAppVersion),
      "Whether a version of the app was approved before, so that packs can be reviewed alone."),
    Switch(
      "nullAttributes", .word(["null", "absent"], \.nullAttributes),
      "Form of an attribute without a value."),
    Switch(
      "toOneRelationships", .word(["absent", "links"], \.toOneRelationships),
      "Form of a relationship that was not requested."),
    Switch(
      "dates", .word(["offset", "letter", "zero", "mixed"], \.dates),
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
            .wrongType, .error,
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

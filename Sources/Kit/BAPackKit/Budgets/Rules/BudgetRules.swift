package import SourceDiagnostics
import SystemIO
import TerminalText

/// The rules about the sizes of packs and files.
package enum BudgetRules {
  static let all: [Rule] = [essential, total, hosted, update, packs, files, unmatched]

  static let essential = Rule(
    "budget.essential", weight, canLower: true,
    what: "The download before the app opens exceeds its budget.",
    why: """
      App users wait for essential packs before they can open the app. The value is the largest \
      download of any device: the sum of the essential archives, computed for each combination of \
      platform, language and event.
      """,
    example: .init(
      wrong: #""budgets": {"essential": "200M"} /* tutorial: 230 MB */"#,
      right: #""budgets": {"essential": "200M"} /* tutorial: 90 MB */"#))

  /// The packs that one device can download.
  static let total = Rule(
    "budget.total", weight, canLower: true,
    what: "The total download of one device exceeds its budget.",
    why: """
      Packs occupy storage of the device until the app removes them. The value is the largest \
      total of any device: the sum of the archives of all packs that are offered to it, including \
      on-demand packs, computed for each combination of platform and language.
      """,
    example: .init(
      wrong: #""budgets": {"total": "2G"} /* levels: 2.1 GB */"#,
      right: #""budgets": {"total": "2G"} /* levels: 1.5 GB */"#))

  static let hosted = Rule(
    "budget.hosted", weight, canLower: true,
    what: "The total size of all archives exceeds its budget, or Apple's limit for one app.",
    why: """
      Apple hosts at most \(Quantity.exactBytes(DeliveryLimits.current.space.limit)) for one app \
      (as of \(DeliveryLimits.current.date)) and sends a warning at \
      \(DeliveryLimits.current.hostedWarningPercent) % of it. With your own server, you pay for \
      the storage.
      """,
    example: .init(
      wrong: #""budgets": {"hosted": "100G"} /* levels: 120 GB */"#,
      right: #""budgets": {"hosted": "100G"} /* levels: 70 GB */"#))

  static let update = Rule(
    "budget.update", weight, canLower: true,
    what: "The update download exceeds its budget.",
    why: """
      When a file in a pack changes, a device downloads the whole pack again. (Apple does not \
      document this.) The value is the largest download of any device with all of its packs \
      installed: the sum of the changed packs, computed for each combination of platform and \
      language.
      """,
    example: .init(
      wrong: #""budgets": {"update": "50M"} /* level-cave: 52.3 MB */"#,
      right: #""budgets": {"update": "50M"} /* cave-backdrop: 5.4 MB */"#))

  /// The archives of packs whose IDs match a pattern.
  static let packs = Rule(
    "budget.packs", weight, canLower: true,
    what: "The packs whose IDs match a pattern exceed their budget.",
    why: """
      The value is the sum of the archives of all matching packs, even if no single device \
      downloads all of them.
      """,
    example: .init(
      wrong: #""budgets": {"voices-*": "80M"} /* voices-en: 45 MB, voices-fr: 45 MB */"#,
      right: #""budgets": {"voices-*": "80M"} /* voices-en: 35 MB, voices-fr: 35 MB */"#))

  static let files = Rule(
    "budget.files", weight, canLower: true,
    what: "The files whose paths match a pattern exceed their budget.",
    why: """
      The value is the sum of the unpacked sizes of all matching files in all packs. A pattern \
      with a '/' matches paths of files as the app sees them; '**' matches any number of folders.
      """,
    example: .init(
      wrong: #""budgets": {"**/*.wav": "30M"} /* Voices/intro.wav: 40 MB */"#,
      right: #""budgets": {"**/*.wav": "30M"} /* Voices/intro.wav: 4 MB */"#))

  /// A budget whose pattern matches no pack and no file.
  static let unmatched = Rule(
    "budget.unmatched", .always(.warning),
    what: "The pattern of a budget matches no pack and no file.",
    why: """
      The budget limits nothing, for example because the pack or the folder was renamed. A pattern \
      with a '/' matches paths of files as the app sees them; a pattern without a '/' matches IDs \
      of packs.
      """,
    example: .init(
      wrong: #""budgets": {"voice-*": "80M"} /* the packs are voices-de and voices-en */"#,
      right: #""budgets": {"voices-*": "80M"}"#))

  /// The number of packs of an app.
  static let tooMany = Rule(
    "packs.count",
    .byHost(
      unknown: .error, apple: .error, selfHosted: nil,
      but: .init(
        .warning,
        when: "the number is at least \(Budget.warningPercent) % of the limit of "
          + "\(DeliveryLimits.current.packs) and does not exceed it")), canLower: true,
    what: "The number of packs exceeds the limit for one app.",
    why: """
      App Store Connect accepts at most \(DeliveryLimits.current.packs) packs for one app (as of \
      \(DeliveryLimits.current.date)). Older documents of Apple give \
      \(DeliveryLimits.current.packsBefore) as the limit.
      """,
    example: .init(
      wrong: "more than \(DeliveryLimits.current.packs) manifests",
      right: "fewer packs with more files each")
  )

  static func tooMany(count: Int, _ budget: Budget) -> Finding? {
    tooMany.finding(
      "\(count) packs exceed the limit of \(budget.limit) packs for one app", for: nil, at: nil,
      notes: notes(budget))
  }

  static func nearlyTooMany(count: Int, _ budget: Budget) -> Finding? {
    tooMany.exception(
      "\(count) packs are near the limit of \(budget.limit) packs for one app", at: nil,
      notes: notes(budget))
  }

  private static func notes(_ budget: Budget) -> [Finding.Message] {
    guard let date = budget.readFromHost else { return [] }
    let before = DeliveryLimits.current.packsBefore
    return [
      "Apple's limit as of \(date); some of Apple's documents still give \(before)"
    ]
  }

  private static let weight = Rule.Weight.usually(
    .error, .warning,
    when: "at least \(Budget.warningPercent) % of the budget is used, but it is not exceeded")
}

// MARK: - Findings

extension Ledger {
  /// Adds the findings about budgets, each at the place of its budget.
  ///
  /// A limit of the host is reported only if no budget of the user for the same sum has a finding
  /// of at least the same level.
  package mutating func add(_ uses: [BudgetUse]) {
    for use in uses {
      let isReported = uses.contains { other in
        other.budget.isOwn && other.budget.subject == use.budget.subject
          && other.level ?? .within >= use.level ?? .within
      }
      if !use.budget.isOwn, isReported { continue }
      add(use.finding, about: use.budget.place?.source ?? SourceText([], named: ""))
    }
  }
}

extension BudgetUse {
  /// The finding about the budget; nil if the sum is within it or unknown.
  var finding: Finding? {
    switch standing {
    case .unknown, .known(.within): nil
    case .unmatched: unmatched
    case .known(.near):
      budget.subject == .count
        ? BudgetRules.nearlyTooMany(count: Int(clamping: used), budget)
        : rule.exception(
          "\(subject) \(amount) is \(budget.percentage(used)) % of \(limit)",
          at: budget.place?.span, notes: notes)
    case .known(.over):
      budget.subject == .count
        ? BudgetRules.tooMany(count: Int(clamping: used), budget)
        : rule.finding(
          "\(subject) \(amount) is over \(limit)", at: budget.place?.span, notes: notes)
    }
  }

  private var rule: Rule {
    switch budget.subject {
    case .essential: BudgetRules.essential
    case .total: BudgetRules.total
    case .hosted: BudgetRules.hosted
    case .update: BudgetRules.update
    case .packs: BudgetRules.packs
    case .files: BudgetRules.files
    case .count: BudgetRules.tooMany
    }
  }

  private var unmatched: Finding {
    let isFolder = budget.name.utf8.last == slash
    return BudgetRules.unmatched.finding(
      "the budget '\(budget.name)' matches no \(budget.subject.isOfFiles ? "file" : "pack")",
      at: budget.place?.span,
      notes: isFolder ? ["'\(budget.name)**' matches all files in that folder"] : [])
  }

  /// `update`, `'voices-*'`.
  private var subject: Finding.Message {
    switch budget.subject {
    case .packs, .files: "'\(budget.name)'"
    default: "\(budget.name)"
    }
  }

  /// `the budget of 50 MB`.
  private var limit: Finding.Message {
    let size = Quantity.exactBytes(budget.limit)
    return budget.isOwn
      ? "the budget of \(size)" : "Apple's limit of \(size) for one app"
  }

  /// `52.3 MB`; all digits if the rounded limit is the same text.
  private var amount: String {
    let phrase = Quantity.bytes(used)
    return used != budget.limit && phrase == Quantity.bytes(budget.limit)
      ? Quantity.allBytes(used) : phrase
  }

  private var notes: [Finding.Message] {
    var notes: [Finding.Message] = []
    if isLeast { notes.append("other packs are not counted: the sum may be larger") }
    if let date = budget.readFromHost {
      notes.append("Apple's limit as of \(date)")
    }
    if let device { notes.append("counted for \(device.phrase)") }
    for contributor in contributors {
      let size = Quantity.bytes(contributor.size)
      notes.append(
        contributor.path.map {
          "'\(path: $0.shown)' in '\(path: contributor.pack.text)': \(size)"
        } ?? "'\(path: contributor.pack.text)': \(size)")
    }
    if others.count > 0 {
      notes.append("and \(others.count) more: \(Quantity.bytes(others.size))")
    }
    return notes
  }
}

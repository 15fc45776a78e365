package import SourceDiagnostics
import SystemIO
import TerminalText

/// What can be wrong with how much packs take.
package enum BudgetRules {
  static let all: [Rule] = [essential, total, hosted, update, packs, files, unmatched]

  /// What devices download before the app opens.
  static let essential = Rule(
    "budget.essential", weight,
    what: "What devices download before the app opens is more than its budget.",
    why: """
      Players wait for essential packs before they can play. What counts are the archives of the \
      device, among all platforms, languages and events, that downloads the most of them.
      """,
    example: .init(
      wrong: #""budgets": {"essential": "200M"} /* tutorial: 230 MB */"#,
      right: #""budgets": {"essential": "200M"} /* tutorial: 90 MB */"#))

  /// What one device may have.
  static let total = Rule(
    "budget.total", weight,
    what: "What one device may download altogether is more than its budget.",
    why: """
      It takes space of the player until the app removes it. What counts are the archives of all \
      packs that are offered to one device, those that the app asks for included, of the device \
      that is offered the most.
      """,
    example: .init(
      wrong: #""budgets": {"total": "2G"} /* levels: 2.1 GB */"#,
      right: #""budgets": {"total": "2G"} /* levels: 1.5 GB */"#))

  /// What the host stores.
  static let hosted = Rule(
    "budget.hosted", weight,
    what: "All archives together are more than their budget, or than Apple hosts for one app.",
    why: """
      Apple hosts \(Quantity.exactBytes(DeliveryLimits.current.space.limit)) for one app (as of \
      \(DeliveryLimits.current.date)), and sends a warning from \
      \(DeliveryLimits.current.hostedWarningPercent) % on; a server of one's own has a price for \
      each gigabyte.
      """,
    example: .init(
      wrong: #""budgets": {"hosted": "100G"} /* levels: 120 GB */"#,
      right: #""budgets": {"hosted": "100G"} /* levels: 70 GB */"#))

  /// What players download again.
  static let update = Rule(
    "budget.update", weight,
    what: "What players download again because of a change is more than its budget.",
    why: """
      A device downloads the whole of a pack again when anything in it has changed, as far as \
      anybody knows. What counts are the changed packs that one device has, if it has every pack \
      that it is offered: of the device for which that is the most.
      """,
    example: .init(
      wrong: #""budgets": {"update": "50M"} /* level-cave: 52.3 MB */"#,
      right: #""budgets": {"update": "50M"} /* cave-backdrop: 5.4 MB */"#))

  /// What some packs take.
  static let packs = Rule(
    "budget.packs", weight,
    what: "The archives of the packs that a pattern matches are more than their budget.",
    why: """
      What counts are all archives of packs whose IDs match, together, also those that no device \
      has at the same time.
      """,
    example: .init(
      wrong: #""budgets": {"voices-*": "80M"} /* voices-en: 45 MB, voices-fr: 45 MB */"#,
      right: #""budgets": {"voices-*": "80M"} /* voices-en: 35 MB, voices-fr: 35 MB */"#))

  /// What some files take.
  static let files = Rule(
    "budget.files", weight,
    what: "The files that a pattern matches are more than their budget.",
    why: """
      What counts are the files in all packs whose paths, as the app sees them, match: as large as \
      they are unpacked. A pattern is for files if it has a '/'; '**' crosses folders.
      """,
    example: .init(
      wrong: #""budgets": {"**/*.wav": "30M"} /* Voices/intro.wav: 40 MB */"#,
      right: #""budgets": {"**/*.wav": "30M"} /* Voices/intro.wav: 4 MB */"#))

  /// A pattern is there for something.
  static let unmatched = Rule(
    "budget.unmatched", .always(.warning),
    what: "The pattern of a budget matches nothing.",
    why: """
      A budget for what is not there is never exceeded: a pack or a folder may have got another \
      name. A pattern with a '/' is for paths of files as the app sees them, any other for IDs of \
      packs.
      """,
    example: .init(
      wrong: #""budgets": {"voice-*": "80M"}"#, right: #""budgets": {"voices-*": "80M"}"#))

  /// An app can have only so many packs.
  static let tooMany = Rule(
    "packs.count",
    .byHost(
      unknown: .error, apple: .error, selfHosted: nil,
      but: .init(
        .warning,
        when: "there are no more than \(DeliveryLimits.current.packs), but "
          + "\(Budget.warningPercent) % of that")),
    what: "There are more manifests than an app may have packs.",
    why: """
      App Store Connect takes \(DeliveryLimits.current.packs) packs an app (as of \
      \(DeliveryLimits.current.date)); older texts of Apple's say \
      \(DeliveryLimits.current.packsBefore).
      """,
    example: .init(
      wrong: "more than \(DeliveryLimits.current.packs) manifests at once",
      right: "fewer packs with more files each")
  )

  static func tooMany(count: Int, _ budget: Budget) -> Finding? {
    tooMany.finding(
      "\(count) packs are more than the \(budget.limit) that an app may have", for: nil, at: nil,
      notes: notes(budget))
  }

  static func nearlyTooMany(count: Int, _ budget: Budget) -> Finding? {
    tooMany.exception(
      "\(count) packs: an app may have \(budget.limit)", at: nil, notes: notes(budget))
  }

  private static func notes(_ budget: Budget) -> [Finding.Message] {
    guard let date = budget.readFromHost else { return [] }
    let before = DeliveryLimits.current.packsBefore
    return [
      "the limit is as Apple published it on \(date); some of Apple's texts still say \(before)"
    ]
  }

  private static let weight = Rule.Weight.usually(
    .error, .warning,
    when: "it is not exceeded, but \(Budget.warningPercent) % of it are used")
}

// MARK: - Findings

extension Ledger {
  /// Adds what is wrong with how much of budgets is used, each where its budget stands.
  ///
  /// What a host allows is said only where no budget of one's own says as much of the same.
  package mutating func add(_ uses: [BudgetUse]) {
    for use in uses {
      let isSaid = uses.contains { other in
        other.budget.isOwn && other.budget.subject == use.budget.subject
          && other.level ?? .within >= use.level ?? .within
      }
      if !use.budget.isOwn, isSaid { continue }
      add(use.finding, about: use.budget.place?.source ?? SourceText([], named: ""))
    }
  }
}

extension BudgetUse {
  /// What is wrong; nil if nothing is, as far as it is known.
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
      "'\(budget.name)' has a budget and matches no \(budget.subject.isOfFiles ? "file" : "pack")",
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
      ? "the budget of \(size)" : "the \(size) that Apple hosts for one app"
  }

  /// `52.3 MB`; all digits where the limit would look the same.
  private var amount: String {
    let phrase = Quantity.bytes(used)
    return used != budget.limit && phrase == Quantity.bytes(budget.limit)
      ? Quantity.allBytes(used) : phrase
  }

  private var notes: [Finding.Message] {
    var notes: [Finding.Message] = []
    if isLeast { notes.append("other packs may take more of it: they are not counted") }
    if let date = budget.readFromHost {
      notes.append("the limit is as Apple published it on \(date)")
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

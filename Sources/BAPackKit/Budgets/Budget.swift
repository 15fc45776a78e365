package import SourceDiagnostics
import SystemIO

/// How many bytes something may take: a sum over packs, or what a pattern matches.
package struct Budget: Sendable, Equatable {
  /// What is limited.
  package enum Subject: Sendable, Equatable {
    /// The most that any device downloads before the app opens.
    case essential
    /// The most that any one device may have, what the app asks for included.
    case total
    /// All archives together.
    case hosted
    /// The most that any player who has every pack downloads again.
    case update
    /// The archives of the packs whose IDs match, together.
    case packs(NamePattern)
    /// The files whose paths match, together, unpacked.
    case files(PathPattern)
    /// How many packs there are; nobody sets it but the host.
    case count
  }

  /// A text that says it, and where.
  package struct Place: Sendable, Equatable {
    /// The text.
    package let source: SourceText
    /// The name of the budget in it.
    package let span: SourceSpan

    /// Names a place.
    package init(_ source: SourceText, _ span: SourceSpan) {
      self.source = source
      self.span = span
    }
  }

  /// How much of a budget is used.
  package enum Level: Comparable, Sendable {
    /// So little that nobody needs to know.
    case within
    /// So much that the next change may be too much.
    case near
    /// More than there is.
    case over
  }

  /// The name under which it was written.
  package let name: String
  /// What is limited.
  package let subject: Subject
  /// The most bytes, or packs, that there may be.
  package let limit: UInt64
  /// The limit as it was written.
  package let text: String
  /// Where a text says it; nil for one that was given with the program's call, or by the host.
  package let place: Place?
  /// The day on which a host's limit was read; nil for a budget of one's own.
  package let readFromHost: String?
  /// From which share of it on there is a warning.
  package let warningPercent: UInt64

  /// Reads a budget of one's own.
  package init(
    named name: String, limit text: String, at place: Place? = nil
  ) throws(BudgetFault) {
    self.init(
      name, try Subject(named: name), try Self.limit(written: text, of: name), text, place: place)
  }

  fileprivate init(
    _ name: String, _ subject: Subject, _ limit: UInt64, _ text: String, place: Place? = nil,
    readFromHost: String? = nil, warningPercent: Int = Self.warningPercent
  ) {
    self.name = name
    self.subject = subject
    self.limit = limit
    self.text = text
    self.place = place
    self.readFromHost = readFromHost
    self.warningPercent = UInt64(warningPercent)
  }

  /// Whether it is a budget of one's own, and not a limit of the host.
  package var isOwn: Bool { readFromHost == nil }

  /// From which share of a budget on there is a warning.
  package static let warningPercent = 90

  static func limit(written text: String, of name: String) throws(BudgetFault) -> UInt64 {
    guard let limit = ByteCount.readDecimal(text) else { throw .noSize(of: name) }
    return limit
  }

  /// How much of it so many bytes are.
  package func level(_ used: UInt64) -> Level {
    if used > limit { return .over }
    let share = used.multipliedFullWidth(by: 100)
    let warned = limit.multipliedFullWidth(by: warningPercent)
    return used > 0 && (share.high, share.low) >= (warned.high, warned.low) ? .near : .within
  }

  /// How many hundredths of it so many bytes are, rounded down; the bytes are not above the limit.
  func percentage(_ used: UInt64) -> UInt64 {
    guard limit > 0 else { return 0 }
    let (high, low) = used.multipliedFullWidth(by: 100)
    return high >= limit ? 100 : limit.dividingFullWidth((high, low)).quotient
  }
}

// MARK: - Names

/// Why something is no budget.
package enum BudgetFault: Error, Equatable {
  case noName
  case noPattern(String)
  /// Nearly the name of a sum.
  case unknownSum(String, near: String)
  case noSize(of: String)

  /// What is wrong.
  package var message: Finding.Message {
    switch self {
    case .noName: "a budget has no name"
    case .noPattern(let name): "'\(name)' is not a pattern"
    case .unknownSum(let name, _): "there is no sum '\(name)'"
    case .noSize(let name): "the budget for '\(name)' has no size"
    }
  }

  /// What would be right.
  package var advice: Finding.Message? {
    switch self {
    case .noName, .noPattern: nil
    case .unknownSum(let name, _):
      "for a pack of that ID, write '[\(name.prefix(1))]\(name.dropFirst())'"
    case .noSize: "a size is needed, such as \"200M\" or \"1.5G\""
    }
  }
}

extension Budget.Subject {
  /// The sums, by the names under which they are written.
  private enum Sum: String, CaseIterable {
    case essential, total, hosted, update

    var subject: Budget.Subject {
      switch self {
      case .essential: .essential
      case .total: .total
      case .hosted: .hosted
      case .update: .update
      }
    }
  }

  /// Reads a name: a sum, a pattern for the IDs of packs, or one with a `/` for files.
  init(named name: String) throws(BudgetFault) {
    if let sum = Sum(rawValue: name) {
      self = sum.subject
      return
    }
    if name.isEmpty { throw .noName }
    do {
      // Nothing that takes space is hidden from a budget: a dot at the beginning is ordinary.
      self =
        name.utf8.contains(slash)
        ? .files(try PathPattern(forPaths: name))
        : .packs(try NamePattern(parsing: FileName(Array(name.utf8))))
    } catch {
      throw .noPattern(name)
    }
    guard case .packs = self, SelectorRules.globSign(in: name) == nil,
      let near = Spelling.nearest(to: name, among: Sum.allCases.map(\.rawValue))
    else { return }
    throw .unknownSum(name, near: near)
  }

  /// Whether it is about paths of files.
  var isOfFiles: Bool { if case .files = self { true } else { false } }
}

// MARK: - What the host allows

extension DeliveryLimits {
  /// The budgets that exist always, with a host that sets them.
  package func budgets(for hosting: Hosting?) -> [Budget] {
    hosting == .selfHosted ? [] : [space, number]
  }

  /// The space that all packs of an app have.
  package var space: Budget {
    Budget(
      "hosted", .hosted, UInt64(hostedBytes), "\(hostedBytes)", readFromHost: date,
      warningPercent: hostedWarningPercent)
  }

  /// The number of packs that an app may have.
  package var number: Budget {
    Budget("packs", .count, UInt64(packs), "\(packs)", readFromHost: date)
  }
}

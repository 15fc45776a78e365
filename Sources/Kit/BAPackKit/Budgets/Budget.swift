package import SourceDiagnostics
import SystemIO

/// A limit in bytes for a sum over packs, or for the packs or files that a pattern matches.
package struct Budget: Sendable, Equatable {
  /// The quantity that a budget limits.
  package enum Subject: Sendable, Equatable {
    /// The largest download of any device before the app opens.
    case essential
    /// The largest total download of any device, including on-demand packs.
    case total
    /// The sum of all archives.
    case hosted
    /// The largest update download of any device with all packs installed.
    case update
    /// The sum of the archives of the packs whose IDs match.
    case packs(NamePattern)
    /// The sum of the unpacked sizes of the files whose paths match.
    case files(PathPattern)
    /// The number of packs; only a host limits it.
    case count
  }

  /// The use of a budget in relation to its limit.
  package enum Level: Comparable, Sendable {
    /// Below the warning threshold.
    case within
    /// At least the warning threshold, and not over the limit.
    case near
    /// Over the limit.
    case over
  }

  /// The name of the budget in the text.
  package let name: String
  /// The quantity that it limits.
  package let subject: Subject
  /// The maximum number of bytes, or of packs.
  package let limit: UInt64
  /// The text of the limit.
  package let text: String
  /// The place of the budget in a text; nil for a budget from the command line, and for a limit of
  /// the host.
  package let place: SourcePlace?
  /// The date of a limit of the host; nil for a budget of the user.
  package let readFromHost: String?
  /// The warning threshold in percent of the limit.
  package let warningPercent: UInt64

  /// Reads a budget of the user.
  package init(
    named name: String, limit text: String, at place: SourcePlace? = nil
  ) throws(BudgetFault) {
    self.init(
      name, try Subject(named: name), try Self.limit(written: text, of: name), text, place: place)
  }

  fileprivate init(
    _ name: String, _ subject: Subject, _ limit: UInt64, _ text: String, place: SourcePlace? = nil,
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

  /// Whether it is a budget of the user, and not a limit of the host.
  package var isOwn: Bool { readFromHost == nil }

  /// The default warning threshold in percent of the limit.
  package static let warningPercent = 90

  static func limit(written text: String, of name: String) throws(BudgetFault) -> UInt64 {
    guard let limit = ByteCount.readDecimal(text) else { throw .noSize(of: name) }
    return limit
  }

  /// Returns the level of a number of bytes.
  package func level(_ used: UInt64) -> Level {
    if used > limit { return .over }
    let share = used.multipliedFullWidth(by: 100)
    let warned = limit.multipliedFullWidth(by: warningPercent)
    return used > 0 && (share.high, share.low) >= (warned.high, warned.low) ? .near : .within
  }

  /// Returns `used`, which must not exceed the limit, as a percentage of the limit, rounded down.
  func percentage(_ used: UInt64) -> UInt64 {
    guard limit > 0 else { return 0 }
    let (high, low) = used.multipliedFullWidth(by: 100)
    return high >= limit ? 100 : limit.dividingFullWidth((high, low)).quotient
  }
}

// MARK: - Names

/// A reason why a text is not a budget.
package enum BudgetFault: Error, Equatable {
  case noName
  case noPattern(String)
  /// A misspelled name of a sum.
  case unknownSum(String, near: String)
  case noSize(of: String)

  /// The description of the error.
  package var message: Finding.Message {
    switch self {
    case .noName: "a budget has no name"
    case .noPattern(let name): "'\(name)' is not a pattern"
    case .unknownSum(let name, _): "unknown budget '\(name)'"
    case .noSize(let name): "the size of the budget '\(name)' is invalid"
    }
  }

  /// The hint for a correction.
  package var advice: Finding.Message? {
    switch self {
    case .noName, .noPattern: nil
    case .unknownSum(let name, _):
      "if this is the ID of a pack, write '[\(name.prefix(1))]\(name.dropFirst())'"
    case .noSize: "specify a size, such as \"200M\" or \"1.5G\""
    }
  }
}

extension Budget.Subject {
  /// The named budgets with their meanings.
  package static let sums = Sum.allCases.map { (name: $0.rawValue, meaning: $0.meaning) }

  /// The names of the sums.
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

    var meaning: String {
      switch self {
      case .essential: "The largest download of any device before the app opens."
      case .total: "The largest total of packs on any device."
      case .hosted: "The total of all archives."
      case .update:
        "The download of an update by a device with all packs; requires the old packs."
      }
    }
  }

  /// Reads a name: a sum, a pattern for IDs of packs, or a pattern with a `/` for paths of files.
  init(named name: String) throws(BudgetFault) {
    if let sum = Sum(rawValue: name) {
      self = sum.subject
      return
    }
    if name.isEmpty { throw .noName }
    do {
      // Hidden files count, too: wildcards match a leading dot.
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

  /// Whether it limits files.
  package var isOfFiles: Bool { if case .files = self { true } else { false } }
}

// MARK: - Limits of the host

extension DeliveryLimits {
  package func budgets(for hosting: Hosting?) -> [Budget] {
    hosting == .selfHosted ? [] : [space, number]
  }

  /// The limit for the total size of the archives of an app.
  package var space: Budget {
    Budget(
      "hosted", .hosted, UInt64(hostedBytes), "\(hostedBytes)", readFromHost: date,
      warningPercent: hostedWarningPercent)
  }

  /// The limit for the number of packs of an app.
  package var number: Budget {
    Budget("packs", .count, UInt64(packs), "\(packs)", readFromHost: date)
  }
}

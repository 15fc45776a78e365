/// Findings as they are made: any number may come, so many are kept, the others counted.
///
/// A text of 16 MiB can be wrong a million times; nobody reads that, and it must not cost memory. What
/// was left out stays in the list as one finding for each severity, with their number, which adds up
/// however often lists are put together.
public struct FindingList: Sendable {
  /// How many findings of one text are kept.
  public static let limit = 1000
  /// How many are kept of what can be wrong with files.
  public static let fileLimit = 100_000
  /// The ID of the finding that stands for those that were left out.
  public static let rest: Diagnostic.ID = "text.too-many-findings"

  /// How many findings are kept.
  public let limit: Int
  private var kept: [Diagnostic] = []
  private var dropped: [Diagnostic.Severity: Int] = [:]

  /// An empty list.
  public init(keeping limit: Int = Self.limit) { self.limit = limit }

  /// All of several lists, in order of position.
  public static func merged(_ lists: [Diagnostic]...) -> [Diagnostic] {
    // Each has its bound already.
    var list = FindingList(keeping: .max)
    for findings in lists { list.add(contentsOf: findings) }
    return list.sorted()
  }

  /// How many findings there were, kept or not.
  public var count: Int { kept.count + dropped.values.reduce(0, +) }

  /// Whether nothing was found.
  public var isEmpty: Bool { kept.isEmpty && dropped.isEmpty }

  /// Whether an error was found.
  public private(set) var hasErrors = false

  /// Whether no more findings are kept.
  public var isFull: Bool { kept.count >= limit }

  /// Adds a finding.
  public mutating func add(_ finding: Diagnostic) {
    if finding.id == Self.rest || isFull {
      count(finding.severity, finding.occurrences)
    } else {
      if finding.severity == .error { hasErrors = true }
      kept.append(finding)
    }
  }

  /// Counts findings that are not kept, so that nobody has to put them into words.
  public mutating func count(_ severity: Diagnostic.Severity, _ occurrences: Int = 1) {
    if severity == .error { hasErrors = true }
    dropped[severity, default: 0] += occurrences
  }

  /// Adds a finding that is put into words only if it is kept; else it counts by its severity.
  public mutating func add(isFull severity: Diagnostic.Severity, _ finding: () -> Diagnostic) {
    if isFull { count(severity) } else { add(finding()) }
  }

  /// Adds a finding if there is one.
  public mutating func add(_ finding: Diagnostic?) {
    if let finding { add(finding) }
  }

  /// Adds several findings.
  public mutating func add(contentsOf findings: [Diagnostic]) {
    for finding in findings { add(finding) }
  }

  /// All that was kept, in order of position (what has none comes first), and behind them one finding
  /// for each severity that counts the others.
  public func sorted() -> [Diagnostic] {
    var order = kept.enumerated().sorted { left, right in
      let places = (left.element.span?.start ?? -1, right.element.span?.start ?? -1)
      return places.0 == places.1 ? left.offset < right.offset : places.0 < places.1
    }.map(\.element)
    for severity in Diagnostic.Severity.allCases.reversed() {
      guard let count = dropped[severity] else { continue }
      let noun = count == 1 ? "\(severity.rawValue) is" : "\(severity.rawValue)s are"
      var finding = Diagnostic(
        Self.rest, severity, "\(count) more \(noun) not listed; mend the others first")
      finding.occurrences = count
      order.append(finding)
    }
    return order
  }
}

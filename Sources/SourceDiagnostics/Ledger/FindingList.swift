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
  public static let rest: Finding.ID = "text.too-many-findings"

  /// How many findings of each severity are kept.
  public let limit: Int
  private var kept: [Finding] = []
  private var keptCounts = Tally()
  private var dropped = Tally()

  /// An empty list.
  public init(keeping limit: Int = Self.limit) { self.limit = limit }

  /// All of several lists, in order of position.
  public static func merged(_ lists: [Finding]...) -> [Finding] {
    // Each has its bound already.
    var list = FindingList(keeping: .max)
    for findings in lists { list.add(contentsOf: findings) }
    return list.sorted()
  }

  /// How many findings there were, kept or not.
  public var count: Int { kept.count + dropped.sum }

  /// How many findings of a severity there were, kept or not.
  public func count(of severity: Finding.Severity) -> Int {
    keptCounts[severity] + dropped[severity]
  }

  /// Whether nothing was found.
  public var isEmpty: Bool { count == 0 }

  /// Whether an error was found.
  public var hasErrors: Bool { count(of: .error) > 0 }

  /// Whether no more findings of a severity are kept.
  public func isFull(of severity: Finding.Severity) -> Bool { keptCounts[severity] >= limit }

  /// Adds a finding.
  public mutating func add(_ finding: Finding) {
    if finding.id == Self.rest || isFull(of: finding.severity) {
      count(finding.severity, finding.occurrences)
    } else {
      keptCounts[finding.severity] += 1
      kept.append(finding)
    }
  }

  /// Counts findings that are not kept, so that nobody has to put them into words.
  public mutating func count(_ severity: Finding.Severity, _ occurrences: Int = 1) {
    dropped[severity] += occurrences
  }

  /// Adds a finding of a severity, which is put into words only if it is kept.
  public mutating func add(_ severity: Finding.Severity, _ finding: () -> Finding) {
    if isFull(of: severity) { count(severity) } else { add(finding()) }
  }

  /// Adds a finding if there is one.
  public mutating func add(_ finding: Finding?) {
    if let finding { add(finding) }
  }

  /// Adds several findings.
  public mutating func add(contentsOf findings: [Finding]) {
    for finding in findings { add(finding) }
  }

  /// All that was kept, in order of position (what has none comes first), and behind them one finding
  /// for each severity that counts the others.
  public func sorted() -> [Finding] {
    func start(_ place: Int) -> Int { kept[place].span?.start ?? -1 }
    var order = kept
    // They are large, and mostly in order already.
    if !zip(kept.indices, kept.indices.dropFirst()).allSatisfy({ start($0) <= start($1) }) {
      let places = kept.indices.map { (start: start($0), place: $0) }
      order = places.sorted(by: <).map { kept[$0.place] }
    }
    for severity in Finding.Severity.allCases.reversed() {
      let count = dropped[severity]
      guard count > 0 else { continue }
      let noun = count == 1 ? "\(severity.rawValue) is" : "\(severity.rawValue)s are"
      var finding = Finding(
        Self.rest, severity, "\(count) more \(noun) not listed; mend the others first")
      finding.occurrences = count
      order.append(finding)
    }
    return order
  }

  /// A number for each severity.
  private struct Tally {
    private var errors = 0
    private var warnings = 0
    private var notes = 0

    var sum: Int { errors + warnings + notes }

    subscript(severity: Finding.Severity) -> Int {
      get {
        switch severity {
        case .error: errors
        case .warning: warnings
        case .note: notes
        }
      }
      set {
        switch severity {
        case .error: errors = newValue
        case .warning: warnings = newValue
        case .note: notes = newValue
        }
      }
    }
  }
}

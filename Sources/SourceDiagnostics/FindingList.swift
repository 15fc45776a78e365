/// Findings as they are made: any number may come, the first thousand are kept, the others counted.
///
/// A text of 16 MiB can be wrong a million times; nobody reads that, and it must not cost memory.
public struct FindingList: Sendable {
  /// How many findings of one text are kept.
  public static let limit = 1000

  private var kept: [Diagnostic] = []
  private var dropped = 0
  private var worstDropped = Diagnostic.Severity.note

  /// An empty list.
  public init() {}

  /// Whether nothing was found.
  public var isEmpty: Bool { kept.isEmpty }

  /// Whether an error was found.
  public private(set) var hasErrors = false

  /// Whether no more findings are kept.
  public var isFull: Bool { kept.count >= Self.limit }

  /// Adds a finding.
  public mutating func add(_ finding: Diagnostic) {
    if isFull {
      count(finding.severity)
    } else {
      if finding.severity == .error { hasErrors = true }
      kept.append(finding)
    }
  }

  /// Counts a finding that is not kept, so that nobody has to put it into words.
  public mutating func count(_ severity: Diagnostic.Severity) {
    if severity == .error { hasErrors = true }
    dropped += 1
    worstDropped = max(worstDropped, severity)
  }

  /// Adds a finding if there is one.
  public mutating func add(_ finding: Diagnostic?) {
    if let finding { add(finding) }
  }

  /// Adds several findings.
  public mutating func add(contentsOf findings: [Diagnostic]) {
    for finding in findings { add(finding) }
  }

  /// All that was kept, in order of position (what has none comes first), and a last finding that
  /// counts the others.
  public func sorted() -> [Diagnostic] {
    var order = kept.enumerated().sorted { left, right in
      let places = (left.element.span?.start ?? -1, right.element.span?.start ?? -1)
      return places.0 == places.1 ? left.offset < right.offset : places.0 < places.1
    }.map(\.element)
    if dropped > 0 {
      order.append(
        Diagnostic(
          "text.too-many-findings", worstDropped,
          "\(dropped) more findings are not shown; mend the first \(Self.limit)"))
    }
    return order
  }
}

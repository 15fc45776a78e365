/// A text, its kept findings, and the number of all its findings.
struct PageStorage: Sendable {
  let source: SourceText
  private(set) var limit: Int
  /// The findings in the order of addition.
  var kept: [Finding] = []
  private var keptCounts = Tally()
  private(set) var dropped = Tally()
  /// The omitted findings by their IDs.
  private var omitted: [Finding.ID: Tally] = [:]

  init(_ source: SourceText, keeping limit: Int) {
    self.source = source
    self.limit = limit
  }

  var counts: Tally {
    var counts = keptCounts
    counts.add(dropped)
    return counts
  }

  func isFull(of severity: Finding.Severity) -> Bool { keptCounts[severity] >= limit }

  mutating func add(_ finding: Finding) {
    if isFull(of: finding.severity) {
      drop(finding.id, finding.severity)
    } else {
      keptCounts[finding.severity] += 1
      kept.append(finding)
    }
  }

  mutating func drop(_ id: Finding.ID, _ severity: Finding.Severity, _ count: Int = 1) {
    dropped[severity] += count
    omitted[id, default: Tally()][severity] += count
  }

  mutating func apply(
    _ decide: (Finding) -> Ledger.Decision?, _ use: inout Ledger.DecisionUse
  ) {
    let before = self
    self = PageStorage(source, keeping: limit)
    /// Returns the severity in effect; nil if the finding is removed.
    func severity(of finding: Finding, _ count: Int) -> Finding.Severity? {
      guard let decision = decide(finding) else { return finding.severity }
      if finding.mustStayError, decision.severity != .error {
        use.refused.insert(decision.setting)
        return .error
      }
      use.settings.insert(decision.setting)
      if decision.severity == nil { use.off += count }
      return decision.severity
    }
    for var finding in before.kept {
      guard let severity = severity(of: finding, 1) else { continue }
      // An error only for this project.
      if finding.severity != .error { finding.canLower = true }
      finding.severity = severity
      add(finding)
    }
    for (id, tally) in before.omitted {
      for former in Finding.Severity.allCases where tally[former] > 0 {
        let count = tally[former]
        if let severity = severity(of: Finding(id, former, ""), count) {
          drop(id, severity, count)
        }
      }
    }
  }

  mutating func remove(_ number: (inout Finding, Int) -> Int) {
    let before = self
    self = PageStorage(source, keeping: limit)
    for var finding in before.kept where number(&finding, 1) == 0 { add(finding) }
    let omitted = before.omitted.sorted { $0.key.name < $1.key.name }
    for severity in Finding.Severity.allCases where before.dropped[severity] > 0 {
      var rest = Finding(Ledger.rest, severity, "")
      var removed = number(&rest, before.dropped[severity])
      for (id, tally) in omitted where tally[severity] > 0 {
        let own = min(removed, tally[severity])
        removed -= own
        drop(id, severity, tally[severity] - own)
      }
    }
  }

  mutating func add(contentsOf other: PageStorage) {
    limit = max(limit, other.limit)
    if kept.isEmpty {
      kept = other.kept
      keptCounts = other.keptCounts
    } else {
      for finding in other.kept { add(finding) }
    }
    dropped.add(other.dropped)
    omitted.merge(other.omitted) { $0.adding($1) }
  }

  /// The kept findings in order of position; at one position in the order of addition.
  var inOrder: [Finding] {
    func start(_ place: Int) -> Int { kept[place].span?.start ?? -1 }
    // Findings are large, and are usually in order already: do not sort them without need.
    if zip(kept.indices, kept.indices.dropFirst()).allSatisfy({ start($0) <= start($1) }) {
      return kept
    }
    let places = kept.indices.map { (start: start($0), place: $0) }
    return places.sorted(by: <).map { kept[$0.place] }
  }

  /// A finding for each severity with omitted findings.
  var rest: [Finding] {
    Finding.Severity.allCases.reversed().compactMap { severity in
      let count = dropped[severity]
      guard count > 0 else { return nil }
      let noun = count == 1 ? "\(severity.rawValue) is" : "\(severity.rawValue)s are"
      var finding = Finding(
        Ledger.rest, severity, "\(count) more \(noun) not listed; fix the listed ones first")
      finding.occurrences = count
      return finding
    }
  }
}

extension PageStorage {
  /// The maximum number of findings of one kind that users see at one place, and in one text.
  private static let mostAtOnePlace = 10
  private static let mostOfOneKind = 100

  private struct FindingKey: Hashable {
    var id: Finding.ID
    var start: Int?
  }

  private struct Showing {
    var all = 0
    var shown = 0
    var counted = 0
  }

  /// Returns the first findings of each kind, and their total number.
  func abridged(_ findings: [Finding]) -> [Finding] {
    var places: [FindingKey: Showing] = [:]
    var kinds: [Finding.ID: Showing] = [:]
    for finding in findings {
      places[FindingKey(id: finding.id, start: finding.span?.start), default: Showing()].all += 1
      kinds[finding.id, default: Showing()].all += 1
    }
    func others(_ more: Int, of all: Int) -> String {
      // If some findings were only counted, there may be more of each kind than known.
      let total = dropped.sum > 0 ? "at least \(all)" : "\(all)"
      return "\(more) more of this kind, \(total) in all"
    }
    var last: [Finding.ID: Int] = [:]
    var result: [Finding] = []
    for finding in findings {
      let key = FindingKey(id: finding.id, start: finding.span?.start)
      guard var place = places[key], var kind = kinds[finding.id],
        place.shown < Self.mostAtOnePlace, kind.shown < Self.mostOfOneKind
      else { continue }
      place.shown += 1
      kind.shown += 1
      last[finding.id] = result.count
      result.append(finding)
      if place.shown == Self.mostAtOnePlace, place.all > place.shown {
        let more = place.all - place.shown
        kind.counted += more
        result[result.count - 1].notes.append(others(more, of: place.all))
      }
      places[key] = place
      kinds[finding.id] = kind
    }
    for (id, kind) in kinds where kind.all > kind.shown + kind.counted {
      guard let index = last[id] else { continue }
      result[index].notes.append(others(kind.all - kind.shown - kind.counted, of: kind.all))
    }
    return result
  }
}

/// A number for each severity.
struct Tally: Sendable {
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

  func adding(_ other: Tally) -> Tally {
    var sum = self
    sum.add(other)
    return sum
  }

  mutating func add(_ other: Tally) {
    errors += other.errors
    warnings += other.warnings
    notes += other.notes
  }
}

/// The findings about any number of texts.
///
/// Findings are added in any order, and each text has a page. A text of 16 MiB can have a million
/// errors. To limit the memory, each page keeps only the first findings of each severity and counts
/// the others. The counts, the kept findings and their order do not depend on the way in which
/// ledgers are combined.
///
/// Findings are sorted, and the message about the rest is written, when they are shown: by
/// ``pages``, or by iterating over the ledger.
public struct Ledger: Sendable {
  /// The maximum number of findings of each severity that are kept for one text.
  public static let limit = 1000
  /// The maximum number of findings about files that are kept.
  public static let fileLimit = 100_000
  /// The ID of the finding that represents the omitted ones.
  public static let rest: Finding.ID = "text.too-many-findings"

  private var leaves: [Leaf] = []
  /// The leaves by the names of their texts, if there are several.
  private var numbers: [String: [Int]] = [:]
  /// The leaf for findings whose text is not given.
  private var open: Int?
  private var counts = Tally()
  private var reading = Reading()

  /// Creates an empty ledger for findings from other functions.
  public init() {}

  /// Creates a ledger with the page of one text, for the findings that are added.
  public init(about source: SourceText, keeping limit: Int = Self.limit) {
    leaves = [Leaf(source, keeping: limit)]
    open = 0
  }

  // MARK: Counts

  /// The number of findings, kept or not.
  public var count: Int { counts.sum }

  /// Returns the number of findings of a severity, kept or not.
  public func count(_ severity: Finding.Severity) -> Int { counts[severity] }

  /// Whether there are no findings.
  public var isEmpty: Bool { counts.sum == 0 }

  /// Whether an error was found.
  public var hasErrors: Bool { counts[.error] > 0 }

  /// The maximum number of findings of each severity on the open page.
  package var limit: Int { open.map { leaves[$0].limit } ?? Self.limit }

  /// Returns whether the open page keeps no more findings of a severity.
  package func isFull(of severity: Finding.Severity) -> Bool {
    open.map { leaves[$0].isFull(of: severity) } ?? false
  }

  // MARK: Adding

  /// Opens the page of a text, for all findings that are added afterwards.
  public mutating func turn(to source: SourceText) {
    open = number(of: source, keeping: Self.limit)
  }

  /// Adds a finding to the open page.
  public mutating func add(_ finding: Finding) {
    counts[finding.severity] += 1
    leaves[openNumber()].add(finding)
  }

  /// Adds a finding, if there is one, to the open page.
  public mutating func add(_ finding: Finding?) {
    if let finding { add(finding) }
  }

  /// Adds a finding to the open page; its message is built only if it is kept.
  public mutating func add(_ severity: Finding.Severity, _ finding: () -> Finding) {
    if isFull(of: severity) { leaveOut(severity) } else { add(finding()) }
  }

  /// Adds a finding about a text, independently of the open page.
  public mutating func add(_ finding: Finding?, about source: SourceText) {
    guard let finding else { return }
    counts[finding.severity] += 1
    leaves[number(of: source, keeping: Self.limit)].add(finding)
  }

  /// Counts findings that the open page does not keep, so that their messages are not built.
  package mutating func leaveOut(_ severity: Finding.Severity, _ occurrences: Int = 1) {
    counts[severity] += occurrences
    leaves[openNumber()].dropped[severity] += occurrences
  }

  /// Adds the contents of another ledger; pages of the same text are merged.
  public mutating func add(contentsOf other: Ledger) {
    counts.add(other.counts)
    for leaf in other.leaves {
      leaves[number(of: leaf.source, keeping: leaf.limit)].add(contentsOf: leaf)
    }
  }

  /// Changes findings in place; they keep their severities.
  package mutating func revise(_ change: (inout Finding) -> Void) {
    for number in leaves.indices {
      for index in leaves[number].kept.indices { change(&leaves[number].kept[index]) }
    }
  }

  private mutating func openNumber() -> Int {
    if let open { return open }
    turn(to: SourceText([], named: ""))
    return leaves.count - 1
  }

  /// Returns the leaf of a text, which is created if it is missing.
  private mutating func number(of source: SourceText, keeping limit: Int) -> Int {
    if let open, leaves[open].source == source { return open }
    if numbers.isEmpty {
      for (number, leaf) in leaves.enumerated() {
        numbers[leaf.source.name, default: []].append(number)
      }
    }
    if let known = numbers[source.name]?.first(where: { leaves[$0].source == source }) {
      return known
    }
    leaves.append(Leaf(source, keeping: limit))
    if leaves.count > 1 { numbers[source.name, default: []].append(leaves.count - 1) }
    return leaves.count - 1
  }
}

// MARK: - Reading

extension Ledger {
  /// A text and its findings.
  public struct Page: Sendable {
    fileprivate let leaf: Leaf
    fileprivate let reading: Reading

    /// The text.
    public var source: SourceText { leaf.source }

    /// Returns the number of findings of a severity, kept or not.
    public func count(_ severity: Finding.Severity) -> Int { leaf.counts[severity] }

    /// The findings in order of position (those without a position are first), and after them one
    /// finding for each severity that counts the omitted ones.
    ///
    /// They are sorted on each access.
    public var findings: [Finding] {
      let all = leaf.dropped.sum == 0 ? leaf.inOrder : leaf.inOrder + leaf.rest
      return reading.shown(reading.isAbridged ? leaf.abridged(all) : all)
    }
  }

  /// A page for each text, in the order of addition, including texts without findings.
  public var pages: [Page] { leaves.map { Page(leaf: $0, reading: reading) } }

  /// The ledger for display: the first findings of each kind, and their total number.
  ///
  /// One mistake can cause a million findings, such as a folder of files with invalid names.
  /// Reports for programs are not abridged.
  public var abridged: Ledger {
    var ledger = self
    ledger.reading.isAbridged = true
    return ledger
  }

  /// Returns the ledger with a program's own texts for remedies.
  public func worded(by phrase: @escaping @Sendable (any Remediation) -> String?) -> Ledger {
    var ledger = self
    ledger.reading.phrase = phrase
    return ledger
  }

  /// Returns the ledger without the findings below a severity.
  package func from(_ severity: Finding.Severity) -> Ledger {
    var ledger = self
    ledger.reading.least = severity
    return ledger
  }

  /// The way in which findings are shown.
  fileprivate struct Reading: Sendable {
    var isAbridged = false
    var least: Finding.Severity?
    var phrase: (@Sendable (any Remediation) -> String?)?

    func shown(_ findings: [Finding]) -> [Finding] {
      guard let least else { return worded(findings) }
      return worded(findings.filter { $0.severity >= least })
    }

    private func worded(_ findings: [Finding]) -> [Finding] {
      guard let phrase, findings.contains(where: { $0.fixes.contains { !$0.remedies.isEmpty } })
      else { return findings }
      return findings.map { finding in
        var finding = finding
        finding.fixes = finding.fixes.map { $0.worded(by: phrase) }
        return finding
      }
    }
  }
}

extension Ledger: Sequence {
  /// All findings for display, page by page.
  package var all: [Finding] {
    leaves.count == 1 ? pages[0].findings : pages.flatMap(\.findings)
  }

  /// Returns an iterator over all findings for display, page by page.
  public func makeIterator() -> IndexingIterator<[Finding]> { all.makeIterator() }
}

// MARK: - Stored pages

/// A text, its kept findings, and the number of all its findings.
private struct Leaf: Sendable {
  let source: SourceText
  private(set) var limit: Int
  /// The findings in the order of addition.
  var kept: [Finding] = []
  private var keptCounts = Tally()
  var dropped = Tally()

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
      dropped[finding.severity] += 1
    } else {
      keptCounts[finding.severity] += 1
      kept.append(finding)
    }
  }

  mutating func add(contentsOf other: Leaf) {
    limit = max(limit, other.limit)
    if kept.isEmpty {
      kept = other.kept
      keptCounts = other.keptCounts
    } else {
      for finding in other.kept { add(finding) }
    }
    dropped.add(other.dropped)
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

extension Leaf {
  /// The maximum number of findings of one kind that users see at one place, and in one text.
  private static let mostAtOnePlace = 10
  private static let mostOfOneKind = 100

  private struct Place: Hashable {
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
    var places: [Place: Showing] = [:]
    var kinds: [Finding.ID: Showing] = [:]
    for finding in findings {
      places[Place(id: finding.id, start: finding.span?.start), default: Showing()].all += 1
      kinds[finding.id, default: Showing()].all += 1
    }
    func others(of id: Finding.ID, _ more: Int, of all: Int, at span: SourceSpan?) -> Finding {
      // If some findings were only counted, there may be more of each kind than known.
      let total = dropped.sum > 0 ? "at least \(all)" : "\(all)"
      return Finding(id, .note, "\(more) more of this kind, \(total) in all", at: span)
    }
    var result: [Finding] = []
    for finding in findings {
      let key = Place(id: finding.id, start: finding.span?.start)
      guard var place = places[key], var kind = kinds[finding.id],
        place.shown < Self.mostAtOnePlace, kind.shown < Self.mostOfOneKind
      else { continue }
      place.shown += 1
      kind.shown += 1
      result.append(finding)
      if place.shown == Self.mostAtOnePlace, place.all > place.shown {
        let more = place.all - place.shown
        kind.counted += more
        result.append(others(of: finding.id, more, of: place.all, at: finding.span))
      }
      places[key] = place
      kinds[finding.id] = kind
    }
    for (id, kind) in kinds.sorted(by: { $0.key.name < $1.key.name })
    where kind.all > kind.shown + kind.counted {
      result.append(
        others(of: id, kind.all - kind.shown - kind.counted, of: kind.all, at: nil))
    }
    return result
  }
}

/// A number for each severity.
private struct Tally: Sendable {
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

  mutating func add(_ other: Tally) {
    errors += other.errors
    warnings += other.warnings
    notes += other.notes
  }
}

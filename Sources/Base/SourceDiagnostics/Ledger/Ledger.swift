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

  private var leaves: [PageStorage] = []
  /// The leaves by the names of their texts, if there are several.
  private var numbers: [String: [Int]] = [:]
  /// The leaf for findings whose text is not given.
  private var open: Int?
  private var counts = Tally()
  private var reading = Reading()
  /// The uses of the decisions that were applied.
  package private(set) var decided = DecisionUse()

  /// Creates an empty ledger for findings from other functions.
  public init() {}

  /// Creates a ledger with the page of one text, for the findings that are added.
  public init(about source: SourceText, keeping limit: Int = Self.limit) {
    leaves = [PageStorage(source, keeping: limit)]
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
    leaves[openNumber()].drop(Self.rest, severity, occurrences)
  }

  /// Adds the contents of another ledger; pages of the same text are merged.
  public mutating func add(contentsOf other: Ledger) {
    counts.add(other.counts)
    decided.add(other.decided)
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

  /// Changes the severities of findings, or removes findings.
  ///
  /// `decide` also gets omitted findings, without message and path. Applying the same decisions
  /// again has no effect.
  package mutating func apply(_ decide: (Finding, SourceText) -> Decision?) {
    for number in leaves.indices {
      let source = leaves[number].source
      leaves[number].apply({ decide($0, source) }, &decided)
    }
    counts = leaves.reduce(into: Tally()) { $0.add($1.counts) }
  }

  /// Removes findings; `number` returns how many of some equal findings are removed, and can change
  /// the kept findings.
  mutating func remove(_ number: (inout Finding, SourceText, Int) -> Int) {
    for leaf in leaves.indices {
      let source = leaves[leaf].source
      leaves[leaf].remove { number(&$0, source, $1) }
    }
    counts = leaves.reduce(into: Tally()) { $0.add($1.counts) }
  }

  private mutating func openNumber() -> Int {
    if let open { return open }
    // The leaf without a name may exist, at any place: another ledger can have contained it.
    let number = number(of: SourceText([], named: ""), keeping: Self.limit)
    open = number
    return number
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
    leaves.append(PageStorage(source, keeping: limit))
    if leaves.count > 1 { numbers[source.name, default: []].append(leaves.count - 1) }
    return leaves.count - 1
  }
}

// MARK: - Decisions

extension Ledger {
  /// A decision of a project about a finding.
  package struct Decision: Sendable {
    /// The new severity; nil removes the finding.
    package let severity: Finding.Severity?
    /// The number of the setting that is applied.
    package let setting: Int

    package init(_ severity: Finding.Severity?, by setting: Int) {
      self.severity = severity
      self.setting = setting
    }
  }

  package struct DecisionUse: Sendable, Equatable {
    /// The number of removed findings.
    package internal(set) var off = 0
    /// The settings that apply to a finding.
    package internal(set) var settings: Set<Int> = []
    /// The settings that would lower an error that must remain an error.
    package internal(set) var refused: Set<Int> = []

    fileprivate mutating func add(_ other: DecisionUse) {
      off += other.off
      settings.formUnion(other.settings)
      refused.formUnion(other.refused)
    }
  }
}

// MARK: - Reading

extension Ledger {
  /// A text and its findings.
  public struct Page: Sendable {
    fileprivate let leaf: PageStorage
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
  public func worded(by phrase: @escaping @Sendable (Remedy) -> String?) -> Ledger {
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
    var phrase: (@Sendable (Remedy) -> String?)?

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

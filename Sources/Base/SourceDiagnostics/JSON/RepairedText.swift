/// A text that is read with missing characters inserted.
///
/// After a missing quote, the parser reads strings as code and the text between them as strings.
/// After a missing bracket, it reads all later text as a part of another list. One mistake would
/// cause many reports. So the first error is explained by the one character with which most of the
/// text can be read, and reading starts again after it. If no single character explains an error,
/// the parser's reports are unchanged.
struct RepairedText {
  private(set) var bytes: [UInt8]
  /// The positions in `bytes` at which characters were inserted, in order.
  private(set) var insertions: [Int] = []
  private(set) var slots: [JSONSlot] = []
  private(set) var findings: Ledger

  /// The size up to which texts are repaired.
  ///
  /// Larger texts are written by programs, which do not omit characters.
  private static let largestText = 1 << 20
  private static let mostRepairs = 4

  /// Returns nil if the text cannot be repaired; `first` is the first error in the original text.
  init?(
    _ source: SourceText, limits: JSONLimits, first: Ledger,
    judge: ((JSONDocument) -> Int)?
  ) {
    guard source.bytes.count <= Self.largestText else { return nil }
    bytes = source.bytes
    findings = first
    var reports = Ledger(about: source, keeping: limits.findings)
    for _ in 0..<Self.mostRepairs {
      let search = MissingCharacter(bytes)
      guard let error = search.errorOffset else { break }
      let candidates = search.candidates()
      guard let best = choose(candidates, source, limits, judge),
        let report = report(best, error: error, among: findings)
      else { break }
      reports.add(report)
      insert(best)
      findings = parse(source, limits)
    }
    guard !reports.isEmpty else { return nil }
    var left = findings
    left.revise { $0 = shifted($0) }
    reports.add(contentsOf: left)
    findings = reports
  }

  private mutating func insert(_ repair: MissingCharacter.Repair) {
    bytes.insert(repair.character, at: repair.offset)
    insertions = insertions.map { $0 >= repair.offset ? $0 + 1 : $0 } + [repair.offset]
    insertions.sort()
  }

  private mutating func parse(_ source: SourceText, _ limits: JSONLimits) -> Ledger {
    var parser = JSONParser(bytes, of: source, limits: limits)
    parser.parse()
    slots = parser.slots
    return parser.findings
  }

  /// Chooses among positions with which the same part of the text can be read.
  private func choose(
    _ candidates: [MissingCharacter.Repair], _ source: SourceText, _ limits: JSONLimits,
    _ judge: ((JSONDocument) -> Int)?
  ) -> MissingCharacter.Repair? {
    guard candidates.count > 1, let judge else { return candidates.first }
    // Each candidate costs reading the text once.
    let few = candidates.prefix(max(1, min(24, (1 << 20) / max(1, bytes.count))))
    var best: (count: Int, repair: MissingCharacter.Repair)?
    for repair in few {
      var trial = self
      trial.insert(repair)
      trial.findings = trial.parse(source, limits)
      let count = judge(JSONDocument(source, trial))
      if count < best?.count ?? Int.max { best = (count, repair) }
    }
    return best?.repair
  }

  // MARK: Reports

  /// Returns the parser's report about the error, with the character that explains it.
  ///
  /// The result is nil if the parser treated the error as a consequence of an earlier one and
  /// reported only that.
  private func report(
    _ repair: MissingCharacter.Repair, error: Int, among findings: Ledger
  ) -> Finding? {
    let character = Character(UnicodeScalar(repair.character))
    let fix = Fix(
      "insert '\(character)' \(phrase(around: repair.offset))", .unsafe,
      edits: [.init(SourceSpan(repair.offset, repair.offset), String(character))])
    let isQuote = repair.character == UInt8(ascii: "\"") || repair.character == UInt8(ascii: "'")
    let about = findings.filter { $0.id == .syntax || $0.id == .trailingText }
    let reported = about.first { ($0.span?.end ?? 0) > error || $0.span?.start == error }
    guard reported != nil || about.count > 1 else { return nil }
    var report: Finding
    if isQuote, about.count > 1 {
      let end = JSONLexing.runEnd(in: bytes, from: min(error, max(0, bytes.count - 1)))
      let start = min(repair.offset, error)
      report = Finding(
        .syntax, .error, "a string without a closing quote",
        at: SourceSpan(start, max(end, start)))
    } else {
      let place = SourceSpan(repair.offset, repair.offset)
      report = reported ?? Finding(.syntax, .error, "'\(character)' is missing here", at: place)
    }
    let own = report.fixes.first { $0.edits.map(\.replacement) == [String(character)] }
    report.fixes = [own ?? fix]
    return shifted(report)
  }

  private func phrase(around offset: Int) -> String {
    guard offset < bytes.count else { return "at the end" }
    let end = min(JSONLexing.runEnd(in: bytes, from: offset), offset + 24)
    let next = bytes[offset..<end]
    if let first = next.first, first > 0x20, first != UInt8(ascii: "'") {
      return "before '\(String(decoding: next, as: UTF8.self))'"
    }
    var start = offset
    while start > 0, offset - start < 24, bytes[start - 1] > 0x20 { start -= 1 }
    return "after '\(String(decoding: bytes[start..<offset], as: UTF8.self))'"
  }

  /// Returns a finding about the repaired text with its positions in the original text.
  private func shifted(_ finding: Finding) -> Finding {
    guard !insertions.isEmpty else { return finding }
    func moved(_ span: SourceSpan) -> SourceSpan {
      JSONDocument.span(span.start, span.end, without: insertions)
    }
    var finding = finding
    finding.span = finding.span.map(moved)
    for index in finding.labels.indices {
      finding.labels[index].span = moved(finding.labels[index].span)
    }
    for fix in finding.fixes.indices {
      for edit in finding.fixes[fix].edits.indices {
        let span = finding.fixes[fix].edits[edit].span
        finding.fixes[fix].edits[edit].span = moved(span)
      }
    }
    return finding
  }
}

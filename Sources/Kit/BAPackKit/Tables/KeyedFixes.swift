import SourceDiagnostics

extension Keyed {
  /// Returns the text with its fixes applied, and the number of fixes.
  ///
  /// Safe fixes keep the meaning, or restore the only possible meaning. Unsafe fixes are probably
  /// correct. Comments and layout are kept.
  ///
  /// The fixes are applied to a copy, which is then read again. They are kept only if the copy has
  /// fewer findings and no new ones, and if the rest of the text has the same meaning. If the copy
  /// is still not well-formed, no fix is applied. The function is idempotent.
  static func fixed(
    _ bytes: [UInt8], for hosting: Hosting?, unsafe: Bool
  ) -> (text: [UInt8], applied: Int) {
    let start = FixReading<Self>(bytes, hosting)
    var fixing = Fixing<Self>(hosting: hosting, appliesUnsafe: unsafe, size: bytes.count)
    return fixing.fix(start)
  }
}

/// A text that was read, with its findings.
private struct FixReading<Subject: Keyed> {
  /// The maximum number of findings that are considered.
  private static var limit: Int { 100_000 }

  let bytes: [UInt8]
  let json: JSONDocument
  let findings: Ledger
  /// The number of findings of each rule.
  let tally: [Finding.ID: Int]
  let count: Int

  init(_ bytes: [UInt8], _ hosting: Hosting?) {
    self.bytes = bytes
    let reader = KeyedReader<Subject>(
      SourceText(bytes, named: ""), for: hosting, keeping: Self.limit)
    json = reader.json
    findings = reader.findings
    count = findings.count
    tally = findings.reduce(into: [:]) { $0[$1.id, default: 0] += 1 }
  }

  /// Whether there are fewer findings than in another text, and no new ones.
  func isBetter(than other: FixReading) -> Bool {
    count < other.count && tally.allSatisfy { $0.value <= other.tally[$0.key, default: 0] }
  }
}

private struct Fixing<Subject: Keyed> {
  fileprivate typealias Reading = FixReading<Subject>

  let hosting: Hosting?
  let appliesUnsafe: Bool
  /// The remaining number of times that the text may be read.
  ///
  /// It limits the time for hostile texts, and is smaller for large texts.
  private var readings: Int

  init(hosting: Hosting?, appliesUnsafe: Bool, size: Int) {
    self.hosting = hosting
    self.appliesUnsafe = appliesUnsafe
    readings = max(3, min(200, (2 << 20) / max(1, size)))
  }

  private func plan(_ reading: Reading) -> [[Fix.Edit]] {
    FixPlan(reading.findings, takingUnsafe: appliesUnsafe, in: reading.bytes).fixes
  }

  private mutating func make(_ fixes: [[Fix.Edit]], in reading: Reading) -> Reading? {
    guard readings > 0 else { return nil }
    readings -= 1
    let next = Reading(FixPlan.apply(fixes, to: reading.bytes), hosting)
    return next.json.keepsMeaning(of: reading.json, besides: fixes) ? next : nil
  }

  /// Returns the fixed text and the number of fixes; the unchanged text if there are no fixes.
  fileprivate mutating func fix(_ start: FixReading<Subject>) -> ([UInt8], Int) {
    for isSingle in [false, true] {
      guard let (end, applied) = isSingle ? oneByOne(start) : together(start), applied > 0 else {
        continue
      }
      if end.json.isWellFormed, end.isBetter(than: start) { return (end.bytes, applied) }
    }
    return (start.bytes, 0)
  }

  /// Applies all fixes, and repeats this, because a fix may reveal another mistake.
  private mutating func together(_ start: Reading) -> (Reading, Int)? {
    var reading = start
    var applied = 0
    while true {
      let fixes = plan(reading)
      guard !fixes.isEmpty else { return (reading, applied) }
      guard let next = make(fixes, in: reading) else { return nil }
      reading = next
      applied += fixes.count
    }
  }

  /// Applies only the fixes that improve the text.
  private mutating func oneByOne(_ start: Reading) -> (Reading, Int)? {
    var reading = start
    var applied = 0
    while true {
      var made: [[Fix.Edit]] = []
      var best = reading
      makeBest(plan(reading)[...], in: reading, &made, &best)
      guard !made.isEmpty else { return (reading, applied) }
      applied += made.count
      reading = best
    }
  }

  private mutating func makeBest(
    _ fixes: ArraySlice<[Fix.Edit]>, in reading: Reading, _ made: inout [[Fix.Edit]],
    _ best: inout Reading
  ) {
    guard !fixes.isEmpty, readings > 0 else { return }
    if let next = make(made + fixes, in: reading), next.isBetter(than: best) {
      made += fixes
      best = next
    } else if fixes.count > 1 {
      let middle = (fixes.startIndex + fixes.endIndex) / 2
      makeBest(fixes[..<middle], in: reading, &made, &best)
      makeBest(fixes[middle...], in: reading, &made, &best)
    }
  }
}

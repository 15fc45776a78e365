import SourceDiagnostics

extension Keyed {
  /// A text with its fixes applied, and the number of fixes.
  ///
  /// Safe fixes keep the meaning, or restore the only one that is possible; unsafe ones are
  /// probably what was meant. Comments and layout stay as they are.
  ///
  /// The fixes are made in a copy, which is then read again. They are kept only if the copy has
  /// fewer findings and no new ones, and if it means the same apart from what was corrected. If the
  /// structure of the text would still be wrong, no fix is made: then the meaning of the rest is
  /// not known. Fixing a fixed text changes nothing.
  static func fixed(
    _ bytes: [UInt8], for hosting: Hosting?, unsafe: Bool
  ) -> (text: [UInt8], applied: Int) {
    let start = FixReading<Self>(bytes, hosting)
    var fixing = Fixing<Self>(hosting: hosting, takesUnsafe: unsafe, size: bytes.count)
    return fixing.mend(start)
  }
}

/// A text with its values and all that is wrong with it.
private struct FixReading<Subject: Keyed> {
  /// At most this many findings are considered at once.
  private static var limit: Int { 100_000 }

  let bytes: [UInt8]
  let json: JSONDocument
  let findings: Ledger
  /// How many findings each rule has.
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
  let takesUnsafe: Bool
  /// How many more times the text may be read, so that hostile texts come to an end; fewer if it is
  /// large.
  private var readings: Int

  init(hosting: Hosting?, takesUnsafe: Bool, size: Int) {
    self.hosting = hosting
    self.takesUnsafe = takesUnsafe
    readings = max(3, min(200, (2 << 20) / max(1, size)))
  }

  private func plan(_ reading: Reading) -> [[Fix.Edit]] {
    FixPlan(reading.findings, takingUnsafe: takesUnsafe, in: reading.bytes).fixes
  }

  private mutating func make(_ fixes: [[Fix.Edit]], in reading: Reading) -> Reading? {
    guard readings > 0 else { return nil }
    readings -= 1
    let next = Reading(FixPlan.apply(fixes, to: reading.bytes), hosting)
    return next.json.keepsMeaning(of: reading.json, besides: fixes) ? next : nil
  }

  /// The fixed text and the number of fixes; the text as it is if there is nothing to fix.
  fileprivate mutating func mend(_ start: FixReading<Subject>) -> ([UInt8], Int) {
    for isStrict in [false, true] {
      guard let (end, applied) = isStrict ? strictly(start) : atOnce(start), applied > 0 else {
        continue
      }
      if end.json.isWellFormed, end.isBetter(than: start) { return (end.bytes, applied) }
    }
    return (start.bytes, 0)
  }

  /// Makes all fixes, and then those that are found afterwards: one fix may reveal another mistake.
  private mutating func atOnce(_ start: Reading) -> (Reading, Int)? {
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

  /// Makes only the fixes each of which is an improvement by itself.
  private mutating func strictly(_ start: Reading) -> (Reading, Int)? {
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

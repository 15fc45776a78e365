/// A text and what was found in it.
public struct Findings: Sendable {
  /// The text.
  public let source: SourceText
  /// What was found, in order of position.
  public let all: [Finding]

  /// Puts a text and its findings together.
  public init(_ source: SourceText, _ findings: [Finding]) {
    self.source = source
    all = findings
  }

  /// The same findings, their remedies in the words of a program.
  public func worded(by words: (any Remediation) -> String?) -> Findings {
    guard all.contains(where: { $0.fixes.contains { !$0.remedies.isEmpty } }) else {
      return self
    }
    return Findings(
      source,
      all.map { finding in
        var finding = finding
        finding.fixes = finding.fixes.map { $0.worded(by: words) }
        return finding
      })
  }

  /// How many findings have a severity.
  public func count(_ severity: Finding.Severity) -> Int {
    all.reduce(0) { $0 + ($1.severity == severity ? $1.occurrences : 0) }
  }
}

extension Findings {
  /// How many findings of one kind people are shown at one place, and in one text.
  private static let mostAtOnePlace = 10
  private static let mostOfOneKind = 100

  /// The findings as people read them: of each kind the first few, and how many there are in all.
  ///
  /// A folder of a million bad names is one mistake. Programs get all findings.
  public var abridged: Findings {
    struct Place: Hashable {
      var id: Finding.ID
      var start: Int?
    }
    struct Tally {
      var all = 0
      var shown = 0
      var counted = 0
    }
    var places: [Place: Tally] = [:]
    var kinds: [Finding.ID: Tally] = [:]
    for finding in all {
      places[Place(id: finding.id, start: finding.span?.start), default: Tally()].all += 1
      kinds[finding.id, default: Tally()].all += 1
    }
    // Where some findings were only counted, there may be more of each kind than are known.
    let isCut = all.contains { $0.id == FindingList.rest }
    func rest(of id: Finding.ID, _ more: Int, of all: Int, at span: SourceSpan?) -> Finding {
      let total = isCut ? "at least \(all)" : "\(all)"
      return Finding(id, .note, "\(more) more of this kind, \(total) in all", at: span)
    }
    var result: [Finding] = []
    for finding in all {
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
        result.append(rest(of: finding.id, more, of: place.all, at: finding.span))
      }
      places[key] = place
      kinds[finding.id] = kind
    }
    for (id, kind) in kinds.sorted(by: { $0.key.name < $1.key.name })
    where kind.all > kind.shown + kind.counted {
      result.append(
        rest(of: id, kind.all - kind.shown - kind.counted, of: kind.all, at: nil))
    }
    return Findings(source, result)
  }
}

import AssetServer
package import BAPackKit
package import SourceDiagnostics
import SystemIO

/// A scenario as somebody wrote it: its steps, each with its place, and what is wrong with it.
package struct ScenarioDocument: Sendable {
  /// A line that can be played.
  package struct Line: Sendable {
    package enum Action: Sendable {
      case step(Step)
      case expect(Expectation)
    }

    package let action: Action
    /// Where the line is, from its first word to its last.
    package let span: SourceSpan
    /// The packs that it names, with their places.
    package let packs: [(id: PackID, span: SourceSpan)]
  }

  /// The text.
  package let source: SourceText
  /// The lines that are right, in order.
  package private(set) var lines: [Line] = []
  /// What `release` names, each once, in the order of the numbers in ``Step/release(_:)``.
  package private(set) var releases: [[String]] = []
  /// What is wrong.
  package private(set) var findings: Ledger

  /// More than any scenario: a text that is larger is not read to its end.
  package static let largestText = 1 << 20

  /// Reads a scenario; `isGiven` says that a release, number 0, is there from the beginning.
  package init(
    parsing bytes: [UInt8], named name: String, profile: DeviceProfile = DeviceProfile(),
    hasRelease isGiven: Bool = false
  ) {
    source = SourceText(Array(bytes.prefix(Self.largestText)), named: name)
    findings = Ledger(about: source)
    if isGiven { releases.append([]) }
    if bytes.count > Self.largestText {
      findings.add(
        ScenarioRules.step(
          "a scenario has at most \(Self.largestText) bytes", form: nil,
          at: SourceSpan(Self.largestText - 1, Self.largestText)))
      return
    }
    var reader = Reader(profile: profile, releases: releases)
    for line in ScenarioLine.lines(of: source) {
      switch reader.read(line) {
      case .success(let read): lines.append(read)
      case .failure(let mistake): findings.add(mistake.finding)
      }
    }
    releases = reader.releases
  }

  /// The words that a line may begin with.
  package static let steps: [String] = Reader.forms.map(\.name)
}

/// Why a line cannot be played.
private struct Mistake: Error {
  let finding: Finding

  init(_ what: Finding.Message, _ form: String, at span: SourceSpan) {
    finding = ScenarioRules.step(what, form: form, at: span)
  }

  init(_ finding: Finding) { self.finding = finding }
}

/// Reads one line after the other: a device is described by what it differs in from the one before.
private struct Reader {
  var profile: DeviceProfile
  var releases: [[String]]

  /// The steps, and how each is written.
  static let forms: [(name: String, form: String)] = [
    (
      "device", "device iOS 27, languages es-MX en, primary en, free 4G, bandwidth 50mbit"
    ),
    ("release", "release FOLDER"), ("install", "install"), ("update-app", "update-app"),
    ("launch", "launch"), ("request", "request ID… [latest]"),
    ("check-for-updates", "check-for-updates"), ("read", "read PATH [in ID] [for LANGUAGE]"),
    ("device-language", "device-language LANGUAGE…"),
    ("set-language", "set-language LANGUAGE|default"), ("reconcile", "reconcile"),
    ("refuse", "refuse ID…"), ("remove", "remove ID…"), ("wait", "wait 8 days"),
    ("online", "online"), ("offline", "offline"), ("fault", "fault level-*: cut 60%"),
    ("status", "status"),
    (
      "expect",
      "expect [not] downloaded|updated|removed|obsolete|failed ID… [costing <= SIZE], "
        + "readable|missing|ambiguous PATH, language LANGUAGE|none, essential|prefetch|cost|disk <= SIZE"
    ),
  ]

  private var packs: [(id: PackID, span: SourceSpan)] = []
  private var form = ""

  init(profile: DeviceProfile, releases: [[String]]) {
    self.profile = profile
    self.releases = releases
  }

  mutating func read(_ line: ScenarioLine) -> Result<ScenarioDocument.Line, Mistake> {
    packs = []
    return Result { () throws(Mistake) in
      if let open = line.openQuote {
        throw Mistake(ScenarioRules.step("a quote does not end on its line", form: nil, at: open))
      }
      let first = line.words[0]
      guard let known = Self.forms.first(where: { $0.name == first.text }) else {
        throw Mistake(
          ScenarioRules.unknownStep(first.text, of: Self.forms.map(\.name), at: first.span))
      }
      form = known.form
      let rest = line.words.dropFirst()
      let action: ScenarioDocument.Line.Action =
        first.text == "expect"
        ? .expect(try expectation(rest, line)) : .step(try step(first, rest, line))
      return .init(action: action, span: line.span, packs: packs)
    }
  }

  private func mistake(_ what: Finding.Message, at span: SourceSpan) -> Mistake {
    Mistake(what, form, at: span)
  }

  private mutating func step(
    _ name: ScenarioWord, _ rest: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(Mistake) -> Step {
    func alone(_ step: Step) throws(Mistake) -> Step {
      if let more = rest.first {
        throw mistake("'\(name.text)' stands alone on its line", at: more.span)
      }
      return step
    }
    switch name.text {
    case "device": return .device(try device(rest, line))
    case "release":
      guard !rest.isEmpty else { throw mistake("a release has a path", at: line.span) }
      let paths = rest.map(\.text)
      if let known = releases.firstIndex(of: paths) { return .release(known) }
      releases.append(paths)
      return .release(releases.count - 1)
    case "install": return try alone(.install)
    case "update-app": return try alone(.updateApp)
    case "launch": return try alone(.launch)
    case "request":
      let isLatest = rest.last?.text == "latest" && rest.count > 1
      return .request(try ids(isLatest ? rest.dropLast() : rest, line), latest: isLatest)
    case "check-for-updates": return try alone(.checkForUpdates)
    case "read": return try search(rest, line)
    case "device-language": return .deviceLanguage(try languages(rest, line))
    case "set-language":
      guard let word = rest.first, rest.count == 1 else {
        throw mistake("one language stands behind 'set-language', or 'default'", at: line.span)
      }
      return .setLanguage(word.text == "default" ? nil : try language(word))
    case "reconcile": return try alone(.reconcile)
    case "refuse": return .refuse(try ids(rest, line))
    case "remove": return .remove(try ids(rest, line))
    case "wait": return .wait(try time(rest, line))
    case "online": return try alone(.online)
    case "offline": return try alone(.offline)
    case "fault":
      let text = rest.map(\.text).joined(separator: " ")
      do {
        return .fault(try Fault(parsing: text))
      } catch {
        throw mistake(.init(whole: error.reason), at: line.span)
      }
    default: return try alone(.status)
    }
  }

  private mutating func ids(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(Mistake) -> [PackID] {
    guard !words.isEmpty else { throw mistake("no pack is named", at: line.span) }
    return words.map { word in
      packs.append((PackID(word.text), word.span))
      return PackID(word.text)
    }
  }

  private func language(_ word: ScenarioWord) throws(Mistake) -> LanguageTag {
    guard let tag = LanguageTag(word.text) else {
      throw mistake(
        "'\(word.text)' is no language: it is written like 'es', 'es-US' or 'zh-Hant'",
        at: word.span)
    }
    return tag
  }

  private func languages(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(Mistake) -> [LanguageTag] {
    guard !words.isEmpty else { throw mistake("no language is named", at: line.span) }
    var tags: [LanguageTag] = []
    for word in words { tags.append(try language(word)) }
    return tags
  }

  private func size(_ word: ScenarioWord) throws(Mistake) -> UInt64 {
    guard let size = ByteCount.readDecimal(word.text) else {
      throw mistake("'\(word.text)' is no size; 200M and 1.5G are", at: word.span)
    }
    return size
  }

  private mutating func device(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(Mistake) -> DeviceProfile {
    guard !words.isEmpty else { throw mistake("a device has a platform", at: line.span) }
    var rest = words
    func value(_ key: ScenarioWord) throws(Mistake) -> ScenarioWord {
      guard let word = rest.popFirst() else {
        throw mistake("nothing stands behind '\(key.text)'", at: key.span)
      }
      return word
    }
    while let word = rest.popFirst() {
      switch word.text {
      case "languages":
        let tags = rest.prefix { LanguageTag($0.text) != nil && !Self.keys.contains($0.text) }
        guard !tags.isEmpty else { throw mistake("no language is named", at: word.span) }
        profile.languages = try languages(tags, line)
        rest = rest.dropFirst(tags.count)
      case "primary": profile.primaryLanguage = try language(try value(word))
      case "free": profile.free = try size(try value(word))
      case "bandwidth":
        let rate = try value(word)
        guard let bytes = Throttle.bytesPerSecond(written: rate.text) else {
          throw mistake("'\(rate.text)' is no bandwidth; 50mbit and 500kbit are", at: rate.span)
        }
        profile.bytesPerSecond = bytes
      default:
        if let platform = Platform.allCases.first(where: { $0.rawValue == word.text }) {
          profile.platform = platform
        } else if let system = Int(word.text), DeviceProfile.systems.contains(system) {
          profile.system = system
        } else {
          throw mistake("'\(word.text)' says nothing about a device", at: word.span)
        }
      }
    }
    return profile
  }

  private static let keys: Set = ["primary", "free", "bandwidth"]

  private mutating func search(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(Mistake) -> Step {
    guard let path = words.first else { throw mistake("no path is named", at: line.span) }
    var rest = words.dropFirst()
    var id: PackID?
    var tag: LanguageTag?
    while let key = rest.popFirst() {
      guard let value = rest.popFirst(), ["in", "for"].contains(key.text) else {
        throw mistake("'\(key.text)' does not belong here", at: key.span)
      }
      if key.text == "in" {
        packs.append((PackID(value.text), value.span))
        id = PackID(value.text)
      } else {
        tag = try language(value)
      }
    }
    return .read(path.text, in: id, for: tag)
  }

  private func time(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(Mistake) -> UInt64 {
    let units: [(String, UInt64)] = [
      ("second", 1000), ("minute", 60_000), ("hour", 3_600_000), ("day", 86_400_000),
      ("week", 604_800_000),
    ]
    let all = Array(words)
    guard all.count == 2, let count = UInt64(all[0].text), count <= 10_000,
      let unit = units.first(where: { all[1].text == $0.0 || all[1].text == $0.0 + "s" })
    else {
      throw mistake(
        "this is no time: a number up to 10000, and seconds, minutes, hours, days or weeks",
        at: all.first?.span ?? line.span)
    }
    return count * unit.1
  }

  // MARK: Expectations

  private mutating func expectation(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(Mistake) -> Expectation {
    var rest = words
    let isNegated = rest.first?.text == "not"
    if isNegated { rest.removeFirst() }
    guard let what = rest.popFirst() else {
      throw mistake("nothing is expected", at: line.span)
    }
    switch what.text {
    case "downloaded", "updated", "removed", "obsolete", "failed":
      let bound = try cost(&rest)
      let ids = try ids(rest, line)
      let subject: Expectation.Subject =
        switch what.text {
        case "downloaded": .downloaded(ids)
        case "updated": .updated(ids)
        case "removed": .removed(ids)
        case "obsolete": .obsolete(ids)
        default: .failed(ids)
        }
      return Expectation(subject, isNegated: isNegated, bound: bound)
    case "readable", "missing", "ambiguous":
      guard let path = rest.first, rest.count == 1 else {
        throw mistake("one path stands behind '\(what.text)'", at: line.span)
      }
      let subject: Expectation.Subject =
        switch what.text {
        case "readable": .readable(path.text)
        case "missing": .missing(path.text)
        default: .ambiguous(path.text)
        }
      return Expectation(subject, isNegated: isNegated)
    case "language":
      guard let word = rest.first, rest.count == 1 else {
        throw mistake("one language stands behind 'language', or 'none'", at: line.span)
      }
      return Expectation(
        .language(word.text == "none" ? nil : try language(word)), isNegated: isNegated)
    case "essential", "prefetch", "cost", "disk":
      let bound = try bound(rest, what)
      let subject: Expectation.Subject =
        switch what.text {
        case "essential": .essential
        case "prefetch": .prefetch
        case "cost": .cost
        default: .disk
        }
      return Expectation(subject, isNegated: isNegated, bound: bound)
    default:
      throw mistake("'\(what.text)' cannot be expected", at: what.span)
    }
  }

  /// Takes `costing <= 60M` off the end.
  private func cost(_ words: inout ArraySlice<ScenarioWord>) throws(Mistake) -> Expectation.Bound? {
    guard let place = words.lastIndex(where: { $0.text == "costing" }) else { return nil }
    let bound = try bound(words[(place + 1)...], words[place])
    words = words[..<place]
    return bound
  }

  private func bound(
    _ words: ArraySlice<ScenarioWord>, _ key: ScenarioWord
  ) throws(Mistake) -> Expectation.Bound {
    guard words.count == 2, let first = words.first, let last = words.last,
      let relation = Expectation.Bound.Relation(rawValue: first.text)
    else {
      throw mistake(
        "a comparison and a size stand behind '\(key.text)', as in '<= 60M'", at: key.span)
    }
    return Expectation.Bound(relation, try size(last))
  }
}

import BAPackKit
import Faults
import SourceDiagnostics
import SystemIO

/// Why a line cannot be played.
struct ScenarioMistake: Error {
  let finding: Finding

  fileprivate init(_ what: Finding.Message, _ form: String, at span: SourceSpan) {
    finding = ScenarioRules.step(what, form: form, at: span)
  }

  fileprivate init(_ finding: Finding) { self.finding = finding }
}

/// Reads one line after the other: a device is described by what it differs in from the one before.
struct ScenarioReader {
  private var profile: DeviceProfile
  /// What `release` names so far.
  private(set) var releases: [ScenarioDocument.Source]

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
  ]

  /// What can be expected, and how it is written.
  static let expectations: [(name: String, form: String)] =
    [("app", "expect app [not] installed|updated")]
    + ["downloaded", "updated"].map { ($0, "expect [not] \($0) ID… [costing <= SIZE]") }
    + ["removed", "obsolete", "failed"].map { ($0, "expect [not] \($0) ID…") }
    + ["readable", "missing", "ambiguous"].map {
      ($0, "expect [not] \($0) PATH [in ID] [for LANGUAGE]")
    } + [("language", "expect [not] language LANGUAGE|none")]
    + ["essential", "prefetch", "cost", "disk"].map { ($0, "expect [not] \($0) <= SIZE") }

  private static let expect = "expect"

  private var packs: [(id: PackID, span: SourceSpan)] = []
  private var form = ""

  init(profile: DeviceProfile, releases: [ScenarioDocument.Source]) {
    self.profile = profile
    self.releases = releases
  }

  mutating func read(_ line: ScenarioLine) -> Result<ScenarioDocument.Line, ScenarioMistake> {
    packs = []
    return Result { () throws(ScenarioMistake) in
      if let open = line.openQuote {
        throw ScenarioMistake(
          ScenarioRules.step("a quote does not end on its line", form: nil, at: open))
      }
      let first = line.words[0]
      let rest = line.words.dropFirst()
      if first.text == Self.expect {
        form = "expect [not] downloaded ID…"
        return .init(action: .expect(try expectation(rest, line)), span: line.span, packs: packs)
      }
      guard let known = Self.forms.first(where: { $0.name == first.text }) else {
        throw ScenarioMistake(
          ScenarioRules.unknownStep(
            first.text, of: Self.forms.map(\.name) + [Self.expect], at: first.span))
      }
      form = known.form
      return .init(action: .step(try step(first, rest, line)), span: line.span, packs: packs)
    }
  }

  private func mistake(_ what: Finding.Message, at span: SourceSpan) -> ScenarioMistake {
    ScenarioMistake(what, form, at: span)
  }

  /// A word that is none of those that may stand there.
  private func mistake(
    _ what: Finding.Message, _ word: ScenarioWord, of known: [String]
  ) -> ScenarioMistake {
    ScenarioMistake(ScenarioRules.step(what, word.text, of: known, form: form, at: word.span))
  }

  private mutating func step(
    _ name: ScenarioWord, _ rest: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(ScenarioMistake) -> Step {
    func alone(_ step: Step) throws(ScenarioMistake) -> Step {
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
      // A source that is repeated later is a new release, because versions only rise.
      if releases.last?.isSame(as: paths) != true {
        releases.append(.init(paths: paths, span: line.span))
      }
      return .release(releases.count - 1)
    case "install": return try alone(.install)
    case "update-app": return try alone(.updateApp)
    case "launch": return try alone(.launch)
    case "request":
      let isLatest = rest.last?.text == "latest" && rest.count > 1
      return .request(try ids(isLatest ? rest.dropLast() : rest, line), latest: isLatest)
    case "check-for-updates": return try alone(.checkForUpdates)
    case "read":
      let search = try search(rest, line)
      return .read(search.path, in: search.id, for: search.language)
    case "device-language":
      profile.languages = try languages(rest, line)
      return .deviceLanguage(profile.languages)
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
        return .fault(try Fault(parsing: text, in: .downloads))
      } catch {
        throw mistake(.init(whole: error.reason), at: line.span)
      }
    default: return try alone(.status)
    }
  }

  private mutating func ids(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(ScenarioMistake) -> [PackID] {
    guard !words.isEmpty else { throw mistake("no pack is named", at: line.span) }
    return words.map { word in
      packs.append((PackID(word.text), word.span))
      return PackID(word.text)
    }
  }

  private func language(_ word: ScenarioWord) throws(ScenarioMistake) -> LanguageTag {
    guard let tag = LanguageTag(locale: word.text) else {
      throw mistake(
        "'\(word.text)' is no language: it is written like 'es', 'es-US' or 'zh-Hant'",
        at: word.span)
    }
    return tag
  }

  private func languages(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(ScenarioMistake) -> [LanguageTag] {
    guard !words.isEmpty else { throw mistake("no language is named", at: line.span) }
    var tags: [LanguageTag] = []
    for word in words { tags.append(try language(word)) }
    return tags
  }

  private func size(_ word: ScenarioWord) throws(ScenarioMistake) -> UInt64 {
    guard let size = ByteCount.readDecimal(word.text) else {
      throw mistake("'\(word.text)' is no size; 200M and 1.5G are", at: word.span)
    }
    return size
  }

  private mutating func device(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(ScenarioMistake) -> DeviceProfile {
    guard !words.isEmpty else { throw mistake("a device has a platform", at: line.span) }
    var rest = words
    func value(_ key: ScenarioWord) throws(ScenarioMistake) -> ScenarioWord {
      guard let word = rest.popFirst() else {
        throw mistake("nothing stands behind '\(key.text)'", at: key.span)
      }
      return word
    }
    while let word = rest.popFirst() {
      switch word.text {
      case "languages":
        let tags = rest.prefix {
          LanguageTag(locale: $0.text) != nil && !Self.keys.contains($0.text)
        }
        guard !tags.isEmpty else { throw mistake("no language is named", at: word.span) }
        profile.languages = try languages(tags, line)
        rest = rest.dropFirst(tags.count)
      case "primary": profile.primaryLanguage = try language(try value(word))
      case "free": profile.free = try size(try value(word))
      case "bandwidth":
        let rate = try value(word)
        guard let bytes = BitRate.bytesPerSecond(written: rate.text) else {
          throw mistake("'\(rate.text)' is no bandwidth; 50mbit and 500kbit are", at: rate.span)
        }
        profile.bytesPerSecond = bytes
      default:
        if let platform = Platform.allCases.first(where: { $0.rawValue == word.text }) {
          profile.platform = platform
        } else if let system = DeviceProfile.system(written: word.text) {
          profile.system = system
        } else {
          throw mistake(
            "'\(word.text)' says nothing about a device", word,
            of: Platform.allCases.map(\.rawValue) + ["languages"] + Self.keys.sorted())
        }
      }
    }
    return profile
  }

  private static let keys: Set = ["primary", "free", "bandwidth"]

  private mutating func search(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(ScenarioMistake) -> Expectation.Search {
    guard let path = words.first else { throw mistake("no path is named", at: line.span) }
    var rest = words.dropFirst()
    var search = Expectation.Search(path: path.text)
    while let key = rest.popFirst() {
      guard let value = rest.popFirst(), ["in", "for"].contains(key.text) else {
        throw mistake("'\(key.text)' does not belong here", at: key.span)
      }
      if key.text == "in" {
        packs.append((PackID(value.text), value.span))
        search.id = PackID(value.text)
      } else {
        search.language = try language(value)
      }
    }
    return search
  }

  private func time(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(ScenarioMistake) -> UInt64 {
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
  ) throws(ScenarioMistake) -> Expectation {
    var rest = words
    let isNegated = rest.first?.text == "not"
    if isNegated { rest.removeFirst() }
    guard let what = rest.popFirst() else {
      throw mistake("nothing is expected", at: line.span)
    }
    guard let known = Self.expectations.first(where: { $0.name == what.text }) else {
      throw mistake(
        "'\(what.text)' cannot be expected", what, of: Self.expectations.map(\.name))
    }
    form = known.form
    switch what.text {
    case "app":
      if isNegated {
        throw mistake("'not' is written after 'app'", at: words[words.startIndex].span)
      }
      return try app(rest, line)
    case "downloaded", "updated", "removed", "obsolete", "failed":
      let price = rest.first { $0.text == "costing" }
      let bound = try cost(&rest)
      if let price, isNegated || !["downloaded", "updated"].contains(what.text) {
        throw mistake(
          isNegated ? "what is not expected has no cost" : "what is \(what.text) has no cost",
          at: price.span)
      }
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
      let search = try search(rest, line)
      let subject: Expectation.Subject =
        switch what.text {
        case "readable": .readable(search)
        case "missing": .missing(search)
        default: .ambiguous(search)
        }
      return Expectation(subject, isNegated: isNegated)
    case "language":
      guard let word = rest.first, rest.count == 1 else {
        throw mistake("one language stands behind 'language', or 'none'", at: line.span)
      }
      return Expectation(
        .language(word.text == "none" ? nil : try language(word)), isNegated: isNegated)
    default:
      let bound = try bound(rest, what)
      let subject: Expectation.Subject =
        switch what.text {
        case "essential": .essential
        case "prefetch": .prefetch
        case "cost": .cost
        default: .disk
        }
      return Expectation(subject, isNegated: isNegated, bound: bound)
    }
  }

  /// Reads `installed`, `not installed`, `updated` or `not updated`.
  private func app(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(ScenarioMistake) -> Expectation {
    let isNegated = words.first?.text == "not"
    let rest = isNegated ? words.dropFirst() : words
    guard let word = rest.first, rest.count == 1 else {
      throw mistake("expected 'installed' or 'updated' after 'app'", at: line.span)
    }
    switch word.text {
    case "installed": return Expectation(.appInstalled, isNegated: isNegated)
    case "updated": return Expectation(.appUpdated, isNegated: isNegated)
    default:
      throw mistake(
        "'\(word.text)' cannot be expected of the app", word, of: ["installed", "updated"])
    }
  }

  /// Takes `costing <= 60M` off the end.
  private func cost(_ words: inout ArraySlice<ScenarioWord>) throws(ScenarioMistake) -> Expectation
    .Bound?
  {
    guard let place = words.lastIndex(where: { $0.text == "costing" }) else { return nil }
    let bound = try bound(words[(place + 1)...], words[place])
    words = words[..<place]
    return bound
  }

  private func bound(
    _ words: ArraySlice<ScenarioWord>, _ key: ScenarioWord
  ) throws(ScenarioMistake) -> Expectation.Bound {
    guard words.count == 2, let first = words.first, let last = words.last else {
      throw mistake(
        "a comparison and a size stand behind '\(key.text)', as in '<= 60M'", at: key.span)
    }
    guard let relation = Expectation.Bound.Relation(rawValue: first.text) else {
      let known = Expectation.Bound.Relation.allCases.map(\.rawValue)
      throw mistake(
        "'\(first.text)' is no comparison; \(Finding.list(known)) are", at: first.span)
    }
    return Expectation.Bound(relation, try size(last))
  }
}

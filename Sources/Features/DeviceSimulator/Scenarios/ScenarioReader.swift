import BAPackKit
import Faults
import SourceDiagnostics
import SystemIO

/// The reason why a line is invalid.
struct ScenarioMistake: Error {
  let finding: Finding

  fileprivate init(_ what: Finding.Message, _ form: String, at span: SourceSpan) {
    finding = ScenarioRules.step(what, form: form, at: span)
  }

  fileprivate init(_ finding: Finding) { self.finding = finding }
}

/// Parses one line after the other.
///
/// A device keeps the properties of the previous device that are not specified again.
struct ScenarioReader {
  var profile: DeviceProfile
  /// Applies the options of the command line, which override the scenario.
  private let override: (inout DeviceProfile) -> Void
  /// The releases of the previous lines.
  private(set) var releases: [ScenarioDocument.Source]

  private var packs: [(id: PackID, span: SourceSpan)] = []
  private var form = ""

  init(
    profile: DeviceProfile, releases: [ScenarioDocument.Source],
    overriding override: @escaping (inout DeviceProfile) -> Void
  ) {
    self.profile = profile
    self.override = override
    self.releases = releases
  }

  mutating func read(_ line: ScenarioLine) -> Result<ScenarioDocument.Line, ScenarioMistake> {
    packs = []
    return Result { () throws(ScenarioMistake) in
      if let open = line.openQuote {
        throw ScenarioMistake(
          ScenarioRules.step("a quote is not closed on its line", form: nil, at: open))
      }
      let first = line.words[0]
      let rest = line.words.dropFirst()
      if first.text == Keyword.expect.rawValue {
        form = "expect [not] downloaded ID…"
        return .init(action: .expect(try expectation(rest, line)), span: line.span, packs: packs)
      }
      guard let known = Self.forms.first(where: { $0.name == first.text }) else {
        throw ScenarioMistake(
          ScenarioRules.unknownStep(
            first.text, of: Self.forms.map(\.name) + [Keyword.expect.rawValue], at: first.span))
      }
      form = known.form
      return .init(
        action: .step(try step(known.kind, first, rest, line)), span: line.span, packs: packs)
    }
  }

  func mistake(_ what: Finding.Message, at span: SourceSpan) -> ScenarioMistake {
    ScenarioMistake(what, form, at: span)
  }

  /// Returns the error for an unknown word.
  func mistake(
    _ what: Finding.Message, _ word: ScenarioWord, of known: [String]
  ) -> ScenarioMistake {
    ScenarioMistake(ScenarioRules.step(what, word.text, of: known, form: form, at: word.span))
  }

  private mutating func step(
    _ kind: StepKind, _ name: ScenarioWord, _ rest: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(ScenarioMistake) -> Step {
    switch kind {
    case .alone(let step):
      if let more = rest.first {
        throw mistake("'\(name.text)' takes no arguments", at: more.span)
      }
      return step
    case .packs(let step): return step(try ids(rest, line))
    case .request:
      let isLatest = rest.last.isKeyword(.latest) && rest.count > 1
      return .request(try ids(isLatest ? rest.dropLast() : rest, line), latest: isLatest)
    case .device:
      let written = try device(rest, line)
      override(&profile)
      return .device(profile, byOptions: profile != written)
    case .release:
      let hasChannel = rest.count > 2 && rest.dropLast().last.isKeyword(.channel)
      let channel = hasChannel ? try rest.last.map(channel) : nil
      let paths = (hasChannel ? rest.dropLast(2) : rest).map(\.text)
      guard !paths.isEmpty else { throw mistake("expected a path after 'release'", at: line.span) }
      // A source that is repeated later is a new release, because versions only rise.
      if releases.last?.isSame(as: paths) != true {
        releases.append(.init(paths: paths, span: line.span))
      }
      return .release(releases.count - 1, in: channel)
    case .submit:
      guard let word = rest.first else {
        throw mistake("expected 'store' or 'external' after 'submit'", at: line.span)
      }
      return .submit(
        try approvedChannel(word), rest.count > 1 ? try ids(rest.dropFirst(), line) : [])
    case .setting(let condition, let whenOn):
      guard rest.count <= 1, let isOn = isOn(rest.first) else {
        throw mistake(
          "expected 'on' or 'off' after '\(name.text)'", at: rest.first?.span ?? line.span)
      }
      return .allow(condition, isOn == whenOn)
    case .read:
      let search = try search(rest, line)
      return .read(search.path, in: search.id, for: search.language)
    case .deviceLanguage:
      profile.languages = try languages(rest, line)
      return .deviceLanguage(profile.languages)
    case .setLanguage:
      guard let word = rest.first, rest.count == 1 else {
        throw mistake("expected one language or 'default' after 'set-language'", at: line.span)
      }
      return .setLanguage(word.isKeyword(.default) ? nil : try language(word))
    case .wait: return .wait(try time(rest, line))
    case .fault:
      let text = rest.map(\.text).joined(separator: " ")
      do {
        return .fault(try DownloadFault(parsing: text))
      } catch {
        throw mistake(.init(whole: error.reason), at: line.span)
      }
    }
  }

  /// Reads `on` or `off`; without a word, the setting is on.
  private func isOn(_ word: ScenarioWord?) -> Bool? {
    guard let word else { return true }
    return word.isKeyword(.on) ? true : word.isKeyword(.off) ? false : nil
  }

  /// Reads a channel whose versions are reviewed.
  private func approvedChannel(_ word: ScenarioWord) throws(ScenarioMistake) -> Channel {
    let channel = try channel(word)
    guard channel != .internal else {
      throw mistake(
        "a processed version is in internal testing without a submission", at: word.span)
    }
    return channel
  }

  func channel(_ word: ScenarioWord) throws(ScenarioMistake) -> Channel {
    guard let channel = Channel(rawValue: word.text) else {
      throw mistake(
        "'\(word.text)' is not a channel", word, of: Channel.allCases.map(\.rawValue))
    }
    return channel
  }

  private mutating func ids(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(ScenarioMistake) -> [PackID] {
    guard !words.isEmpty else { throw mistake("expected the ID of a pack", at: line.span) }
    return words.map { word in
      packs.append((PackID(word.text), word.span))
      return PackID(word.text)
    }
  }

  func language(_ word: ScenarioWord) throws(ScenarioMistake) -> LanguageTag {
    guard let tag = LanguageTag(locale: word.text) else {
      throw mistake(
        "'\(word.text)' is not a language; expected a tag such as 'es', 'es-US' or 'zh-Hant'",
        at: word.span)
    }
    if let unknown = tag.unassignedCodes.first {
      throw mistake(.init(whole: unknown.phraseWithSuggestion), at: word.span)
    }
    return tag
  }

  func languages(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(ScenarioMistake) -> [LanguageTag] {
    guard !words.isEmpty else { throw mistake("expected a language", at: line.span) }
    var tags: [LanguageTag] = []
    for word in words { tags.append(try language(word)) }
    return tags
  }

  func size(_ word: ScenarioWord) throws(ScenarioMistake) -> UInt64 {
    guard let size = ByteCount.readDecimal(word.text) else {
      throw mistake(
        "'\(word.text)' is not a size; expected a size such as 200M or 1.5G", at: word.span)
    }
    return size
  }

  private mutating func search(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(ScenarioMistake) -> Expectation.Search {
    guard let path = words.first else { throw mistake("expected a path", at: line.span) }
    var rest = words.dropFirst()
    var search = Expectation.Search(path: path.text)
    while let key = rest.popFirst() {
      guard let value = rest.popFirst(), let place = SearchKey(rawValue: key.text) else {
        throw mistake("unexpected '\(key.text)'", at: key.span)
      }
      switch place {
      case .pack:
        packs.append((PackID(value.text), value.span))
        search.id = PackID(value.text)
      case .language: search.language = try language(value)
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
        """
        invalid duration; expected a number up to 10000 and seconds, minutes, hours, days or \
        weeks
        """,
        at: all.first?.span ?? line.span)
    }
    return count * unit.1
  }

  // MARK: Expectations

  private mutating func expectation(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(ScenarioMistake) -> Expectation {
    var rest = words
    let isNegated = rest.first.isKeyword(.not)
    if isNegated { rest.removeFirst() }
    guard let what = rest.popFirst() else {
      throw mistake("the expectation is missing", at: line.span)
    }
    guard let known = Self.expectations.first(where: { $0.name == what.text }) else {
      throw mistake(
        "unknown expectation '\(what.text)'", what, of: Self.expectations.map(\.name))
    }
    form = known.form
    switch known.kind {
    case .app:
      if isNegated {
        throw mistake("write 'not' after 'app'", at: words[words.startIndex].span)
      }
      return try app(rest, line)
    case .packs(let subject, let hasCost):
      let price = rest.first { $0.isKeyword(.costing) }
      let bound = try cost(&rest)
      if let price, isNegated || !hasCost {
        throw mistake(
          isNegated
            ? "a negated expectation has no cost"
            : "'\(what.text)' has no cost",
          at: price.span)
      }
      return Expectation(subject(try ids(rest, line)), isNegated: isNegated, bound: bound)
    case .search(let subject):
      return Expectation(subject(try search(rest, line)), isNegated: isNegated)
    case .language:
      guard let word = rest.first, rest.count == 1 else {
        throw mistake("expected one language or 'none' after 'language'", at: line.span)
      }
      return Expectation(
        .language(word.isKeyword(.none) ? nil : try language(word)), isNegated: isNegated)
    case .absent:
      guard let word = rest.first, rest.count == 1 else {
        throw mistake("expected the ID of a pack or a path after 'absent'", at: line.span)
      }
      return Expectation(.absent(word.text), isNegated: isNegated)
    case .size(let subject):
      return Expectation(subject, isNegated: isNegated, bound: try bound(rest, what))
    }
  }

  /// Reads `installed`, `not installed`, `updated` or `not updated`.
  private func app(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(ScenarioMistake) -> Expectation {
    let isNegated = words.first.isKeyword(.not)
    let rest = isNegated ? words.dropFirst() : words
    guard let word = rest.first, rest.count == 1 else {
      throw mistake("expected 'installed' or 'updated' after 'app'", at: line.span)
    }
    switch AppState(rawValue: word.text) {
    case .installed: return Expectation(.appInstalled, isNegated: isNegated)
    case .updated: return Expectation(.appUpdated, isNegated: isNegated)
    case nil:
      throw mistake(
        "unknown state '\(word.text)' of the app", word,
        of: AppState.allCases.map(\.rawValue))
    }
  }

  /// Removes `costing <= 60M` from the end and returns its limit.
  private func cost(_ words: inout ArraySlice<ScenarioWord>) throws(ScenarioMistake) -> Expectation
    .Bound?
  {
    guard let place = words.lastIndex(where: { $0.isKeyword(.costing) }) else { return nil }
    let bound = try bound(words[(place + 1)...], words[place])
    words = words[..<place]
    return bound
  }

  private func bound(
    _ words: ArraySlice<ScenarioWord>, _ key: ScenarioWord
  ) throws(ScenarioMistake) -> Expectation.Bound {
    guard words.count == 2, let first = words.first, let last = words.last else {
      throw mistake(
        "expected a comparison and a size after '\(key.text)', such as '<= 60M'", at: key.span)
    }
    guard let relation = Expectation.Bound.Relation(rawValue: first.text) else {
      let known = Expectation.Bound.Relation.allCases.map(\.rawValue)
      throw mistake(
        "'\(first.text)' is not a comparison; expected \(Finding.list(known))", at: first.span)
    }
    return Expectation.Bound(relation, try size(last))
  }
}

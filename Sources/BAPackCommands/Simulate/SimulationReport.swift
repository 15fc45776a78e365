// Long because it is one output: an installation, a matrix of devices, a scenario and reasons.
import Arguments
import BAPackKit
import DeviceSimulator
import SourceDiagnostics
import TerminalText

/// How a simulation is told to people and programs.
struct SimulationReport {
  private let console: Console
  private let format: ReportFormat

  init(_ console: Console, _ format: ReportFormat) {
    self.console = console
    self.format = format
  }

  // MARK: An installation

  /// What an installation downloads, in sections: what all devices get, what the language brings, what
  /// waits; then the rules, if they are to be explained.
  ///
  /// It began at `start` on the device's clock.
  func installation(
    _ events: [Event], _ state: DeviceState, since start: UInt64, _ shared: SharedPaths,
    _ asked: AskedPaths?, why ids: [PackID], explaining rules: [SemanticRule]?
  ) {
    guard format == .text else {
      var members: [JSONValue.Member] = [
        .init("events", .array(events.map(\.json))), .init("device", state.json),
      ]
      members.append(.init("shared", shared.json))
      if let asked { members.append(.init("asked", asked.json)) }
      if !ids.isEmpty { members.append(.init("why", .array(ids.map { why($0, state, events) }))) }
      return json(members, explaining: rules)
    }
    let widths = Widths(events)
    let last = lastEssential(events)
    var marks = Marks()
    let isUpdate = events.contains { $0.kind == .launched }
    var title = isUpdate ? "update" : "install"
    func say(_ words: String, _ event: Event) {
      console.result(pad(title, 13) + words + marks.mark(event))
      title = ""
    }
    let ready = events.first { $0.kind == .appReady }.map { $0.time - min($0.time, start) }
    let languages = Set(
      state.installed.values.compactMap { $0.pack.offered.language == nil ? nil : $0.pack.id })
    let language = events.first { if case .language = $0.kind { true } else { false } }
    var localized: [Event] = []
    for event in events {
      switch event.kind {
      case .downloaded(let download):
        if language != nil, languages.contains(download.id) {
          localized.append(event)
        } else {
          say(widths.row(download, isLastEssential: download.id == last, ready), event)
        }
      case .failed(let id, let reason): say("\(shown(id.text)): \(reason.words)", event)
      case .removed(let id, _, let why): say("\(shown(id.text)) is removed: \(why.words)", event)
      case .olderOnServer: widths.line(event).map { say($0, event) }
      case .appFailed(let reason): say("the app is not installed: \(reason)", event)
      case .ignored(let reason): say(reason, event)
      case .manifestFailed(let reason): say("no manifest: \(reason)", event)
      case .noted(let words): say(words, event)
      default: break
      }
    }
    if let event = language, case .language(let resolution) = event.kind {
      title = "language"
      say(resolution.words, event)
      for event in localized {
        guard case .downloaded(let download) = event.kind else { continue }
        say(widths.row(download, isLastEssential: download.id == last, ready), event)
      }
    }
    for event in events {
      switch event.kind {
      case .waiting(let ids, _):
        title = "on demand"
        let names = ids.prefix(Self.mostNamed).map { id in
          let size = state.manifest?[id]?.offered.size.download ?? 0
          return "\(shown(id.text)) \(Quantity.bytes(size))"
        }
        let more = ids.count > names.count ? ", and \(ids.count - names.count) more" : ""
        say(names.joined(separator: ", ") + more, event)
      case .disk(let used, let free):
        title = "disk"
        say(
          Quantity.bytes(used) + (free.map { " of \(Quantity.bytes($0))" } ?? ""), event)
      default: break
      }
    }
    ambiguous(shared)
    if isUpdate, title == "update" { console.result("update       nothing is new") }
    console.result(summary(events, state, since: start))
    if let asked { candidates(asked) }
    for id in ids { tellWhy(id, state, events) }
    explain(rules)
  }

  // MARK: Why

  /// Why a pack is on the device, or not.
  private func reason(
    _ id: PackID, _ state: DeviceState, _ events: [Event]
  ) -> (words: String, rules: [SemanticRule]) {
    for event in events {
      switch event.kind {
      case .failed(id, let reason): return (reason.words, event.rules)
      case .downloaded(let download) where download.id == id:
        let cause =
          switch download.cause {
          case .installation, .appUpdate: "its policy is \(download.time.name)"
          case .update: "its version rose"
          case .request: "the app requested it"
          case .language: "the device's language needs it"
          }
        return (cause, event.rules)
      default: break
      }
    }
    return state.absence(of: id).map { ($0.words, $0.rules) } ?? ("it was there before", [])
  }

  private func tellWhy(_ id: PackID, _ state: DeviceState, _ events: [Event]) {
    let (words, rules) = reason(id, state, events)
    let verb = state.installed[id] == nil ? "is not on the device" : "is on the device"
    console.result("'\(shown(id.text))' \(verb): \(shown(words))")
    for rule in rules {
      console.result("    \(rule.isDocumented ? "" : "? ")\(rule.statement)")
    }
  }

  private func why(_ id: PackID, _ state: DeviceState, _ events: [Event]) -> JSONValue {
    let (words, rules) = reason(id, state, events)
    return .object([
      .init("pack", .string(id.text)), .init("isOnDevice", .bool(state.installed[id] != nil)),
      .init("reason", .string(words)), .init("rules", .array(rules.map { .string($0.id) })),
    ])
  }

  /// Prints the paths in the app's sources that no pack has.
  private func candidates(_ asked: AskedPaths) {
    console.result(
      "\(Quantity.count(asked.count, "literal")) of the sources look like paths in packs; of these, "
        + "no pack has \(asked.missing.count)"
        + (asked.missing.isEmpty ? "." : " (candidates: a program may put paths together):"))
    for path in asked.missing {
      console.result("    \(shown(path.file)):\(path.line):\(path.column): \(path.path)")
    }
  }

  // MARK: Devices side by side

  /// One row for each device.
  func matrix(_ matrix: DeviceMatrix, explaining rules: [SemanticRule]?) {
    guard format == .text else {
      return json([.init("devices", .array(matrix.rows.map(\.json)))], explaining: rules)
    }
    let isOfLanguages = matrix.axis == .languages
    var table = TextTable()
    table.add(
      isOfLanguages ? "language" : "platform", "resolved", "packs", "essential", "prefetch",
      "on demand", "missing")
    for row in matrix.rows {
      let missing =
        switch row.missing {
        case nil: "not known"
        case let paths? where paths.isEmpty: row.name == matrix.comparison ? "-" : "nothing"
        case let paths?:
          paths.prefix(3).joined(separator: ", ")
            + (paths.count > 3 ? ", and \(paths.count - 3) more" : "")
        }
      table.add(
        row.name, (row.language.map { "\($0)" } ?? "none") + (row.isGuessed ? " ?" : ""),
        "\(row.downloaded.count)",
        Quantity.bytes(row.essential), Quantity.bytes(row.prefetch), Quantity.bytes(row.onDemand),
        missing)
    }
    for line in table.lines { console.result(line) }
    let name = matrix.comparison.map { "'\($0)'" }
    console.result(
      name.map { "Missing is what a device of \($0) can have and that one cannot." }
        ?? "What is missing is seen with '--primary-language'.")
    if let reason = matrix.reason { console.result(reason) }
    explain(rules)
  }

  private static let mostNamed = 10

  /// The paths that several packs have: any of them may answer.
  private func ambiguous(_ shared: SharedPaths) {
    var title = "ambiguous"
    let paths = shared.paths.filter { $0.hasSameBytes != true }
    for path in paths.prefix(Self.mostNamed) {
      let packs = Finding.list(path.packs.prefix(5).map(\.text)).text
      let names = ([path.path] + path.alike).map { shown($0) }
      let areAlike = names.count > 1 ? ", and may be one file" : ""
      console.result(
        pad(title, 13)
          + "\(Finding.list(names).text) \(names.count > 1 ? "are" : "is") in \(packs)\(areAlike)  ?"
      )
      title = ""
    }
    if paths.count > Self.mostNamed {
      console.result(pad("", 13) + "and \(paths.count - Self.mostNamed) more paths")
    }
    let same = shared.paths.count - paths.count
    if same > 0 {
      console.result(
        pad("shared", 13) + "\(Quantity.count(same, "path")) with the same bytes in several packs")
    }
  }

  /// The pack for which the app waits longest.
  private func lastEssential(_ events: [Event]) -> PackID? {
    for event in events.reversed() {
      if case .downloaded(let download) = event.kind, download.time == .beforeLaunch {
        return download.id
      }
    }
    return nil
  }

  private func summary(_ events: [Event], _ state: DeviceState, since start: UInt64) -> String {
    let downloads = events.compactMap { event -> Event.Download? in
      if case .downloaded(let download) = event.kind { download } else { nil }
    }
    let early = downloads.filter { $0.end - min($0.end, start) <= 60_000 }
    let isTimed = state.profile.bytesPerSecond != nil
    let size = early.reduce(UInt64(0)) { $0.addingSaturated($1.size) }
    let when = isTimed ? " by the first minute" : ""
    return
      "\(Quantity.count(early.count, "pack")), \(Quantity.bytes(size))\(when)."
      + unknowns(events.undocumented)
  }

  private func unknowns(_ rules: [SemanticRule]) -> String {
    rules.isEmpty
      ? ""
      : "   \(Quantity.count(rules.count, "rule")) \(rules.count == 1 ? "is" : "are") not documented "
        + "by Apple: marked '?', see --explain"
  }

  // MARK: A scenario

  /// What happened at each line.
  func timeline(_ run: ScenarioRun, explaining rules: [SemanticRule]?) {
    guard format == .text else { return json(run.members, explaining: rules) }
    var marks = Marks()
    let widths = Widths(run.moments.flatMap(\.events))
    for moment in run.moments {
      let text = shown(run.scenario.source.text(of: moment.line.span))
      if let isMet = moment.isMet {
        let instead = moment.instead.map { ": \(shown($0))" } ?? ""
        console.result("\(isMet ? "ok" : "FAILED")  \(text)\(instead)")
        continue
      }
      console.result(moment.failure.map { "FAILED  \(text): \(shown($0))" } ?? text)
      for event in moment.events {
        guard let line = widths.line(event) else { continue }
        console.result("    " + line + marks.mark(event))
      }
    }
    let unknown = unknowns(run.undocumented)
    if !unknown.isEmpty { console.result(String(unknown.drop { $0 == " " }) + ".") }
    explain(rules)
  }

  // MARK: Rules

  /// Lists all rules.
  func rules() {
    guard format == .text else { return json([], explaining: SemanticRule.all) }
    explain(SemanticRule.all)
  }

  /// Prints rules with their certainty and their sources.
  private func explain(_ rules: [SemanticRule]?) {
    for rule in rules ?? [] {
      let mark = rule.isDocumented ? " " : "?"
      console.result("\(mark) \(rule.id)  (\(rule.grade.rawValue), \(rule.source))")
      for line in wrap(rule.statement, to: max(40, console.output.columns - 4)) {
        console.result("    " + line)
      }
    }
  }

  /// Writes one object; explained rules are its last member.
  private func json(_ members: [JSONValue.Member], explaining rules: [SemanticRule]?) {
    let explained = rules.map { rules in
      JSONValue.Member(
        "rules",
        .array(
          rules.map { rule in
            .object([
              .init("rule", .string(rule.id)), .init("statement", .string(rule.statement)),
              .init("documented", .bool(rule.isDocumented)),
              .init("grade", .string(rule.grade.rawValue)), .init("source", .string(rule.source)),
            ])
          }))
    }
    console.result(JSONWriter.string(.object(members + [explained].compactMap { $0 }), .compact))
  }
}

/// Which rules that nobody documents were shown already: each is marked where it first counts.
private struct Marks {
  private var seen: Set<SemanticRule> = []

  mutating func mark(_ event: Event) -> String {
    let new = event.undocumented.filter { seen.insert($0).inserted }
    return new.isEmpty ? "" : "  ?"
  }
}

/// How wide the columns of packs are.
private struct Widths {
  private let id: Int

  init(_ events: [Event]) {
    let names = events.map { event in
      if case .downloaded(let download) = event.kind {
        ColumnCount(shown(download.id.text)).columns
      } else {
        0
      }
    }
    id = min(40, names.max() ?? 0)
  }

  func row(_ download: Event.Download, isLastEssential: Bool, _ ready: UInt64?) -> String {
    var policy = download.time.name
    if isLastEssential {
      policy += ": the app opens"
      if let ready, download.end > 0 {
        policy += " after \(Quantity.wholeSeconds(Double(ready) / 1000))"
      } else {
        policy += " when it is there"
      }
    }
    return pad(shown(download.id.text), id + 2) + pad(Quantity.bytes(download.size), 10) + policy
  }

  /// What happened, on one line; nil for what only programs want to know.
  func line(_ event: Event) -> String? {
    switch event.kind {
    case .manifest: nil
    case .manifestFailed(let reason): "no manifest: \(shown(reason))"
    case .language(let resolution): "language    \(resolution.words)"
    case .downloaded(let download):
      (download.previous == nil ? "downloaded  " : "updated     ")
        + "\(pad(shown(download.id.text), id + 2))\(pad(Quantity.bytes(download.size), 10))"
        + (download.previous.map { "version \($0) -> \(download.version)" }
          ?? (download.cause == .installation || download.cause == .appUpdate
            ? download.time.name : download.cause.rawValue))
    case .failed(let id, let reason): "failed      \(shown(id.text)): \(shown(reason.words))"
    case .present: nil
    case .olderOnServer(let id, let version, let own):
      "kept        \(shown(id.text)): version \(own) is here, and \(version) on the server"
    case .removed(let id, _, let why): "removed     \(shown(id.text)): \(why.words)"
    case .obsolete(let id): "obsolete    \(shown(id.text))"
    case .waiting(let ids, let size):
      "on demand   \(Quantity.count(ids.count, "pack")), \(Quantity.bytes(size))"
    case .appReady: "app         it can be opened"
    case .appFailed(let reason): "app         \(shown(reason))"
    case .ignored(let reason): "nothing     \(shown(reason))"
    case .localLanguages(let tags):
      "languages   \(tags.map { "\($0)" }.joined(separator: ", "))"
    case .launched: nil
    case .found(let path, let answer): "read        \(answer.words(path))"
    case .status(let id, let status, let version):
      "\(pad(shown(id.text), max(12, ColumnCount(shown(id.text)).columns + 2)))"
        + (version.map { "version \($0): " } ?? "")
        + (status.isEmpty ? "unknown" : status.map(\.rawValue).joined(separator: ", "))
    case .polled: "polled      the system looked for updates"
    case .pollingEnded: "polled      the system no longer looks for updates"
    case .disk(let used, let free):
      "disk        \(Quantity.bytes(used))" + (free.map { " of \(Quantity.bytes($0))" } ?? "")
    case .noted(let words): "note        \(shown(words))"
    }
  }
}

/// The text, and at least one space after it.
private func pad(_ text: String, _ width: Int) -> String { text.padded(to: width - 1) + " " }

extension LanguageResolution {
  /// `es-MX -> es-US (same language and script; another region)`.
  var words: String {
    guard wanted != nil || language != nil else { return "none (no language was named)" }
    let wanted = wanted.map { "\($0)" } ?? "none"
    let found = language.map { "\($0)" } ?? "none"
    if chosenByApp != nil { return "\(wanted) -> \(found) (the app chose it)" }
    let why =
      switch choice.match {
      case .equivalent: "the same"
      case .otherRegion: "same language and script; another region"
      case .parent: "a related language"
      case .primary: "the app's primary language"
      case .none: "no pack has it"
      }
    return "\(wanted) -> \(found) (\(why))"
  }
}

extension Event.Removal {
  fileprivate var words: String {
    switch self {
    case .obsolete: "it is obsolete"
    case .language: "the language does not need it"
    case .byApp: "by the app"
    }
  }
}

extension DeviceMatrix.Row {
  /// Whether its language rests on a rule that nobody documents.
  fileprivate var isGuessed: Bool {
    let guesses: [SemanticRule] = [
      .languageWhichRegion, .languageParent, .languageNext, .languageNone,
    ]
    return rules.contains(where: guesses.contains)
  }
}

// Long because it is one thing: each line of a scenario, and what each expectation compares.
import BAPackKit
package import SourceDiagnostics
import SystemIO
import TerminalText

/// A scenario that was played: what happened at each line, and what was expected in vain.
package struct ScenarioRun: Sendable {
  /// A line that was played.
  package struct Moment: Sendable {
    /// The line in the scenario.
    package let line: ScenarioDocument.Line
    /// What happened; nothing at an expectation.
    package let events: [Event]
    /// Whether an expectation held; nil for a step.
    package let isMet: Bool?
    /// What happened instead.
    package let instead: String?
    /// Why the step failed; nil if it succeeded or the scenario expects the failure.
    package let failure: String?
  }

  /// The scenario.
  package let scenario: ScenarioDocument
  /// The lines in their order.
  package private(set) var moments: [Moment] = []
  /// The device at the end.
  package private(set) var state: DeviceState
  /// What is wrong with the scenario, and what was expected in vain.
  package private(set) var findings: Ledger
  private let world: ReleaseSource
  /// The events of the last step that acts on packs.
  private var last: [Event] = []
  /// Whether there was a step that acts on packs.
  private var hasActed = false
  /// The events of the last installation or update of the app; nil if there was none.
  private var installation: [Event]?
  /// Whether the last update of the app succeeded; nil if there was none.
  private var isUpdated: Bool?
  private var audit: ScenarioAudit

  /// Runs a scenario.
  ///
  /// `releases` are the releases that the scenario names; their pack IDs are used. `remote`
  /// contains the numbers of the releases on servers. `troubles` contains the releases that cannot
  /// be read.
  package init(
    _ scenario: ScenarioDocument, from state: DeviceState, in world: ReleaseSource,
    releases: [Release],
    remote: Set<Int> = [], troubles: Ledger = Ledger()
  ) {
    self.scenario = scenario
    self.state = state
    self.world = world
    findings = scenario.findings
    findings.add(contentsOf: troubles)
    findings.turn(to: scenario.source)
    audit = ScenarioAudit(scenario, from: state, releases: releases, remote: remote)
    // What cannot be read whole is not played: all that followed would be of no use.
    guard !findings.hasErrors else { return }
    for index in scenario.lines.indices { play(index) }
    audit.finish(self.state, in: world, &findings)
  }

  private mutating func play(_ index: Int) {
    let line = scenario.lines[index]
    switch line.action {
    case .step(let step):
      let before = state
      let (after, events) = before.after(step, in: world)
      state = after
      let failure = failure(of: step, events)
      switch step {
      case .install, .updateApp:
        installation = events
        act(events)
        if step == .updateApp { isUpdated = failure == nil }
      // These change what is around the app, and it does nothing.
      case .device, .release, .online, .offline, .fault, .refuse, .status, .read: break
      case .launch, .request, .checkForUpdates, .deviceLanguage, .setLanguage, .reconcile, .remove,
        .wait:
        act(events)
      }
      let isExpected = failure != nil && scenario.expectsNoApp(after: index)
      if let failure, !isExpected {
        findings.add(ScenarioRules.installation(.init(whole: failure), at: line.span))
      }
      for case .ignored(let reason) in events.map(\.kind) where failure == nil {
        findings.add(ScenarioRules.noEffect(.init(whole: reason), at: line.span))
      }
      audit.note(index, before, after, events, failed: failure != nil)
      moments.append(
        Moment(
          line: line, events: events, isMet: nil, instead: nil,
          failure: isExpected ? nil : failure))
    case .expect(let expectation):
      let outcome = check(expectation)
      if let instead = outcome.instead {
        findings.add(
          ScenarioRules.expectation(
            "'\(scenario.source.text(of: line.span))' was expected", .init(whole: instead),
            at: line.span,
            notes: outcome.rules.map { rule in
              .init(whole: "\(rule.isDocumented ? "" : "? ")\(rule.statement)")
            }))
      }
      moments.append(
        Moment(
          line: line, events: [], isMet: outcome.instead == nil, instead: outcome.instead,
          failure: nil))
    }
  }

  private mutating func act(_ events: [Event]) {
    last = events
    hasActed = true
  }

  /// Returns the reason why a step did not install or update the app.
  ///
  /// The result is nil if the step succeeded or has another purpose.
  private func failure(of step: Step, _ events: [Event]) -> String? {
    let what: String
    switch step {
    case .install: what = "the app is not installed: "
    case .updateApp: what = "the app is not updated: "
    case .device, .release, .launch, .request, .checkForUpdates, .read, .deviceLanguage,
      .setLanguage, .reconcile, .refuse, .remove, .wait, .online, .offline, .fault, .status:
      return nil
    }
    var reason = ""
    for event in events {
      switch event.kind {
      case .manifestFailed(let why): reason = "no manifest: \(why)"
      case .failed(let id, let why): reason = "'\(id.text)': \(why.words)"
      case .appFailed(let why): return what + (reason.isEmpty ? why : reason)
      case .ignored where step == .updateApp: return what + "it is not installed"
      case .manifest, .language, .downloaded, .present, .olderOnServer, .removed, .obsolete,
        .waiting, .appReady, .launched, .found, .status, .polled, .pollingEnded, .localLanguages,
        .disk, .ignored, .noted:
        break
      }
    }
    return nil
  }

  // MARK: Expectations

  /// What happened instead, with the rules that say so; nothing where the expectation holds.
  private typealias Outcome = (instead: String?, rules: [SemanticRule])

  /// Returns the reason why an expectation cannot be checked; nil if it can be checked.
  ///
  /// The app is not installed, or no step concerned the subject of the expectation.
  private func obstacle(to expectation: Expectation) -> String? {
    let subject = expectation.subject
    // A failed pack can be expected also if the failure prevents the installation of the app.
    let isFailure = if case .failed = subject { !expectation.isNegated } else { false }
    if !state.hasApp, !subject.isOfApp, !isFailure { return "the app is not installed" }
    switch subject {
    case .updated, .removed, .failed, .cost:
      return !hasActed ? "no step before it did anything" : nil
    case .essential, .prefetch:
      return installation == nil ? "the scenario did not install or update the app" : nil
    case .appUpdated: return isUpdated == nil ? "the scenario did not update the app" : nil
    case .appInstalled, .downloaded, .obsolete, .readable, .missing, .ambiguous, .language, .disk:
      return nil
    }
  }

  private func check(_ expectation: Expectation) -> Outcome {
    if let obstacle = obstacle(to: expectation) {
      let rules = (installation ?? []).flatMap { event -> [SemanticRule] in
        if case .appFailed = event.kind { event.rules } else { [] }
      }
      return (obstacle, state.hasApp ? [] : rules)
    }
    let isWanted = !expectation.isNegated
    switch expectation.subject {
    case .appInstalled:
      return (
        state.hasApp == isWanted
          ? nil : state.hasApp ? "the app is installed" : "the app is not installed", []
      )
    case .appUpdated:
      return (
        isUpdated == isWanted ? nil : isWanted ? "the update failed" : "the update succeeded", []
      )
    case .downloaded(let ids):
      return packs(ids, expectation) {
        state.installed[$0] != nil
      } otherwise: { id, isSo in
        isSo ? "'\(id)' is on the device" : "'\(id)' is not on the device\(absence(of: id))"
      }
    case .updated(let ids):
      return packs(ids, expectation) {
        download(of: $0)?.previous != nil
      } otherwise: { id, isSo in
        isSo ? "'\(id)' was updated" : noUpdate(of: id)
      }
    case .removed(let ids):
      return packs(ids, expectation) {
        wasRemoved($0)
      } otherwise: { id, isSo in
        isSo
          ? "'\(id)' was removed"
          : state.installed[id] == nil
            ? "'\(id)' was not there to be removed" : "'\(id)' is still on the device"
      }
    case .obsolete(let ids):
      return packs(ids, expectation) {
        state.status(of: $0).contains(.obsolete)
      } otherwise: { id, isSo in
        "'\(id)' is \(isSo ? "obsolete" : statusWords(of: id))"
      }
    case .failed(let ids):
      return packs(ids, expectation) {
        reason(of: $0) != nil
      } otherwise: { id, isSo in
        isSo
          ? "'\(id)' failed\(failure(of: id))"
          : state.installed[id] == nil
            ? "'\(id)' was not requested\(absence(of: id))" : "'\(id)' is on the device"
      }
    case .readable(let search), .missing(let search), .ambiguous(let search):
      let (answer, rules) = state.find(search.path, in: search.id, for: search.language, world)
      return outcome(
        of: search, answer, rules, isSo: answer.meets(expectation.subject), isWanted: isWanted)
    case .language(let wanted): return language(wanted, isWanted: isWanted)
    case .essential:
      return size(installed(at: .beforeLaunch), expectation, "came before the app could open")
    case .prefetch:
      return size(installed(at: .inBackground), expectation, "came in the background")
    case .cost:
      let cost = downloads(in: last).reduce(UInt64(0)) { $0.addingSaturated($1.size) }
      return size(cost, expectation, "were downloaded")
    case .disk: return size(state.used, expectation, "are used")
    }
  }

  private func noUpdate(of id: PackID) -> String {
    guard let own = state.installed[id]?.pack else {
      return "'\(id)' is not on the device\(absence(of: id))"
    }
    return "'\(id)' was not updated\(failure(of: id)): it has version \(own.version) "
      + "(\(statusWords(of: id)))"
  }

  private func language(_ wanted: LanguageTag?, isWanted: Bool) -> Outcome {
    let resolution = state.language
    guard resolution.language.isEquivalent(to: wanted) != isWanted else { return (nil, []) }
    guard state.profile.knowsLocalizedPacks else {
      return ("there is none: \(state.profile.noLocalizedPacks)", [.oldSystem])
    }
    return (
      resolution.language.map { "it is '\($0)'" } ?? "there is none", resolution.rules
    )
  }

  /// The result of a search that differs from the expected one, with the reason if a pack that has the path is not
  /// on the device.
  private func outcome(
    of search: Expectation.Search, _ answer: Event.ReadResult, _ rules: [SemanticRule], isSo: Bool,
    isWanted: Bool
  ) -> Outcome {
    guard answer.isUnknown || isSo != isWanted else { return (nil, rules) }
    let reason = absence(of: search, answer)
    return (
      answer.words(search.path) + (reason?.words ?? ""), rules + (reason?.rules ?? [])
    )
  }

  private func packs(
    _ ids: [PackID], _ expectation: Expectation, _ isSo: (PackID) -> Bool,
    otherwise: (PackID, Bool) -> String
  ) -> Outcome {
    var words: [String] = []
    for id in ids where isSo(id) == expectation.isNegated {
      words.append(otherwise(id, isSo(id)))
    }
    let rules = words.isEmpty ? [] : rules(of: ids)
    if words.isEmpty, let bound = expectation.bound, !expectation.isNegated {
      let sizes = ids.map { id in
        download(of: id)?.size ?? state.installed[id]?.pack.offered.size.download ?? 0
      }
      let cost = sizes.reduce(UInt64(0)) { $0.addingSaturated($1) }
      if !bound.holds(for: cost) { words.append("\(cost) bytes were downloaded for that") }
    }
    return (words.isEmpty ? nil : words.joined(separator: ", and "), rules)
  }

  private func size(_ size: UInt64, _ expectation: Expectation, _ verb: String) -> Outcome {
    guard let bound = expectation.bound, bound.holds(for: size) == expectation.isNegated else {
      return (nil, [])
    }
    let words = "\(size) bytes \(verb)"
    // Localized packs only add bytes.
    let isTooSmall =
      size < bound.size || bound.holds(for: .max) != expectation.isNegated
    guard isTooSmall, lacksLocalizedPacks else { return (words, []) }
    return ("\(words); \(state.profile.noLocalizedPacks)", [.oldSystem])
  }

  /// Whether the release has packs that the device does not receive because its system is too old.
  private var lacksLocalizedPacks: Bool {
    let profile = state.profile
    guard !profile.knowsLocalizedPacks, let manifest = state.manifest else { return false }
    return manifest.packs.contains { pack in
      pack.offered.language != nil && pack.offered.isOffered(on: profile.platform)
    }
  }

  /// Why something that concerns these packs went as it did in the last step.
  private func rules(of ids: [PackID]) -> [SemanticRule] {
    var rules: [SemanticRule] = []
    for event in last {
      guard case .failed(let id, _) = event.kind, ids.contains(id) else { continue }
      for rule in event.rules where !rules.contains(rule) { rules.append(rule) }
    }
    for id in ids {
      for rule in state.absence(of: id)?.rules ?? [] where !rules.contains(rule) {
        rules.append(rule)
      }
    }
    return rules
  }

  private func downloads(in events: [Event]) -> [Event.Download] {
    events.compactMap { if case .downloaded(let download) = $0.kind { download } else { nil } }
  }

  private func download(of id: PackID) -> Event.Download? {
    downloads(in: last).first { $0.id == id }
  }

  private func wasRemoved(_ id: PackID) -> Bool {
    state.installed[id] == nil
      && last.contains {
        if case .removed(let other, _, _) = $0.kind { other == id } else { false }
      }
  }

  private func reason(of id: PackID) -> Event.Reason? {
    for event in last {
      if case .failed(let other, let reason) = event.kind, other == id { return reason }
    }
    return nil
  }

  private func statusWords(of id: PackID) -> String {
    let status = state.status(of: id)
    return status.isEmpty ? "not known" : status.map(\.rawValue).joined(separator: ", ")
  }

  /// Why a pack is not on the device, as the end of a sentence.
  ///
  /// That a pack waits for a request is in the notes.
  private func absence(of id: PackID) -> String {
    if reason(of: id) != nil { return failure(of: id) }
    guard let absence = state.absence(of: id), absence.isOfDevice else { return "" }
    return " (\(absence.words))"
  }

  /// Why an app does not find a path that a pack of the release has.
  private func absence(
    of search: Expectation.Search, _ answer: Event.ReadResult
  ) -> PackAbsence? {
    let path = AssetPath(unchecked: search.path.utf8)
    let id: PackID?
    switch answer {
    case .noPack(let pack): id = pack
    case .missing:
      id =
        state.manifest?.packs.first { pack in
          state.installed[pack.id] == nil && search.id.map { $0 == pack.id } ?? true
            && pack.contents?.index(of: path) != nil
        }?.id
    case .readable, .ambiguous, .folder, .notKnown: id = nil
    }
    guard let id, var absence = state.absence(of: id) else { return nil }
    guard absence.isOfDevice else {
      absence.words = ""
      return absence
    }
    if case .noPack = answer {
      absence.words = " (\(absence.words))"
    } else {
      absence.words = "; it is in '\(id)', which is not there: \(absence.words)"
    }
    return absence
  }

  private func failure(of id: PackID) -> String {
    reason(of: id).map { " (\($0.words))" } ?? ""
  }

  private func installed(at time: DownloadTime) -> UInt64 {
    downloads(in: installation ?? []).filter { $0.time == time }
      .reduce(UInt64(0)) { $0.addingSaturated($1.size) }
  }
}

extension Event.ReadResult {
  /// Returns whether the result is the expected one; false for a subject that is not a search.
  fileprivate func meets(_ subject: Expectation.Subject) -> Bool {
    switch (subject, self) {
    case (.readable, .readable), (.missing, .missing), (.missing, .folder),
      (.ambiguous, .ambiguous):
      true
    case (_, .readable), (_, .missing), (_, .folder), (_, .ambiguous), (_, .noPack),
      (_, .notKnown):
      false
    }
  }

  /// Whether nobody can say what an app would get.
  var isUnknown: Bool { if case .notKnown = self { true } else { false } }

  /// What an app gets that asks for a path.
  package func words(_ path: String) -> String {
    func list(_ ids: [PackID]) -> String {
      Finding.list(ids.prefix(5).map(\.text)).text
        + (ids.count > 5 ? " and \(ids.count - 5) more" : "")
    }
    let path = shown(path)
    switch self {
    case .readable(let ids, let haveSameBytes):
      return "'\(path)' is in \(list(ids))\(haveSameBytes ? ", with the same bytes" : "")"
    case .ambiguous(let ids): return "'\(path)' is ambiguous: it is in \(list(ids))"
    case .missing: return "'\(path)' is in no pack on the device"
    case .folder(let ids): return "'\(path)' is a folder, in \(list(ids))"
    case .noPack(let id): return "there is no pack '\(shown(id.text))' on the device"
    case .notKnown: return "'\(path)' is not known: no packs given"
    }
  }
}

extension Event.Reason {
  /// Why a pack does not come, in a few words.
  package var words: String {
    switch self {
    case .offline: "the device is offline"
    case .unknownPack: "no such pack is offered"
    case .notOffered(let reason): reason
    case .noRoom(let needed, let left): "\(needed) bytes are needed, and \(left) are left"
    case .refused: "the extension refuses it"
    case .obsolete: "it is obsolete"
    case .notInstalled: "it is not on the device"
    case .trouble(let reason): reason
    }
  }
}

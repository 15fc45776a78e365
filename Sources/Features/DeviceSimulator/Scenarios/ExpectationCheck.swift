import BAPackKit
import SourceDiagnostics
import TerminalText

/// The events to which the expectations of a scenario refer.
struct ScenarioHistory {
  /// The events of the last step that acts on packs; nil if there was none.
  private(set) var last: [Event]?
  /// The events of the last installation or update of the app; nil if there was none.
  private(set) var installation: [Event]?
  /// Whether the last update of the app succeeded; nil if there was none.
  private(set) var isUpdated: Bool?

  mutating func add(_ step: Step, _ events: [Event], failed: Bool) {
    switch step.subject {
    case .app:
      (last, installation) = (events, events)
      if step == .updateApp { isUpdated = !failed }
    case .packs: last = events
    case .settings: break
    }
  }
}

/// Compares a device and its history with an expectation.
struct ExpectationCheck {
  private let state: DeviceState
  private let history: ScenarioHistory
  private let source: ReleaseSource

  init(_ state: DeviceState, _ history: ScenarioHistory, in source: ReleaseSource) {
    self.state = state
    self.history = history
    self.source = source
  }

  /// The actual result, and the rules that caused it; nil if the expectation is met.
  typealias Outcome = (instead: String?, rules: [SemanticRule])

  func outcome(of expectation: Expectation) -> Outcome {
    if let obstacle = obstacle(to: expectation) {
      let failures = (history.installation ?? []).filter { event in
        if case .appFailed = event.kind { true } else { false }
      }
      return (obstacle, state.hasApp ? [] : failures.flatMap(\.rules))
    }
    switch expectation.subject {
    case .appInstalled:
      return app(
        state.hasApp, expectation, "the app is installed", otherwise: "the app is not installed")
    case .appUpdated:
      return app(
        history.isUpdated ?? false, expectation, "the update succeeded",
        otherwise: "the update failed")
    case .downloaded(let ids): return packs(ids, expectation, downloaded)
    case .updated(let ids): return packs(ids, expectation, updated)
    case .removed(let ids): return packs(ids, expectation, removed)
    case .obsolete(let ids): return packs(ids, expectation, obsolete)
    case .failed(let ids): return packs(ids, expectation, failed)
    case .readable(let search), .missing(let search), .ambiguous(let search):
      return result(of: search, expectation)
    case .absent(let text):
      let id = PackID(text)
      let isPack = state.installed[id] != nil || state.manifest?[id] != nil
      if isPack {
        return app(
          state.installed[id] == nil, expectation, "'\(text)' is not on the device",
          otherwise: "'\(text)' is on the device")
      }
      let answer = state.find(text, source).answer
      return app(
        answer.isAbsent, expectation, answer.phrase(text), otherwise: answer.phrase(text))
    case .language(let wanted): return language(wanted, expectation)
    case .essential:
      return size(
        installed(at: .beforeLaunch), expectation,
        "were downloaded before the app could open")
    case .prefetch:
      return size(installed(at: .inBackground), expectation, "were downloaded in the background")
    case .cost: return size(size(of: downloads(in: history.last)), expectation, "were downloaded")
    case .disk: return size(state.used, expectation, "are used")
    }
  }

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
      return history.last == nil ? "no earlier step acts on packs" : nil
    case .essential, .prefetch:
      return history.installation == nil ? "the scenario did not install or update the app" : nil
    case .appUpdated: return history.isUpdated == nil ? "the scenario did not update the app" : nil
    case .appInstalled, .downloaded, .obsolete, .readable, .missing, .ambiguous, .absent,
      .language, .disk:
      return nil
    }
  }

  /// Returns the outcome for a fact that is true or false.
  private func app(
    _ isSo: Bool, _ expectation: Expectation, _ phrase: String, otherwise: String
  ) -> Outcome {
    (isSo == expectation.isNegated ? (isSo ? phrase : otherwise) : nil, [])
  }

  // MARK: Packs

  /// A fact about a pack, and whether it is true.
  private typealias Fact = (isSo: Bool, phrase: String)

  private func packs(
    _ ids: [PackID], _ expectation: Expectation, _ fact: (PackID) -> Fact
  ) -> Outcome {
    var phrases = ids.map(fact).filter { $0.isSo == expectation.isNegated }.map(\.phrase)
    let rules = phrases.isEmpty ? [] : rules(of: ids)
    if phrases.isEmpty, let bound = expectation.bound, !expectation.isNegated {
      let sizes = ids.map { id in
        download(of: id)?.size ?? state.installed[id]?.pack.offered.size.download ?? 0
      }
      let cost = sizes.reduce(UInt64(0)) { $0.addingSaturated($1) }
      if !bound.holds(for: cost) { phrases.append("the download was \(cost) bytes") }
    }
    return (phrases.isEmpty ? nil : phrases.joined(separator: ", and "), rules)
  }

  private func downloaded(_ id: PackID) -> Fact {
    state.installed[id] != nil
      ? (true, "'\(id)' is on the device")
      : (false, "'\(id)' is not on the device\(absence(of: id))")
  }

  private func updated(_ id: PackID) -> Fact {
    if download(of: id)?.previous != nil { return (true, "'\(id)' was updated") }
    guard let own = state.installed[id]?.pack else { return downloaded(id) }
    return (
      false,
      "'\(id)' was not updated\(failure(of: id)): it has version \(own.version) "
        + "(\(statusText(of: id)))"
    )
  }

  private func removed(_ id: PackID) -> Fact {
    if state.installed[id] != nil { return (false, "'\(id)' is still on the device") }
    let wasRemoved = last.contains {
      if case .removed(id, _, _) = $0.kind { true } else { false }
    }
    return (
      wasRemoved,
      wasRemoved
        ? "'\(id)' was removed" : "'\(id)' was not removed: it was not on the device"
    )
  }

  private func obsolete(_ id: PackID) -> Fact {
    let isObsolete = state.status(of: id).contains(.obsolete)
    return (isObsolete, "'\(id)' is \(isObsolete ? "obsolete" : statusText(of: id))")
  }

  private func failed(_ id: PackID) -> Fact {
    if reason(of: id) != nil { return (true, "'\(id)' failed\(failure(of: id))") }
    return (
      false,
      state.installed[id] == nil
        ? "'\(id)' was not requested\(absence(of: id))" : "'\(id)' is on the device"
    )
  }

  /// Returns the rules that explain the failures and the absence of packs.
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

  private func download(of id: PackID) -> Event.Download? {
    downloads(in: history.last).first { $0.id == id }
  }

  private func reason(of id: PackID) -> Event.Reason? {
    last.lazy.compactMap(\.kind.failure).first { $0.id == id }?.reason
  }

  private func statusText(of id: PackID) -> String {
    let status = state.status(of: id)
    return status.isEmpty ? "unknown" : status.map(\.rawValue).joined(separator: ", ")
  }

  /// Returns the reason why a pack is not on the device, as the end of a sentence.
  ///
  /// The notes explain that a pack waits for a request.
  private func absence(of id: PackID) -> String {
    if reason(of: id) != nil { return failure(of: id) }
    guard let absence = state.absence(of: id), absence.isOfDevice else { return "" }
    return " (\(absence.phrase))"
  }

  private func failure(of id: PackID) -> String {
    reason(of: id).map { " (\($0.phrase))" } ?? ""
  }

  private var last: [Event] { history.last ?? [] }

  // MARK: Searches

  private func result(of search: Expectation.Search, _ expectation: Expectation) -> Outcome {
    let (answer, rules) = state.find(search.path, in: search.id, for: search.language, source)
    guard answer.isUnknown || answer.meets(expectation.subject) == expectation.isNegated else {
      return (nil, rules)
    }
    let reason = absence(of: search, answer)
    return (answer.phrase(search.path) + (reason?.phrase ?? ""), rules + (reason?.rules ?? []))
  }

  /// Returns the reason why an app does not find a path that a pack of the release contains.
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
      absence.phrase = ""
      return absence
    }
    if case .noPack = answer {
      absence.phrase = " (\(absence.phrase))"
    } else {
      absence.phrase = "; it is in '\(id)', which is not installed: \(absence.phrase)"
    }
    return absence
  }

  // MARK: Languages and sizes

  private func language(_ wanted: LanguageTag?, _ expectation: Expectation) -> Outcome {
    let resolution = state.language
    guard resolution.language.isEquivalent(to: wanted) == expectation.isNegated else {
      return (nil, [])
    }
    guard state.profile.knowsLocalizedPacks else {
      return ("no language is resolved: \(state.profile.noLocalizedPacks)", [.oldSystem])
    }
    return (
      resolution.language.map { "the language is '\($0)'" } ?? "no language is resolved",
      resolution.rules
    )
  }

  private func size(_ size: UInt64, _ expectation: Expectation, _ verb: String) -> Outcome {
    guard let bound = expectation.bound, bound.holds(for: size) == expectation.isNegated else {
      return (nil, [])
    }
    let phrase = "\(size) bytes \(verb)"
    // Localized packs only add bytes.
    let isTooSmall =
      size < bound.size || bound.holds(for: .max) != expectation.isNegated
    guard isTooSmall, lacksLocalizedPacks else { return (phrase, []) }
    return ("\(phrase); \(state.profile.noLocalizedPacks)", [.oldSystem])
  }

  /// Whether the release has packs that the device does not receive because its system is too old.
  private var lacksLocalizedPacks: Bool {
    let profile = state.profile
    guard !profile.knowsLocalizedPacks, let manifest = state.manifest else { return false }
    return manifest.packs.contains { pack in
      pack.offered.language != nil && pack.offered.isOffered(on: profile.platform)
    }
  }

  private func installed(at time: DownloadTime) -> UInt64 {
    size(of: downloads(in: history.installation).filter { $0.time == time })
  }

  private func downloads(in events: [Event]?) -> [Event.Download] {
    (events ?? []).compactMap(\.kind.download)
  }

  private func size(of downloads: [Event.Download]) -> UInt64 {
    downloads.reduce(0) { $0.addingSaturated($1.size) }
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

  /// Whether no pack on the device has the path.
  fileprivate var isAbsent: Bool {
    switch self {
    case .missing, .noPack: true
    case .readable, .ambiguous, .folder, .notKnown: false
    }
  }

  /// Whether the result is unknown.
  var isUnknown: Bool { if case .notKnown = self { true } else { false } }

  /// Returns a description of the result for a path.
  package func phrase(_ path: String) -> String {
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
    case .noPack(let id): return "the pack '\(shown(id.text))' is not on the device"
    case .notKnown: return "'\(path)' is unknown: no packs were specified"
    }
  }
}

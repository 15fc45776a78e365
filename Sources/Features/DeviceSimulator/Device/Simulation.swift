import BAPackKit
import Faults

extension DeviceState {
  /// Returns the device after a step, and the events of the step.
  ///
  /// The result depends only on the state, the step and the source.
  package func after(_ step: Step, in source: ReleaseSource) -> (
    state: DeviceState, events: [Event]
  ) {
    var simulation = Simulation(self, source)
    simulation.play(step)
    return (simulation.state, simulation.events)
  }
}

/// The execution of one step.
struct Simulation {
  var state: DeviceState
  var events: [Event] = []
  /// Whether the system checks for updates while the app is not running.
  var isPolling = false
  let source: ReleaseSource

  init(_ state: DeviceState, _ source: ReleaseSource) {
    self.state = state
    self.source = source
  }

  mutating func emit(_ kind: Event.Kind, _ rules: SemanticRule...) {
    emit(kind, rules)
  }

  mutating func emit(_ kind: Event.Kind, _ rules: [SemanticRule]) {
    events.append(Event(kind: kind, time: state.clock, rules: rules))
  }

  mutating func play(_ step: Step) {
    switch step {
    case .device(let profile, let byOptions):
      state.profile = profile
      if byOptions { emit(.noted("by options: \(profile.phrase)")) }
    case .release(let number, let channel): state.publish(number, in: channel)
    case .submit(let channel, let ids): submit(ids, to: channel)
    case .install: install(on: .firstInstallation)
    case .updateApp: install(on: .subsequentUpdate)
    case .uninstall:
      guard checkApp() else { return }
      state.removeApp()
    case .launch: launch()
    case .request(let ids, let latest): request(ids, latest: latest)
    case .cancel(let ids): state.cancelling.formUnion(ids)
    case .checkForUpdates:
      guard checkApp() else { return }
      update(.checkForUpdates)
    case .read(let path, let id, let language): read(path, in: id, for: language)
    case .deviceLanguage(let languages):
      state.profile.languages = languages
      reportLanguage(.languageChange)
      if state.hasApp, !state.profile.follows(.languageChange) { reconcile() }
    case .setLanguage(let language):
      guard checkApp() else { return }
      state.chosenLanguage = language
      reportLanguage(.resolvedLanguage)
    case .reconcile: reconcile()
    case .refuse(let ids): state.refused.formUnion(ids)
    case .remove(let ids): remove(ids)
    case .wait(let time): wait(time)
    case .online: state.isOnline = true
    case .offline: state.isOnline = false
    case .allow(let condition, let isAllowed):
      if isAllowed {
        state.disallowed.remove(condition)
      } else {
        state.disallowed.insert(condition)
      }
    case .fault(let fault): state.faults.add(fault)
    case .status: reportStatus()
    }
  }

  /// Returns the device in the form that the policy computation uses.
  func device(_ event: InstallationEvent) -> Device {
    Device(platform: state.profile.platform, event: event, language: language)
  }

  var language: LanguageTag? {
    state.profile.knowsLocalizedPacks ? state.language.language : nil
  }

  // MARK: Installation

  mutating func install(on event: InstallationEvent) {
    if event == .subsequentUpdate, !checkApp() { return }
    if event == .firstInstallation, state.hasApp {
      return emit(.ignored("the app is already installed"))
    }
    guard fetchManifest(), let offered else {
      return emit(.appFailed("the packs of the server are unknown"), .manifestFails)
    }
    reportLanguage()
    let plan = DownloadPlan(of: offered.packs.map(\.offered), on: device(event))
    let cause: Event.Cause = event == .firstInstallation ? .installation : .appUpdate
    let also: [SemanticRule] =
      event == .firstInstallation ? [.policyEvents] : [.policyEvents, .updateOfInstalled]
    var absent: [PackID] = []
    for pack in missing(plan.beforeLaunch, in: offered) {
      if state.installed[pack.id] == nil, state.refused.contains(pack.id) {
        emit(.failed(pack.id, .refused), .shouldDownload, .refusedEssential)
        if state.profile.follows(.refusedEssential) { continue }
      } else if download(
        pack, cause, isRequested: false,
        [.policyEssential, .order] + also
          + (event == .subsequentUpdate && !pack.isForInstallations ? [.updateProgress] : []))
      {
        continue
      }
      if case .failed(_, .disallowed)? = events.last?.kind { continue }
      guard state.profile.essentialFailure == .opensWithout else {
        return emit(.appFailed("the download of an essential pack failed"), .essentialFailure)
      }
      absent.append(pack.id)
    }
    open(event, absent.isEmpty ? [] : [.essentialFailure])
    if !absent.isEmpty {
      emit(.noted("the app opens without \(Finding.list(absent.map(\.text)).text)"))
    }
    for pack in missing(plan.inBackground, in: offered) {
      let came = download(pack, cause, isRequested: false, [.policyPrefetch, .order] + also)
      if !came, state.installed[pack.id] == nil, !state.refused.contains(pack.id) {
        state.missed.insert(pack.id)
      }
    }
    let waiting = plan.onRequest.packs.filter { state.installed[$0.id] == nil }
    if !waiting.isEmpty {
      emit(
        .waiting(waiting.map(\.id), waiting.map(\.size).sum.download), .policyOnDemand,
        .policyEvents)
    }
    if event == .subsequentUpdate, !state.profile.follows(.updateOfInstalled) {
      updateInstalled(from: offered, [.updateOfInstalled])
    }
    emit(.disk(used: state.used, free: state.profile.free))
  }

  /// The app is installed or updated, and can be opened.
  mutating func open(_ event: InstallationEvent, _ rules: [SemanticRule]) {
    state.hasApp = true
    if event == .firstInstallation { state.lastPoll = state.clock }
    emit(.appReady, [.policyEssential] + rules)
  }

  /// Returns the packs of a group that are missing or outdated.
  func missing(_ group: DownloadPlan.Group, in offered: Release) -> [ReleasedPack] {
    group.packs.compactMap { pack in
      guard let released = offered[pack.id] else { return nil }
      guard let own = state.installed[pack.id]?.pack else { return released }
      return released.version > own.version ? released : nil
    }
  }

  /// Reports a step that needs the app if it is not installed; returns false then.
  mutating func checkApp() -> Bool {
    if !state.hasApp { emit(.ignored("the app is not installed")) }
    return state.hasApp
  }

  mutating func launch() {
    guard checkApp() else { return }
    state.lastLaunch = state.clock
    emit(.launched, .launchOffline)
    if !state.profile.follows(.launchOffline) { update(.launchOffline) }
  }

  // MARK: Searches

  mutating func read(_ path: String, in id: PackID?, for language: LanguageTag?) {
    guard checkApp() else { return }
    let (answer, rules) = state.find(path, in: id, for: language, source)
    emit(.found(path: path, answer), rules)
  }

  mutating func reportStatus() {
    let ids = Set(state.installedIDs).union(offered?.packs.map(\.id) ?? [])
    for id in ids.sorted() {
      emit(
        .status(
          id, state.status(of: id), version: state.installed[id]?.pack.version,
          updates: state.updates[id] ?? []), .status, .localStatus, .statusUpdates)
    }
    state.updates = [:]
    let languages = state.localLanguages
    if !languages.isEmpty { emit(.localLanguages(languages), .localLanguages) }
    emit(.disk(used: state.used, free: state.profile.free))
  }
}

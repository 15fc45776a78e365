// Long because it has one subject: the effects of each step on a device, with their rules.
import BAPackKit
import Faults
import SourceDiagnostics
import SystemIO

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
private struct Simulation {
  var state: DeviceState
  private(set) var events: [Event] = []
  /// Whether the system checks for updates while the app is not running.
  private var isPolling = false
  private let source: ReleaseSource

  init(_ state: DeviceState, _ source: ReleaseSource) {
    self.state = state
    self.source = source
  }

  private mutating func emit(_ kind: Event.Kind, _ rules: SemanticRule...) {
    emit(kind, rules)
  }

  private mutating func emit(_ kind: Event.Kind, _ rules: [SemanticRule]) {
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
      guard needsApp() else { return }
      state.removeApp()
    case .launch: launch()
    case .request(let ids, let latest): request(ids, latest: latest)
    case .cancel(let ids): state.cancelling.formUnion(ids)
    case .checkForUpdates:
      guard needsApp() else { return }
      update(.checkForUpdates)
    case .read(let path, let id, let language): read(path, in: id, for: language)
    case .deviceLanguage(let languages):
      state.profile.languages = languages
      reportLanguage(.languageChange)
      if state.hasApp, !state.profile.follows(.languageChange) { reconcile() }
    case .setLanguage(let language):
      guard needsApp() else { return }
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

  // MARK: Manifest

  /// The packs that the device is offered, which depend on its platform and system.
  private var offered: Release? { state.manifest?.offered(to: state.profile) }

  /// Requests the manifest; returns false if that fails.
  private mutating func fetchManifest() -> Bool {
    guard state.isOnline else {
      emit(.manifestFailed("the device is offline"), .manifestFails)
      return false
    }
    guard state.isOffered, var live = state.live[state.profile.channel] else {
      emit(.manifestFailed("no release is published"), .manifestFails)
      return false
    }
    // The stale manifest of the first release is the current one, because there is no earlier one.
    // The size of the manifest is unknown here.
    let fault = state.faults.strike(
      .manifest, bodyOf: Self.manifestSize, except: (live.release ?? 0) == 0 ? .stale : nil)
    switch fault?.effect {
    case nil: break
    case .stale?: live = LiveRelease(release: live.release.map { $0 - 1 })
    case .notJSON?:
      emit(.manifestFailed("the response is not a manifest"), .manifestFails, .retries)
      return false
    case let effect?:
      guard Self.fails(effect) else { break }
      emit(.manifestFailed(Self.text(of: effect)), .manifestFails, .retries)
      return false
    }
    switch source.manifest(of: live, platform) {
    case .failure(let trouble):
      emit(.manifestFailed(trouble.reason), .manifestFails)
      return false
    case .success(let release):
      let before = offered
      state.manifest = release
      let now = offered
      emit(
        .manifest(release: release.name, packs: now?.packs.count ?? 0),
        [.platform, .manifestAsked] + (hasChannels ? [.channelLive] : []) + release.rules)
      reportPacksOfOtherPlatforms(release)
      reportOldPacks(before, now)
      return true
    }
  }

  /// Reports packs that the manifest lists although their archives are for other platforms.
  private mutating func reportPacksOfOtherPlatforms(_ release: Release) {
    for pack in release.packs
    where pack.rules.contains(.platformOfArchive) && !pack.offered.isOffered(on: platform) {
      emit(.noted(pack.platformMistake(on: platform)), .platform, .platformOfArchive)
    }
  }

  private var platform: Platform { state.profile.platform }

  /// Whether the channels offer different packs.
  private var hasChannels: Bool {
    Channel.allCases.contains { state.live[$0] != state.live[.store] }
  }

  /// Publishes versions of internal testing in another channel.
  private mutating func submit(_ ids: [PackID], to channel: Channel) {
    guard let live = state.live[.internal], let number = live.release,
      case .success(let release) = source.manifest(number, platform)
    else { return emit(.ignored("no release is in internal testing")) }
    for id in ids.isEmpty ? release.packs.map(\.id) : ids {
      guard release[id] != nil else {
        emit(.ignored("'\(id)' is not in internal testing"))
        continue
      }
      state.live[channel, default: LiveRelease()].submitted[id] = number
    }
  }

  private mutating func reportOldPacks(_ before: Release?, _ now: Release?) {
    for id in state.installedIDs {
      guard let own = state.installed[id]?.pack else { continue }
      guard let pack = now?[id] else {
        if before?[id] != nil || before == nil { emit(.obsolete(id), .obsolete) }
        continue
      }
      if pack.version < own.version {
        emit(.olderOnServer(id, version: pack.version, own: own.version), .versionFalls)
      }
    }
  }

  private mutating func reportLanguage(_ rules: SemanticRule...) {
    guard state.profile.knowsLocalizedPacks else {
      let isMissingPacks = state.manifest?.packs.contains { [platform] pack in
        pack.offered.language != nil && pack.offered.isOffered(on: platform)
      }
      if isMissingPacks == true {
        emit(.noted(state.profile.noLocalizedPacks), .oldSystem)
      }
      return
    }
    guard let offered, !offered.languages.isEmpty || !rules.isEmpty else { return }
    let resolution = state.language
    emit(.language(resolution), [.oneLanguage] + resolution.rules + rules)
  }

  /// Returns the device in the form that the policy computation uses.
  private func device(_ event: InstallationEvent) -> Device {
    Device(platform: state.profile.platform, event: event, language: language)
  }

  private var language: LanguageTag? {
    state.profile.knowsLocalizedPacks ? state.language.language : nil
  }

  // MARK: Downloads

  /// A size that is larger than any manifest, so that every fault with a byte count applies.
  private static let manifestSize: UInt64 = 1 << 40

  /// Returns whether a fault makes a download fail; a pause only delays it.
  private static func fails(_ effect: DownloadEffect) -> Bool {
    if case .stall = effect { false } else { true }
  }

  private static func text(of effect: DownloadEffect) -> String {
    switch effect {
    case .cut: "the connection ended during the download"
    case .reset: "the connection was reset"
    case .status(let code, _): "the server responded with \(code)"
    case .stall: "the download stalled"
    case .truncate: "the archive is shorter than the manifest specifies"
    case .corrupt: "the archive is damaged"
    case .stale: "the manifest is outdated"
    case .notJSON: "the response is not a manifest"
    case .tlsClose: "the connection ended during the TLS handshake"
    }
  }

  /// Downloads a pack; a failed download changes no pack.
  private mutating func download(
    _ pack: ReleasedPack, _ cause: Event.Cause, isRequested: Bool, _ rules: [SemanticRule]
  ) -> Bool {
    let id = pack.id
    let isBySystem = cause == .installation || cause == .appUpdate
    if isBySystem, state.installed[id] == nil, state.refused.contains(id) {
      emit(.failed(id, .refused), [.shouldDownload])
      return false
    }
    guard !isBySystem || isAllowed(pack) else { return false }
    // The app receives the updates of the downloads that begin while it runs.
    let isSeen = state.lastLaunch != nil && !isBySystem && !isPolling
    if isSeen { state.updates[id, default: []].append(.began) }
    var came = received(pack, cause, isRequested: isRequested, rules, isSeen: isSeen)
    if !came, !state.profile.follows(.retries), events.last?.isTransient ?? false {
      let failure = events.count - 1
      came = received(pack, cause, isRequested: isRequested, rules, isSeen: isSeen)
      if came { events.remove(at: failure) }
    }
    if isSeen { state.updates[id, default: []].append(came ? .finished : .failed) }
    return came
  }

  /// Returns whether the settings of the user allow the system to download a pack now.
  private mutating func isAllowed(_ pack: ReleasedPack) -> Bool {
    let isEssential = pack.offered.policy.earliestTime == .beforeLaunch
    for condition in AutomaticDownloads.allCases where state.disallowed.contains(condition) {
      if isEssential, condition != .inAppContent { continue }
      emit(
        .failed(pack.id, .disallowed(condition)),
        condition == .inAppContent ? .inAppContent : .backgroundDownloads)
      return false
    }
    return true
  }

  /// Returns whether the app cancels the download of a pack.
  private mutating func isCancelled(_ id: PackID) -> Bool {
    guard state.cancelling.remove(id) != nil else { return false }
    guard state.cancelled.insert(id).inserted || !state.profile.failsSecondCancellation else {
      emit(.noted("the cancellation of '\(id)' fails with code 113"), .secondCancellation)
      return false
    }
    emit(.failed(id, .cancelled), .cancellation)
    return true
  }

  /// Receives a pack and installs it; a failed download changes no pack.
  private mutating func received(
    _ pack: ReleasedPack, _ cause: Event.Cause, isRequested: Bool, _ rules: [SemanticRule],
    isSeen: Bool
  ) -> Bool {
    let id = pack.id
    guard state.isOnline else {
      emit(.failed(id, .offline), .retries)
      return false
    }
    guard state.isOffered else {
      emit(.failed(id, .trouble("no release is published")), .retries)
      return false
    }
    // The manifest contains the size of the archive, but not the sizes of its files.
    // In the other behavior, the archive is unpacked while it is received.
    let archive = state.profile.follows(.lowStorage) ? pack.offered.size.download : 0
    guard hasRoom(for: archive, of: id, includesFiles: false) else { return false }
    if isSeen { state.updates[id, default: []].append(.downloading) }
    if isCancelled(id) { return false }
    let start = state.clock
    state.pass(duration(of: pack.offered.size.download))
    guard !failsOnPurpose(pack, isSeen: isSeen) else { return false }
    state.partial[PartialDownload(pack)] = nil
    switch source.download(pack) {
    case .failure(let trouble):
      emit(.failed(id, .trouble(trouble.reason)))
      return false
    case .success(let delivered):
      guard delivered.offered.isOffered(on: platform) else {
        emit(
          .failed(id, .trouble(delivered.platformMistake(on: platform))),
          [.platform, .platformOfArchive])
        return false
      }
      let needed = archive.addingSaturated(delivered.offered.size.unpacked)
      guard hasRoom(for: needed, of: id, includesFiles: true) else { return false }
      let own = state.installed[id]
      state.put(
        InstalledPack(delivered, isRequested: isRequested || own?.isRequested ?? false))
      emit(
        .downloaded(
          .init(
            id: id, version: pack.version, previous: own?.pack.version,
            size: pack.offered.size.download, cause: cause, start: start, end: state.clock,
            time: pack.offered.policy.earliestTime)),
        rules + (own == nil ? [] : [.versionRises, .replaced, .wholeDownload]) + delivered.rules)
      return true
    }
  }

  /// Returns whether the device has `needed` free bytes for a pack; reports a failure otherwise.
  private mutating func hasRoom(
    for needed: UInt64, of id: PackID, includesFiles: Bool
  ) -> Bool {
    guard let free = state.profile.free else { return true }
    let left = free - min(free, state.used)
    guard needed > left else { return true }
    emit(
      .failed(id, .noRoom(needed: needed, left: left, includesFiles: includesFiles)), .lowStorage)
    return false
  }

  /// Returns whether a fault makes a download fail; a stall only delays it.
  private mutating func failsOnPurpose(_ pack: ReleasedPack, isSeen: Bool) -> Bool {
    let size = pack.offered.size.download
    let part = PartialDownload(pack)
    let rest = size - min(size, state.partial[part] ?? 0)
    guard let effect = state.faults.strike(.pack(pack.id.text), bodyOf: rest)?.effect else {
      return false
    }
    notePart(effect, of: part, size: size, rest: rest)
    if case .stall(let time) = effect {
      if isSeen { state.updates[pack.id, default: []] += [.paused, .downloading] }
      state.pass(UInt64(clamping: time.wholeMilliseconds))
    }
    guard Self.fails(effect) else { return false }
    let isDamage =
      switch effect {
      case .truncate, .corrupt: true
      case .cut, .reset, .status, .stall, .stale, .notJSON, .tlsClose: false
      }
    emit(
      .failed(pack.id, .trouble(Self.text(of: effect))),
      isDamage ? [.damaged, .noDigest] : [.retries])
    return true
  }

  /// Records how much of an archive the device has after a fault.
  private mutating func notePart(
    _ effect: DownloadEffect, of part: PartialDownload, size: UInt64, rest: UInt64
  ) {
    switch effect {
    // The number of bytes that a reset discards is unknown; the simulation assumes all.
    case .status, .stall, .stale, .notJSON, .tlsClose, .reset: break
    case .cut(let amount): state.partial[part] = size - rest + amount.bytes(of: rest)
    // A whole archive with another size is rejected before its transfer; a resumed one ends early.
    case .truncate: state.partial[part] = rest == size ? nil : size - (rest + 1) / 2
    case .corrupt: state.partial[part] = nil
    }
  }

  private func duration(of size: UInt64) -> UInt64 {
    guard let rate = state.profile.bytesPerSecond, rate > 0 else { return 0 }
    let time = (Double(size) / Double(rate) * 1000).rounded(.up)
    return UInt64(exactly: min(time, Double(DeviceState.lastMoment))) ?? 0
  }

  // MARK: Installation

  private mutating func install(on event: InstallationEvent) {
    if event == .subsequentUpdate, !needsApp() { return }
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
  private mutating func open(_ event: InstallationEvent, _ rules: [SemanticRule]) {
    state.hasApp = true
    if event == .firstInstallation { state.lastPoll = state.clock }
    emit(.appReady, [.policyEssential] + rules)
  }

  /// Returns the packs of a group that are missing or outdated.
  private func missing(_ group: DownloadPlan.Group, in offered: Release) -> [ReleasedPack] {
    group.packs.compactMap { pack in
      guard let released = offered[pack.id] else { return nil }
      guard let own = state.installed[pack.id]?.pack else { return released }
      return released.version > own.version ? released : nil
    }
  }

  private mutating func needsApp() -> Bool {
    if !state.hasApp { emit(.ignored("the app is not installed")) }
    return state.hasApp
  }

  private mutating func launch() {
    guard needsApp() else { return }
    state.lastLaunch = state.clock
    emit(.launched, .launchOffline)
    if !state.profile.follows(.launchOffline) { update(.launchOffline) }
  }

  // MARK: Requests

  private mutating func request(_ ids: [PackID], latest: Bool) {
    guard needsApp() else { return }
    let areThere = ids.allSatisfy { state.installed[$0] != nil }
    if latest || !areThere { _ = fetchManifest() }
    let language = language
    let set: [SemanticRule] = ids.count > 1 ? [.partialSuccess] : []
    for id in ids {
      let own = state.installed[id]?.pack
      let pack = state.manifest?[id, to: state.profile]
      if let own {
        state.noteRequest(of: id)
        guard latest else {
          emit(.present(id, version: own.version), set + [.ensureLocal])
          continue
        }
        guard let pack else {
          let rules = set + [.obsolete, .latestOfObsolete]
          emit(
            state.profile.follows(.latestOfObsolete)
              ? .failed(id, .obsolete) : .present(id, version: own.version), rules)
          continue
        }
        guard pack.version > own.version else {
          emit(.present(id, version: own.version), set + [.ensureLatest])
          continue
        }
      }
      guard let pack else {
        let absence = state.absence(of: id)
        let isListed = state.manifest?[id] != nil
        emit(
          .failed(id, isListed ? .notOffered(absence?.phrase ?? "") : .unknownPack),
          set + [.packNotFound] + (isListed ? absence?.rules ?? [] : []))
        continue
      }
      var rules = set + (latest ? [.ensureLatest] : [.ensureLocal])
      if !pack.offered.language.serves(language) {
        rules.append(.languageRequest)
        guard state.profile.follows(.languageRequest) else {
          emit(.failed(id, .notOffered("it is for another language")), rules)
          continue
        }
      }
      if pack.offered.policy == .onDemand { rules.append(.policyOnDemand) }
      _ = download(pack, own == nil ? .request : .update, isRequested: true, rules)
    }
  }

  private mutating func remove(_ ids: [PackID]) {
    guard needsApp() else { return }
    for id in ids {
      if let own = state.remove(id) {
        emit(.removed(id, version: own.pack.version, .byApp), .removeByApp)
      } else {
        emit(.failed(id, .notInstalled), .packNotFound)
      }
    }
  }

  // MARK: Updates

  /// Updates and removes packs; `rule` is the reason for the check.
  private mutating func update(_ rule: SemanticRule) {
    isPolling = rule == .polling
    defer { isPolling = false }
    guard fetchManifest(), let offered else { return }
    updateInstalled(from: offered, [rule])
    if state.profile.follows(.missedPrefetch) {
      prefetchMissed(of: offered, [rule, .missedPrefetch, .order])
    }
  }

  private mutating func updateInstalled(from offered: Release, _ rules: [SemanticRule]) {
    for id in state.installedIDs {
      guard let own = state.installed[id]?.pack else { continue }
      guard let pack = offered[id] else {
        state.remove(id)
        emit(.removed(id, version: own.version, .obsolete), [.obsolete] + rules)
        continue
      }
      if pack.version > own.version {
        _ = download(pack, .update, isRequested: false, rules + [.order])
      } else {
        emit(.present(id, version: own.version), .kept)
      }
    }
  }

  /// Downloads the packs whose prefetch failed.
  ///
  /// Packs that are no longer prefetch packs are removed from the list.
  private mutating func prefetchMissed(of offered: Release, _ rules: [SemanticRule]) {
    guard !state.missed.isEmpty else { return }
    let missed = offered.packs.map(\.offered).filter { pack in
      state.missed.contains(pack.id) && pack.policy.earliestTime == .inBackground
        && !state.refused.contains(pack.id)
    }
    state.missed = Set(missed.map(\.id))
    let plan = DownloadPlan(of: missed, on: device(.firstInstallation))
    for pack in missing(plan.offered, in: offered) {
      _ = download(pack, .installation, isRequested: false, rules)
    }
  }

  private static let day: UInt64 = 86_400_000

  private mutating func wait(_ time: UInt64) {
    let end = min(state.clock.addingSaturated(time), DeviceState.lastMoment)
    defer { state.clock = max(state.clock, end) }
    guard state.hasApp else { return }
    guard let launch = state.lastLaunch else { return emit(.pollingEnded, .polling) }
    while true {
      // Checks that were missed while the app was not opened are made up for immediately.
      let daily = max(state.lastPoll + Self.day, state.clock)
      let weekly = max(state.lastPoll + 7 * Self.day, state.clock)
      let next = daily <= launch + 7 * Self.day ? daily : weekly
      guard next <= launch + 28 * Self.day else {
        if launch + 28 * Self.day < end { emit(.pollingEnded, .polling) }
        return
      }
      guard next <= end else { return }
      state.clock = next
      state.lastPoll = next
      if let condition = AutomaticDownloads.allCases.first(where: {
        $0 != .inAppContent && state.disallowed.contains($0)
      }) {
        emit(.noted("no check for updates: \(condition.rawValue)"), .backgroundDownloads)
        continue
      }
      emit(.polled, .polling)
      update(.polling)
    }
  }

  // MARK: Languages

  private mutating func reconcile() {
    guard needsApp() else { return }
    _ = fetchManifest()
    guard state.profile.knowsLocalizedPacks, let offered else { return }
    reportLanguage(.reconcile)
    let resolved = language
    // The system downloads the same packs as a first installation.
    let plan = DownloadPlan(
      of: offered.packs.map(\.offered).filter { $0.language != nil }, on: device(.firstInstallation)
    )
    for group in [plan.beforeLaunch, plan.inBackground] {
      for pack in missing(group, in: offered) {
        _ = download(
          pack, .language, isRequested: false, [.reconcile, .reconcileOnDemand, .order])
      }
    }
    if !state.profile.follows(.reconcileOnDemand) {
      for pack in missing(plan.onRequest, in: offered) {
        _ = download(pack, .language, isRequested: false, [.reconcile, .reconcileOnDemand])
      }
    }
    for id in state.installedIDs {
      guard let own = state.installed[id], !own.pack.offered.language.serves(resolved) else {
        continue
      }
      if own.isRequested {
        emit(.present(id, version: own.pack.version), .reconcile)
      } else {
        state.remove(id)
        emit(.removed(id, version: own.pack.version, .language), .reconcile)
      }
    }
  }

  // MARK: Searches

  private mutating func read(_ path: String, in id: PackID?, for language: LanguageTag?) {
    guard needsApp() else { return }
    let (answer, rules) = state.find(path, in: id, for: language, source)
    emit(.found(path: path, answer), rules)
  }

  private mutating func reportStatus() {
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

extension Event {
  /// Whether it is a failed download that a second attempt may complete.
  fileprivate var isTransient: Bool {
    if case .failed(_, .trouble) = kind { rules.contains(.retries) } else { false }
  }
}

extension ReleaseSource {
  /// Returns the manifest of a channel: its release, with the packs that were submitted later.
  fileprivate func manifest(
    of live: LiveRelease, _ platform: Platform
  ) -> Result<Release, ReleaseFailure> {
    var packs: [ReleasedPack] = []
    var name = ""
    var rules: [SemanticRule] = []
    if let number = live.release {
      switch manifest(number, platform) {
      case .failure(let failure): return .failure(failure)
      case .success(let release):
        if live.submitted.isEmpty { return .success(release) }
        (name, packs, rules) = (release.name, release.packs, release.rules)
      }
    }
    for (id, number) in live.submitted.sorted(by: { $0.key < $1.key }) {
      switch manifest(number, platform) {
      case .failure(let failure): return .failure(failure)
      case .success(let release):
        guard let pack = release[id] else { continue }
        if let place = packs.firstIndex(where: { $0.id == id }) {
          packs[place] = pack
        } else {
          packs.append(pack)
        }
        if name.isEmpty { name = release.name }
      }
    }
    return .success(Release(name, packs, rules: rules))
  }
}

extension ReleasedPack {
  /// Whether the installation of the app downloads the pack.
  fileprivate var isForInstallations: Bool {
    switch offered.policy {
    case .essential(let events), .prefetch(let events): events.contains(.firstInstallation)
    case .onDemand: false
    }
  }
}

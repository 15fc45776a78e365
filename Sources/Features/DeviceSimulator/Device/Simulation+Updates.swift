import BAPackKit

// Requests of the app, removals, and updates.
extension Simulation {
  // MARK: Requests

  mutating func request(_ ids: [PackID], latest: Bool) {
    guard checkApp() else { return }
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

  mutating func remove(_ ids: [PackID]) {
    guard checkApp() else { return }
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
  mutating func update(_ rule: SemanticRule) {
    isPolling = rule == .polling
    defer { isPolling = false }
    guard fetchManifest(), let offered else { return }
    updateInstalled(from: offered, [rule])
    if state.profile.follows(.missedPrefetch) {
      prefetchMissed(of: offered, [rule, .missedPrefetch, .order])
    }
  }

  mutating func updateInstalled(from offered: Release, _ rules: [SemanticRule]) {
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
  mutating func prefetchMissed(of offered: Release, _ rules: [SemanticRule]) {
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

  static let day: UInt64 = 86_400_000

  mutating func wait(_ time: UInt64) {
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
}

extension ReleasedPack {
  /// Whether the installation of the app downloads the pack.
  var isForInstallations: Bool {
    switch offered.policy {
    case .essential(let events), .prefetch(let events): events.contains(.firstInstallation)
    case .onDemand: false
    }
  }
}
